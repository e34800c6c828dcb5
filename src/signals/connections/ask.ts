import type { SocketFailure, SocketWay } from '../../evidence/looks.ts';
import type { ExecOutput, KubeError } from '../../kube/types.ts';
import { readNetstat } from '../read/netstat.ts';
import { readProcNetTcp } from '../read/proc-net-tcp.ts';
import type { ReadSockets } from '../read/sockets.ts';
import { readSs } from '../read/ss.ts';

/** The ways to read the sockets of a pod, best first: only `ss -i` knows what each connection carried. */
export const socketWays = ['ss', 'ss-unfiltered', 'netstat', 'proc'] as const satisfies readonly SocketWay[];

/** Ports that mesh sidecars accept inbound connections on in the place of the application's own. */
export const sidecarInboundPorts = { istio: 15006, linkerd: 4143 } as const;

/**
 * The argument vector for a way. The kernel filters by port where `ss` can: a busy pod has many other sockets. Listening
 * sockets come along: a Ready pod in which nothing listens refuses its clients.
 */
export function socketCommand(way: SocketWay, ports: readonly number[]): readonly string[] {
  switch (way) {
    case 'ss':
      return [
        'ss',
        '-tniH',
        'state',
        'established',
        'state',
        'listening',
        '(',
        ...ports.flatMap((port, i) => [...(i > 0 ? ['or'] : []), 'sport', '=', `:${port}`]),
        ')',
      ];
    case 'ss-unfiltered':
      return ['ss', '-tni'];
    case 'netstat':
      return ['netstat', '-tn'];
    case 'proc':
      return ['cat', '/proc/net/tcp', '/proc/net/tcp6'];
  }
}

/** Reads the output of a way. */
export function readSockets(way: SocketWay, stdout: string): ReadSockets {
  switch (way) {
    case 'ss':
    case 'ss-unfiltered':
      return readSs(stdout);
    case 'netstat':
      return readNetstat(stdout);
    case 'proc':
      return readProcNetTcp(stdout);
  }
}

/**
 * Did the command answer? `cat` with a missing tcp6 exits 1 and has printed tcp all the same (IPv6 switched off), so
 * output counts more than the code; and `ss` without any matching socket prints nothing and exits 0.
 */
export function answered(way: SocketWay, output: ExecOutput): boolean {
  if (output.end.kind === 'exit' && output.end.code === 0) return true;
  if (output.end.kind === 'no-such-program') return false;
  return way === 'proc' ? output.stdout.includes('local_address') : output.end.kind === 'lost' && output.stdout !== '';
}

/** The reason behind a failed exec. */
export function failureReason(error: KubeError): SocketFailure['reason'] {
  switch (error.kind) {
    case 'forbidden':
      return 'forbidden';
    case 'refused':
      return 'refused';
    case 'timeout':
      return 'timeout';
    case 'upgrade':
      return 'no-upgrade';
    case 'unreachable':
    case 'closed':
    case 'tls':
      return 'unreachable';
    case 'server':
      if (/container not found|is not running|not in running state|completed pod/i.test(error.message))
        return 'not-running';
      return /dialing backend/i.test(error.message) ? 'unreachable' : 'failed';
    case 'not-found':
      return 'not-running';
    default:
      return 'failed';
  }
}

/** Failures that every pod of the namespace would meet alike: asking on would only add audit events. */
export function endsTheRound(reason: SocketFailure['reason']): boolean {
  return reason === 'forbidden' || reason === 'refused' || reason === 'no-upgrade';
}

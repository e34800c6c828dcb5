import type { ExecsElsewhere, SocketFailure, SocketLook, SocketWay } from '../../evidence/looks.ts';
import type { Pod } from '../../evidence/objects.ts';
import type { SignalState, SkewEvidence } from '../../evidence/schema.ts';
import { deniedBy } from '../../kube/errors/denied.ts';
import type { ExecOutput } from '../../kube/types.ts';
import { byPod, lookedAtOf, type Progress, type SignalHost, type SignalUpdate } from '../look.ts';
import { pace, runPaced } from '../pool.ts';
import { atPorts, type ReadSockets } from '../read/sockets.ts';
import { complete, failed, partial } from '../state.ts';
import { answered, endsTheRound, failureReason, readSockets, socketCommand, socketWays } from './ask.ts';

/** A pod whose sockets are to be read. */
export interface Target {
  readonly pod: Pod;
  readonly ports: readonly number[];
  /** Containers to try, best first; all share the pod's network namespace. */
  readonly containers: readonly { readonly name: string; readonly image: string }[];
}

export type Connections = NonNullable<SkewEvidence['connections']>;

/** What a round of looking into pods gave. */
export interface Round {
  readonly looks: readonly SocketLook[];
  readonly failures: readonly SocketFailure[];
  readonly execs: number;
}

/**
 * The way that worked, by image: a property of what the image contains, tried once and used for all its pods.
 * `null` says that the image has no way at all.
 */
export type KnownWays = Map<string, SocketWay | null>;

export interface RoundOptions {
  readonly host: SignalHost;
  readonly targets: readonly Target[];
  readonly sample: 1 | 2;
  readonly known: KnownWays;
  readonly startsPerSecond?: number;
}

/**
 * Reads the sockets of all targets. One pod goes first, alone: it finds the way that works and meets a refusal before
 * anything fans out. A failure that all would meet ends the round without another exec.
 */
export async function readAllSockets(options: RoundOptions): Promise<Round> {
  const { host, targets, sample } = options;
  host.progress('connections', 'running', `${targets.length} pods to look into`);
  const looks: SocketLook[] = [];
  const failures: SocketFailure[] = [];
  let execs = 0;
  let connections = 0;
  let ended: SocketFailure | null = null;
  const visit = async (target: Target): Promise<void> => {
    if (ended !== null) {
      failures.push({ ...ended, pod: target.pod.name, podUid: target.pod.uid });
      return;
    }
    const result = await lookInto(target, options);
    execs += result.execs;
    connections += result.look?.sockets.length ?? 0;
    if (result.look !== null && connections <= mostConnections) looks.push(result.look);
    else {
      const { reason, message } = result.look === null ? result : tooMany;
      const failure: SocketFailure = { pod: target.pod.name, podUid: target.pod.uid, sample, reason, message };
      failures.push(failure);
      if (result.look !== null) ended = failure;
      else if (endsTheRound(reason)) ended = failure;
      else if (looks.length === 0 && failures.filter(isSilent).length >= mostSilent)
        ended = { ...failure, message: `not tried, as no pod before it answered: ${failure.message}` };
    }
    host.progress('connections', 'running', `${looks.length + failures.length} of ${targets.length} pods`);
  };
  const [first, ...others] = targets;
  const startsPerSecond = options.startsPerSecond ?? pace.startsPerSecond;
  const firstStart = performance.now();
  if (first !== undefined) await visit(first);
  await runPaced(others, visit, {
    nodeOf: (target) => target.pod.nodeName ?? '',
    startsPerSecond,
    notBefore: first === undefined ? 0 : firstStart + 1000 / startsPerSecond,
    signal: host.signal,
  });
  return { looks: looks.sort(byPod), failures: failures.sort(byPod), execs };
}

/** Connections of all pods of a round: a record of two rounds has 95 MiB then, and may have 128. */
const mostConnections = 150_000;
const tooMany = {
  reason: 'failed',
  message: `the pods hold more than ${mostConnections} connections together; no more are kept`,
} as const;

/** So many pods without an answer, and none with one: waiting for each of the others helps nobody. */
const mostSilent = 2;

function isSilent(failure: SocketFailure): boolean {
  return failure.reason === 'timeout';
}

type SocketResult =
  | { readonly look: SocketLook; readonly execs: number }
  | { readonly look: null; readonly execs: number; readonly reason: SocketFailure['reason']; readonly message: string };

async function lookInto(target: Target, options: RoundOptions): Promise<SocketResult> {
  let execs = 0;
  let last: { reason: SocketFailure['reason']; message: string } = {
    reason: 'no-tool',
    message: 'no container has ss, netstat or cat',
  };
  for (const container of target.containers) {
    for (const way of waysToTry(options.known, container.image)) {
      execs++;
      const { kube, signal } = options.host;
      const { namespace, name: pod } = target.pod;
      const command = socketCommand(way, target.ports);
      const result = await kube.exec(
        { namespace, pod, container: container.name, command },
        { ...(signal && { signal }) },
      );
      if (!result.ok) return { look: null, execs, reason: failureReason(result.error), message: result.error.message };
      const read = readSockets(way, result.value.stdout);
      if (answered(way, result.value) && isWhole(way, read, result.value)) {
        options.known.set(container.image, way);
        const { stdout, endedAt } = result.value;
        const look = readLook(target, container.name, way, options.sample, endedAt, read);
        return { look: showsListeners(way, stdout) ? look : withoutEmpty(look), execs };
      }
      last = describeEnd(result.value, way);
      // A lost connection says nothing of the image: another way would be lost as well.
      if (result.value.end.kind === 'lost') return { look: null, execs, ...last };
    }
    if (!options.known.has(container.image) && last.reason === 'no-tool') options.known.set(container.image, null);
  }
  return { look: null, execs, ...last };
}

/** Of the ways that always print one: without it, no rows does not mean no connections. */
const headers: Readonly<Partial<Record<SocketWay, string>>> = {
  'ss-unfiltered': 'Recv-Q',
  netstat: 'Recv-Q',
  proc: 'local_address',
};

/**
 * A table that is cut short, or that is mostly something else than rows, is no look: what it lacks would count as no
 * connection.
 */
function isWhole(way: SocketWay, read: ReadSockets, output: ExecOutput): boolean {
  const header = headers[way];
  if (header !== undefined && !output.stdout.includes(header)) return false;
  if (output.end.kind === 'lost') return output.stdout.endsWith('\n') && read.unreadableRows === 0;
  return read.unreadableRows <= read.sockets.length;
}

/** The ways to read sockets that may work in a container of the image. */
export function waysToTry(known: KnownWays, image: string): readonly SocketWay[] {
  const way = known.get(image);
  if (way === null) return [];
  return way === undefined ? socketWays : [way];
}

function describeEnd(output: ExecOutput, way: SocketWay): { reason: SocketFailure['reason']; message: string } {
  const program = way === 'proc' ? 'cat' : way === 'netstat' ? 'netstat' : 'ss';
  switch (output.end.kind) {
    case 'no-such-program':
      return { reason: 'no-tool', message: 'no container has ss, netstat or cat' };
    case 'lost':
      return { reason: 'failed', message: `the connection closed before ${program} had ended` };
    case 'failed':
      return { reason: 'failed', message: output.end.message };
    case 'exit':
      return output.end.code === 0
        ? { reason: 'failed', message: `the output of ${program} could not be read` }
        : { reason: 'failed', message: `${program} ended with exit code ${output.end.code}` };
  }
}

function readLook(
  target: Target,
  container: string,
  way: SocketWay,
  sample: 1 | 2,
  lookedAt: string,
  all: ReadSockets,
): SocketLook {
  const read = atPorts(all, target.ports);
  return {
    pod: target.pod.name,
    podUid: target.pod.uid,
    container,
    sample,
    way,
    lookedAt,
    sockets: [...read.sockets],
    // `state established` leaves TIME-WAIT out, so only the unfiltered ways know it.
    ...(way !== 'ss' && { timeWait: read.timeWait }),
    listening: listeningOf(target, read),
    unreadableRows: read.unreadableRows,
  };
}

/**
 * netstat -tn and an unfiltered ss leave listening sockets out: from them, none means nothing. What has a header (the
 * filter by state takes its first word away) is the output of another command than ours, as recordings hold it.
 */
function showsListeners(way: SocketWay, stdout: string): boolean {
  return way === 'proc' || (way === 'ss' && !/^(?:State|Recv-Q)\b/.test(stdout));
}

function withoutEmpty({ listening, ...look }: SocketLook): SocketLook {
  return listening === undefined || listening.length === 0 ? look : { ...look, listening };
}

/** Wanted ports with a listener. In a lab the address of a pod is a loopback address itself. */
function listeningOf(target: Target, read: ReadSockets): NonNullable<SocketLook['listening']> {
  const isInside = (address: string) => /^(127\.|::1$)/.test(address) && !target.pod.addresses.includes(address);
  return [...new Set(read.listeners.map(({ port }) => port))]
    .sort((a, b) => a - b)
    .map((port) => {
      const addresses = read.listeners.filter((listener) => listener.port === port).map(({ address }) => address);
      return { port, loopback: addresses.every(isInside) };
    });
}

/** The connections as they are seen now, with the state of their signal. */
export function lookAtConnections(connections: Connections): SignalUpdate {
  return {
    patch: { connections },
    state: stateOf(connections),
    times: connections.looks.map((look) => look.lookedAt),
  };
}

function stateOf({ looks, failures }: Connections): SignalState {
  const seen = new Set(looks.map((look) => look.podUid));
  const missing = failures.filter((failure) => !seen.has(failure.podUid));
  const [first] = missing.length > 0 || looks.length > 0 ? missing : failures;
  if (first === undefined) return complete('connections', lookedAtOf(looks));
  if (seen.size > 0) {
    const all = seen.size + missing.length;
    return partial('connections', `${missing.length} of ${all} pods not seen: ${first.message}`, lookedAtOf(looks));
  }
  const kind = first.reason === 'forbidden' ? 'forbidden' : 'refused';
  return failed('connections', { kind, request: 'exec', message: first.message, ...deniedBy(first.message) });
}

/** The same with commands that ran in other pods than those of the Service. `each`: how many in each of these pods. */
export function withExecsElsewhere(
  connections: Connections | null,
  where: ExecsElsewhere['where'],
  each: readonly number[],
): Connections | null {
  const ran = each.filter((execs) => execs > 0);
  if (connections === null || ran.length === 0) return connections;
  const execs = ran.reduce((sum, one) => sum + one, 0);
  const before = connections.elsewhere ?? [];
  const same = before.find((entry) => entry.where === where) ?? { execs: 0, pods: 0 };
  const noted = { where, execs: same.execs + execs, pods: Math.max(same.pods, ran.length) };
  const elsewhere = [...before.filter((entry) => entry.where !== where), noted];
  return { ...connections, execs: connections.execs + execs, elsewhere };
}

export function progressOf(round: Round, planned: number): Progress {
  const step = round.failures.length === 0 ? 'done' : round.looks.length === 0 ? 'failed' : 'partial';
  const connections = round.looks.reduce((sum, look) => sum + look.sockets.length, 0);
  const pods = round.looks.length === planned ? `${planned} pods` : `${round.looks.length} of ${planned} pods`;
  const found = `${connections} in ${pods}`;
  return ['connections', step, round.looks.length > 0 ? found : (round.failures[0]?.reason ?? 'nothing to look into')];
}

import { toolVersion } from '../cli/version.ts';
import { nextStep } from '../kube/errors/next-step.ts';
import type { KubeError, KubeHost } from '../kube/types.ts';
import { sanitise } from '../render/sanitise.ts';
import type { Problem } from '../result/result.ts';
import { computeLong } from './compute.ts';
import type { Host } from './host.ts';

/** What `kube/` needs of the process; `screenIsTaken` where a live view may have the terminal. */
export function kubeHost(host: Host, verbosity: number, screenIsTaken: () => boolean = () => false): KubeHost {
  return {
    env: host.env,
    homeDirectory: host.homeDirectory,
    platform: host.platform,
    stdinIsTerminal: host.stdinIsTerminal,
    screenIsTaken,
    userAgent: `kubectl-grpc_skew/${toolVersion} (${host.platform}/${host.architecture})`,
    interrupted: host.interrupted,
    computeLong: (work) => computeLong(host, work),
    log: (level, line) => level <= verbosity && say(host, line),
  };
}

/** One line for people; names in it come from the cluster. */
export function say(host: Host, text: string): void {
  host.stderr(`${sanitise(text)}\n`);
}

/** What kept the cluster from being opened, in its own words. */
export function notOpened(error: KubeError): Problem {
  return { kind: 'failed', message: error.message, hint: nextStep(error) };
}

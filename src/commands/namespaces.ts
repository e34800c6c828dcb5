import type { Arguments } from '../cli/arguments.ts';
import { exitCodes } from '../cli/exit-codes.ts';
import { connectionFlags, connectionProblem, type DiagnosisOptions, readDiagnosisOptions } from '../cli/options.ts';
import { explainMissingNamespace } from '../collect/problem.ts';
import type { SignalState, SkewEvidence } from '../evidence/schema.ts';
import { openKube } from '../kube/open.ts';
import type { KubeClient } from '../kube/types.ts';
import type { SignalAnswer } from '../report/schema.ts';
import { type Problem, wrongUsage } from '../result/result.ts';
import { signalFacts } from '../signals/catalogue.ts';
import { fail } from './fail.ts';
import type { Host } from './host.ts';
import { kubeHost, notOpened } from './kube.ts';
import { openRecording } from './recorded.ts';

/** What a command that looks at a namespace, or at all of them, works with. */
interface Namespaces {
  readonly kube: KubeClient;
  /** Null: all. */
  readonly namespace: string | null;
  readonly options: DiagnosisOptions;
  /** A folder of raw answers stands in for the cluster: between two looks nobody has to wait. */
  readonly recorded: boolean;
}

/** The work of such a command: on a cluster, or on the evidence of one Service that was recorded. */
export interface NamespacesWork {
  readonly command: string;
  onCluster(on: Namespaces): Promise<number>;
  onEvidence(evidence: SkewEvidence, options: DiagnosisOptions): number;
}

/** Reads the flags of such a command, opens the cluster or the recording, and closes it when the work is done. */
export async function overNamespaces(
  { command, onCluster, onEvidence }: NamespacesWork,
  given: Arguments,
  host: Host,
): Promise<number> {
  const [extra] = given.positionals;
  if (extra !== undefined)
    return fail(host, wrongUsage(`${command} takes no argument, not ${extra}`, 'choose with -n NAMESPACE or -A'));
  const options = readDiagnosisOptions(given);
  if (!options.ok) return fail(host, options.error);
  const from = given.text('from');
  if (from !== null) {
    const recorded = await openRecording(from, host);
    if (recorded === null) return exitCodes.interrupted;
    if (!recorded.ok) return fail(host, recorded.error);
    const { value } = recorded;
    if (value.kind === 'evidence') return onEvidence(value.evidence, options.value);
    const namespace = given.isSet('all-namespaces') ? null : value.kube.namespace;
    return onCluster({ kube: value.kube, namespace, options: options.value, recorded: true });
  }
  const flags = connectionFlags(given);
  const problem = connectionProblem(given);
  if (problem !== null) return fail(host, problem);
  const opened = await openKube(flags, kubeHost(host, options.value.verbosity));
  if (host.interrupted.aborted) return exitCodes.interrupted;
  if (!opened.ok) return fail(host, notOpened(opened.error));
  const kube = opened.value;
  try {
    const namespace = given.isSet('all-namespaces') ? null : kube.namespace;
    return await onCluster({ kube, namespace, options: options.value, recorded: false });
  } finally {
    await kube.close();
  }
}

/** A list of a namespace that is not there is empty, and no error: what is to be said of it; null: nothing. */
export async function missingOf(kube: KubeClient, namespace: string | null, host: Host): Promise<Problem | null> {
  return namespace === null ? null : explainMissingNamespace(kube, namespace, 'or all with -A', host.interrupted);
}

/** The published form of a signal. */
export function answerSignal(signal: SignalState, now: number): SignalAnswer {
  const { id, state, reason, needs, lookedAt } = signal;
  return {
    id,
    state,
    reason,
    needs,
    settles: state === 'complete' ? null : signalFacts(id).settles,
    ageSeconds: lookedAt === null ? null : Math.max(0, Math.round((now - Date.parse(lookedAt)) / 1000)),
  };
}

import type { Arguments } from '../cli/arguments.ts';
import { exitCodes } from '../cli/exit-codes.ts';
import { connectionFlags, connectionProblem, type DiagnosisOptions, readDiagnosisOptions } from '../cli/options.ts';
import { explainMissingNamespace, problemOf } from '../collect/problem.ts';
import type { SignalState, SkewEvidence } from '../evidence/schema.ts';
import { nextStep } from '../kube/errors/next-step.ts';
import { openKube } from '../kube/open.ts';
import type { KubeClient, KubeError } from '../kube/types.ts';
import { renderError } from '../render/error.ts';
import type { SignalAnswer } from '../report/schema.ts';
import { signalFacts } from '../signals/catalogue.ts';
import type { Host } from './host.ts';
import { kubeHost } from './kube.ts';
import { openRecording } from './recorded.ts';
import { usage } from './run.ts';

/** What a command that looks at a namespace, or at all of them, works with. */
export interface Namespaces {
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
    return usage(host, {
      message: `${command} takes no argument, not ${extra}`,
      hint: 'choose with -n NAMESPACE or -A',
    });
  const options = readDiagnosisOptions(given);
  if (!options.ok) return usage(host, options);
  const from = given.text('from');
  if (from !== null) {
    const recorded = await openRecording(from, host);
    if (recorded === null) return exitCodes.interrupted;
    if (!recorded.ok) {
      host.stderr(renderError(recorded));
      return exitCodes.failed;
    }
    if (recorded.kind === 'evidence') return onEvidence(recorded.evidence, options.value);
    const namespace = given.isSet('all-namespaces') ? null : recorded.kube.namespace;
    return onCluster({ kube: recorded.kube, namespace, options: options.value, recorded: true });
  }
  const flags = connectionFlags(given);
  const problem = connectionProblem(flags);
  if (problem !== null) return usage(host, problem);
  const opened = await openKube(flags, kubeHost(host, options.value.verbosity));
  if (host.interrupted.aborted) return exitCodes.interrupted;
  if (!opened.ok) {
    host.stderr(renderError({ message: opened.error.message, hint: nextStep(opened.error) }));
    return exitCodes.failed;
  }
  const kube = opened.value;
  try {
    const namespace = given.isSet('all-namespaces') ? null : kube.namespace;
    return await onCluster({ kube, namespace, options: options.value, recorded: false });
  } finally {
    await kube.close();
  }
}

/** A list of a namespace that is not there is empty, and no error: says so on stderr. */
export async function saysMissing(kube: KubeClient, namespace: string | null, host: Host): Promise<boolean> {
  if (namespace === null) return false;
  const missing = await explainMissingNamespace(kube, namespace, 'or all with -A', host.interrupted);
  if (missing === null) return false;
  host.stderr(renderError(missing));
  return true;
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

export function failWith(host: Host, error: KubeError): number {
  host.stderr(renderError(problemOf(error)));
  return exitCodes.failed;
}

import type { CallFailure, CallLook } from '../../evidence/looks.ts';
import { meshProxiesIn } from '../../evidence/mesh-proxies.ts';
import type { Pod } from '../../evidence/objects.ts';
import type { SkewEvidence } from '../../evidence/schema.ts';
import { deniedBy } from '../../kube/errors/denied.ts';
import { byPod, lookedAtOf, type SignalHost, type SignalUpdate } from '../look.ts';
import { runPaced } from '../pool.ts';
import { readCallCounters } from '../read/call-counters.ts';
import { complete, failed, partial, unavailable } from '../state.ts';
import { askMetrics, callFailure, type MetricsEndpoint, unreachedPort } from './ask.ts';

type Calls = NonNullable<SkewEvidence['calls']>;

/** The pods behind the Service whose metrics page is known. */
function scrapeTargets(
  { pods }: Pick<SkewEvidence, 'pods'>,
  metricsPort: number | null,
): readonly { readonly pod: Pod; readonly endpoint: MetricsEndpoint }[] {
  return (pods ?? []).flatMap((pod) => {
    const known = pod.metricsEndpoint ?? null;
    const endpoint =
      metricsPort === null
        ? known
        : { port: metricsPort, path: known?.path ?? '/metrics', https: known?.https ?? false };
    return endpoint === null || pod.phase !== 'Running' ? [] : [{ pod, endpoint }];
  });
}

/**
 * Reads the counters of calls of all pods. One page first, alone: a right that is missing is missing for all. Two pods
 * that stay silent stand for the others, too: what keeps the API server from them would be waited for at each.
 * @param metricsPort that of all pods, where it is not to be found out
 */
export async function lookAtCalls(
  host: SignalHost,
  evidence: Pick<SkewEvidence, 'pods' | 'calls'>,
  sample: 1 | 2,
  metricsPort: number | null,
): Promise<SignalUpdate> {
  const before = evidence.calls ?? { looks: [], failures: [] };
  const gone = new Set(before.failures.map((failure) => failure.podUid));
  const [first, ...others] = scrapeTargets(evidence, metricsPort).filter((target) => !gone.has(target.pod.uid));
  if (first === undefined) return sample === 1 ? noTargets : {};
  const looks: CallLook[] = [];
  const failures: CallFailure[] = [];
  const times: (string | null)[] = [];
  let silent = 0;
  const visit = async ({ pod, endpoint }: typeof first): Promise<void> => {
    const page = await askMetrics(host.kube, pod, endpoint, host.signal);
    if (!page.ok) {
      if (page.error.kind === 'timeout') silent++;
      failures.push({ pod: pod.name, podUid: pod.uid, reason: callFailure(page.error), message: page.error.message });
      return;
    }
    times.push(page.serverDate);
    const { family, methods } = readCallCounters(page.value.text);
    looks.push({
      pod: pod.name,
      podUid: pod.uid,
      sample,
      lookedAt: page.value.receivedAt,
      family,
      methods: [...methods],
    });
  };
  host.progress('calls', 'running', 'asking one pod');
  await visit(first);
  const second = silent > 0 ? others.shift() : undefined;
  if (second !== undefined) await visit(second);
  const refused = failures.find((failure) => failure.reason === 'forbidden' || silent > 1);
  if (refused !== undefined)
    for (const { pod } of others) failures.push({ ...refused, pod: pod.name, podUid: pod.uid });
  else await runPaced(others, visit, { signal: host.signal });
  const calls = { looks: [...before.looks, ...looks], failures: [...before.failures, ...failures] };
  return { ...described(calls, evidence), times };
}

const noTargets: SignalUpdate = {
  state: unavailable(
    'calls',
    'the pods name no metrics endpoint (prometheus.io annotations, or a port named metrics); --metrics-port names one',
  ),
  progress: ['calls', 'failed', 'no metrics endpoint'],
};

/** What was read, pods in order, and how far it goes. */
function described(calls: Calls, evidence: Pick<SkewEvidence, 'pods'>): SignalUpdate {
  const patch = { calls: { looks: calls.looks.toSorted(byPod), failures: calls.failures.toSorted(byPod) } };
  const pods = new Set(calls.looks.filter((look) => look.family !== null).map((look) => look.podUid)).size;
  const paged = new Set(calls.looks.map((look) => look.podUid)).size;
  const lookedAt = lookedAtOf(calls.looks);
  const [failure] = calls.failures;
  if (pods === 0 && failure !== undefined) {
    const kind = failure.reason === 'forbidden' ? 'forbidden' : 'refused';
    const error = { kind, request: 'get metrics', message: reasonOf(failure, evidence) } as const;
    return {
      patch,
      state: failed('calls', { ...error, ...deniedBy(failure.message) }),
      progress: ['calls', 'failed', failure.reason],
    };
  }
  if (pods === 0) {
    const state = unavailable(
      'calls',
      'no known counters of gRPC calls are on the metrics pages of the pods',
      lookedAt,
    );
    return { patch, state, progress: ['calls', 'failed', 'no gRPC metrics'] };
  }
  if (failure !== undefined) {
    const reason = `${calls.failures.length} pods gave no page: ${reasonOf(failure, evidence)}`;
    return { patch, state: partial('calls', reason, lookedAt), progress: ['calls', 'partial', `${pods} pods`] };
  }
  if (pods < paged) {
    const reason = `no known counters of gRPC calls on the pages of ${paged - pods} of ${paged} pods`;
    return { patch, state: partial('calls', reason, lookedAt), progress: ['calls', 'partial', `${pods} pods`] };
  }
  return { patch, state: complete('calls', lookedAt), progress: ['calls', 'done', `${pods} pods count them`] };
}

/** Why a pod gave no metrics page; what the API server's proxy met there is said in words. */
function reasonOf({ reason, message }: CallFailure, { pods }: Pick<SkewEvidence, 'pods'>): string {
  switch (reason) {
    case 'refused-by-pod':
      return `refused by the pod: ${message}`;
    case 'no-endpoint':
      return `no metrics page: ${message}`;
    case 'no-answer': {
      const isMeshed = (pods ?? []).some(({ containers }) => meshProxiesIn(containers).length > 0);
      return unreachedPort(message, isMeshed) ?? `no answer: ${message}`;
    }
    default:
      return message;
  }
}

import type { CallFailure, CallLook } from '../evidence/looks.ts';
import { meshProxiesIn } from '../evidence/mesh-proxies.ts';
import type { Pod } from '../evidence/objects.ts';
import type { SkewEvidence } from '../evidence/schema.ts';
import { askMetrics, callFailure, type MetricsEndpoint, unreachedPort } from '../signals/calls.ts';
import { readCallCounters } from '../signals/read/call-counters.ts';
import { complete, failed, partial } from '../signals/state.ts';
import { type CollectRequest, type Draft, noteTime } from './draft.ts';
import type { CollectHost } from './looks.ts';

type Calls = NonNullable<SkewEvidence['calls']>;

/** Requests for metrics pages at once. */
const atOnce = 10;

/** The pods behind the Service whose metrics page is known. */
function scrapeTargets(
  request: CollectRequest,
  draft: Draft,
): readonly { readonly pod: Pod; readonly endpoint: MetricsEndpoint }[] {
  return (draft.evidence.pods ?? []).flatMap((pod) => {
    const known = pod.metricsEndpoint ?? null;
    const endpoint =
      request.metricsPort == null
        ? known
        : { port: request.metricsPort, path: known?.path ?? '/metrics', https: known?.https ?? false };
    return endpoint === null || pod.phase !== 'Running' ? [] : [{ pod, endpoint }];
  });
}

/**
 * Reads the counters of calls of all pods. One page first, alone: a right that is missing is missing for all. Two pods
 * that stay silent stand for the others, too: what keeps the API server from them would be waited for at each.
 */
export async function lookAtCalls(
  request: CollectRequest,
  host: CollectHost,
  draft: Draft,
  sample: 1 | 2,
): Promise<void> {
  const before = draft.evidence.calls ?? { looks: [], failures: [] };
  const gone = new Set(before.failures.map((failure) => failure.podUid));
  const [first, ...others] = scrapeTargets(request, draft).filter((target) => !gone.has(target.pod.uid));
  if (first === undefined) {
    if (sample === 1) noteNoTargets(host, draft);
    return;
  }
  const looks: CallLook[] = [];
  const failures: CallFailure[] = [];
  let silent = 0;
  const visit = async ({ pod, endpoint }: typeof first): Promise<void> => {
    const page = await askMetrics(host.kube, pod, endpoint, host.signal);
    if (!page.ok) {
      if (page.error.kind === 'timeout') silent++;
      failures.push({ pod: pod.name, podUid: pod.uid, reason: callFailure(page.error), message: page.error.message });
      return;
    }
    noteTime(draft, page.serverDate);
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
  else {
    const waiting = [...others];
    await Promise.all(
      Array.from({ length: atOnce }, async () => {
        for (let next = waiting.shift(); next !== undefined && host.signal?.aborted !== true; next = waiting.shift())
          await visit(next);
      }),
    );
  }
  noteCalls(host, draft, { looks: [...before.looks, ...looks], failures: [...before.failures, ...failures] });
}

function noteNoTargets(host: CollectHost, draft: Draft): void {
  const reason =
    'the pods name no metrics endpoint (prometheus.io annotations, or a port named metrics); --metrics-port names one';
  draft.states.set('calls', { ...partial('calls', reason, null), state: 'unavailable' });
  host.progress('calls', 'failed', 'no metrics endpoint');
}

/** Notes what was read, pods in order. */
function noteCalls(host: CollectHost, draft: Draft, calls: Calls): void {
  const byPod = <T extends { readonly pod: string }>(a: T, b: T) => (a.pod < b.pod ? -1 : a.pod > b.pod ? 1 : 0);
  draft.evidence = {
    ...draft.evidence,
    calls: { looks: [...calls.looks].sort(byPod), failures: [...calls.failures].sort(byPod) },
  };
  const counting = new Set(calls.looks.filter((look) => look.family !== null).map((look) => look.podUid));
  const paged = new Set(calls.looks.map((look) => look.podUid));
  const uncounted = paged.size - counting.size;
  const lookedAt =
    calls.looks
      .map((look) => look.lookedAt)
      .sort()
      .at(-1) ?? null;
  const [failure] = calls.failures;
  if (counting.size === 0 && failure !== undefined) {
    const kind = failure.reason === 'forbidden' ? 'forbidden' : 'refused';
    draft.states.set('calls', failed('calls', { kind, request: 'get metrics', message: reasonOf(failure, draft) }));
    host.progress('calls', 'failed', failure.reason);
  } else if (counting.size === 0) {
    draft.states.set('calls', {
      ...partial('calls', 'no known counters of gRPC calls are on the metrics pages of the pods', lookedAt),
      state: 'unavailable',
    });
    host.progress('calls', 'failed', 'no gRPC metrics');
  } else if (failure !== undefined) {
    draft.states.set(
      'calls',
      partial('calls', `${calls.failures.length} pods gave no page: ${reasonOf(failure, draft)}`, lookedAt),
    );
    host.progress('calls', 'partial', `${counting.size} pods`);
  } else if (uncounted > 0) {
    const reason = `no known counters of gRPC calls on the pages of ${uncounted} of ${paged.size} pods`;
    draft.states.set('calls', partial('calls', reason, lookedAt));
    host.progress('calls', 'partial', `${counting.size} pods`);
  } else {
    draft.states.set('calls', complete('calls', lookedAt));
    host.progress('calls', 'done', `${counting.size} pods count them`);
  }
}

/** Why a pod gave no metrics page; what the API server's proxy met there is said in words. */
function reasonOf({ reason, message }: CallFailure, { evidence }: Draft): string {
  switch (reason) {
    case 'refused-by-pod':
      return `refused by the pod: ${message}`;
    case 'no-endpoint':
      return `no metrics page: ${message}`;
    case 'no-answer': {
      const isMeshed = (evidence.pods ?? []).some(({ containers }) => meshProxiesIn(containers).length > 0);
      return unreachedPort(message, isMeshed) ?? `no answer: ${message}`;
    }
    default:
      return message;
  }
}

import type { CollectHost } from '../../collect/cluster.ts';
import { type Draft, noteTime } from '../../collect/draft.ts';
import type { Pod } from '../../evidence/objects.ts';
import type { PrometheusHistory, PrometheusLook } from '../../evidence/prometheus.ts';
import type { KubeError } from '../../kube/types.ts';
import type { PrometheusClient, PrometheusRequest } from '../../prometheus/types.ts';
import { newestOf, readSeries, type Series, timeOf } from '../read/prometheus-answer.ts';
import { complete, failed, partial, skipped } from '../state.ts';
import {
  callsFilter,
  callsQuery,
  historyFilters,
  historyQuery,
  historySeconds,
  historyStepSeconds,
  type Place,
  podMetrics,
  podPattern,
  podsQuery,
  probesQuery,
} from './ask.ts';
import { type FoundPrometheus, findPrometheus, refusal } from './find.ts';
import {
  type HistoryFrame,
  type ReadPodCalls,
  type ReadPods,
  readHistory,
  readPodMetrics,
  readPromCalls,
  readPromProbes,
  scrapeSeconds,
} from './read.ts';

/** All questions together may take so long, in milliseconds: the diagnosis does not wait for a slow Prometheus. */
const limitMs = 6000;

/**
 * Asks Prometheus what it has counted of the pods: the one that was named, else one that is found in the cluster. Nothing
 * without a word about it from the host.
 * @param items the pods of all namespaces, as they were listed; empty: not listed
 */
export async function lookAtPrometheus(host: CollectHost, draft: Draft, items: readonly unknown[]): Promise<void> {
  const { prometheus } = host;
  const pods = draft.evidence.pods ?? [];
  if (prometheus === undefined || pods.length === 0) return;
  if (prometheus === 'none') {
    draft.states.set('prometheus', skipped('prometheus', '--prometheus none'));
    return;
  }
  const endsAt = host.now() + limitMs;
  const leftMs = () => Math.max(1, endsAt - host.now());
  host.progress('prometheus', 'running', 'asking');
  const isGiven = prometheus !== 'find';
  const found: FoundPrometheus = isGiven
    ? { clients: [prometheus], scope: 'cluster', refused: null }
    : await findPrometheus(host, draft, items, leftMs());
  if (found.clients.length === 0) return noteNone(host, draft, found);
  let problem: Failure | null = null;
  for (const client of found.clients) {
    const look = await lookBy({ client, host, leftMs, now: () => draft.latest || host.now() }, pods);
    if (host.signal?.aborted === true) return;
    if ('look' in look) return noteLook(host, draft, client, look);
    problem ??= look;
    if (leftMs() <= 1) break;
  }
  if (problem !== null) noteFailure(host, draft, problem);
}

/** Later, live: the one that answered before is asked again; who did not answer is left alone. */
export async function lookAtPrometheusAgain(host: CollectHost, draft: Draft): Promise<void> {
  const client = draft.prometheus;
  if (client === undefined) return;
  const next: Draft = { ...draft, states: new Map() };
  await lookAtPrometheus({ ...host, prometheus: client, progress: () => {} }, next, []);
  const state = next.states.get('prometheus');
  if (state !== undefined) draft.states.set('prometheus', state);
  draft.latest = Math.max(draft.latest, next.latest);
  draft.evidence = { ...draft.evidence, prometheus: next.evidence.prometheus ?? null };
}

interface Failure {
  readonly client: PrometheusClient;
  readonly error: KubeError | null;
  readonly reason: string;
}

interface Looked {
  readonly look: PrometheusLook;
  readonly newest: number | null;
  /** Why a part is missing. */
  readonly reasons: readonly string[];
}

interface Asking {
  readonly client: PrometheusClient;
  readonly host: CollectHost;
  readonly leftMs: () => number;
  /** Milliseconds, by the clock of the API server. */
  readonly now: () => number;
}

type Answered =
  | { readonly ok: true; readonly series: readonly Series[]; readonly warnings: number }
  | { readonly ok: false; readonly error: KubeError };

async function ask(
  { client, host, leftMs }: Asking,
  question: Pick<PrometheusRequest, 'question' | 'query'> & Partial<Pick<PrometheusRequest, 'range'>>,
): Promise<Answered> {
  const answer = await client.ask({
    range: null,
    ...question,
    timeoutMs: leftMs(),
    ...(host.signal && { signal: host.signal }),
  });
  if (!answer.ok) return answer;
  const read = readSeries(answer.value);
  if (read.ok) return read;
  return { ok: false, error: { kind: 'bad-answer', request: question.question, message: read.message } };
}

async function lookBy(asking: Asking, pods: readonly Pod[]): Promise<Looked | Failure> {
  const { client } = asking;
  const place = { namespace: pods[0]?.namespace ?? '', pattern: podPattern(pods) };
  const [ofPods, ofCalls, ofProbes] = await Promise.all([
    ask(asking, { question: 'pods', query: podsQuery(place) }),
    ask(asking, { question: 'calls', query: callsQuery(place) }),
    ask(asking, { question: 'probes', query: probesQuery(place) }),
  ]);
  const answers = [ofPods, ofCalls, ofProbes];
  const errors = answers.flatMap((answer) => (answer.ok ? [] : [answer.error]));
  const [error] = errors;
  // A recording holds some of the answers: one that is missing is no failure of the others.
  if (error !== undefined && errors.length === answers.length) return { client, error, reason: error.message };
  const metrics = readPodMetrics(ofPods.ok ? ofPods.series : [], pods);
  const calls = readPromCalls(ofCalls.ok ? ofCalls.series : [], pods);
  const probes = ofProbes.ok ? readPromProbes(ofProbes.series, pods) : [];
  const problem = metrics.problem ?? calls.problem;
  const missing = errors.filter((one) => client.way !== 'recording' || one.kind !== 'not-found');
  if (metrics.traffic.length + metrics.usage.length + calls.looks.length + probes.length === 0) {
    const [unanswered = null] = problem === null ? missing : [];
    const reason = problem ?? unanswered?.message ?? 'it answers no such series of these pods';
    return { client, error: unanswered, reason };
  }
  const series = answers.flatMap((answer) => (answer.ok ? answer.series : []));
  const newest = newestOf(series);
  if (isAhead(asking, newest)) return { client, error: null, reason: 'its clock is ahead of that of the API server' };
  const history = newest === null ? [] : await historyOf(asking, pods, place, { metrics, calls, series, newest });
  const warned = answers.reduce((sum, answer) => sum + (answer.ok ? answer.warnings : 0), 0);
  const warnings = warned === 0 ? [] : [`it warns that its answers may be partial (warnings: ${warned})`];
  return {
    newest,
    reasons: [...new Set([...missing.map((one) => one.message), ...(problem === null ? [] : [problem]), ...warnings])],
    look: {
      source: client.name,
      way: client.way,
      calls: calls.looks,
      traffic: metrics.traffic,
      usage: metrics.usage,
      probes,
      history,
    },
  };
}

/** Seconds that clocks may differ by: ages are counted from the newest time of all looks. */
const mostAhead = 60;

/** Samples from the future would make everything else old. A recording has no clock but the times in it. */
function isAhead({ client, now }: Asking, newest: number | null): boolean {
  return client.way !== 'recording' && newest !== null && newest > now() / 1000 + mostAhead;
}

interface Present {
  readonly metrics: ReadPods;
  readonly calls: ReadPodCalls;
  readonly series: readonly Series[];
  readonly newest: number;
}

/** Rates need a few scrapes, in seconds; Grafana's $__rate_interval is four of them, too. */
const scrapesInRate = 4;
const shortestRate = 60;

/** The last hour of what the present knows: calls and bytes, and CPU where there is neither. */
async function historyOf(
  asking: Asking,
  pods: readonly Pod[],
  place: Place,
  { metrics, calls, series, newest }: Present,
): Promise<PrometheusHistory[]> {
  const scrape = scrapeSeconds(series) ?? shortestRate;
  const rateSeconds = Math.max(shortestRate, Math.ceil((scrapesInRate * scrape) / 60) * 60);
  const end = Math.floor(newest);
  const start = end - historySeconds;
  const range = { start, end, step: historyStepSeconds };
  const frame = (basis: HistoryFrame['basis'], cluster: string): HistoryFrame => {
    return { basis, start, end, stepSeconds: historyStepSeconds, rateSeconds, cluster };
  };
  const one = async (basis: HistoryFrame['basis'], query: string, cluster: string) => {
    const answer = await ask(asking, { question: `history-${basis}`, query, range });
    return answer.ok ? readHistory(answer.series, pods, frame(basis, cluster)) : null;
  };
  const { family } = calls;
  const isCounted = family !== null && calls.looks.length > 0;
  const hasTraffic = metrics.traffic.length > 0;
  const asked = [
    ...(isCounted
      ? [one('calls', historyQuery(family.handled, place, rateSeconds, callsFilter(family)), calls.cluster)]
      : []),
    ...(hasTraffic
      ? [one('bytes', historyQuery(podMetrics.bytes, place, rateSeconds, historyFilters.bytes), metrics.cluster)]
      : []),
    ...(!isCounted && !hasTraffic && metrics.usage.length > 0
      ? [one('cpu', historyQuery(podMetrics.cpu, place, rateSeconds, historyFilters.cpu), metrics.cluster)]
      : []),
  ];
  return (await Promise.all(asked)).flatMap((found) => found ?? []);
}

function noteNone(host: CollectHost, draft: Draft, { refused, scope }: FoundPrometheus): void {
  if (refused !== null) {
    draft.states.set('prometheus', { id: 'prometheus', state: 'forbidden', lookedAt: null, ...refused });
    host.progress('prometheus', 'failed', 'forbidden');
    return;
  }
  const where =
    scope === 'cluster'
      ? 'in the cluster'
      : `in namespace ${draft.evidence.metadata.namespace}, and the pods of other namespaces may not be listed`;
  draft.states.set('prometheus', skipped('prometheus', `no Prometheus found ${where}: --prometheus URL names one`));
  host.progress('prometheus', 'done', scope === 'cluster' ? 'none found' : 'none found in this namespace');
}

function noteFailure(host: CollectHost, draft: Draft, { client, error, reason }: Failure): void {
  // A recording without any answer of Prometheus has nothing to say of it.
  if (client.way === 'recording' && error?.kind === 'not-found') return;
  if (error?.kind === 'forbidden') {
    const namespace = client.name.split('/')[0] ?? '';
    const refused = refusal(error, namespace);
    draft.states.set('prometheus', { id: 'prometheus', state: 'forbidden', lookedAt: null, ...refused });
    host.progress('prometheus', 'failed', 'forbidden');
    return;
  }
  const named = reason.includes(client.name) ? reason : `${client.name}: ${reason}`;
  // Who named it is told what to do about it.
  const advice = client.way === 'url' && error?.hint !== undefined ? `. ${error.hint.replace(/\.$/, '')}` : '';
  const told = { kind: 'bad-answer', request: '', message: `${named}${advice}` } as const;
  draft.states.set('prometheus', failed('prometheus', told));
  host.progress('prometheus', 'failed', reason);
}

function noteLook(host: CollectHost, draft: Draft, client: PrometheusClient, { look, newest, reasons }: Looked): void {
  draft.evidence = { ...draft.evidence, prometheus: look };
  if (client.way !== 'recording') draft.prometheus = client;
  const lookedAt = newest === null ? null : noteTime(draft, timeOf(newest));
  const [reason] = reasons;
  draft.states.set(
    'prometheus',
    reason === undefined
      ? complete('prometheus', lookedAt)
      : partial('prometheus', `${client.name}: ${reasons.slice(0, 2).join('; ')}`, lookedAt),
  );
  const pods = new Set([...look.usage, ...look.traffic, ...look.calls].map(({ podUid }) => podUid)).size;
  host.progress('prometheus', reason === undefined ? 'done' : 'partial', `${client.name}: ${pods} pods`);
}

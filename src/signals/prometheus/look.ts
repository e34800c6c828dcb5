import type { Pod } from '../../evidence/objects.ts';
import type { PrometheusHistory, PrometheusLook } from '../../evidence/prometheus.ts';
import type { SkewEvidence } from '../../evidence/schema.ts';
import type { KubeError } from '../../kube/types.ts';
import type { PrometheusClient, PrometheusRequest } from '../../prometheus/types.ts';
import { err, type Result } from '../../result/result.ts';
import type { SignalHost, SignalUpdate } from '../look.ts';
import { newestOf, readSeries, type Series, type SeriesAnswer, timeOf } from '../read/prometheus-answer.ts';
import { complete, partial, skipped, unavailable } from '../state.ts';
import {
  callsFilter,
  callsQuery,
  historyFilters,
  historyQuery,
  historySeconds,
  historyStepSeconds,
  type PodMatcher,
  podMetricNames,
  podPattern,
  podsQuery,
  probesQuery,
} from './ask.ts';
import { type FoundPrometheus, findPrometheus, type Listed, refusal } from './find.ts';
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

/** A look at Prometheus, with the one that answered. */
export interface PrometheusAnswered extends SignalUpdate {
  readonly client?: PrometheusClient;
}

/** What the look asks with: its clocks count in milliseconds, that of the API server for the age of samples. */
export interface PrometheusHost extends SignalHost {
  now(): number;
  serverNow(): number;
}

/**
 * Asks Prometheus what it has counted of the pods: the one that was named, else one that is found in the cluster.
 * @param listed where it may be found
 */
export async function lookAtPrometheus(
  host: PrometheusHost,
  evidence: Pick<SkewEvidence, 'metadata' | 'pods' | 'peers'>,
  prometheus: PrometheusClient | 'find' | 'none',
  listed: Listed,
): Promise<PrometheusAnswered> {
  const pods = evidence.pods ?? [];
  if (pods.length === 0) return {};
  if (prometheus === 'none') return { state: skipped('prometheus', '--prometheus none') };
  const endsAt = host.now() + limitMs;
  const leftMs = () => Math.max(1, endsAt - host.now());
  host.progress('prometheus', 'running', 'asking');
  const found: FoundPrometheus =
    prometheus === 'find'
      ? await findPrometheus(host, evidence, listed, leftMs())
      : { clients: [prometheus], scope: 'cluster', refused: null };
  if (found.clients.length === 0) return noneFound(found, evidence.metadata.namespace);
  let problem: Failure | null = null;
  for (const client of found.clients) {
    const look = await askAll({ client, host, leftMs }, pods);
    if (host.signal?.aborted === true) return {};
    if ('look' in look) return described(client, look);
    problem ??= look;
    if (leftMs() <= 1) break;
  }
  return problem === null ? {} : failedWith(problem);
}

interface Failure {
  readonly client: PrometheusClient;
  readonly error: KubeError | null;
  readonly reason: string;
}

interface PrometheusResult {
  readonly look: PrometheusLook;
  readonly newest: number | null;
  /** Why a part is missing. */
  readonly reasons: readonly string[];
}

interface Asking {
  readonly client: PrometheusClient;
  readonly host: PrometheusHost;
  readonly leftMs: () => number;
}

async function ask(
  { client, host, leftMs }: Asking,
  question: Pick<PrometheusRequest, 'question' | 'query'> & Partial<Pick<PrometheusRequest, 'range'>>,
): Promise<Result<SeriesAnswer, KubeError>> {
  const answer = await client.ask({
    range: null,
    ...question,
    timeoutMs: leftMs(),
    ...(host.signal && { signal: host.signal }),
  });
  if (!answer.ok) return answer;
  const read = readSeries(answer.value);
  return read.ok ? read : err({ kind: 'bad-answer', request: question.question, message: read.error });
}

async function askAll(asking: Asking, pods: readonly Pod[]): Promise<PrometheusResult | Failure> {
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
  const metrics = readPodMetrics(ofPods.ok ? ofPods.value.series : [], pods);
  const calls = readPromCalls(ofCalls.ok ? ofCalls.value.series : [], pods);
  const probes = ofProbes.ok ? readPromProbes(ofProbes.value.series, pods) : [];
  const problem = metrics.problem ?? calls.problem;
  const missing = errors.filter((one) => client.way !== 'recording' || one.kind !== 'not-found');
  if (metrics.traffic.length + metrics.usage.length + calls.looks.length + probes.length === 0) {
    const [unanswered = null] = problem === null ? missing : [];
    const reason = problem ?? unanswered?.message ?? 'it answers no such series of these pods';
    return { client, error: unanswered, reason };
  }
  const series = answers.flatMap((answer) => (answer.ok ? answer.value.series : []));
  const newest = newestOf(series);
  if (isAhead(asking, newest)) return { client, error: null, reason: 'its clock is ahead of that of the API server' };
  const history = newest === null ? [] : await historyOf(asking, pods, place, { metrics, calls, series, newest });
  const warned = answers.reduce((sum, answer) => sum + (answer.ok ? answer.value.warnings : 0), 0);
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
function isAhead({ client, host }: Asking, newest: number | null): boolean {
  return client.way !== 'recording' && newest !== null && newest > host.serverNow() / 1000 + mostAhead;
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
  place: PodMatcher,
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
    return answer.ok ? readHistory(answer.value.series, pods, frame(basis, cluster)) : null;
  };
  const { family } = calls;
  const isCounted = family !== null && calls.looks.length > 0;
  const hasTraffic = metrics.traffic.length > 0;
  const asked = [
    ...(isCounted
      ? [one('calls', historyQuery(family.handled, place, rateSeconds, callsFilter(family)), calls.cluster)]
      : []),
    ...(hasTraffic
      ? [one('bytes', historyQuery(podMetricNames.bytes, place, rateSeconds, historyFilters.bytes), metrics.cluster)]
      : []),
    ...(!isCounted && !hasTraffic && metrics.usage.length > 0
      ? [one('cpu', historyQuery(podMetricNames.cpu, place, rateSeconds, historyFilters.cpu), metrics.cluster)]
      : []),
  ];
  return (await Promise.all(asked)).flatMap((found) => found ?? []);
}

function noneFound({ refused, scope }: FoundPrometheus, namespace: string): SignalUpdate {
  if (refused !== null) return forbidden(refused);
  const isEverywhere = scope === 'cluster';
  const where = isEverywhere
    ? 'in the cluster'
    : `in namespace ${namespace}, and the pods of other namespaces may not be listed`;
  return {
    state: skipped('prometheus', `no Prometheus found ${where}: --prometheus URL names one`),
    progress: ['prometheus', 'done', isEverywhere ? 'none found' : 'none found in this namespace'],
  };
}

function forbidden(refused: NonNullable<FoundPrometheus['refused']>): SignalUpdate {
  return {
    state: { id: 'prometheus', state: 'forbidden', lookedAt: null, ...refused },
    progress: ['prometheus', 'failed', 'forbidden'],
  };
}

function failedWith({ client, error, reason }: Failure): SignalUpdate {
  // A recording without any answer of Prometheus has nothing to say of it.
  if (client.way === 'recording' && error?.kind === 'not-found') return {};
  if (error?.kind === 'forbidden') return forbidden(refusal(error, client.name.split('/')[0] ?? ''));
  const named = reason.includes(client.name) ? reason : `${client.name}: ${reason}`;
  // Who named it is told what to do about it.
  const advice = client.way === 'url' && error?.hint !== undefined ? `. ${error.hint.replace(/\.$/, '')}` : '';
  return { state: unavailable('prometheus', `${named}${advice}`), progress: ['prometheus', 'failed', reason] };
}

function described(client: PrometheusClient, { look, newest, reasons }: PrometheusResult): PrometheusAnswered {
  const lookedAt = newest === null ? null : timeOf(newest);
  const isWhole = reasons.length === 0;
  const pods = new Set([...look.usage, ...look.traffic, ...look.calls].map(({ podUid }) => podUid)).size;
  return {
    client,
    patch: { prometheus: look },
    state: isWhole
      ? complete('prometheus', lookedAt)
      : partial('prometheus', `${client.name}: ${reasons.slice(0, 2).join('; ')}`, lookedAt),
    progress: ['prometheus', isWhole ? 'done' : 'partial', `${client.name}: ${pods} pods`],
  };
}

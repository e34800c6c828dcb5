import type { Arguments } from '../cli/arguments.ts';
import { exitCodeForAll, exitCodes } from '../cli/exit-codes.ts';
import type { DiagnosisOptions } from '../cli/options.ts';
import { toolVersion } from '../cli/version.ts';
import { collect } from '../collect/collect.ts';
import { problemOf } from '../collect/problem.ts';
import { listSelectedPods, listServices, listSlices, listUsage, type ScanHost } from '../collect/scan.ts';
import { diagnose } from '../diagnose.ts';
import type { SignalState, SkewEvidence } from '../evidence/schema.ts';
import { heard } from '../kube/requests/turn.ts';
import type { KubeError } from '../kube/types.ts';
import { sanitise } from '../render/sanitise.ts';
import { renderScan } from '../render/scan.ts';
import { reportApiVersion } from '../report/api-version.ts';
import type { ScanOrder } from '../report/ids.ts';
import type { ScanItem, SkewScan } from '../report/scan.ts';
import { countOf, plural } from '../report/words.ts';
import { ok, type Result, wrongUsage } from '../result/result.ts';
import { type Candidate, canBeLookedAt, findCandidates } from '../scan/candidates.ts';
import { evidenceOf } from '../scan/evidence.ts';
import { ranked, scanItem, sortedBy } from '../scan/rank.ts';
import { fail } from './fail.ts';
import type { Host } from './host.ts';
import { answerSignal, missingOf, type NamespacesWork, overNamespaces } from './namespaces.ts';
import { pause } from './request.ts';

/** `grpc-skew scan`: the Services that look like gRPC, worst first. */
export function runScan(given: Arguments, host: Host): Promise<number> {
  const selector = given.text('selector') ?? '';
  if (selector !== '' && given.text('from') !== null) {
    const message = '--selector is asked of a cluster, and --from reads what was recorded';
    return Promise.resolve(fail(host, wrongUsage(message, 'leave one of them out')));
  }
  // The table of flags has checked the values.
  const order = given.text('sort-by') as ScanOrder;
  const headers = !given.isSet('no-headers');
  const print = ({ status, ...head }: SkewScan, { color, failOn }: DiagnosisOptions): number => {
    const items = sortedBy(status.items, order);
    const wanted = { output: given.text('output') ?? 'table', color, headers };
    host.stdout(renderScan({ ...head, status: { ...status, items } }, wanted, host));
    return exitCodeForAll(items, failOn);
  };
  const onCluster: NamespacesWork['onCluster'] = async ({ kube, namespace, options, recorded }) => {
    const scan = await takeScan({
      kube,
      signal: host.interrupted,
      namespace,
      selector,
      connection: options.connection,
      connections: given.isSet('connections') ? options.windowSeconds : null,
      now: host.now,
      wait: (seconds) => (recorded ? Promise.resolve() : pause(seconds, host.interrupted)),
      say: (text) => host.stderr(`${sanitise(text)}\n`),
    });
    if (host.interrupted.aborted) return exitCodes.interrupted;
    if (!scan.ok) return fail(host, problemOf(scan.error));
    const missing = scan.value.status.services === 0 ? await missingOf(kube, namespace, host) : null;
    return missing === null ? print(scan.value, options) : fail(host, missing);
  };
  const onEvidence = (evidence: SkewEvidence, options: DiagnosisOptions) => print(scanOf(evidence), options);
  return overNamespaces({ command: 'scan', onCluster, onEvidence }, given, host);
}

/** What a scan says of one Service, from what a diagnosis has recorded of it. */
export function scanOf(evidence: SkewEvidence): SkewScan {
  const { service, pods, metadata } = evidence;
  const candidates = service === null ? [] : findCandidates([service], pods ?? []);
  const items: ScanItem[] = [];
  const skipped: SkewScan['status']['skipped'][number][] = [];
  for (const candidate of candidates) {
    const { port } = candidate;
    const ofPort = { ...evidence, spec: { ...evidence.spec, port: port.name ?? String(port.port) } };
    diagnoseInto({ items, skipped }, candidate, ofPort, []);
  }
  const states = evidence.signals.filter(({ id }) => id === 'usage' || id === 'connections');
  return {
    apiVersion: reportApiVersion,
    kind: 'SkewScan',
    metadata: { namespace: metadata.namespace, context: metadata.context, generatedAt: metadata.now, toolVersion },
    status: {
      services: service === null ? 0 : 1,
      looksLikeGrpc: candidates.length > 0 ? 1 : 0,
      items: ranked(items),
      skipped,
      signals: states.map((state) => answerSignal(state, Date.parse(metadata.now))),
    },
  };
}

interface Scanned {
  readonly items: ScanItem[];
  readonly skipped: SkewScan['status']['skipped'][number][];
}

function diagnoseInto(
  { items, skipped }: Scanned,
  candidate: Candidate,
  evidence: SkewEvidence,
  connection: readonly string[],
): void {
  const diagnosis = diagnose(evidence, { clients: null, connection });
  const { namespace, name } = candidate.service;
  if (diagnosis.ok) items.push(scanItem(candidate, diagnosis.value));
  else skipped.push({ namespace, name, reason: diagnosis.error.message });
}

export interface ScanRequest extends ScanHost {
  readonly signal: AbortSignal;
  readonly namespace: string | null;
  /** Of the labels of Services. */
  readonly selector?: string;
  /** Flags that printed commands carry. */
  readonly connection?: readonly string[];
  /** Seconds between two samples of the sockets of each Service; null: no command is run anywhere. */
  readonly connections: number | null;
  now(): number;
  /** Between the two samples of a Service. */
  wait(seconds: number): Promise<void>;
  /** Progress, for stderr. */
  say(text: string): void;
}

/** One list of each kind for all Services, then one diagnosis each. */
export async function takeScan(request: ScanRequest): Promise<Result<SkewScan, KubeError>> {
  const { namespace, say, connection = [] } = request;
  const services = await listServices(request, namespace, request.selector);
  if (!services.ok) return services;
  const fit = services.value.filter(canBeLookedAt);
  const pods = await listSelectedPods(request, namespace, fit);
  if (!pods.ok) return pods;
  const candidates = findCandidates(services.value, pods.value);
  const names = new Set(candidates.map(({ service }) => `${service.namespace}/${service.name}`));
  say(`${plural(services.value.length, 'service')}, ${countOf(names.size, 'looks', 'look')} like gRPC`);
  const wantedPods = new Set(candidates.flatMap((entry) => entry.pods.map((pod) => `${pod.namespace}/${pod.name}`)));
  const [slices, usage] = await Promise.all([
    listSlices(request, namespace, names),
    listUsage(request, namespace, wantedPods),
  ]);
  if (!slices.ok) return slices;
  const now = slices.serverDate ?? new Date(request.now()).toISOString();
  const items: ScanItem[] = [];
  const skipped: SkewScan['status']['skipped'][number][] = [];
  for (const [index, candidate] of candidates.entries()) {
    const { service } = candidate;
    const key = `${service.namespace}/${service.name}`;
    // Between two Services keys and signals are heard.
    await heard();
    if (request.signal.aborted) break;
    if (request.connections !== null) say(`${index + 1} of ${candidates.length}: ${key}`);
    const cheap = evidenceOf(candidate, {
      context: request.kube.context,
      toolVersion,
      now,
      slices: slices.value.get(key) ?? [],
      usage: usage.usage === null ? null : (usage.usage.get(service.namespace) ?? []),
      usageState: usage.state,
    });
    const evidence = request.connections === null ? cheap : await lookInto(candidate, request, request.connections);
    diagnoseInto({ items, skipped }, candidate, evidence ?? cheap, connection);
  }
  const connections: SignalState = {
    id: 'connections',
    state: request.connections === null ? 'skipped' : 'complete',
    reason: request.connections === null ? 'a scan runs no command in any pod; --connections does' : null,
    needs: null,
    lookedAt: null,
  };
  return ok({
    apiVersion: reportApiVersion,
    kind: 'SkewScan',
    metadata: {
      ...{ namespace, context: request.kube.context, generatedAt: now, toolVersion },
      ...(connection.length > 0 && { connection: [...connection] }),
    },
    status: {
      services: services.value.length,
      looksLikeGrpc: names.size,
      items: ranked(items),
      skipped,
      signals: [usage.state, connections].map((state) => answerSignal(state, Date.parse(now))),
    },
  });
}

/** The usual one-shot look at one Service, within the exec budget. Null: it gave nothing, and the lists have to do. */
async function lookInto(
  { service, port }: Candidate,
  request: ScanRequest,
  windowSeconds: number,
): Promise<SkewEvidence | null> {
  const looks = collect(
    {
      namespace: service.namespace,
      name: service.name,
      context: request.kube.context,
      port: port.name ?? String(port.port),
      windowSeconds,
      exec: true,
      allPods: false,
      toolVersion,
    },
    {
      kube: request.kube,
      signal: request.signal,
      now: request.now,
      wait: request.wait,
      beforeExecs: (pods, samples) => request.say(`${pods * samples} execs in ${plural(pods, 'pod')}`),
      progress: () => {},
    },
  );
  let evidence: SkewEvidence | null = null;
  for await (const look of looks) if (look.problem === null) evidence = look.evidence;
  return evidence;
}

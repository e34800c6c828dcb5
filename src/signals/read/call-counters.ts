import { clampedToBounds } from '../../evidence/bounds.ts';
import type { MethodCounters } from '../../evidence/looks.ts';
import type { Family } from './call-family.ts';
import { mayCountCalls, shapedFamilies } from './call-shapes.ts';
import { readExposition, type Sample } from './exposition.ts';

const both = (service: string, method: string) => (labels: ReadonlyMap<string, string>) =>
  [labels.get(service) ?? '', labels.get(method) ?? ''] as const;

/** `package.Service/Method`, with or without a slash before it, as gRFC A66 and older instrumentations write it. */
const joined = (label: string) => (labels: ReadonlyMap<string, string>) => {
  const [service = '', method = ''] = (labels.get(label) ?? '').replace(/^\//, '').split('/');
  return [service, method] as const;
};

const notUnary = (label: string) => (labels: ReadonlyMap<string, string>) => {
  const type = labels.get(label);
  return type === undefined ? null : !/^unary$/i.test(type);
};

/**
 * The families that count calls at a server by their names. The first one found is taken: an application's own counters,
 * by name or else by shape, before those of a proxy beside it, which also counts what the application never saw.
 *
 * Sources: gRFC A66 (OpenTelemetry metrics of gRPC), OpenTelemetry semantic conventions for RPC (present and older
 * names), go-grpc-middleware, grpc-spring and micrometer (Java), Istio's and Linkerd's proxies.
 */
const ownFamilies: readonly Family[] = [
  {
    id: 'go-grpc-middleware',
    started: 'grpc_server_started_total',
    handled: 'grpc_server_handled_total',
    messages: ['grpc_server_msg_received_total', 'grpc_server_msg_sent_total'],
    method: both('grpc_service', 'grpc_method'),
    streaming: notUnary('grpc_type'),
  },
  {
    id: 'grpc (A66)',
    started: 'grpc_server_call_started_total',
    handled: 'grpc_server_call_duration_seconds_count',
    method: joined('grpc_method'),
  },
  {
    id: 'micrometer',
    handled: 'grpc_server_processing_duration_seconds_count',
    messages: ['grpc_server_requests_received_messages_total', 'grpc_server_responses_sent_messages_total'],
    method: both('service', 'method'),
    streaming: notUnary('methodType'),
  },
  { id: 'opentelemetry', handled: 'rpc_server_call_duration_seconds_count', method: openTelemetryMethod },
  { id: 'opentelemetry (older)', handled: 'rpc_server_duration_milliseconds_count', method: openTelemetryMethod },
  { id: 'opentelemetry (older, seconds)', handled: 'rpc_server_duration_seconds_count', method: openTelemetryMethod },
];

const proxyFamilies: readonly Family[] = [
  {
    id: 'istio-proxy',
    handled: 'istio_requests_total',
    where: (labels) => labels.get('reporter') === 'destination' && labels.get('request_protocol') === 'grpc',
    promql: ',reporter="destination",request_protocol="grpc"',
    method: both('destination_service_name', 'request_operation'),
  },
  {
    id: 'linkerd-proxy',
    handled: 'request_total',
    where: (labels) => labels.get('direction') === 'inbound',
    // 4191 is the proxy's own admin port.
    promql: ',direction="inbound",route_name!="probe",target_port!="4191"',
    notLoad: (labels) => labels.get('route_name') === 'probe',
    port: (labels) => labels.get('target_port') ?? labels.get('srv_port'),
    method: () => ['', ''],
  },
];

/** All metrics that are known by name. */
export const familyNames: ReadonlySet<string> = new Set([...ownFamilies, ...proxyFamilies].flatMap(namesOf));

/** The families of which there are samples, the one to take first. */
export function familiesOf(samples: readonly Pick<Sample, 'name' | 'labels'>[]): readonly Family[] {
  const isThere = (family: Family) => samples.some((sample) => isOf(family, sample));
  return [...ownFamilies.filter(isThere), ...shapedFamilies(samples), ...proxyFamilies.filter(isThere)];
}

/** The name of the method alone, or `package.Service/Method` in one label, as newer conventions have it. */
function openTelemetryMethod(labels: ReadonlyMap<string, string>): readonly [string, string] {
  const service = labels.get('rpc_service');
  const method = labels.get('rpc_method') ?? '';
  return service === undefined ? joined('rpc_method')(labels) : [service, method];
}

/** Services that serve the platform and not the clients: probes make idle pods look busy at a steady rate. */
const notLoad = /^(grpc\.(health|reflection|channelz)|dapr\.proto)\./;

/** What is kept of a page at most: more methods than that are a mistake of the instrumentation. */
const mostMethods = 500;

export interface ReadCalls {
  readonly family: string | null;
  readonly methods: readonly MethodCounters[];
}

/** Reads the counters of calls from a metrics page. No family: whether calls are counted there is not known. */
export function readCallCounters(text: string): ReadCalls {
  const samples = readExposition(text, (name) => familyNames.has(name) || mayCountCalls(name));
  const [family] = familiesOf(samples);
  if (family !== undefined)
    return countFamily(
      family,
      samples.filter((sample) => isOf(family, sample)),
    );
  const declared = ownFamilies.find(({ handled }) => isDeclared(text, handled));
  return { family: declared?.id ?? null, methods: [] };
}

/** A page that names a counter and has no series of it: the server is instrumented, and got no call yet. */
function isDeclared(text: string, name: string): boolean {
  // The type is that of a histogram, where its `_count` is taken; OpenMetrics leaves `_total` out.
  return new RegExp(`^# TYPE ${name.replace(/_(total|count)$/, '(_total)?')} `, 'm').test(text);
}

/** The metrics of a family. */
function namesOf(family: Family): readonly string[] {
  return [...(family.started === undefined ? [] : [family.started]), family.handled, ...(family.messages ?? [])];
}

/** Whether a sample is one of a family's, of the server side. */
export function isOf(family: Family, sample: Pick<Sample, 'name' | 'labels'>): boolean {
  return namesOf(family).includes(sample.name) && (family.where?.(sample.labels) ?? true);
}

/** The counts of the methods from the samples of one family. */
export function countFamily(family: Family, samples: readonly Sample[]): ReadCalls {
  return { family: family.id, methods: countMethods(family, samples).slice(0, mostMethods) };
}

/** Names as protocol buffers and servers write them; any other word on the page of a pod is left behind. */
function nameOnly(text: string): string {
  return /^[\w.$-]{1,200}$/.test(text) ? text : '';
}

function portIn(text: string | undefined): number | null {
  return /^\d{1,5}$/.test(text ?? '') && Number(text) <= 65_535 ? Number(text) : null;
}

function countMethods(family: Family, samples: readonly Sample[]): MethodCounters[] {
  const methods = new Map<string, MethodCounters>();
  for (const { name, labels, value } of samples) {
    const [service = '', method = ''] = family.method(labels).map(nameOnly);
    if (notLoad.test(service) || family.notLoad?.(labels) === true) continue;
    const port = portIn(family.port?.(labels));
    const key = `${service}/${method} ${port ?? ''}`;
    const before = methods.get(key) ?? {
      service,
      method,
      streaming: family.streaming?.(labels) ?? null,
      started: null,
      handled: null,
      messages: null,
      ...(port !== null && { port }),
    };
    const add = (sum: number | null) => clampedToBounds((sum ?? 0) + value);
    methods.set(key, {
      ...before,
      ...(name === family.started && { started: add(before.started) }),
      ...(name === family.handled && { handled: add(before.handled) }),
      ...(family.messages?.includes(name) === true && { messages: add(before.messages) }),
    });
  }
  return [...methods.values()].sort((a, b) => (`${a.service}/${a.method}` < `${b.service}/${b.method}` ? -1 : 1));
}

import type { Family } from './call-family.ts';
import type { Sample } from './exposition.ts';

/*
 * Counters of calls by their shape: many instrumentations count calls under names of their own, and all of them label a
 * counter, or the `_count` of a histogram, with the gRPC service and method. Seen in: micrometer's observations (Spring),
 * prometheus-net and ASP.NET Core's meters (.NET), OpenTelemetry with prefixes, OpenCensus, RoadRunner.
 */

/** A counter that ends so counts calls, or a histogram that measures it is of calls. */
const counting = /^(handled|completed|processed|finished|served|received|requests?|calls?|rpcs?)$/;
const measuring = /^(seconds|milliseconds|ms|duration|latency|time|requests?|calls?|rpc)$/;

/** Words of counters of something else: of messages, of what has only begun, of a part of the calls, of the other side. */
const otherThing =
  /^(client|outbound|egress|msg|messages?|bytes?|size|per|started|sent|active|pending|inflight|queue|errors?|failed|failures|retry|retries|rejected|dropped|denied|cancelled|panics)$/;

/** Does a metric of this name count calls, if its labels name a method? 0: calls that have ended; 1: it may count their beginnings. */
function rankOf(name: string): 0 | 1 | null {
  const words = name.toLowerCase().split(/[_:]+/);
  const [before = '', last = ''] = words.slice(-2);
  if (words.some((word) => otherThing.test(word))) return null;
  if (last === 'count') return measuring.test(before) ? 0 : null;
  if (last === 'rpcs') return before === 'completed' ? 0 : null;
  if (last !== 'total' || !counting.test(before)) return null;
  return /^(handled|completed|processed|finished|served)$/.test(before) || words.includes('completed') ? 0 : 1;
}

/** May a metric of this name be one of calls? The labels decide. */
export function mayCountCalls(name: string): boolean {
  return rankOf(name) !== null;
}

/** The same as patterns of PromQL, as far as a name alone tells it. */
export const shapedNames = [
  '(.+_)?g?rpc_server_.+_count',
  '(.+_)?grpc_io_server_completed_rpcs(_total)?',
  '(.+_)?grpc_requests?_(.+_)?(total|count)',
  '(.+_)?http_server_request_duration_seconds_count',
] as const;

/** A service and a method in two labels; of the third pair only where something else says that it is gRPC. */
const pairs = [
  ['grpc_service', 'grpc_method'],
  ['rpc_service', 'rpc_method'],
  ['service', 'method'],
  ['exported_service', 'method'],
] as const;

/** Labels that hold `/package.Service/Method`. */
const joinedLabels = [
  ...['grpc_method', 'rpc_method', 'grpc_server_method', 'grpc_full_method', 'full_method', 'method'],
  ...['route', 'http_route', 'uri', 'path', 'endpoint'],
];

/** Of HTTP: a gRPC method may be called Get, and none is called GET. */
const verb = /^(GET|HEAD|POST|PUT|DELETE|PATCH|OPTIONS|TRACE|CONNECT)$/;

/** The gRPC service and method that labels name; null where they name none, as those of an HTTP route do. */
function methodOf(name: string, labels: ReadonlyMap<string, string>): readonly [string, string] | null {
  const saysRpc = /(^|_)g?rpcs?(_|$)/i.test(name);
  // `package.Service`: HTTP paths have no such part.
  const isService = (text: string) => /^[A-Za-z_][\w.]*\.[A-Z]\w*$/.test(text);
  for (const label of joinedLabels) {
    const [, service, method] = /^\/?([A-Za-z_][\w.]*)\/([A-Za-z_]\w*)$/.exec(labels.get(label) ?? '') ?? [];
    if (service !== undefined && method !== undefined && (saysRpc || isService(service))) return [service, method];
  }
  for (const [serviceLabel, methodLabel] of pairs) {
    const service = labels.get(serviceLabel) ?? '';
    const method = labels.get(methodLabel) ?? '';
    const isNamed = serviceLabel.includes('rpc_') || saysRpc || isService(service);
    if (isNamed && service !== '' && /^[A-Za-z_]\w*$/.test(method) && !verb.test(method)) return [service, method];
  }
  const alone = labels.get('grpc_method') ?? '';
  return saysRpc && /^[A-Za-z_]\w*$/.test(alone) ? ['', alone] : null;
}

/** Labels by which one counter is of both sides. */
const sides = ['span_kind', 'rpc_side', 'side', 'kind', 'direction', 'reporter'];

function isClientSide(labels: ReadonlyMap<string, string>): boolean {
  return sides.some((label) => /client|outbound|egress|source/i.test(labels.get(label) ?? ''));
}

const streamTypes = ['grpc_type', 'rpc_type', 'methodType', 'method_type'];

/** The families that the samples show by their shape, the one that counts the ends of calls first. */
export function shapedFamilies(samples: readonly Pick<Sample, 'name' | 'labels'>[]): readonly Family[] {
  const fits = ({ name, labels }: Pick<Sample, 'name' | 'labels'>) =>
    !isClientSide(labels) && methodOf(name, labels) !== null;
  const names = new Set(samples.filter((sample) => mayCountCalls(sample.name) && fits(sample)).map(({ name }) => name));
  return [...names]
    .sort((a, b) => (rankOf(a) ?? 0) - (rankOf(b) ?? 0) || (a < b ? -1 : 1))
    .map((name) => ({
      id: name.slice(0, longestId),
      handled: name,
      where: (labels) => fits({ name, labels }),
      method: (labels) => methodOf(name, labels) ?? ['', ''],
      streaming: (labels) => {
        const type = streamTypes.map((label) => labels.get(label)).find((text) => text !== undefined);
        return type === undefined ? null : !/^unary$/i.test(type);
      },
    }));
}

/** Names of metrics are free text of the page. */
const longestId = 200;

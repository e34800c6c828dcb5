import type { CallFailure } from '../../evidence/looks.ts';
import type { Pod } from '../../evidence/objects.ts';
import type { KubeClient, KubeError, KubeResult, TimedText } from '../../kube/types.ts';

/** Where a pod serves its metrics page. */
export type MetricsEndpoint = NonNullable<Pod['metricsEndpoint']>;

/** Asks a pod for its metrics page, through the API server's proxy. */
export function askMetrics(
  kube: KubeClient,
  pod: Pod,
  endpoint: MetricsEndpoint,
  signal?: AbortSignal,
): Promise<KubeResult<TimedText>> {
  const name = `${endpoint.https ? 'https:' : ''}${encodeURIComponent(pod.name)}:${endpoint.port}`;
  const path = endpoint.path.startsWith('/') ? endpoint.path : `/${endpoint.path}`;
  return kube.getText(`/api/v1/namespaces/${encodeURIComponent(pod.namespace)}/pods/${name}/proxy${path}`, {
    request: `get the metrics of pod ${pod.namespace}/${pod.name}`,
    timeoutMs: metricsTimeoutMs,
    ...(signal && { signal }),
  });
}

/** A page that takes longer belongs to a pod that has other worries. */
const metricsTimeoutMs = 5000;

/** Why there is no page: refused by RBAC, by the pod or what stands before it, or simply not there. */
export function callFailure(error: KubeError): CallFailure['reason'] {
  switch (error.kind) {
    case 'forbidden':
      return 'forbidden';
    case 'refused':
    case 'credential':
      return 'refused-by-pod';
    case 'not-found':
      return 'no-endpoint';
    case 'server':
    case 'timeout':
    case 'closed':
    case 'unreachable':
      return 'no-answer';
    default:
      return 'failed';
  }
}

/** What the proxy of the API server says where a port could not be reached: words of Go and of Node.js. */
const unreached: readonly (readonly [RegExp, string])[] = [
  [/connection reset|ECONNRESET|\bEOF\b/, 'the metrics port resets connections'],
  [/connection refused|ECONNREFUSED/, 'nothing listens at the metrics port'],
  [/i\/o timeout|ETIMEDOUT|no route to host|EHOSTUNREACH/, 'the metrics port cannot be reached from the API server'],
];

/** The same in words; of a mesh with strict mutual TLS a reset is the answer to all from outside. Null: something else. */
export function unreachedPort(message: string, isMeshed: boolean): string | null {
  if (!message.startsWith('error trying to reach service')) return null;
  const [, words = null] = unreached.find(([pattern]) => pattern.test(message)) ?? [];
  const isReset = words === unreached[0]?.[1];
  return isReset && isMeshed ? `${words} from outside the mesh (strict mutual TLS?)` : words;
}

import type { PrometheusService } from '../../prometheus/by-service.ts';
import { integerAt, listAt, textAt, textMapAt } from '../read/json.ts';

/**
 * What the pods of a Prometheus, or of something that answers like one, are labelled with, best first: Prometheus itself
 * knows the pods of its cluster alone, the others may know several. Charts of prometheus-community, kube-prometheus,
 * prometheus-operator, Istio's sample add-on, Thanos and VictoriaMetrics (chart and operator).
 */
const kinds: readonly {
  readonly names: readonly string[];
  readonly component?: readonly string[];
  readonly prefix: string;
}[] = [
  { names: ['prometheus'], prefix: '' },
  { names: ['vmsingle', 'victoria-metrics-single'], prefix: '' },
  { names: ['thanos-query', 'thanos-querier'], prefix: '' },
  { names: ['thanos'], component: ['query', 'query-layer'], prefix: '' },
  {
    names: ['vmselect', 'victoria-metrics-cluster'],
    component: ['vmselect', 'monitoring'],
    prefix: '/select/0/prometheus',
  },
];

/** For a list of pods: those whose labels may be of a Prometheus. */
export const prometheusSelector = `app.kubernetes.io/name in (${kinds.flatMap(({ names }) => names).join(',')})`;

/** Names of ports at which the API is served, and numbers where ports bear other names. */
const portNames = ['web', 'http-web', 'http', 'query', 'http-query', 'server', 'prometheus', 'https', 'oauth-proxy'];
const portNumbers = [9090, 80, 8428, 8429, 8481, 10902, 9091];

interface PrometheusPod {
  readonly namespace: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly rank: number;
}

/** The pods among these that run a Prometheus, best first. */
export function readPrometheusPods(items: readonly unknown[]): PrometheusPod[] {
  return items
    .flatMap((item) => {
      const labels = textMapAt(item, 'metadata', 'labels');
      const rank = rankOf(labels);
      const namespace = textAt(item, 'metadata', 'namespace');
      return rank === null || namespace === null || textAt(item, 'status', 'phase') !== 'Running'
        ? []
        : [{ namespace, labels, rank }];
    })
    .sort((a, b) => a.rank - b.rank || (a.namespace < b.namespace ? -1 : 1));
}

function rankOf(labels: Readonly<Record<string, string>>): number | null {
  const component = labels['app.kubernetes.io/component'] ?? labels['app'];
  const rank = kinds.findIndex(
    (kind) =>
      kind.names.includes(labels['app.kubernetes.io/name'] ?? '') &&
      (kind.component === undefined || kind.component.includes(component ?? '')),
  );
  return rank < 0 ? null : rank;
}

/**
 * The Services that lead to a Prometheus: their selector fits its pods. Without pods that could be listed, Services that
 * bear its labels themselves, or that the operator made (`operated-prometheus`).
 */
export function readPrometheusServices(
  services: readonly unknown[],
  pods: readonly PrometheusPod[],
): PrometheusService[] {
  return services
    .flatMap((service) => {
      const namespace = textAt(service, 'metadata', 'namespace');
      const name = textAt(service, 'metadata', 'name');
      const rank = serviceRank(service, namespace, pods);
      const port = portOf(service);
      if (namespace === null || name === null || rank === null || port === null) return [];
      return [{ rank, service: { namespace, name, ...port, prefix: kinds[rank]?.prefix ?? '' } }];
    })
    .sort((a, b) => a.rank - b.rank || (keyOf(a.service) < keyOf(b.service) ? -1 : 1))
    .map(({ service }) => service);
}

function serviceRank(service: unknown, namespace: string | null, pods: readonly PrometheusPod[]): number | null {
  const selector = Object.entries(textMapAt(service, 'spec', 'selector'));
  const behind = pods.find(
    (pod) =>
      pod.namespace === namespace && selector.length > 0 && selector.every(([key, value]) => pod.labels[key] === value),
  );
  if (behind !== undefined) return behind.rank;
  if (pods.length > 0) return null;
  const labels = textMapAt(service, 'metadata', 'labels');
  return labels['operated-prometheus'] === 'true' ? 0 : rankOf(labels);
}

function portOf(service: unknown): Pick<PrometheusService, 'port' | 'https'> | null {
  const ports = listAt(service, 'spec', 'ports').flatMap((entry) => {
    const port = integerAt(entry, 'port');
    const name = textAt(entry, 'name') ?? '';
    const byName = portNames.indexOf(name);
    const byNumber = portNumbers.indexOf(port ?? -1);
    if (port === null || (byName < 0 && byNumber < 0)) return [];
    return [{ port, https: name === 'https' || name === 'oauth-proxy', rank: byName < 0 ? 100 + byNumber : byName }];
  });
  const [best] = ports.sort((a, b) => a.rank - b.rank);
  return best === undefined ? null : { port: best.port, https: best.https };
}

function keyOf(service: PrometheusService): string {
  return `${service.namespace}/${service.name}`;
}

import type { SkewEvidence } from '../../evidence/schema.ts';
import type { KubeError } from '../../kube/types.ts';
import { prometheusByService } from '../../prometheus/by-service.ts';
import type { PrometheusClient } from '../../prometheus/types.ts';
import type { SignalHost } from '../look.ts';
import { askObjects } from '../objects.ts';
import { missingRight } from '../state.ts';
import { prometheusSelector, readPrometheusPods, readPrometheusServices } from './services.ts';

/** What the search for a Prometheus in the cluster gave. */
export interface FoundPrometheus {
  /** Best first. */
  readonly clients: readonly PrometheusClient[];
  /** How far the search went. */
  readonly scope: 'cluster' | 'namespace';
  /** Where there is one that may not be found: why, and the right. */
  readonly refused: { readonly reason: string; readonly needs: string } | null;
}

/** What was listed for others and leads to a Prometheus, too. */
export interface Listed {
  /** The pods of all namespaces; empty: not listed. */
  readonly items: readonly unknown[];
  /** The Services of the own namespace. */
  readonly services: readonly unknown[];
}

/** One that does not know the pods gives way to the next, but not for ever. */
const mostClients = 3;
const mostNamespaces = 2;

/**
 * Finds the Prometheus of the cluster by its pods and the Services that lead to them. The pods of all namespaces were
 * listed for the clients as a rule, so that a cluster without a Prometheus costs no request; who may not list them sees
 * the Services of the own namespace only, which were listed, too.
 */
export async function findPrometheus(
  host: SignalHost,
  { metadata: { namespace }, peers }: Pick<SkewEvidence, 'metadata' | 'peers'>,
  { items, services: own }: Listed,
  timeoutMs: number,
): Promise<FoundPrometheus> {
  const inOwn = (pods: Parameters<typeof readPrometheusServices>[1]) => readPrometheusServices(own, pods);
  const listed = await listedPods(host, peers?.scope ?? null, items, timeoutMs);
  if (listed === null) return { clients: clientsOf(host, inOwn([])), scope: 'namespace', refused: null };
  const pods = readPrometheusPods(listed);
  const others = [...new Set(pods.map((pod) => pod.namespace))]
    .filter((name) => name !== namespace)
    .slice(0, mostNamespaces);
  const answers = await Promise.all(
    others.map((name) =>
      askObjects(host.kube, { api: '/api/v1', resource: 'services', namespace: name, timeoutMs }, host.signal),
    ),
  );
  const services = answers.flatMap((answer) => (answer.ok ? answer.value.items : []));
  const found = pods.length === 0 ? [] : [...inOwn(pods), ...readPrometheusServices(services, pods)];
  const at = answers.findIndex((answer) => !answer.ok && answer.error.kind === 'forbidden');
  const failed = answers[at];
  return {
    clients: clientsOf(host, found),
    scope: 'cluster',
    refused: failed === undefined || failed.ok ? null : refusal(failed.error, others[at] ?? ''),
  };
}

function clientsOf(host: SignalHost, services: ReturnType<typeof readPrometheusServices>): PrometheusClient[] {
  return services.slice(0, mostClients).map((service) => prometheusByService(host.kube, service));
}

/** The right that is missing, with the namespace in which it is: not that of the Service. */
export function refusal(error: KubeError, namespace: string): NonNullable<FoundPrometheus['refused']> {
  const right = missingRight('prometheus', error);
  return { reason: error.message, needs: right.includes(' in ') ? right : `${right} in ${namespace}` };
}

/** Null where nobody may look beyond the own namespace. */
async function listedPods(
  host: SignalHost,
  scope: 'cluster' | 'namespace' | null,
  items: readonly unknown[],
  timeoutMs: number,
): Promise<readonly unknown[] | null> {
  if (scope === 'cluster') return items;
  if (scope === 'namespace') return null;
  const pods = { api: '/api/v1', resource: 'pods', namespace: null, labelSelector: prometheusSelector, timeoutMs };
  const request = 'list the pods of Prometheus in all namespaces';
  const listed = await askObjects(host.kube, { ...pods, request }, host.signal);
  return listed.ok ? listed.value.items : null;
}

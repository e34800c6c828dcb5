import type { Pod } from '../../evidence/objects.ts';
import { workloadOf } from '../../evidence/workload.ts';
import { familyNames } from '../read/call-counters.ts';
import type { Family } from '../read/call-family.ts';
import { shapedNames } from '../read/call-shapes.ts';

/** Raw samples of so many seconds: a few scrapes, also of a Prometheus that scrapes every minute. */
const lookSeconds = 300;
/** How far the history goes back, and how fine it is, in seconds. */
export const historySeconds = 3600;
export const historyStepSeconds = 60;

/** Letters of generated names (k8s.io/apimachinery/pkg/util/rand): no vowels, and nothing that looks like another. */
const generated = '[bcdfghjklmnpqrstvwxz2456789]';

/** Beyond this the names of single pods would make the URL longer than proxies let pass. */
const mostNames = 40;

/**
 * A pattern for the label `pod` that fits the pods and those of the same workloads that are gone: short, however many
 * they are. PromQL anchors patterns at both ends.
 */
export function podPattern(pods: readonly Pod[]): string {
  const patterns = new Map<string, RegExp>();
  const singles: string[] = [];
  for (const pod of pods) {
    const pattern = patternOf(pod);
    if (pattern !== null) patterns.set(pattern, new RegExp(`^(${pattern})$`));
  }
  const all = [...patterns.values()];
  for (const pod of pods) if (!all.some((pattern) => pattern.test(pod.name))) singles.push(escaped(pod.name));
  const known = [...patterns.keys(), ...singles.slice(0, mostNames)].sort();
  return known.join('|');
}

function patternOf(pod: Pod): string | null {
  const [kind, name = ''] = workloadOf(pod).split('/');
  switch (kind) {
    case 'deployment':
      return `${escaped(name)}-${generated}+-${generated}{5}`;
    case 'replicaset':
    case 'daemonset':
      return `${escaped(name)}-${generated}{5}`;
    case 'statefulset':
      return `${escaped(name)}-[0-9]+`;
    default:
      return null;
  }
}

/** Names have letters, digits, dashes and dots. A bracket needs no backslash, which a PromQL text would want twice. */
function escaped(name: string): string {
  return name.replaceAll('.', '[.]').replaceAll(/[^-a-zA-Z0-9.[\]]/g, '.');
}

/** Which pods a query is about. */
export interface PodMatcher {
  readonly namespace: string;
  readonly pattern: string;
}

function selector(names: readonly string[], { namespace, pattern }: PodMatcher, more = ''): string {
  const name = names.length === 1 ? `__name__="${names[0]}"` : `__name__=~"${names.join('|')}"`;
  return `{${name},namespace="${namespace}",pod=~"${pattern}"${more}}`;
}

export const podMetricNames = {
  bytes: 'container_network_receive_bytes_total',
  packets: 'container_network_receive_packets_total',
  cpu: 'container_cpu_usage_seconds_total',
  memory: 'container_memory_working_set_bytes',
  periods: 'container_cpu_cfs_periods_total',
  throttled: 'container_cpu_cfs_throttled_periods_total',
} as const;

/** cAdvisor's counters of the pods, as raw samples: their own times tell old from new, and nothing is extrapolated. */
export function podsQuery(place: PodMatcher): string {
  return `${selector(Object.values(podMetricNames), place)}[${lookSeconds}s]`;
}

/** Services that serve the platform; the same that are left out of the pods' own pages, by the labels that name them. */
const notLoad = ['grpc_service', 'grpc_method', 'rpc_service', 'rpc_method', 'service', 'method', 'http_route']
  .map((label) => `,${label}!~"/?grpc[.](health|reflection|channelz)[.].*"`)
  .join('');

/**
 * The counters of calls, and `up`. Those of health checks come along: they show that a pod without a call counts calls.
 */
export function callsQuery(place: PodMatcher): string {
  return `${selector(['up', ...familyNames, ...shapedNames], place)}[${lookSeconds}s]`;
}

/** What kubelets have counted of the probes of the pods. */
export function probesQuery(place: PodMatcher): string {
  return `${selector(['prober_probe_total'], place)}[${lookSeconds}s]`;
}

/** Rates of one counter over the last hour, pod by pod. */
export function historyQuery(metric: string, place: PodMatcher, rateSeconds: number, more = ''): string {
  return `sum by (cluster, namespace, pod) (rate(${selector([metric], place, more)}[${rateSeconds}s]))`;
}

/** Loopback is no traffic, and the pod's own sum would count each container twice. */
export const historyFilters = { bytes: ',interface!="lo"', cpu: ',container!="",container!="POD"' } as const;

/** What a family counts at its server side alone, health checks left out. */
export function callsFilter(family: Family): string {
  return `${family.promql ?? ''}${notLoad}`;
}

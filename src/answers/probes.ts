import type { Probe } from '../evidence/objects.ts';
import type { Facts } from '../facts/facts.ts';
import { probeLooks } from '../facts/prometheus.ts';
import { type CountBook, joinTallies, openCountBook, type ProbeTally } from '../probes/counts.ts';
import { publishedCounts } from '../probes/published-counts.ts';
import type { ProbeAnswer } from '../report/schema.ts';

/** The probes of the pods behind the port, equal ones together, with what Events tell of their failures. */
export function answerProbes(facts: Facts): ProbeAnswer[] {
  const groups = new Map<string, { container: string; probe: Probe; pods: Set<string>; counted: ProbeTally | null }>();
  const looks = probeLooks(facts.evidence) ?? [];
  const teller = facts.evidence.probeMetrics == null ? ('prometheus' as const) : ('kubelet' as const);
  const book: CountBook = looks.length === 0 ? () => () => null : openCountBook(looks);
  for (const { pod } of [...facts.replicas, ...facts.unreadyPods]) {
    for (const container of pod?.containers ?? []) {
      for (const probe of container.probes) {
        const key = JSON.stringify([container.name, probe]);
        const group = groups.get(key) ?? { container: container.name, probe, pods: new Set<string>(), counted: null };
        const counted = joinTallies(group.counted, pod === null ? null : book(pod)(container.name, probe.type));
        groups.set(key, { ...group, pods: group.pods.add(pod?.name ?? ''), counted });
      }
    }
  }
  const { happenings } = facts.evidence;
  return [...groups.values()]
    .map(({ container, probe, pods, counted }) => {
      const all = [...pods].flatMap((pod) => facts.index.unhealthy.get(pod) ?? []);
      const own = all.filter((entry) => entry.probe === probe.type);
      return {
        container,
        type: probe.type,
        kind: probe.kind,
        port: probe.port,
        service: probe.service,
        timeoutSeconds: probe.timeoutSeconds,
        periodSeconds: probe.periodSeconds,
        pods: pods.size,
        failedPods: happenings === null ? null : new Set(own.map((entry) => entry.pod)).size,
        failures: own.reduce((sum, entry) => sum + entry.times, 0),
        counted: publishedCounts(counted),
        countedBy: counted === null ? null : teller,
      };
    })
    .sort((a, b) => (order(a) < order(b) ? -1 : 1));
}

function order(probe: ProbeAnswer): string {
  return `${probe.container} ${probe.type} ${probe.kind} ${probe.port ?? ''} ${probe.service ?? ''}`;
}

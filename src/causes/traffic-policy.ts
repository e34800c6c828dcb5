import type { CauseId } from '../report/ids.ts';
import { listed, plural } from '../report/words.ts';
import { type Facts, isUneven } from '../verdict/facts.ts';
import type { CauseUnit, Finding } from './unit.ts';

/** Settings of the Service that keep traffic near its source. They share one shape: the setting is there, and load is uneven. */
function setting(id: CauseId, title: string, signature: string, read: (facts: Facts) => Finding | null): CauseUnit {
  return {
    id,
    title,
    family: 'service',
    needs: ['service', 'endpoints', 'connections'],
    signature,
    confidenceRule:
      'likely when the setting is in force and the load is uneven: the share that it gives each pod depends on where the clients are.',
    rivals: [{ id: 'few-connections', look: 'the nodes and zones of the clients against those of the pods' }],
    find: (facts) => (isUneven(facts) ? read(facts) : null),
  };
}

export const trafficPolicy: readonly CauseUnit[] = [
  setting(
    'topology-hints',
    'Topology hints keep traffic in its zone',
    'The endpoints carry hints, so kube-proxy sends a client only to the pods of its zone or node.',
    (facts) => {
      const hinted = facts.replicas.filter((pod) => pod.backend.hintZones.length + pod.backend.hintNodes.length > 0);
      if (hinted.length < facts.replicas.length || hinted.length === 0 || facts.headless) return null;
      const places = new Map<string, number>();
      for (const pod of hinted)
        for (const place of [...pod.backend.hintZones, ...pod.backend.hintNodes])
          places.set(place, (places.get(place) ?? 0) + 1);
      if (places.size < 2) return null;
      const parts = [...places]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([place, count]) => `${place} has ${plural(count, 'pod')}`);
      const because = facts.service.trafficDistribution ?? facts.service.topologyMode;
      return {
        confidence: 'likely',
        text: `traffic stays in its zone: ${parts.join(', ')}`,
        evidence: [
          `every endpoint carries hints${because === null ? '' : ` (${facts.service.trafficDistribution === null ? 'topology-mode' : 'trafficDistribution'} ${because})`}`,
        ],
        against: [],
        settledBy: ['the zones of the clients: the same in each zone as pods, or not'],
      };
    },
  ),
  setting(
    'internal-traffic-policy-local',
    'internalTrafficPolicy Local keeps traffic on its node',
    'internalTrafficPolicy is Local: a client reaches only the pods of its own node.',
    (facts) => {
      if (facts.service.internalTrafficPolicy !== 'Local' || facts.headless) return null;
      const nodes = [...new Set(facts.replicas.flatMap((pod) => pod.backend.nodeName ?? []))].sort();
      return {
        confidence: 'likely',
        text: `internalTrafficPolicy Local: clients reach only the pods of their own node (${listed(nodes)})`,
        evidence: [`the pods are on ${plural(nodes.length, 'node')}`],
        against: [],
        settledBy: ['the nodes of the clients against those of the pods'],
      };
    },
  ),
  setting(
    'external-traffic-policy-local',
    'externalTrafficPolicy Local balances over nodes, not pods',
    'externalTrafficPolicy is Local: a load balancer gives each node the same, however many pods it has.',
    (facts) => {
      if (facts.service.externalTrafficPolicy !== 'Local' || facts.service.type === 'ClusterIP') return null;
      const perNode = new Map<string, number>();
      for (const pod of facts.replicas)
        perNode.set(pod.backend.nodeName ?? '', (perNode.get(pod.backend.nodeName ?? '') ?? 0) + 1);
      if (new Set(perNode.values()).size < 2) return null;
      return {
        confidence: 'possible',
        text: 'externalTrafficPolicy Local: each node gets the same from outside, but they have different numbers of pods',
        evidence: [...perNode]
          .sort(([a], [b]) => (a < b ? -1 : 1))
          .map(([node, count]) => `${node}: ${plural(count, 'pod')}`),
        against: [],
        settledBy: ['how much of the traffic comes from outside the cluster'],
      };
    },
  ),
];

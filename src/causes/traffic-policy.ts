import { type Facts, isUnequalLoad } from '../facts/facts.ts';
import { isNear, isUnequal, nearShare } from '../facts/intended-skew.ts';
import { outsidePart, type Setting, type SettingName } from '../facts/settings.ts';
import { maxOf } from '../figures/extremes.ts';
import type { CauseId } from '../report/ids.ts';
import { countOf, listed, percent, plural, probability } from '../report/words.ts';
import { perCall } from './cures.ts';
import type { CauseUnit, Finding } from './unit.ts';

/** Connections that lie as a setting leads them are no accident below this probability. */
const noAccident = 0.01;

/** With more than this part of the connections elsewhere, the setting is not what leads them. */
const mostStrayed = 0.25;

type Read = (facts: Facts, setting: Setting) => Omit<Finding, 'confidence'>;

/**
 * Settings of the Service that keep traffic near its source. They share one shape: the setting is in force, the load is
 * unequal, and the shares that the setting gives the pods are held against what was measured.
 */
function placing(
  setting: SettingName,
  unit: Pick<CauseUnit, 'id' | 'title' | 'signature' | 'firstStep'>,
  read: Read,
): CauseUnit {
  return {
    ...unit,
    directs: 'setting',
    setting: setting === 'topologyHints' ? 'topologyMode' : setting,
    explains: setting,
    curedBy: perCall,
    family: 'service',
    needs: ['service', 'endpoints', 'connections', 'clients'],
    signature: `${unit.signature} What the clients of each place carry, spread over the pods that they may reach, is what the pods carry.`,
    confidenceRule: `certain when the place of every client is known, all their connections lie where the setting leads them (by chance with a probability under ${noAccident}) and the load of the pods is what that gives; likely when they lie so and more is uneven besides; possible when the places of clients are not known or some connections lie elsewhere; not found when most lie elsewhere, or when it gives every pod the same.`,
    rivals: [{ id: 'few-connections', toldApartBy: 'the nodes and zones of the clients against those of the pods' }],
    find(facts) {
      const found = facts.settings.find(({ name }) => name === setting);
      if (found === undefined || !isUnequalLoad(facts)) return null;
      const { kept, strayed, shares, known, byChance } = found;
      if (strayed > mostStrayed * (kept + strayed) || (shares !== null && !isUnequal(shares))) return null;
      const isExplained = facts.intendedSkew?.by === setting;
      const isPlaced = known && byChance < noAccident;
      return {
        ...withPlaces(read(facts, found), found, facts),
        confidence: isExplained && isPlaced ? 'certain' : known || isExplained ? 'likely' : 'possible',
      };
    },
  };
}

/** What the setting would give the pods, and where the connections lie. */
function withPlaces(
  finding: Omit<Finding, 'confidence'>,
  { kept, strayed, shares, known, byChance }: Setting,
  facts: Facts,
): Omit<Finding, 'confidence'> {
  return {
    ...finding,
    evidence: [
      ...finding.evidence,
      kept > 0 &&
        `${kept} of ${plural(kept + strayed, 'connection')} lie where it leads them; by chance with probability ${probability(byChance)}`,
      ...(shares === null ? [] : [expectedAgainstMeasured(shares, facts)]),
    ],
    against: [
      ...(finding.against ?? []),
      strayed > 0 &&
        `${countOf(strayed, 'connection lies', 'connections lie')} elsewhere: older than the setting, or not led by it`,
    ],
    settledBy: known ? [] : (finding.settledBy ?? []),
  };
}

/** "it gives echo-0 75 %, and that carries 75 %". */
function expectedAgainstMeasured(shares: readonly number[], facts: Facts): string {
  const most = maxOf(shares);
  const index = shares.indexOf(most);
  return `it gives ${facts.replicas[index]?.name ?? 'a pod'} ${percent(most)} of the load, and that carries ${percent(facts.load[index] ?? 0)}`;
}

const readHints: Read = ({ replicas }, { words }) => {
  const places = new Map<string, number>();
  for (const { backend } of replicas)
    for (const place of [...backend.hintZones, ...backend.hintNodes]) places.set(place, (places.get(place) ?? 0) + 1);
  const parts = [...places]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([place, count]) => `${place} has ${plural(count, 'pod')}`);
  const isByNode = replicas.some(({ backend }) => backend.hintNodes.length > 0);
  return {
    text: `traffic stays ${isByNode ? 'near its client' : 'in its zone'}: ${listed(parts, 4)}`,
    evidence: [`every endpoint carries hints (${words})`],
    settledBy: ['the zones of the clients: the same in each zone as pods, or not'],
  };
};

export const trafficPolicy: readonly CauseUnit[] = [
  placing(
    'trafficDistribution',
    {
      id: 'traffic-distribution',
      title: 'trafficDistribution keeps traffic near its clients',
      signature:
        'trafficDistribution is set (PreferClose, PreferSameZone, PreferSameNode) and every endpoint carries hints, so kube-proxy sends a client only to the pods of its zone or node.',
      firstStep: 'spread the pods over the zones as the clients are, or drop trafficDistribution',
    },
    readHints,
  ),
  placing(
    'topologyHints',
    {
      id: 'topology-hints',
      title: 'Topology hints keep traffic in its zone',
      signature: 'The endpoints carry hints, so kube-proxy sends a client only to the pods of its zone or node.',
      firstStep: 'spread the pods over the zones as the clients are, or drop the annotation topology-mode',
    },
    readHints,
  ),
  placing(
    'internalTrafficPolicy',
    {
      id: 'internal-traffic-policy-local',
      title: 'internalTrafficPolicy Local keeps traffic on its node',
      signature: 'internalTrafficPolicy is Local: a client reaches only the pods of its own node.',
      firstStep: 'set internalTrafficPolicy: Cluster, or run a pod on every node with clients',
    },
    (facts) => {
      const nodes = [...new Set(facts.replicas.flatMap((pod) => pod.backend.nodeName ?? []))].sort();
      return {
        text: `internalTrafficPolicy Local: clients reach only the pods of their own node (${listed(nodes)})`,
        evidence: [`the pods are on ${plural(nodes.length, 'node')}`],
        settledBy: ['the nodes of the clients against those of the pods'],
      };
    },
  ),
  {
    id: 'external-traffic-policy-local',
    title: 'externalTrafficPolicy Local balances over nodes, not pods',
    family: 'service',
    needs: ['service', 'endpoints', 'connections'],
    signature:
      'externalTrafficPolicy is Local and most load comes from outside: a load balancer gives each node the same, however many pods it has, so a pod has 1/nodes ÷ pods on its node.',
    confidenceRule: `likely when every pod carries within ${percent(nearShare)} of all what that gives; possible when the load differs from it. Never certain: how the load balancer deals is not seen from the cluster.`,
    rivals: [
      {
        id: 'lb-source' satisfies CauseId,
        toldApartBy: 'the load of the nodes: the same for each, or by source address',
      },
      { id: 'few-connections', toldApartBy: 'the number of connections from outside' },
    ],
    directs: 'setting',
    setting: 'externalTrafficPolicy',
    explains: 'externalTrafficPolicy',
    curedBy: ['l7-proxy'],
    firstStep: 'spread the pods evenly over the nodes, or set externalTrafficPolicy: Cluster',
    find(facts) {
      const setting = facts.settings.find(({ name }) => name === 'externalTrafficPolicy');
      const outside = outsidePart(facts.allConnections, facts.weights);
      if (setting === undefined || !isUnequalLoad(facts) || outside < 0.5) return null;
      const { shares } = setting;
      if (shares !== null && !isUnequal(shares)) return null;
      const isMet = shares !== null && isNear(facts.load, shares);
      const perNode = Map.groupBy(facts.replicas, (pod) => pod.backend.nodeName ?? 'a node');
      return {
        confidence: isMet ? 'likely' : 'possible',
        text: 'externalTrafficPolicy Local: each node gets the same from outside, but they have different numbers of pods',
        evidence: [
          `${percent(outside)} of the load comes from outside the cluster`,
          ...[...perNode]
            .sort(([a], [b]) => (a < b ? -1 : 1))
            .map(([node, pods]) => `${node}: ${plural(pods.length, 'pod')}`),
          ...(shares === null ? [] : [expectedAgainstMeasured(shares, facts)]),
        ],
        against: isMet ? [] : ['the pods do not carry what the same load for each node would give them'],
        settledBy: isMet ? [] : ['how the load balancer deals: by node, by connection or by source address'],
      };
    },
  },
];

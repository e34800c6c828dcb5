import { byAddress, type ClientFacts } from '../facts/client-facts.ts';
import type { Facts } from '../facts/facts.ts';
import { limits } from '../facts/limits.ts';
import { maxOf } from '../figures/extremes.ts';
import { effectivePods, idleIndexes, peakToMean, toShares } from '../figures/shares.ts';
import { countOf, percent } from '../report/words.ts';
import type { FoundWarning } from './warning.ts';

/**
 * Proxies by trade that stand before the pods (gateways, waypoints) are reached over connections as well: one of their
 * pods may pass on nearly all. The pods behind are even then, and the skew sits one hop before them. A pod of the proxy
 * that is connected to no pod of the Service passes on nothing.
 */
export function unevenProxies(facts: Facts): FoundWarning[] {
  if (facts.bytes === null) return [];
  const proxies = byAddress(facts.allConnections, facts.weights).filter(
    ({ peer }) => peer.kind === 'gateway' || peer.kind === 'mesh-proxy',
  );
  const groups = Map.groupBy(proxies, ({ peer }) => `${peer.namespace ?? ''}/${peer.workload}`);
  return [...groups].sort(([a], [b]) => (a < b ? -1 : 1)).flatMap(([, members]) => describe(members, facts));
}

function describe(members: readonly ClientFacts[], { index, evidence }: Facts): FoundWarning[] {
  const [first] = members;
  if (first === undefined) return [];
  const { workload, namespace } = first.peer;
  const isOfIt = (address: string) => {
    const peer = index.peers.name(address);
    return peer.workload === workload && peer.namespace === namespace;
  };
  const all = new Set((evidence.peers?.pods ?? []).filter(({ addresses }) => addresses.some(isOfIt)).map(nameOf)).size;
  const idle = Math.max(0, all - members.length);
  const shares = toShares([...members.map(({ share }) => share), ...Array.from({ length: idle }, () => 0)]);
  if (shares === null || shares.length < 2 || peakToMean(shares) < limits.skewedPeakToMean) return [];
  const isUneven = effectivePods(shares) < limits.skewedEffectivePart * shares.length || idleIndexes(shares).length > 0;
  if (!isUneven) return [];
  return [
    {
      id: 'uneven-proxies',
      text: `the skew may be one hop before: one of ${countOf(shares.length, 'pod', 'pods')} of ${workload} passes on ${percent(maxOf(shares))} of its calls; look at the Service before it`,
    },
  ];
}

function nameOf({ namespace, name }: { readonly namespace: string; readonly name: string }): string {
  return `${namespace}/${name}`;
}

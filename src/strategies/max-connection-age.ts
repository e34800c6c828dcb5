import { simulatePlacement } from '../figures/placement.ts';
import { duration, figure, plural } from '../report/words.ts';
import { heaviestPart } from './rules.ts';
import type { StrategyUnit } from './unit.ts';

/** Connection ages to choose from, in seconds, and the reconnects that a pod may cost (design: predictions). */
const ages = [300, 600, 900, 1800, 3600] as const;
const reconnectsPerPodAndSecond = 1;

/** The smallest age that keeps reconnects within the limit; the largest of the list where none does. */
export function proposedAge(connections: number, pods: number): number {
  return ages.find((age) => connections / age <= reconnectsPerPodAndSecond * pods) ?? ages[ages.length - 1] ?? 3600;
}

/** `2.4 reconnects per second`, `0.8 reconnects per minute`: whichever is a number to read. */
function reconnects(perSecond: number): string {
  return perSecond >= 1
    ? `${figure(perSecond)} reconnects per second`
    : `${figure(60 * perSecond)} reconnects per minute`;
}

export const maxConnectionAge: StrategyUnit = {
  id: 'max-connection-age',
  title: 'ClusterIP with a server MaxConnectionAge',
  assess({ facts }) {
    const { allConnections, replicas, weights, headless } = facts;
    const pods = replicas.length;
    const age = proposedAge(allConnections.length, Math.max(1, pods));
    const simulated = pods > 0 && weights.length > 0 ? simulatePlacement({ weights, pods }) : null;
    const enough = 4 * (pods - 1);
    const effective = facts.effectiveConnections ?? 0;
    const hot = heaviestPart(facts) > 2 / Math.max(1, pods);
    return {
      fits: [
        ...(effective >= enough && pods > 1
          ? [`${figure(effective)} effective connections are enough for ${pods} pods when dealt anew`]
          : []),
        'no client has to change',
      ],
      against: [
        ...(effective < enough && allConnections.length > 0
          ? [
              `it re-deals ${plural(allConnections.length, 'connection')}, it does not split them: with so few the hot spot only moves once per age`,
            ]
          : []),
        ...(hot
          ? ['one connection carries more than twice the fair part of a pod, and takes that along wherever it goes']
          : []),
        ...(headless
          ? ['a headless Service has no placement by kube-proxy: the age only makes clients resolve again']
          : []),
      ],
      preconditions: [
        {
          text: 'the server library has a connection age (grpc-go, grpc-java, C-core, grpc-js; not ASP.NET Core)',
          status: 'unknown',
        },
        { text: 'clients retry calls that meet UNAVAILABLE', status: 'unknown' },
      ],
      prediction: {
        effectivePods: simulated?.effectivePods.mean ?? null,
        effectivePodsRange: simulated === null ? null : [simulated.effectivePods.p10, simulated.effectivePods.p90],
        peakToMean: simulated?.peakToMean.mean ?? null,
        newPod: `within ${duration(1.1 * age)} at an age of ${duration(age)}`,
        cost: [allConnections.length === 0 ? 'a reconnect per connection' : reconnects(allConnections.length / age)],
      },
    };
  },
};

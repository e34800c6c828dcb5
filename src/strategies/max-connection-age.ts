import { inferredWords } from '../facts/on-all-pods.ts';
import {
  enoughConnections,
  movedBy,
  partOfNewPod,
  reconnectsPerSecond,
  simulatePlacement,
} from '../figures/placement.ts';
import { countOf, duration, figure, percent, plural } from '../report/words.ts';
import { openStreams, rate } from './predict.ts';
import { heaviestPart } from './rules.ts';
import type { StrategyUnit } from './unit.ts';

/** Connection ages to choose from, in seconds: what a new pod waits for its share, against what reconnects cost. */
const ages = [300, 600, 900, 1800, 3600] as const;
/** A handshake a second is no load for a pod. */
const reconnectsPerPodAndSecond = 1;

/** The smallest age that keeps reconnects within the limit; the largest of the list where none does. */
export function proposedAge(connections: number, pods: number): number {
  return (
    ages.find((age) => reconnectsPerSecond(connections, age) <= reconnectsPerPodAndSecond * pods) ??
    ages[ages.length - 1] ??
    3600
  );
}

export const maxConnectionAge: StrategyUnit = {
  id: 'max-connection-age',
  title: 'ClusterIP with a server MaxConnectionAge',
  what: 'After the age the server sends GOAWAY: calls in flight finish within the grace, then the client reconnects and kube-proxy chooses a pod anew. It re-deals connections, it does not split them.',
  fitsWhen: 'As for cluster-ip, when the load is skewed all the same: the connections are older than some of the pods.',
  requirements: [
    {
      text: 'the server library has a connection age (grpc-go, grpc-java, C-core, grpc-js, tonic; ASP.NET Core has none)',
      status: () => 'unknown',
    },
    {
      text: 'a grace longer than the longest call, which is not seen from outside; what takes longer is cut off',
      status: ({ facts }) => (openStreams(facts) === null ? 'unknown' : 'failed'),
    },
    {
      text: 'clients retry calls that meet UNAVAILABLE (retryPolicy in the service config)',
      status: () => 'unknown',
    },
    {
      text: 'streams end within the age and grace, or the clients open them again after GOAWAY',
      status: ({ facts }) => (openStreams(facts) === null ? 'unknown' : 'failed'),
    },
    {
      text: 'kube-proxy, or what stands in for it, chooses the pod of a new connection: a ClusterIP, no proxy between',
      status: ({ facts }) => (facts.headless || facts.hops.length > 0 ? 'failed' : 'met'),
    },
    {
      text: 'at least 4(P−1) effective connections: with fewer the hot spot only moves',
      status: ({ facts }) => {
        if (facts.onAllPods.effective === null) return 'unknown';
        return facts.onAllPods.effective >= enoughConnections(facts.replicas.length) ? 'met' : 'failed';
      },
    },
  ],
  newPods: 'once per connection age: its share grows with the time since its start, and is whole after the age',
  costs: ['a reconnect per connection and age'],
  assess({ facts }) {
    const { replicas, onAllPods, headless } = facts;
    const { weights, reach } = onAllPods;
    const count = weights.length;
    const pods = replicas.length;
    const age = proposedAge(count, Math.max(1, pods));
    // What a setting pins comes back to where it was.
    const isPinned = facts.service.sessionAffinity === 'ClientIP' && !headless;
    const simulated = pods > 0 && weights.length > 0 && !isPinned ? simulatePlacement({ weights, reach, pods }) : null;
    const unreached = reach === null || reach.length === 0 ? 0 : pods - new Set(reach.flat()).size;
    const present = isPinned ? (facts.loads.basis?.effectivePods ?? null) : null;
    const enough = enoughConnections(pods);
    const effective = onAllPods.effective ?? 0;
    const hot = heaviestPart(facts);
    const perSecond = reconnectsPerSecond(count, age);
    return {
      fits: [
        effective >= enough &&
          pods > 1 &&
          `${figure(effective)} effective connections${inferredWords(onAllPods, pods)} are enough for ${pods} pods when dealt anew`,
        'clients stay as they are, if they retry calls that meet UNAVAILABLE',
      ],
      against: [
        effective < enough &&
          count > 0 &&
          `it re-deals ${plural(count, 'connection')}${inferredWords(onAllPods, pods)}, it does not split them: with so few the hot spot only moves once per age`,
        hot > 2 / Math.max(1, pods) &&
          `one connection carries ${percent(hot)} of the load, more than twice the fair part of a pod, and takes that along wherever it goes`,
        openStreams(facts) !== null &&
          'the load is in streams that do not end: they keep their connection until the grace is over, and are cut off',
        unreached > 0 &&
          `${countOf(unreached, 'pod gets', 'pods get')} nothing from it: no connection of these clients can land there`,
        isPinned && 'sessionAffinity ClientIP brings each address back to the pod that it had',
        headless && 'a headless Service has no placement by kube-proxy: the age only makes clients resolve again',
      ],
      prediction: {
        effectivePods: simulated?.effectivePods.mean ?? present,
        effectivePodsRange:
          simulated === null
            ? present === null
              ? null
              : [present, present]
            : [simulated.effectivePods.p10, simulated.effectivePods.p90],
        peakToMean: simulated?.peakToMean.mean ?? null,
        newPod: `within ${duration(movedBy(age))} at an age of ${duration(age)} (${percent(partOfNewPod(60, age))} of its share after 1m)`,
        newPodSeconds: movedBy(age),
        reconnectsPerSecond: count === 0 ? null : perSecond,
        connectionAgeSeconds: age,
        cost: [count === 0 ? 'a reconnect per connection' : rate(perSecond, 'reconnects')],
      },
    };
  },
};

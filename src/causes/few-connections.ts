import { isLittleUneven, isUneven } from '../facts/facts.ts';
import { inferredWords } from '../facts/on-all-pods.ts';
import { allPodsCheck } from '../facts/settling.ts';
import { enoughConnections } from '../figures/placement.ts';
import { figure, plural } from '../report/words.ts';
import { perCall, sticky } from './cures.ts';
import { isDirected, reachablePods } from './directed.ts';
import { hotClient } from './hot-client.ts';
import { hotConnection } from './hot-connection.ts';
import type { CauseUnit } from './unit.ts';

export const fewConnections: CauseUnit = {
  id: 'few-connections',
  title: 'Too few connections for so many pods',
  family: 'sticky-connections',
  needs: ['service', 'connections'],
  signature:
    'A ClusterIP Service with fewer effective connections than 4(P−1): random placement then leaves over 20 % of the pods without work.',
  confidenceRule:
    'certain when there are fewer connections than pods, since each is on one pod; likely below 4(P−1) effective connections, and where only some of many pods were looked into and the others are taken to hold as many.',
  rivals: [{ id: 'hot-client', toldApartBy: 'bytes per connection: many connections, of which one carries most' }],
  general: true,
  ...sticky,
  curedBy: perCall,
  find(facts) {
    const { allConnections, replicas, onAllPods, headless, hops } = facts;
    if (!isUneven(facts) || headless || hops.length > 0 || facts.perCall || onAllPods.effective === null) return null;
    if (facts.connections?.seen !== (onAllPods.inferredFrom ?? replicas.length)) return null;
    // A setting of the Service that leads them explains an uneven load, but for pods that it lets them reach and they are too few for.
    if (isDirected(facts) && allConnections.length >= (reachablePods(facts) ?? 0)) return null;
    // Clients of a headless Service over the same pods may hold some of the connections, and choose the pods themselves.
    if (isLittleUneven(facts) && facts.siblings.some(({ clusterIP }) => clusterIP === 'None')) return null;
    const count = onAllPods.weights.length;
    const inferred = inferredWords(onAllPods, replicas.length);
    const enough = enoughConnections(replicas.length);
    // Many of which few carry anything are as good as few.
    const isOneHot = hotClient.find(facts) !== null || hotConnection.find(facts) !== null;
    const isChosenPerCall = facts.path.hashRule !== null || facts.path.clientShares.xds >= 0.5;
    const counted = facts.bytes === null || isOneHot || isChosenPerCall ? count : Math.min(count, onAllPods.effective);
    if (count === 0 || counted >= enough) return null;
    const fewerThanPods = count < replicas.length && onAllPods.inferredFrom === null;
    return {
      confidence: fewerThanPods ? 'certain' : 'likely',
      text:
        count < enough
          ? `${plural(count, 'connection')}${inferred} for ${replicas.length} pods, and each stays on one pod`
          : `${plural(count, 'connection')} count as ${figure(onAllPods.effective)} by what they carry, for ${replicas.length} pods`,
      evidence: [
        fewerThanPods
          ? `${plural(count, 'connection')} can reach at most ${count} of ${replicas.length} pods`
          : `${plural(count, 'connection')}${inferred} over ${replicas.length} pods; random placement is even only from about ${enough} on`,
        `by what they carry they count as ${figure(onAllPods.effective)}`,
      ],
      settledBy: onAllPods.inferredFrom === null ? [] : [allPodsCheck(replicas.length - onAllPods.inferredFrom)],
    };
  },
};

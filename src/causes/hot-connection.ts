import { isUneven } from '../facts/facts.ts';
import { maxOf } from '../figures/extremes.ts';
import { countOf, figure, percent, plural } from '../report/words.ts';
import { heavy } from './cures.ts';
import { hotFactor, isManyInOne, isSurelyMost, leastOfPod } from './heavy.ts';
import type { CauseUnit } from './unit.ts';

export const hotConnection: CauseUnit = {
  id: 'hot-connection',
  title: 'One connection of many carries most',
  family: 'sticky-connections',
  needs: ['connections'],
  signature:
    'Many connections, of which one carries 1.25 times the fair part of a pod or more, while the others of the same client carry little, or its client cannot be told (behind a node or a load balancer).',
  confidenceRule:
    'certain when its bytes were measured over a window and it surely carries more than half of all: every pod was seen, calls were counted, and the lower bound of its part at 99.9 % is above one half; likely when they are lifetime counts, or it carries less.',
  rivals: [
    { id: 'hot-client', toldApartBy: 'the other connections of that client: as busy, or idle' },
    { id: 'long-streams', toldApartBy: 'the calls in flight on that pod: one that does not end, or many that do' },
    { id: 'few-connections', toldApartBy: 'bytes per connection: about the same for all' },
  ],
  ...heavy,
  firstStep: 'make that client spread its calls over its connections, or look what runs on that one',
  find(facts) {
    const { allConnections, weights, replicas, hops } = facts;
    if (!isUneven(facts) || facts.bytes === null || hops.length > 0 || facts.perCall) return null;
    // Fewer connections than pods cannot be even, whatever each of them carries.
    if (allConnections.length < replicas.length) return null;
    const total = weights.reduce((sum, weight) => sum + weight, 0);
    const heaviest = maxOf(weights);
    const entry = allConnections[weights.indexOf(heaviest)];
    if (entry === undefined || total <= 0) return null;
    const part = heaviest / total;
    const fair = 1 / replicas.length;
    const others = (1 - part) / Math.max(1, allConnections.length - 1);
    if (part < leastOfPod * fair || part < hotFactor * others) return null;
    const { peer, address } = entry.connection;
    const own = weights.filter((_, index) => allConnections[index]?.connection.address === address);
    const shared = isManyInOne.has(peer.kind);
    // The only connection of a client that can be told is that client.
    if (!shared && own.length < 2) return null;
    const rest = (own.reduce((sum, weight) => sum + weight, 0) - heaviest) / Math.max(1, own.length - 1);
    if (!shared && heaviest < hotFactor * rest) return null;
    const measured = allConnections.every(({ connection }) => connection.windowBytes !== null);
    const pod = replicas[entry.replica]?.name ?? '';
    const who = peer.pod?.name ?? peer.workload;
    return {
      confidence: measured && isSurelyMost(facts, part) ? 'certain' : 'likely',
      text: `one of ${plural(allConnections.length, 'connection')} carries ${percent(part)} of the load: ${who} to ${pod}`,
      evidence: [
        `it carries ${figure(part / fair)} × the fair part of a pod`,
        own.length > 1
          ? `${who} holds ${countOf(own.length - 1, 'other connection', 'other connections')}, ${own.length === 2 ? 'which carries' : 'which carry'} ${percent(Math.max(0, (own.length - 1) * rest) / total)} in all`
          : `${who} stands for many clients: whose connection it is cannot be told`,
      ],
      settledBy: [
        !measured && 'a second sample: the bytes of the window instead of the lifetime',
        'the calls of that client: many, or one stream that does not end',
      ],
    };
  },
};

import { byAddress } from '../facts/client-facts.ts';
import { isUneven } from '../facts/facts.ts';
import { maxOf } from '../figures/extremes.ts';
import { countOf, figure, percent, plural } from '../report/words.ts';
import { heavy } from './cures.ts';
import { hotFactor, isManyInOne, isSurelyMost, leastOfPod } from './heavy.ts';
import type { CauseUnit } from './unit.ts';

export const hotClient: CauseUnit = {
  id: 'hot-client',
  title: 'One client makes most of the calls',
  family: 'sticky-connections',
  needs: ['connections'],
  signature:
    'Several clients, of which one carries most of the bytes, over few connections; the connections themselves may be even.',
  confidenceRule:
    'certain when the bytes per connection were measured over a window and the client surely carries more than half of all: every pod was seen, its calls were counted, and the lower bound of its part at 99.9 % is above one half; likely when they are lifetime counts, or it carries less.',
  rivals: [{ id: 'few-connections', toldApartBy: 'bytes per client: about the same for all' }],
  ...heavy,
  firstStep: 'find out why the heaviest client makes so many calls',
  find(facts) {
    if (!isUneven(facts) || facts.bytes === null) return null;
    const clients = byAddress(facts.allConnections, facts.weights);
    const [top] = clients;
    if (top === undefined || clients.length < 2 || isManyInOne.has(top.peer.kind)) return null;
    const pods = facts.replicas.length;
    const fair = 1 / pods;
    const own = facts.weights.filter(
      (_, index) => facts.allConnections[index]?.connection.address === top.addresses[0],
    );
    const heaviest = maxOf(own) / facts.weights.reduce((sum, weight) => sum + weight, 0);
    const others = (1 - top.share) / (clients.length - 1);
    if (top.share < hotFactor * others || heaviest < leastOfPod * fair) return null;
    const measured = facts.allConnections.every(({ connection }) => connection.windowBytes !== null);
    const name = top.peer.pod?.name ?? top.addresses[0] ?? top.peer.workload;
    const connectionParts =
      facts.connections?.reading === 'even' || facts.connections?.reading === 'between'
        ? ['the connections themselves are about even']
        : [];
    return {
      confidence: measured && isSurelyMost(facts, top.share) ? 'certain' : 'likely',
      text: `${name} carries ${percent(top.share)} of the load${heaviest > top.share / 2 ? ', most of it over one connection' : ''}`,
      evidence: [
        `${name} (${top.peer.workload}): ${percent(top.share)} of the bytes over ${plural(top.connections, 'connection')}; ${countOf(clients.length - 1, 'other client carries', 'other clients carry')} the rest`,
        `one of its connections carries ${percent(heaviest)}: ${figure(heaviest / fair)} × the fair part of a pod`,
        ...connectionParts,
      ],
      settledBy: measured ? [] : ['a second sample: the bytes of the window instead of the lifetime'],
    };
  },
};

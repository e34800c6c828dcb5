import { type Facts, isUneven } from '../facts/facts.ts';
import { maxOf } from '../figures/extremes.ts';
import { countOf, duration, figure, plural } from '../report/words.ts';
import { perCall } from './cures.ts';
import type { CauseUnit } from './unit.ts';

/** Fewer that end within the window may have ended for any reason. */
const leastEnded = 2;
/** From so many segments on, a connection that ends was no connection for one call. */
const manySegments = 9;

export const reDealt: CauseUnit = {
  id: 're-dealt',
  title: 'Connections end after a while and are dealt anew',
  family: 'sticky-connections',
  needs: ['connections'],
  signature:
    'Within the window connections ended that had carried many calls, and their clients opened as many: an age that the server sets, as a rule. A break of the network ends most of them at once, and is left out. At any moment few of them use few pods, other ones a while later.',
  confidenceRule:
    'likely when two connections or more ended after many calls each and nearly every client that lost some opened as many; never certain, since what ended them is not seen.',
  rivals: [{ id: 'connection-churn', toldApartBy: 'what a connection has carried when it closes: one call, or many' }],
  general: true,
  curedBy: perCall,
  dealsAnew: true,
  firstStep:
    'look at the load over some minutes: dealt anew all the time it evens out, and only a burst meets the few pods of the moment',
  find(facts) {
    if (!isUneven(facts) || facts.perCall || facts.hops.length > 0) return null;
    const carried = facts.replicas.flatMap(({ sockets }) => sockets?.closedSegments ?? []).sort((a, b) => a - b);
    const typical = carried[Math.floor(carried.length / 2)] ?? 0;
    if (carried.length < leastEnded || typical < manySegments) return null;
    const { replaced, ended } = replacements(facts);
    // All at once was a break of the network, and says nothing of the time before and after it.
    const kept = facts.allConnections.filter(({ connection }) => connection.kept).length;
    if (replaced < 0.8 * ended || kept < ended / 4) return null;
    const seconds = maxOf(
      facts.replicas.map(({ sockets }) => sockets?.seconds ?? 0),
      0,
    );
    const every = (seconds * facts.allConnections.length) / ended;
    return {
      confidence: 'likely',
      text: `connections are dealt anew, each every ${duration(every)} or so: at any moment they use ${figure(facts.loads.basis?.effectivePods ?? 0)} of ${facts.replicas.length} pods`,
      evidence: [
        `within ${duration(seconds)} ${countOf(ended, 'connection', 'connections')} ended, after ${plural(typical, 'message')} or so each, and ${replaced} came in their place`,
      ],
      settledBy: ['a second look some minutes later: other pods are busy then; maxConnectionAge in the server'],
    };
  },
};

/** Connections that ended, and those of the same clients that began. */
function replacements(facts: Facts): { readonly replaced: number; readonly ended: number } {
  const lost = Map.groupBy(
    facts.replicas.flatMap(({ sockets }) => sockets?.closedBy ?? []),
    (address) => address,
  );
  const opened = Map.groupBy(
    facts.allConnections.filter(({ connection }) => !connection.kept),
    ({ connection }) => connection.address,
  );
  const all = [...lost].map(([address, ends]) => ({
    ended: ends.length,
    replaced: Math.min(ends.length, opened.get(address)?.length ?? 0),
  }));
  return {
    ended: all.reduce((sum, { ended }) => sum + ended, 0),
    replaced: all.reduce((sum, { replaced }) => sum + replaced, 0),
  };
}

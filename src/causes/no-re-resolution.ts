import { byAddress } from '../facts/client-facts.ts';
import { isUneven } from '../facts/facts.ts';
import { maxOf } from '../figures/extremes.ts';
import { duration, figure, plural } from '../report/words.ts';
import { haveNames } from './addressed-by-name.ts';
import { availableSeconds, clientStarts, connectionAge, replicasWithoutConnections } from './ages.ts';
import { perCall, sticky } from './cures.ts';
import type { CauseUnit } from './unit.ts';
import { the } from './words.ts';

export const noReResolution: CauseUnit = {
  id: 'no-re-resolution',
  title: 'The clients balance, but do not see the new pods',
  family: 'sticky-connections',
  needs: ['service', 'connections'],
  signature:
    'Headless Service, several connections per client, none of them to the youngest pods: names are resolved again only when a connection breaks.',
  confidenceRule:
    'certain when every client is connected to all older pods and the connections have lived longer than the idle pods have been Ready; likely when the clients hold several connections and exactly the youngest pods are empty; else possible.',
  rivals: [{ id: 'pick-first', toldApartBy: 'connections per client: one' }],
  ...sticky,
  curedBy: perCall,
  relief: [...sticky.relief, 'resolve-anew'],
  find(facts) {
    if (!isUneven(facts) || !facts.headless || facts.youngestEmpty === null || facts.perCall) return null;
    const clients = byAddress(facts.allConnections, facts.weights);
    const several = clients.filter((client) => client.reached.length > 1);
    const idle = replicasWithoutConnections(facts);
    const older = facts.replicas.length - idle.length;
    // With one pod Ready before the scale-up a balancing client has one connection, as pick_first has.
    if (idle.length !== facts.youngestEmpty.count || (several.length === 0 && older > 1)) return null;
    const idleSeconds = maxOf(idle.map((index) => availableSeconds(facts, index) ?? Number.POSITIVE_INFINITY));
    const starts = [...clientStarts(facts).values()];
    if (starts.some((start) => start !== null && (facts.now - start) / 1000 <= idleSeconds)) return null;
    const age = connectionAge(facts);
    const complete = older > 1 && clients.every((client) => client.reached.length === older);
    const proven = complete && age !== null && age > idleSeconds;
    // Shards that hold nothing yet are called by nobody, and their clients by name.
    const named = haveNames(facts);
    const perClient = facts.allConnections.length / Math.max(1, clients.length);
    return {
      confidence: named ? 'possible' : proven ? 'certain' : several.length > 0 ? 'likely' : 'possible',
      text: `the clients know ${plural(older, 'older pod')} and have not resolved the name again since ${plural(idle.length, 'pod')} came`,
      evidence: [
        `${figure(perClient)} ${perClient === 1 ? 'connection' : 'connections'} per client on average, none to ${the(idle.length, 'youngest pod')}`,
        complete &&
          `${clients.length === 1 ? 'the client' : `each of the ${clients.length} clients`} is connected to ${older === 2 ? 'both' : `all ${older}`} older pods`,
        proven &&
          `the connections have lived about ${duration(age)}, no idle pod has been Ready for more than ${duration(idleSeconds)}`,
      ],
      against: [named && 'each pod of a StatefulSet has a name of its own, which clients may dial on purpose'],
      settledBy:
        proven && !named ? [] : ['a second sample of the sockets: what a connection carried ÷ its rate is its age'],
    };
  },
};

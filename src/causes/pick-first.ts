import { byAddress, type ClientFacts, doubledClients } from '../facts/client-facts.ts';
import { type Facts, isUneven } from '../facts/facts.ts';
import { countWhile } from '../facts/rising.ts';
import { minOf } from '../figures/extremes.ts';
import { countOf, plural } from '../report/words.ts';
import { haveNames } from './addressed-by-name.ts';
import { clientStarts } from './ages.ts';
import { perCall, sticky } from './cures.ts';
import type { CauseUnit, Finding } from './unit.ts';

export const pickFirst: CauseUnit = {
  id: 'pick-first',
  title: 'The clients use one connection each (pick_first)',
  family: 'sticky-connections',
  needs: ['service', 'connections', 'clients'],
  signature:
    'Headless Service, at least two pods Ready before the client started, and exactly one connection from each client; or several from one address, two of them to one pod while another pod has none that is no younger, or has fewer.',
  confidenceRule:
    'likely when each client has exactly one connection and two pods or more were Ready before it started; possible where its start is not known, sidecars hold the connections, or the pods of a StatefulSet have names of their own. Likely, too, also for a StatefulSet, when connections of one address lie two to a pod while one that it must know has fewer; not behind sidecars. Never certain: a dialled pod address looks the same from here.',
  rivals: [{ id: 'no-re-resolution', toldApartBy: 'connections per client: several, and none on the youngest pods' }],
  ...sticky,
  curedBy: perCall,
  find(facts) {
    if (!isUneven(facts) || !facts.headless || facts.perCall) return null;
    const clients = byAddress(facts.allConnections, facts.weights);
    if (clients.length === 0) return null;
    const pools = clients.filter((client) => client.connections > 1);
    if (pools.length > 0) return pooled(facts, clients);
    const starts = clientStarts(facts);
    const ready = facts.replicas.flatMap((pod) => pod.readySince ?? []).sort((a, b) => a - b);
    const known = clients.flatMap((client) => {
      const start = starts.get(client.addresses[0] ?? '') ?? null;
      return start === null ? [] : [countWhile(ready, (since) => since < start)];
    });
    if (known.some((count) => count < 2)) return null;
    const allKnown = known.length === clients.length;
    const who = clients.length === 1 ? 'the client' : `each of the ${clients.length} clients`;
    // Who dials a pod by the name that a StatefulSet gives it has one connection, too.
    const named = haveNames(facts);
    // The connections at the pods are those of the sidecars then: what the clients themselves hold is not seen.
    const own = facts.path.clientShares.meshed < 0.5;
    return {
      confidence: allKnown && own && !named ? 'likely' : 'possible',
      text: `${who} holds one connection to one of ${facts.replicas.length} pods, although the Service is headless`,
      evidence: [
        'clusterIP is None, so DNS answers with every Ready pod',
        `${who} holds exactly one connection: what pick_first, the default of gRPC, does`,
        allKnown &&
          `at least ${minOf(known)} pods were Ready before ${clients.length === 1 ? 'it' : 'each of them'} started`,
      ],
      against: [
        !own && 'sidecars stand before the clients: the connections are theirs',
        named && 'each pod of a StatefulSet has a name of its own, which clients may dial on purpose',
      ],
      settledBy: [
        'the client code: the target must start with dns:/// and the service config must name round_robin',
        !allKnown && 'the start times of the clients',
      ],
    };
  },
};

/** Several channels of one client, each without a policy. */
function pooled(facts: Facts, clients: readonly ClientFacts[]): Finding | null {
  const doubled = doubledClients(facts);
  if (doubled.length === 0 || facts.path.clientShares.meshed >= 0.5) return null;
  const connections = facts.allConnections.length;
  return {
    confidence: 'likely',
    text: `${countOf(doubled.length, 'client holds', 'clients hold')} two connections to one pod and none to another: channels without round_robin`,
    evidence: [
      'clusterIP is None, so DNS answers with every Ready pod',
      `${plural(connections, 'connection')} of ${plural(clients.length, 'client')}; round_robin has one from each client to each pod before it has two`,
    ],
    settledBy: ['the client code: the target must start with dns:/// and the service config must name round_robin'],
  };
}

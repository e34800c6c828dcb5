import { byAddress } from '../facts/client-facts.ts';
import { isUneven } from '../facts/facts.ts';
import { countWhile } from '../facts/rising.ts';
import { minOf } from '../figures/extremes.ts';
import { clientStarts } from './ages.ts';
import { perCall, sticky } from './cures.ts';
import type { CauseUnit } from './unit.ts';

export const pickFirst: CauseUnit = {
  id: 'pick-first',
  title: 'The clients use one connection each (pick_first)',
  family: 'sticky-connections',
  needs: ['service', 'connections', 'clients'],
  signature:
    'Headless Service, at least two pods Ready before the client started, and exactly one connection from each client.',
  confidenceRule:
    'likely when every client has exactly one connection and at least two pods were Ready before each of them started; possible when the start of clients is not known, or sidecars hold the connections. Never certain: a target without dns:/// and a dialled pod address look the same from here.',
  rivals: [{ id: 'no-re-resolution', look: 'connections per client: several, and none on the youngest pods' }],
  ...sticky,
  curedBy: perCall,
  find(facts) {
    if (!isUneven(facts) || !facts.headless || facts.loads.churning) return null;
    const clients = byAddress(facts.allConnections, facts.weights);
    if (clients.length === 0 || clients.some((client) => client.connections > 1)) return null;
    const starts = clientStarts(facts);
    const ready = facts.replicas.flatMap((pod) => pod.readySince ?? []).sort((a, b) => a - b);
    const known = clients.flatMap((client) => {
      const start = starts.get(client.addresses[0] ?? '') ?? null;
      return start === null ? [] : [countWhile(ready, (since) => since < start)];
    });
    if (known.some((count) => count < 2)) return null;
    const allKnown = known.length === clients.length;
    const who = clients.length === 1 ? 'the client' : `each of the ${clients.length} clients`;
    // The connections at the pods are those of the sidecars then: what the clients themselves hold is not seen.
    const own = facts.path.parts.meshed < 0.5;
    return {
      confidence: allKnown && own ? 'likely' : 'possible',
      text: `${who} holds one connection to one of ${facts.replicas.length} pods, although the Service is headless`,
      evidence: [
        'clusterIP is None, so DNS answers with every Ready pod',
        `${who} holds exactly one connection: what pick_first, the default of gRPC, does`,
        allKnown &&
          `at least ${minOf(known)} pods were Ready before ${clients.length === 1 ? 'it' : 'each of them'} started`,
      ],
      against: own ? [] : ['sidecars stand before the clients: the connections are theirs'],
      settledBy: [
        'the client code: the target must start with dns:/// and the service config must name round_robin',
        !allKnown && 'the start times of the clients',
      ],
    };
  },
};

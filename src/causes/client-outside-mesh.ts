import { byAddress } from '../facts/client-facts.ts';
import { isUneven } from '../facts/facts.ts';
import { countOf, listed, percent } from '../report/words.ts';
import type { CauseUnit } from './unit.ts';

export const clientOutsideMesh: CauseUnit = {
  id: 'client-outside-mesh',
  title: 'Clients outside the mesh are not balanced by it',
  family: 'layer-7',
  needs: ['path', 'connections', 'clients'],
  signature:
    'The pods have sidecars, clients that carry load have none: the pod of a call is chosen by the proxy of the client, so theirs stay where kube-proxy put the connection. Who cannot be named has none where all of many calls go to one pod.',
  confidenceRule:
    'certain when other clients are in the mesh, and those outside carry at least half of the load and reach only a part of the pods; likely when they carry less; possible when no client is in the mesh, since it may not be there to balance, or when clients that could not be named are told by their calls alone.',
  rivals: [
    { id: 'mesh-sees-tcp', toldApartBy: 'the load that clients with a sidecar give each pod' },
    { id: 'few-connections', toldApartBy: 'whether the clients were meant to be in the mesh' },
  ],
  hopLacks: { part: 'the sidecar of the mesh to the clients', whole: false },
  curedBy: ['headless-round-robin', 'l7-proxy'],
  // Where the clients balance by themselves a proxy of their own would be in the way.
  firstStep: ({ strategy }) =>
    strategy === 'headless-round-robin'
      ? null
      : 'give the clients the sidecar of the mesh: their own proxy chooses the pods',
  find(facts) {
    const { path, replicas, headless } = facts;
    const { meshed } = path.clientShares;
    if (!isUneven(facts) || headless || path.serverProxies.length === 0) return null;
    const all = byAddress(facts.allConnections, facts.weights);
    const seen = all.filter(
      ({ peer }) => peer.kind === 'outside' || (peer.kind === 'workload' && peer.pod?.meshProxies.length === 0),
    );
    const inferred = all.filter(({ addresses }) => addresses.every((address) => path.unproxied.has(address)));
    const clients = [...seen, ...inferred];
    const bare = clients.reduce((sum, { share }) => sum + share, 0);
    if (bare < leastPart) return null;
    const pinned = clients.filter((client) => client.reached.length < replicas.length);
    if (pinned.length === 0) return null;
    const names = [...new Set(clients.map(({ peer }) => peer.workload))].sort();
    return {
      confidence: meshed === 0 || inferred.length > 0 ? 'possible' : bare >= 0.5 ? 'certain' : 'likely',
      text: `${countOf(clients.length, 'client', 'clients')} without a sidecar ${clients.length === 1 ? 'carries' : 'carry'} ${percent(bare)} of the load past the mesh`,
      evidence: [
        `every pod has ${path.serverProxies.join(', ')}; ${listed(names)} ${names.length === 1 ? 'has' : 'have'} no sidecar${inferred.length > 0 ? ', as far as can be told' : ''}`,
        `${pinned.length} of them reach only a part of the pods`,
        inferred.length > 0 &&
          `all calls of ${countOf(inferred.length, 'address that could not be named go', 'addresses that could not be named go')} to one pod each: a proxy of the mesh would deal them out`,
        meshed > 0 && `clients in the mesh carry ${percent(meshed)}`,
      ],
      against: meshed === 0 ? ['no client is in the mesh: it may be there for other reasons'] : [],
      settledBy: inferred.length > 0 ? ['the pods of these addresses, and whether they have a sidecar'] : [],
    };
  },
};

/** What carries less than this does not make a load uneven. */
const leastPart = 0.1;

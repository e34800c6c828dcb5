import { byAddress } from '../facts/client-facts.ts';
import { type Facts, isUneven } from '../facts/facts.ts';
import { percent } from '../report/words.ts';
import type { CauseUnit } from './unit.ts';

export const meshSeesTcp: CauseUnit = {
  id: 'mesh-sees-tcp',
  title: 'The mesh takes the port for plain TCP',
  family: 'layer-7',
  needs: ['path', 'connections', 'clients'],
  signature:
    'Sidecars at the clients and at the pods, and an uneven load: the proxies pass connections on as they are, instead of choosing a pod for each call.',
  confidenceRule:
    'certain when the port is declared as TCP or TLS (or is opaque to Linkerd), both ends have sidecars and some client reaches only a part of the pods; likely without a declaration when every client sits on one pod and no rule of the mesh explains it; possible when clients reach several pods, the rules could not be read, or the CNI balances at connect(). Not found when the port is declared as HTTP/2: a name alone is no evidence.',
  rivals: [
    {
      id: 'mesh-bypassed',
      toldApartBy: 'the original destination in the log of a client’s proxy: the virtual address, or a pod',
    },
    { id: 'consistent-hash', toldApartBy: 'the DestinationRules for the host' },
    { id: 'weighted-routing', toldApartBy: 'the routes for the host and their weights' },
    { id: 'hot-client', toldApartBy: 'the calls per connection: one stream that never ends looks the same' },
  ],
  curedBy: ['l7-proxy'],
  firstStep: 'declare the protocol of the port: appProtocol: grpc (for Linkerd: take it out of the opaque ports)',
  find(facts) {
    const { path, replicas } = facts;
    if (!isUneven(facts) || path.serverProxies.length === 0 || path.clientShares.meshed < 0.5) return null;
    if (path.plain === null && (path.declared.reading !== 'detected' || facts.headless)) return null;
    const clients = byAddress(facts.allConnections, facts.weights);
    const partial = clients.filter((client) => client.reached.length < replicas.length);
    if (partial.length === 0) return null;
    const pinned = clients.every((client) => client.reached.length === 1);
    return {
      confidence:
        path.plain !== null
          ? 'certain'
          : pinned && rulesAreRead(facts) && path.path?.socketLoadBalancing !== 'all'
            ? 'likely'
            : 'possible',
      text:
        path.plain === null
          ? 'sidecars stand at both ends, yet calls stay where their connection went: the mesh seems to take the port for plain TCP'
          : `${path.plain}, so the sidecars balance connections, not calls`,
      evidence: [
        `${path.clientProxies.join(', ')} at clients with ${percent(path.clientShares.meshed)} of the load, ${path.serverProxies.join(', ')} at every pod`,
        `${partial.length} of ${clients.length} client addresses reach only a part of the pods`,
        path.plain === null &&
          path.declared.text !== null &&
          `the port is called ${path.declared.text}, which declares no protocol: the proxy looks at the bytes`,
      ],
      settledBy: [
        path.plain === null &&
          'whether the application encrypts itself, and what the proxy of a client says of the port: its listeners, as istioctl shows them',
      ],
    };
  },
};

/** The rules of the mesh were read, and none of them would give this. */
function rulesAreRead({ path }: Facts): boolean {
  return path.path?.destinationRules != null && path.hashRule === null && path.routes.length === 0;
}

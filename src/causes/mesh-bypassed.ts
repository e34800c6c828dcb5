import { byAddress } from '../facts/client-facts.ts';
import { isUneven } from '../facts/facts.ts';
import { percent } from '../report/words.ts';
import type { CauseUnit } from './unit.ts';

/**
 * The eBPF of the CNI chooses the pod inside connect(): the sidecar then sees the address of a pod, which to it is an
 * endpoint and no Service. Sources: projectcalico/calico#6908, the documentation of Cilium's socketLB.hostNamespaceOnly.
 */
export const meshBypassed: CauseUnit = {
  id: 'mesh-bypassed',
  title: 'The CNI chooses the pod before the sidecar does',
  family: 'layer-7',
  needs: ['path', 'connections', 'clients'],
  signature:
    'Clients with sidecars stay on single pods of a ClusterIP Service, and the CNI balances at connect(): the proxy sees the address of a pod and has nothing to choose.',
  confidenceRule:
    'likely when balancing at connect() is on for pods, the port is not declared as TCP and every client with a sidecar sits on one pod; possible when some reach several. Never certain: what the proxy sees is in its own log alone.',
  rivals: [
    {
      id: 'mesh-sees-tcp',
      toldApartBy: 'the original destination in the log of a client’s proxy: the virtual address, or a pod',
    },
    { id: 'long-streams', toldApartBy: 'the calls per connection: one stream that never ends looks the same' },
  ],
  curedBy: ['l7-proxy'],
  firstStep:
    'switch balancing at connect() off for pods: socketLB.hostNamespaceOnly (Cilium), bpfConnectTimeLoadBalancing (Calico)',
  find(facts) {
    const { path, replicas, headless } = facts;
    if (!isUneven(facts) || headless || path.path?.socketLoadBalancing !== 'all') return null;
    if (path.clientShares.meshed < 0.5 || path.plain !== null) return null;
    const meshed = byAddress(facts.allConnections, facts.weights).filter(
      ({ peer }) => (peer.pod?.meshProxies.length ?? 0) > 0,
    );
    if (meshed.every((client) => client.reached.length === replicas.length)) return null;
    const pinned = meshed.every((client) => client.reached.length === 1);
    return {
      confidence: pinned ? 'likely' : 'possible',
      text: 'the CNI balances at connect(), so the sidecars see the address of a pod and no Service to choose from',
      evidence: [
        'socket load balancing is on for pods',
        `${path.clientProxies.join(', ')} at clients with ${percent(path.clientShares.meshed)} of the load`,
        pinned && 'each of these clients is connected to one pod',
      ],
      settledBy: ['the original destination in the log of a client’s proxy: the virtual address, or a pod'],
    };
  },
};

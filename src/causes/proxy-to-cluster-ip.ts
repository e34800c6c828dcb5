import { byAddress } from '../facts/client-facts.ts';
import { type Facts, isUneven } from '../facts/facts.ts';
import { listed, percent } from '../report/words.ts';
import type { CauseUnit } from './unit.ts';

export const proxyToClusterIp: CauseUnit = {
  id: 'proxy-to-cluster-ip',
  title: 'A proxy dials the virtual address of the Service',
  family: 'layer-7',
  needs: ['path', 'connections', 'clients'],
  signature:
    'A gateway carries most of the load and reaches only a part of the pods: to it the Service is one backend, so each of its connections stays on one pod.',
  confidenceRule:
    'certain when its own sockets show the virtual address as their peer; likely when its configuration says so (service-upstream); possible when it only reaches a part of the pods: a proxy that resolved the name once looks the same.',
  rivals: [{ id: 'few-connections', toldApartBy: 'the sockets of the proxy: --inspect-clients shows what it dials' }],
  curedBy: ['l7-proxy'],
  firstStep: 'let the proxy dial the pods: their endpoints, or a headless name that it resolves again',
  find(facts) {
    const { clientShares, gateways, path } = facts.path;
    if (!isUneven(facts) || facts.headless || clientShares.gateway < 0.5) return null;
    const clients = byAddress(facts.allConnections, facts.weights).filter(({ peer }) => peer.kind === 'gateway');
    if (clients.every((client) => client.reached.length === facts.replicas.length)) return null;
    const looks = looksOf(facts);
    const dials = looks.filter((look) => look.dialled.some(({ what }) => what === 'virtual-address'));
    if (looks.length > 0 && dials.length === 0 && path?.socketLoadBalancing === 'off') return null;
    const told = path?.ingresses?.find((ingress) => ingress.virtualAddress);
    return {
      confidence: dials.length > 0 ? 'certain' : told !== undefined ? 'likely' : 'possible',
      text: `${listed(gateways)} ${dials.length > 0 ? 'dials the virtual address' : 'reaches only a part of the pods'}: each of its connections stays on one pod`,
      evidence: [
        `${listed(gateways)} carries ${percent(clientShares.gateway)} of the load`,
        ...dials.map((look) => `${look.pod} is connected to the virtual address`),
        told !== undefined && `Ingress ${told.name} sets service-upstream`,
      ],
      settledBy: dials.length > 0 ? [] : ['what the proxy dials: --inspect-clients looks at its sockets'],
    };
  },
};

function looksOf(facts: Facts): NonNullable<Facts['evidence']['clientLooks']>['looks'] {
  const gateways = new Set(
    facts.allConnections.flatMap(({ connection: { peer } }) => (peer.kind === 'gateway' ? (peer.pod?.name ?? []) : [])),
  );
  return (facts.evidence.clientLooks?.looks ?? []).filter((look) => gateways.has(look.pod));
}

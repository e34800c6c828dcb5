/**
 * Linkerd at both ends, and all calls at one pod. The eBPF of the CNI rewrites the destination inside connect(), before the
 * sidecar sees it: its log shows the address of a pod where the virtual one should stand, and to an endpoint there is
 * nothing to choose. The remedy is to switch that off for pods (Calico: bpfConnectTimeLoadBalancing, Cilium:
 * socketLB.hostNamespaceOnly). Linkerd does not read names of ports, so `grpc` there changes nothing.
 */
import { dealt, pods } from '../diagnose/build.ts';
import { type PublicCase, webClients } from './case.ts';

export const publicCase: PublicCase = {
  title: 'Linkerd behind connect-time load balancing: all calls to one pod',
  source: 'https://github.com/projectcalico/calico/issues/6908',
  mark: 'E',
  plan: {
    pods: pods(3, { sidecar: 'linkerd-proxy' }),
    path: { kubeProxyMode: null, kubeProxyReplacement: true, socketLoadBalancing: 'all' },
    clients: webClients(2, { meshProxies: ['linkerd-proxy'] }),
    connections: dealt([2, 0, 0]),
  },
  expected: {
    state: 'skewed',
    first: 'mesh-bypassed',
    not: ['few-connections', 'chance'],
    strategy: 'l7-proxy',
    action: 'repair',
    says: [/hostNamespaceOnly/],
  },
};

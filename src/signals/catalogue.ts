import type { SignalId } from '../evidence/schema.ts';

/** What a signal is for and which rights it needs: one wording for messages, reports and docs. */
export interface SignalFacts {
  readonly id: SignalId;
  readonly title: string;
  readonly question: string;
  /** Rights as `verb resource[.group]`, in the order in which they are used. */
  readonly rights: readonly string[];
  /** What is not known without it. */
  readonly settles: string;
}

export const signalCatalogue: readonly SignalFacts[] = [
  {
    id: 'service',
    title: 'Service',
    question: 'What does the Service promise?',
    rights: ['get services'],
    settles: 'which pods and which port it is about',
  },
  {
    id: 'endpoints',
    title: 'endpoints',
    question: 'Who should get traffic?',
    rights: ['list endpointslices.discovery.k8s.io', 'list pods'],
    settles: 'which pods should get traffic',
  },
  {
    id: 'usage',
    title: 'usage',
    question: 'Who is busy, and how near its limit?',
    rights: ['list pods.metrics.k8s.io'],
    settles: 'which pods are busy and how near their limits they are',
  },
  {
    id: 'connections',
    title: 'connections',
    question: 'Who holds the connections, from whom, and how much do they carry?',
    rights: ['get pods/exec', 'create pods/exec'],
    settles: 'where the connections are, whose they are and what they carry',
  },
  {
    id: 'calls',
    title: 'calls',
    question: 'How many calls does each pod get?',
    rights: ['get pods/proxy'],
    settles: 'how many calls each pod really gets',
  },
  {
    id: 'probes',
    title: 'probes',
    question: 'Is health taking pods in and out?',
    rights: ['list events'],
    settles: 'whether failing probes move the traffic, and what changed when',
  },
  {
    id: 'probe-metrics',
    title: 'probe counters',
    question: 'How often and how slowly do probes really answer?',
    rights: ['get nodes/proxy'],
    settles: 'how many probes fail, and how near their time is to the timeout',
  },
  {
    id: 'clients',
    title: 'clients',
    question: 'Who are the clients?',
    rights: ['list pods in all namespaces', 'list nodes', 'list deployments.apps'],
    settles: 'which workloads the connections come from',
  },
  {
    id: 'path',
    title: 'path',
    question: 'Is anything at layer 7 in the way, and does it work?',
    rights: [
      'get namespaces',
      'list gateways.gateway.networking.k8s.io',
      'list grpcroutes.gateway.networking.k8s.io',
      'list httproutes.gateway.networking.k8s.io',
      'list virtualservices.networking.istio.io',
      'list destinationrules.networking.istio.io',
      'list ciliumnetworkpolicies.cilium.io',
      'list ingresses.networking.k8s.io',
    ],
    settles: 'whether a proxy chooses a pod for each call, and what its rules are',
  },
  {
    id: 'autoscaling',
    title: 'autoscaling',
    question: 'Is an autoscaler blind to it?',
    rights: ['list horizontalpodautoscalers.autoscaling'],
    settles: 'whether an autoscaler sees the hot pod or only the mean',
  },
  {
    id: 'siblings',
    title: 'siblings',
    question: 'Do other Services stand before the same pods?',
    rights: ['list services'],
    settles: 'whether the connections belong to another Service over the same pods',
  },
];

export function signalFacts(id: SignalId): SignalFacts {
  const found = signalCatalogue.find((entry) => entry.id === id);
  if (found === undefined) throw new Error(`signal ${id} is not in the catalogue`);
  return found;
}

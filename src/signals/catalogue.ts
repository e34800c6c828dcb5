import type { SignalId } from '../evidence/schema.ts';

/** What a signal is for and which rights it needs: one wording for messages, reports and docs. */
export interface SignalFacts {
  readonly id: SignalId;
  readonly question: string;
  /** What is read for it. */
  readonly source: string;
  /** What stands in where that cannot be had, in order; empty where nothing does. */
  readonly fallback: readonly string[];
  /** Rights as `verb resource[.group]`, in the order in which they are used. */
  readonly rights: readonly string[];
  /** What is not known without it. */
  readonly settles: string;
}

export const signalCatalogue: readonly SignalFacts[] = [
  {
    id: 'service',
    question: 'What does the Service promise?',
    source: 'The Service: type, clusterIP, ports, selector, affinity, traffic policies, trafficDistribution.',
    fallback: [],
    rights: ['get services'],
    settles: 'which pods and which port it is about',
  },
  {
    id: 'endpoints',
    question: 'Who should get traffic?',
    source:
      'EndpointSlices by the label kubernetes.io/service-name, all of them together; pods by the selector, with their conditions, restarts and limits.',
    fallback: [],
    rights: ['list endpointslices.discovery.k8s.io', 'list pods'],
    settles: 'which pods should get traffic',
  },
  {
    id: 'usage',
    question: 'Who is busy, and how near its limit?',
    source: 'metrics.k8s.io of the pods, for each container, sidecars apart.',
    fallback: ['Prometheus, where there is one', 'else CPU and memory stay not known, never 0'],
    rights: ['list pods.metrics.k8s.io'],
    settles: 'which pods are busy and how near their limits they are',
  },
  {
    id: 'connections',
    question: 'Who holds the connections, from whom, and how much do they carry?',
    source:
      'ss -tni in the app container of each pod, for established sockets whose local port is the target port; twice, a window apart.',
    fallback: [
      'ss without a filter, for old versions',
      'netstat -tn, which knows no bytes',
      'cat /proc/net/tcp and tcp6, which know no bytes',
      'another container of the pod: it shares the network',
    ],
    rights: ['get pods/exec', 'create pods/exec'],
    settles: 'where the connections are, whose they are and what they carry',
  },
  {
    id: 'calls',
    question: 'How many calls does each pod get?',
    source:
      'The server counters on the metrics page of each pod, by the pod proxy: grpc_server_*, rpc_server_*, or those of an Envoy or Linkerd sidecar.',
    fallback: ['bytes of the connections'],
    rights: ['get pods/proxy'],
    settles: 'how many calls each pod really gets',
  },
  {
    id: 'probes',
    question: 'Is health taking pods in and out?',
    source: 'Probes, conditions and restarts of the pods; Events of reason Unhealthy, Killing and BackOff.',
    fallback: ['what the status of the pods says'],
    rights: ['list events'],
    settles: 'whether failing probes move the traffic, and what changed when',
  },
  {
    id: 'probe-metrics',
    question: 'How often and how slowly do probes really answer?',
    source: 'prober_probe_total of kubelet, by the node proxy, twice; asked for only with --probe-metrics.',
    fallback: ['Events'],
    rights: ['get nodes/proxy'],
    settles: 'how many probes fail, and how near their time is to the timeout',
  },
  {
    id: 'clients',
    question: 'Who are the clients?',
    source:
      'The pod behind each peer address, its workload and team; nodes, gateways, mesh proxies and what is outside apart.',
    fallback: ['pods of the one namespace', 'addresses alone'],
    rights: ['list pods in all namespaces', 'list nodes', 'list deployments.apps'],
    settles: 'which workloads the connections come from',
  },
  {
    id: 'path',
    question: 'Is anything at layer 7 in the way, and does it work?',
    source:
      'Sidecars, ambient labels and waypoints, routes and rules of a mesh, Cilium policies, the declared protocol of the port, ingress controllers.',
    fallback: ['what the pods themselves show'],
    rights: [
      'get namespaces',
      'list gateways.gateway.networking.k8s.io',
      'list grpcroutes.gateway.networking.k8s.io',
      'list httproutes.gateway.networking.k8s.io',
      'list virtualservices.networking.istio.io',
      'list destinationrules.networking.istio.io',
      'list ciliumnetworkpolicies.cilium.io',
      'list ingresses.networking.k8s.io',
      'get configmaps/kube-proxy in kube-system',
      'get configmaps/cilium-config in kube-system',
      'get felixconfigurations.crd.projectcalico.org/default',
    ],
    settles: 'whether a proxy chooses a pod for each call, what its rules are, and how kube-proxy or the CNI chooses',
  },
  {
    id: 'proxies',
    question: 'Does the layer-7 hop that is configured work?',
    source:
      'The status of the Cilium agents on the nodes of the pods, where a policy or the Service asks for layer 7; the metrics page of istiod, where clients speak xDS.',
    fallback: ['what API objects configure'],
    rights: ['get pods/exec in kube-system', 'create pods/exec in kube-system', 'get pods/proxy in istio-system'],
    settles: 'whether Cilium leads calls through Envoy, and how many proxies the xDS control plane serves',
  },
  {
    id: 'autoscaling',
    question: 'Is an autoscaler blind to it?',
    source: 'HorizontalPodAutoscalers of the workload: target, mean and last change.',
    fallback: ['the changes of ReplicaSets that Events tell'],
    rights: ['list horizontalpodautoscalers.autoscaling'],
    settles: 'whether an autoscaler sees the hot pod or only the mean',
  },
  {
    id: 'siblings',
    question: 'Do other Services stand before the same pods?',
    source: 'All Services of the namespace, by their selectors.',
    fallback: [],
    rights: ['list services'],
    settles: 'whether the connections belong to another Service over the same pods',
  },
  {
    id: 'prometheus',
    question: 'What has Prometheus counted of the pods, and since when is the load uneven?',
    source:
      'the HTTP API of a Prometheus: counters of calls, network traffic, CPU, memory, throttling and probes of the last minutes, and calls and traffic of the last hour.',
    fallback: ['Events and creation times, for when it began'],
    rights: ['list services in monitoring', 'get services/proxy in monitoring'],
    settles: 'since when the load is uneven, and which pods are throttled',
  },
];

export function signalFacts(id: SignalId): SignalFacts {
  const found = signalCatalogue.find((entry) => entry.id === id);
  if (found === undefined) throw new Error(`signal ${id} is not in the catalogue`);
  return found;
}

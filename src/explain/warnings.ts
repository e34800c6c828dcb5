import type { ProbeFaultId, WarningId } from '../report/ids.ts';
import type { Meaning } from '../report/meaning.ts';

type Fact = Omit<Meaning, 'id'>;

/** What each warning means, and what to do with it: one wording for `explain` and completion. */
const warnings: Readonly<Record<WarningId, Fact>> = {
  'contradictory-endpoints': {
    title: 'EndpointSlices name a pod both as ready and as not ready',
    means: ['the condition of the pod itself is taken', 'it passes when the controller has caught up'],
  },
  'stale-endpoints': {
    title: 'EndpointSlices name, as ready, a pod that is not there',
    means: [
      'a part of the new connections goes to an address without a server; the other pods are judged without it',
      'a controller that hangs, a slice written by hand, or the moment in which a pod goes: look again',
    ],
  },
  'publishes-not-ready': {
    title: 'The Service publishes pods that are not Ready',
    means: [
      'publishNotReadyAddresses is meant for peers that look each other up; clients get pods that do not serve yet',
    ],
  },
  'hints-absent': {
    title: 'Traffic is to stay in its zone, and endpoints carry no hints for it',
    means: [
      'kube-proxy sends traffic to all zones until hints are there again',
      'with another number of pods they may come back, and the load moves then',
    ],
  },
  'oom-victim': {
    title: 'A pod was killed for memory',
    means: ['it lost its connections with that: a pod that idles now may be the one that was too busy before'],
  },
  'sidecar-port': {
    title: 'Connections were counted at a port of the sidecar',
    means: ['all ports of the pod meet there, so the number is an upper bound for this one'],
  },
  'proxy-inside': {
    title: 'The bytes of the port come from inside the pod',
    means: [
      'something in the pod takes the connections of the clients and dials the server from there: a sidecar of App Mesh or Consul, an Envoy of your own',
      'the load of the pod is what it passes on; which clients call, and how they chose the pod, is seen at that proxy',
    ],
  },
  'full-receive-queue': {
    title: 'A server has not read what the kernel has received for it',
    means: [
      'over 64 KiB on one connection: the pod is too busy, or stands still',
      'explain stuck-pod is about the latter',
    ],
  },
  'clients-behind-nodes': {
    title: 'Most load comes from addresses of nodes',
    means: [
      'SNAT or hostNetwork puts many clients behind one address: they count as one',
      'nothing is concluded about single clients',
    ],
  },
  'uneven-proxies': {
    title: 'One pod of a proxy before the Service passes on most of its calls',
    means: ['the skew may be one hop before: look at the Service of the proxy'],
  },
  'counters-of-all-ports': {
    title: 'The pods serve several ports, and count calls and CPU for all of them together',
    means: ['neither is the load of one port; bytes of the connections stand for it'],
  },
  'subset-without-pods': {
    title: 'A subset of a DestinationRule selects no pod of the Service',
    means: ['a route to it answers 503: compare its labels with those of the pods'],
  },
  'pods-in-no-subset': {
    title: 'Pods of the Service are in no subset of a DestinationRule whose subsets are routed to',
    means: ['routes to subsets send these pods nothing'],
  },
  'no-redirects': {
    title: 'Layer 7 is configured in Cilium, and no agent asked has a redirect active',
    means: ['calls do not seem to pass Envoy on these nodes: kube-proxy or eBPF deals connections there'],
  },
  'xds-unserved': {
    title: 'Clients speak xDS, and no proxy is connected to istiod',
    means: ['they have a bootstrap for it and get no endpoints from there'],
  },
  'hpa-blind': {
    title: 'An autoscaler keeps to the mean of CPU, and does not see the hottest pod',
    means: ['it does not scale while the mean is below its target', 'new pods would get no connections anyway'],
  },
  'sibling-services': {
    title: 'Another Service stands before the same pods',
    means: [
      'connections that are seen here may have been made by that name, and a change of this Service does not reach them',
      '--inspect-clients shows which name clients dial',
    ],
  },
  'grpclb-port': {
    title: 'A port of a headless Service is named grpclb',
    means: ['clients that look for a look-aside balancer in DNS (gRFC A5) take the pods for one: give it another name'],
  },
  'scaling-flaps': {
    title: 'The number of pods goes up and down again and again',
    means: ['two may set it, as an autoscaler and a manifest do; each time new pods come without connections'],
  },
};

/** What is wrong with a probe: found by `probes`, and where it matters a warning or a part of a cause. */
const probeFaults: Readonly<Record<ProbeFaultId, Fact>> = {
  'unknown-service': {
    title: 'A gRPC probe asks for a service name that the server does not know',
    means: ['the server answers NOT_FOUND, and the probe fails for ever'],
  },
  'tls-mismatch': {
    title: 'The probe and the server do not agree on TLS',
    means: ['the gRPC probe of kubelet speaks plaintext only: it cannot ask a server that takes TLS alone'],
  },
  'no-health-service': {
    title: 'A gRPC probe meets a server without grpc.health.v1.Health',
    means: ['the server answers UNIMPLEMENTED: register the health service, or probe in another way'],
  },
  'timeout-too-short': {
    title: 'An answer takes about as long as the probe waits',
    means: ['the busiest pod misses it first, and its load goes to the others'],
  },
  'liveness-restarts-together': {
    title: 'Pods restarted within a short time of each other',
    means: ['liveness may ask for something that all share, as a database: it is to ask for the process alone'],
  },
  'liveness-restarts': {
    title: 'A liveness probe restarts pods',
    means: ['a restarted pod has lost its connections, and gets few back'],
  },
  'probe-one-second': {
    title: 'A probe that starts a process has one second for it',
    means: ['a busy pod misses that: raise timeoutSeconds'],
  },
  'no-readiness-probe': {
    title: 'A container that serves has no readiness probe',
    means: ['the pod gets connections before it can serve, and keeps them when it no longer can'],
  },
  'probe-rewritten': {
    title: 'The mesh has rewritten a probe',
    means: ['its agent asks the application; what it asks stands in an annotation of the pod'],
  },
};

const listOf = (facts: Readonly<Record<string, Fact>>): readonly Meaning[] =>
  Object.entries(facts).map(([id, fact]) => ({ id, ...fact }));

/** All that may stand before the colon of a warning, or beside a finding of `probes`. */
export const warningFacts: readonly Meaning[] = [...listOf(warnings), ...listOf(probeFaults)];

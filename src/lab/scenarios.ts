/** What may vary in a scenario. */
type ParameterName = 'clients' | 'from' | 'to' | 'seed';

export interface Scenario {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly parameters: readonly ParameterName[];
  readonly headless: boolean;
  readonly policy: 'pick_first' | 'round_robin';
  readonly imageHasSs: boolean;
  /** Whose rights the kubeconfig's current context has. */
  readonly user: 'admin' | 'viewer';
  readonly clients: number;
  readonly from: number;
  /** Absent where nothing is scaled. */
  readonly to?: number;
  /** How many times the calls of another one the first client makes. */
  readonly hotClient?: number;
  /** Name of the gRPC port of the Service and of the containers; absent: grpc. */
  readonly portName?: string;
  /** What the readiness probe meets: a name that the server does not know, TLS, a slow answer, one that comes and goes. */
  readonly probes?: 'unknown-service' | 'tls-only' | 'slow' | 'flapping';
  /** What becomes of the first pod when the clients have connected. */
  readonly firstPod?: 'not-ready' | 'relabelled';
  /** Average CPU, in percent of the requests, that an autoscaler keeps to. */
  readonly autoscalerTarget?: number;
  /** Where Istio's proxies stand, as it injects them with TPROXY: sockets keep the port of the application. */
  readonly sidecars?: 'both' | 'servers';
  /** The clients are a gateway, and a route leads there: to two Services by weight, or to subsets of the pods. */
  readonly gateway?: 'services' | 'subsets';
  /** The pods serve a second gRPC port, to which clients connect after the scale-up. */
  readonly secondPort?: true;
  /** A headless Service over the same pods, with clients of its own that balance. */
  readonly sibling?: true;
  /** The metrics port of the pods resets what does not come from their mesh. */
  readonly hiddenMetrics?: true;
  /** A policy of Cilium with HTTP rules, and agents that lead nothing through Envoy. */
  readonly cilium?: true;
  /** The clients have a bootstrap for xDS; istiod runs. */
  readonly xds?: true;
}

const base = { headless: false, policy: 'pick_first', imageHasSs: true, user: 'admin' } as const;
const scaleUp = { ...base, parameters: ['clients', 'from', 'to', 'seed'], clients: 4, from: 3, to: 10 } as const;
const steady = { ...base, parameters: ['clients', 'from', 'seed'], headless: true, clients: 3, from: 4 } as const;

/** No pod becomes Ready, so no client can connect. */
const unreached = { parameters: ['from', 'seed'], clients: 0 } as const;

export const scenarios: readonly Scenario[] = [
  {
    ...scaleUp,
    id: 'scale-up',
    title: 'Scaled up, and the new pods idle',
    description: 'pick_first clients on a ClusterIP, then more pods: the old connections stay where they are.',
  },
  {
    ...steady,
    id: 'balanced',
    title: 'Headless Service with round_robin',
    description: 'Every client holds one connection to each pod and spreads its calls over them.',
    policy: 'round_robin',
  },
  {
    ...steady,
    id: 'pick-first',
    title: 'Headless Service with pick_first',
    description: 'The name resolves to every pod, and each client still uses one connection to one of them.',
  },
  {
    ...scaleUp,
    id: 'no-re-resolution',
    title: 'Clients that balance, and do not look the name up again',
    description:
      'Every client spreads its calls over the pods that it found at its start; those added later get nothing.',
    headless: true,
    policy: 'round_robin',
  },
  {
    ...base,
    id: 'hot-client',
    title: 'One client makes most of the calls',
    description:
      'Each pod has a client, as evenly as can be, and one of the clients makes ten times the calls of another.',
    parameters: ['from', 'seed'],
    clients: 5,
    from: 5,
    hotClient: 10,
  },
  {
    ...scaleUp,
    id: 'no-ss',
    title: 'Scaled up, in an image without ss',
    description: 'As scale-up; the containers have no ss, so /proc/net/tcp has to do.',
    imageHasSs: false,
    clients: 3,
    to: 6,
  },
  {
    ...scaleUp,
    id: 'no-rights',
    title: 'Scaled up, seen by someone with few rights',
    description: 'As scale-up; the current context may read Services, EndpointSlices and pods of one namespace only.',
    user: 'viewer',
  },
  {
    ...steady,
    id: 'probe-unknown-service',
    title: 'The readiness probe asks for a service that the server does not know',
    description:
      'No pod ever becomes Ready, though all of them live: the probe names shop.Checkout, the server knows only "".',
    ...unreached,
    probes: 'unknown-service',
  },
  {
    ...steady,
    id: 'probe-tls',
    title: 'A plaintext probe meets a server that speaks TLS only',
    description: 'No pod ever becomes Ready: the gRPC probe of kubelet cannot connect to it.',
    ...unreached,
    portName: 'grpc-tls',
    probes: 'tls-only',
  },
  {
    ...steady,
    id: 'probe-slow',
    title: 'Health answers not long before the timeout of the probe',
    description:
      'Seen with --probe-metrics: Check takes 0.65 s, the probe waits 1 s; all works, and a busy hour takes the pods out.',
    policy: 'round_robin',
    probes: 'slow',
  },
  {
    ...scaleUp,
    id: 'probe-flapping',
    title: 'The readiness of the busiest pod comes and goes',
    description:
      'As scale-up; one of the busy pods answers NOT_SERVING every other time and leaves the endpoints again and again.',
    probes: 'flapping',
    to: 4,
  },
  {
    ...scaleUp,
    id: 'hpa-blind',
    title: 'An autoscaler that sees the mean only',
    description: 'As scale-up, with a HorizontalPodAutoscaler on CPU: the mean is below its target, one pod far above.',
    autoscalerTarget: 200,
  },
  {
    ...scaleUp,
    id: 'not-ready',
    title: 'A pod that is not Ready keeps its connections',
    description:
      'As scale-up; the first pod stops being Ready, gets no new connection and goes on serving the old ones.',
    firstPod: 'not-ready',
    to: 4,
  },
  {
    ...scaleUp,
    id: 'relabelled',
    title: 'A pod that has left the Service keeps its connections',
    description:
      'The labels of the first pod are changed, its ReplicaSet makes another one, and the connections stay where they are.',
    firstPod: 'relabelled',
    to: 4,
  },
  {
    ...scaleUp,
    id: 'mesh-tcp',
    title: 'Sidecars on both ends that pass connections on as they are',
    description:
      'As scale-up, with Istio proxies beside clients and pods; the port is called main, which declares no protocol.',
    portName: 'main',
    sidecars: 'both',
    to: 6,
  },
  {
    ...scaleUp,
    id: 'outside-mesh',
    title: 'Clients outside the mesh of the pods',
    description:
      'As scale-up, with Istio proxies beside the pods alone: nobody chooses a pod for each call of these clients.',
    sidecars: 'servers',
    to: 6,
  },
  {
    ...steady,
    id: 'gateway',
    title: 'A gateway before the pods',
    description:
      'Calls come through the pods of a gateway, which choose a pod for each; a GRPCRoute gives a tenth to another Service.',
    policy: 'round_robin',
    gateway: 'services',
    clients: 2,
  },
  {
    ...steady,
    id: 'weighted-route',
    title: 'A route sends most calls to one pod',
    description:
      'Calls come through a gateway that obeys a VirtualService: 70 of 100 go to subset v1, which has one pod.',
    policy: 'round_robin',
    gateway: 'subsets',
    clients: 2,
  },
  {
    ...scaleUp,
    id: 'two-ports',
    title: 'Two gRPC ports, of which one is skewed',
    description:
      'As scale-up at port grpc; the clients of port grpc-admin connected later and are spread over all pods.',
    secondPort: true,
    to: 6,
  },
  {
    ...scaleUp,
    id: 'siblings',
    title: 'Two Services over the same pods',
    description:
      'As scale-up for clients of the ClusterIP; clients of a headless Service over the same pods balance themselves.',
    sibling: true,
    to: 6,
  },
  {
    ...scaleUp,
    id: 'hidden-metrics',
    title: 'Metrics pages that nobody outside the mesh may read',
    description: 'As mesh-tcp, with strict mutual TLS: what does not come from the mesh is reset at the metrics port.',
    portName: 'main',
    sidecars: 'both',
    hiddenMetrics: true,
    to: 6,
  },
  {
    ...scaleUp,
    id: 'cilium-policy',
    title: 'A Cilium policy that Envoy does not carry out',
    description:
      'As scale-up; a policy with HTTP rules selects the pods, and the agents of their nodes have no redirect active.',
    cilium: true,
    to: 6,
  },
  {
    ...steady,
    id: 'proxyless-xds',
    title: 'Clients that speak xDS themselves',
    description: 'Every client balances by what the control plane tells it; istiod runs and counts its proxies.',
    policy: 'round_robin',
    xds: true,
  },
];

export interface Parameters {
  readonly clients: number;
  /** Of each client; the hot one makes more. */
  readonly callsPerSecond: number;
  readonly from: number;
  readonly to: number;
  readonly seed: number;
  /** Without a seed of one's own, connections to a virtual IP are dealt out evenly instead of at random. */
  readonly placed: boolean;
}

const ranges: Readonly<Record<ParameterName, readonly [number, number]>> = {
  clients: [1, 100],
  from: [1, 60],
  to: [1, 60],
  seed: [0, 4294967295],
};

// Beyond this, one process is busier with keeping connections than with calls.
const maxConnections = 1000;

export type ParameterValues = { readonly [name in ParameterName]?: number | undefined };

/** Finds a scenario; throws one clear line otherwise. */
export function scenarioOf(id: string): Scenario {
  const scenario = scenarios.find((candidate) => candidate.id === id);
  if (scenario) return scenario;
  throw new Error(`There is no scenario "${id}": choose one of ${scenarios.map((one) => one.id).join(', ')}.`);
}

/** What a client of the recorded cluster makes. */
const usualCallsPerSecond = 6;

/** Checks what was asked for and fills in the rest. */
export function parametersOf(
  scenario: Scenario,
  asked: ParameterValues,
  callsPerSecond = usualCallsPerSecond,
): Parameters {
  for (const [name, [low, high]] of Object.entries(ranges) as [ParameterName, readonly [number, number]][]) {
    const value = asked[name];
    if (value === undefined) continue;
    if (!scenario.parameters.includes(name)) throw new Error(`Scenario ${scenario.id} takes no "${name}".`);
    if (!Number.isInteger(value) || value < low || value > high) {
      throw new Error(`"${name}" must be a whole number from ${low} to ${high}, not ${value}.`);
    }
  }
  const from = asked.from ?? scenario.from;
  const to = scenario.to === undefined ? from : (asked.to ?? Math.max(from, scenario.to));
  if (to < from) throw new Error(`"to" (${to}) must not be less than "from" (${from}): the scenario scales up.`);
  const clients = asked.clients ?? scenario.clients;
  if (scenario.policy === 'round_robin' && clients * from > maxConnections) {
    throw new Error(`"clients" times "from" must not exceed ${maxConnections}: each client connects to every pod.`);
  }
  return {
    clients,
    callsPerSecond,
    from,
    to,
    seed: asked.seed ?? 1,
    placed: !scenario.headless && asked.seed === undefined,
  };
}

/** One line on what this run does, for people who look at its outcome. */
export function describe(scenario: Scenario, parameters: Parameters): string {
  const { clients, from, to, seed, placed } = parameters;
  const clientWords =
    clients === 0 ? 'no client' : `${clients} ${scenario.policy} ${clients === 1 ? 'client' : 'clients'}`;
  const service = scenario.headless ? 'a headless Service' : 'a ClusterIP';
  const pods = to > from ? `${from} pods, scaled to ${to}` : `${from} ${from === 1 ? 'pod' : 'pods'}`;
  const placement =
    clients === 0
      ? 'no pod is Ready, so nobody can connect'
      : placed
        ? `connections placed: dealt out over the first ${from}, not left to chance`
        : scenario.headless
          ? `DNS answers in random order, seed ${seed}`
          : `connections not placed: kube-proxy chooses at random, seed ${seed}`;
  return `${scenario.id}: ${clientWords} on ${service}, ${pods}; ${placement}.`;
}

/** What may vary in a scenario. */
export type ParameterName = 'clients' | 'from' | 'to' | 'seed';

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
}

const base = { headless: false, policy: 'pick_first', imageHasSs: true, user: 'admin' } as const;
const scaleUp = { ...base, parameters: ['clients', 'from', 'to', 'seed'], clients: 4, from: 3, to: 10 } as const;
const steady = { ...base, parameters: ['clients', 'from', 'seed'], headless: true, clients: 3, from: 4 } as const;

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
];

export interface Parameters {
  readonly clients: number;
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

/** Checks what was asked for and fills in the rest. */
export function parametersOf(scenario: Scenario, asked: ParameterValues): Parameters {
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
    from,
    to,
    seed: asked.seed ?? 1,
    placed: !scenario.headless && asked.seed === undefined,
  };
}

/** One line on what this run does, for people who look at its outcome. */
export function describe(scenario: Scenario, parameters: Parameters): string {
  const { clients, from, to, seed, placed } = parameters;
  const clientWords = `${clients} ${scenario.policy} ${clients === 1 ? 'client' : 'clients'}`;
  const service = scenario.headless ? 'a headless Service' : 'a ClusterIP';
  const pods = to > from ? `${from} pods, scaled to ${to}` : `${from} ${from === 1 ? 'pod' : 'pods'}`;
  const placement = placed
    ? `connections placed: dealt out over the first ${from}, not left to chance`
    : scenario.headless
      ? `DNS answers in random order, seed ${seed}`
      : `connections not placed: kube-proxy chooses at random, seed ${seed}`;
  return `${scenario.id}: ${clientWords} on ${service}, ${pods}; ${placement}.`;
}

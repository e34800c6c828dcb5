/** Parts that plans are built of. `hardness` is 0 for a plain case and 1 for one with few calls and half of the signals missing. */
import type { ChannelPlan, ClientPlan, NodePlan, Plan, PodPlan, ServicePlan, Sight } from './plan.ts';
import type { Random } from './random.ts';

export const virtual: ChannelPlan['dial'] = { to: 'virtual' };

const plainService: ServicePlan = {
  ...{ headless: false, affinity: false, internalLocal: false, externalLocal: false, type: 'ClusterIP' },
  ...{ near: 'none', proxy: 'random', appProtocol: null, statefulSet: false },
};

export function nodes(count: number, zones = 1): NodePlan[] {
  return Array.from({ length: count }, (_, at) => ({
    ...{ name: `n${at + 1}`, zone: `zone-${'abc'[at % zones]}`, address: `10.98.0.${at + 1}`, ready: true },
  }));
}

type PodOptions = Partial<PodPlan> & { readonly first?: number; readonly on?: readonly NodePlan[] };

const letters = 'bcdfghjklmnpqrstvwxz2456789';

/** Pods of one Deployment, dealt to nodes in turn. `first` numbers their addresses where there are several batches. */
export function pods(count: number, on: readonly NodePlan[], random: Random, options: PodOptions = {}): PodPlan[] {
  const { first = 0, on: own = on, ...rest } = options;
  const startedAt = options.startedAt ?? -random.logBetween(2 * 86_400, 20 * 86_400);
  return Array.from({ length: count }, (_, at): PodPlan => {
    const suffix = Array.from({ length: 5 }, () => random.pick([...letters])).join('');
    const start = startedAt + random.between(0, 2);
    return {
      ...{ name: `echo-6b9cc657d4-${suffix}`, node: own[at % own.length]?.name ?? 'n1', workload: 'echo' },
      address: address(first + at, 0),
      cpuLimitMillicores: 2000,
      ...rest,
      startedAt: start,
      readyAt: Math.max(options.readyAt ?? -Infinity, start + random.between(3, 9)),
    };
  });
}

/** Servers in 10.244, clients in 10.245: one address each. */
function address(index: number, network: 0 | 1): string {
  return `10.${244 + network}.${Math.floor(index / 200)}.${(index % 200) + 11}`;
}

export interface ClientOptions extends Partial<Omit<ClientPlan, 'channels'>> {
  readonly policy?: ChannelPlan['policy'];
  readonly dial?: ChannelPlan['dial'];
  /** Channels of each process, with the part of its calls. */
  readonly parts?: readonly number[];
  readonly first?: number;
}

export function clients(
  count: number,
  on: readonly NodePlan[],
  random: Random,
  options: ClientOptions = {},
): ClientPlan[] {
  const { policy = 'pick_first', dial = virtual, parts = [1], first = 0, ...rest } = options;
  const startedAt = options.startedAt ?? -random.logBetween(1800, 86_400);
  return Array.from({ length: count }, (_, at): ClientPlan => {
    const suffix = Array.from({ length: 5 }, () => random.pick([...letters])).join('');
    const workload = options.workload ?? 'web';
    return {
      ...{ namespace: 'shop', rate: 1, requestBytes: 100, responseBytes: 200 },
      ...rest,
      ...{ name: `${workload}-6b9cc657d4-${suffix}`, workload, node: options.node ?? random.pick(on).name },
      address: options.outside === true ? `198.51.100.${first + at + 1}` : address(first + at, 1),
      startedAt: options.startedAt === undefined ? startedAt + random.between(0, 20) : startedAt + random.between(0, 2),
      channels: parts.map((part) => ({ policy, dial, part })),
    };
  });
}

/** Sets the rates so that all calls together come to so many a second and pod; in parts where some call more. */
export function withRates(all: readonly ClientPlan[], total: number, parts?: readonly number[]): ClientPlan[] {
  return all.map((client, at) => ({ ...client, rate: total * (parts?.[at] ?? 1 / all.length) }));
}

/** Calls a second for each pod: hard cases have few, down to less than one event a pod and window. */
export function callsPerPod(random: Random, hardness: number): number {
  return random.logBetween(30 - 29 * hardness, 150 - 80 * hardness);
}

/** Sizes and rhythm of calls. Large ones are rare, and never more than a link carries. */
export function rhythm(random: Random, hardness: number, totalPerSecond: number): Partial<ClientPlan> {
  const largest = random.chance(0.15 + 0.2 * hardness) ? 10_000_000 : 2000;
  const limit = Math.max(20, Math.min(largest, 5e7 / totalPerSecond));
  const burst = { periodSeconds: random.logBetween(1, 20), duty: random.between(0.15, 0.6) };
  return {
    requestBytes: random.logBetween(10, limit),
    responseBytes: random.logBetween(10, limit),
    ...(random.chance(0.25 * hardness) ? { burst } : {}),
    ...(random.chance(0.3 * hardness) ? { clump: random.integer(2, 8) } : {}),
  };
}

/** What is seen: all of it in plain cases, less and later in hard ones. */
function sight(random: Random, hardness: number, plan: readonly PodPlan[]): Sight {
  const some = () => {
    if (!random.chance(0.25 * hardness)) return [];
    return random
      .shuffle(plan)
      .slice(0, Math.max(1, Math.round(plan.length * random.between(0, 0.25))))
      .map(({ name }) => name);
  };
  const isProc = random.chance(0.15 * hardness);
  return {
    windowSeconds: random.pick(hardness < 0.35 ? [10, 30] : [3, 3, 3, 10, 20]),
    ...{ emptyTables: false, notSampled: [], unknownPages: [] },
    sockets: random.chance(0.12 * hardness) ? 'none' : isProc ? 'proc' : 'ss',
    socketsMissing: some(),
    calls: random.chance(0.2 + 0.35 * hardness) ? 'none' : 'all',
    callsMissing: some(),
    usage: random.chance(0.05 + 0.3 * hardness)
      ? null
      : { ageSeconds: random.between(3, 30 + 50 * hardness), windowSeconds: random.between(12, 45) },
    usageMissing: some(),
    peers: random.chance(0.6 - 0.3 * hardness) ? 'cluster' : random.pick(['cluster', 'namespace', 'none'] as const),
    happenings: !random.chance(0.3 * hardness),
    clientLooks: random.chance(0.35),
  };
}

export interface PlanParts extends Partial<Omit<Plan, 'service'>> {
  readonly nodes: readonly NodePlan[];
  readonly pods: readonly PodPlan[];
  readonly clients: readonly ClientPlan[];
  readonly service?: Partial<ServicePlan>;
}

export function plan(random: Random, hardness: number, { service, ...parts }: PlanParts): Plan {
  const total = parts.clients.reduce((sum, { rate }) => sum + rate, 0);
  const present = parts.pods.filter((pod) => (pod.goneAt ?? Infinity) > 0);
  // A call costs what leaves the pods at a believable part of a core.
  const cpuMsPerCall = Math.min(random.logBetween(0.2, 20), (1500 * present.length) / Math.max(total, 0.01) / 4);
  return {
    ...{ ageSeconds: Infinity, graceSeconds: Infinity, breaks: [], weights: {}, weighting: 'none', mesh: 'none' },
    ...{ scalings: [], rolling: false, ghosts: [], cpuMsPerCall },
    sees: sight(random, hardness, present),
    ...parts,
    service: { ...plainService, ...service },
  };
}

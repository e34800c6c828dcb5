import type { Container, Happening, Pod, Probe } from '../evidence/objects.ts';
import { millisecondsOf } from '../evidence/times.ts';
import { type CountBook, joinTallies, type ProbeTally } from './counts.ts';

export type Unhealthy = Extract<Happening, { kind: 'unhealthy' }>;
export type FailureKind = Unhealthy['failure'];

/** Failures of probes by the name of the pod: some Events have no uid. */
export function unhealthyByPod(happenings: readonly Happening[]): ReadonlyMap<string, readonly Unhealthy[]> {
  return Map.groupBy(
    happenings.filter((entry): entry is Unhealthy => entry.kind === 'unhealthy'),
    ({ pod }) => pod,
  );
}

/** What Events tell of this very pod: a StatefulSet's pod has the name of the one before. */
export function unhealthyOf(
  byPod: ReturnType<typeof unhealthyByPod>,
  pod: Pick<Pod, 'name' | 'uid'>,
): readonly Unhealthy[] {
  return (byPod.get(pod.name) ?? []).filter(({ podUid }) => podUid === null || podUid === pod.uid);
}

/** One probe of one container, over all pods of a workload that have it alike. */
export interface ProbeGroup {
  readonly container: string;
  readonly probe: Probe;
  /** Of the container's ports, the name of the one that is probed. */
  readonly portName: string | null;
  pods: number;
  /** Pods that have it and are running, but not Ready. */
  unready: number;
  /** Pods of which Events tell failures, and how many: of all kinds and by kind. */
  failedPods: number;
  failures: number;
  readonly byKind: Map<FailureKind, { pods: number; times: number }>;
  counted: ProbeTally | null;
  /** Pods that were never Ready and that this probe has never reached; and those whose clients are served on its port. */
  readonly unreached: { pods: number; serving: number };
  /** Pods of which all speaks for it that the server does not know the service name that is asked for. */
  unknownService: { specs: number; counted: number };
}

/** The pods of a workload as far as their probes go: what is kept does not grow with their number. */
export interface ProbedWorkload {
  readonly namespace: string;
  readonly name: string;
  pods: number;
  readonly groups: Map<string, ProbeGroup>;
  /** Of pods with a liveness probe: when a container last ended for another reason than memory or its node. */
  readonly ends: number[];
  /** Pods that restarted and whose liveness probe is known to have failed. */
  livenessRestarts: number;
  /** Containers with a port that looks like gRPC, by name: what asks whether they are ready. */
  readonly grpcPorts: Map<string, { readonly port: number; readonly readiness: Probe | null; pods: number }>;
}

export function openWorkload(namespace: string, name: string): ProbedWorkload {
  return { namespace, name, pods: 0, groups: new Map(), ends: [], livenessRestarts: 0, grpcPorts: new Map() };
}

export interface PodContext {
  /** What Events tell of this pod's probes. */
  readonly unhealthy: readonly Unhealthy[];
  readonly counts: ReturnType<CountBook> | null;
  readonly now: number;
  /** Clients hold connections to this port that carry something; null: not seen. */
  readonly isServing?: (port: number) => boolean | null;
  /** Of a Service that was asked for: its target port serves gRPC whatever its name is. */
  readonly grpcPort?: number | null;
}

/** Adds one pod, from which nothing but numbers is kept. */
export function addPod(workload: ProbedWorkload, pod: Pod, context: PodContext): void {
  workload.pods += 1;
  for (const container of pod.containers) {
    for (const probe of container.probes) addProbe(workload, pod, container, probe, context);
    addGrpcPort(workload, pod, container, context.grpcPort ?? null);
  }
  addEnds(workload, pod, context);
}

function addProbe(workload: ProbedWorkload, pod: Pod, container: Container, probe: Probe, context: PodContext): void {
  const key = JSON.stringify([container.name, probe]);
  const group = workload.groups.get(key) ?? openGroup(container, probe);
  workload.groups.set(key, group);
  const own = context.unhealthy.filter(
    (entry) => entry.probe === probe.type && (entry.container === null || entry.container === container.name),
  );
  const counted = context.counts?.(container.name, probe.type) ?? null;
  group.pods += 1;
  if (container.running && pod.ready === false) group.unready += 1;
  if (own.length > 0) group.failedPods += 1;
  for (const kind of new Set(own.map((entry) => entry.failure))) {
    const times = own.reduce((sum, entry) => sum + (entry.failure === kind ? entry.times : 0), 0);
    const before = group.byKind.get(kind) ?? { pods: 0, times: 0 };
    group.byKind.set(kind, { pods: before.pods + 1, times: before.times + times });
    group.failures += times;
  }
  group.counted = joinTallies(group.counted, counted);
  if (isUnreached(pod, container, own)) {
    const port = numberOf(probe.port, container);
    group.unreached.pods += 1;
    if (port !== null && context.isServing?.(port) === true) group.unreached.serving += 1;
  }
  if (suspectsService(pod, container, probe, context.now)) {
    group.unknownService.specs += 1;
    if (counted !== null && counted.failed > 0 && counted.successful === 0 && passesAnother(container, probe, context))
      group.unknownService.counted += 1;
  }
}

function openGroup(container: Container, probe: Probe): ProbeGroup {
  const port = numberOf(probe.port, container);
  return {
    container: container.name,
    probe,
    portName: container.ports.find((entry) => entry.port === port)?.name ?? null,
    pods: 0,
    unready: 0,
    failedPods: 0,
    failures: 0,
    byKind: new Map(),
    counted: null,
    unreached: { pods: 0, serving: 0 },
    unknownService: { specs: 0, counted: 0 },
  };
}

function numberOf(port: Probe['port'], container: Container): number | null {
  return typeof port === 'string' ? (container.ports.find((entry) => entry.name === port)?.port ?? null) : port;
}

/** Fewer failures than this come with every start. */
const fewFailures = 3;

/** A probe that only ever failed to connect, on a pod that was never Ready. Not one that was reached and then was unwell. */
function isUnreached(pod: Pod, container: Container, own: readonly Unhealthy[]): boolean {
  if (!container.running || pod.ready !== false) return false;
  const times = own.reduce((sum, entry) => sum + entry.times, 0);
  const changed = millisecondsOf(pod.readySince) ?? 0;
  const started = millisecondsOf(container.startedAt);
  return (
    times >= fewFailures &&
    own.every((entry) => entry.failure === 'connect-timeout' || entry.failure === 'connection') &&
    started !== null &&
    changed - started < settledMs
  );
}

/** Long enough for a server to have come up and for its first probes. */
const settledMs = 60_000;

/**
 * A readiness probe by gRPC asks for a service by name and the pod is never Ready, although its container runs without a
 * restart under a gRPC liveness probe that asks the same port for something else: then that one passes.
 */
function suspectsService(pod: Pod, container: Container, probe: Probe, now: number): boolean {
  const started = millisecondsOf(container.startedAt);
  return (
    probe.kind === 'grpc' &&
    probe.type === 'readiness' &&
    probe.service !== null &&
    probe.service !== '' &&
    pod.ready === false &&
    pod.deletedAt === null &&
    container.running &&
    container.restarts === 0 &&
    started !== null &&
    now - started > settledMs &&
    otherGrpcProbes(container, probe).length > 0
  );
}

function otherGrpcProbes(container: Container, probe: Probe): readonly Probe[] {
  return container.probes.filter(
    (other) =>
      other.kind === 'grpc' &&
      other.type === 'liveness' &&
      other.port === probe.port &&
      other.service !== probe.service,
  );
}

function passesAnother(container: Container, probe: Probe, { counts }: PodContext): boolean {
  return otherGrpcProbes(container, probe).some((other) => {
    const counted = counts?.(container.name, other.type) ?? null;
    return counted !== null && counted.successful > 0;
  });
}

/** gRPC by the port's name, by its customary number, by a gRPC probe, or because the Service in question leads there. */
function addGrpcPort(workload: ProbedWorkload, pod: Pod, container: Container, grpcPort: number | null): void {
  const probed = container.probes.find((probe) => probe.kind === 'grpc')?.port ?? null;
  const found =
    container.ports.find((entry) => entry.port === grpcPort || entry.port === probed) ??
    container.ports.find((entry) => /(^|[-_.])grpc([-_.]|$)/i.test(entry.name ?? '') || entry.port === 50_051);
  const port = found?.port ?? (typeof probed === 'number' ? probed : null);
  if (port === null || container.sidecar || pod.deletedAt !== null) return;
  const before = workload.grpcPorts.get(container.name);
  const readiness = container.probes.find((probe) => probe.type === 'readiness') ?? null;
  workload.grpcPorts.set(container.name, { port, readiness, pods: (before?.pods ?? 0) + 1 });
}

/** Ends that a liveness probe may be behind: not for memory, and not because the node went away (255, Unknown). */
function addEnds(workload: ProbedWorkload, pod: Pod, { unhealthy, counts }: PodContext): void {
  const ended = pod.containers.filter((container) => {
    const last = container.lastTermination;
    const isOther = last?.reason === 'OOMKilled' || last?.reason === 'Unknown' || last?.exitCode === 255;
    return container.probes.some((probe) => probe.type === 'liveness') && last !== null && !isOther;
  });
  const [time] = ended.flatMap((container) => millisecondsOf(container.lastTermination?.finishedAt) ?? []);
  if (time !== undefined) workload.ends.push(time);
  const failed = (container: Container) =>
    unhealthy.some(
      (entry) => entry.probe === 'liveness' && (entry.container === null || entry.container === container.name),
    ) || (counts?.(container.name, 'liveness')?.failed ?? 0) > 0;
  if (ended.some(failed)) workload.livenessRestarts += 1;
}

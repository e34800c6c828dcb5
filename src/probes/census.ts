import type { Pod, Probe } from '../evidence/objects.ts';
import { workloadOf } from '../evidence/workload.ts';
import type { GrpcProbe, ProbeCensus, ProbeFinding, ProbeKinds } from '../report/census.ts';
import { confidences } from '../report/ids.ts';
import type { CountBook } from './counts.ts';
import { findProbeFaults } from './faults.ts';
import { publishedCounts } from './published-counts.ts';
import { addPod, openWorkload, type ProbedWorkload, type ProbeGroup, type Unhealthy } from './workload.ts';

/** What is known beside the pods, before the first of them comes. */
export interface CensusContext {
  readonly now: number;
  /** What Events tell of a pod's probes; null: Events were not seen. */
  readonly unhealthyOf: ((pod: Pod) => readonly Unhealthy[]) | null;
  readonly counts: CountBook | null;
}

type CensusFigures = Pick<
  ProbeCensus['status'],
  'pods' | 'podsWithProbes' | 'workloads' | 'probes' | 'kinds' | 'byType' | 'grpcProbes' | 'findings'
>;

const types = ['liveness', 'readiness', 'startup'] as const;

/** Counts pods as they come by. What is kept grows with the workloads, not with the pods. */
export interface Census {
  add(pods: readonly Pod[]): void;
  figures(): CensusFigures;
}

export function openCensus(context: CensusContext): Census {
  const workloads = new Map<string, ProbedWorkload>();
  const byType = new Map(types.map((type) => [type, noKinds()]));
  let pods = 0;
  let podsWithProbes = 0;
  const addOne = (pod: Pod): void => {
    if (pod.phase === 'Succeeded' || pod.phase === 'Failed') return;
    const name = workloadOf(pod);
    const key = `${pod.namespace}/${name}`;
    const workload = workloads.get(key) ?? openWorkload(pod.namespace, name);
    workloads.set(key, workload);
    addPod(workload, pod, {
      unhealthy: context.unhealthyOf?.(pod) ?? [],
      counts: context.counts?.(pod) ?? null,
      now: context.now,
    });
    const probes = pod.containers.flatMap((container) => container.probes);
    for (const { type, kind } of probes) {
      const kinds = byType.get(type);
      if (kinds !== undefined) kinds[kind] += 1;
    }
    pods += 1;
    if (probes.length > 0) podsWithProbes += 1;
  };
  return {
    add(page) {
      for (const pod of page) addOne(pod);
    },
    figures() {
      const kinds = [...byType.values()].reduce(sumKinds, noKinds());
      const all = [...workloads.values()].sort((a, b) => compare(keyOf(a), keyOf(b)));
      return {
        pods,
        podsWithProbes,
        workloads: workloads.size,
        probes: kinds.httpGet + kinds.exec + kinds.tcpSocket + kinds.grpc,
        kinds,
        byType: types.map((type) => ({ type, ...(byType.get(type) ?? noKinds()) })),
        grpcProbes: all.flatMap((workload) => grpcProbes(workload, context.unhealthyOf !== null)),
        findings: all.flatMap(findings).sort(byConfidence),
      };
    },
  };
}

function noKinds(): ProbeKinds {
  return { httpGet: 0, exec: 0, tcpSocket: 0, grpc: 0 };
}

function sumKinds(a: ProbeKinds, b: ProbeKinds): ProbeKinds {
  return {
    httpGet: a.httpGet + b.httpGet,
    exec: a.exec + b.exec,
    tcpSocket: a.tcpSocket + b.tcpSocket,
    grpc: a.grpc + b.grpc,
  };
}

function keyOf({ namespace, name }: ProbedWorkload): string {
  return `${namespace}/${name}`;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function isGrpc({ kind, grpcHealthProbe }: Probe): boolean {
  return kind === 'grpc' || grpcHealthProbe;
}

function grpcProbes(workload: ProbedWorkload, sawEvents: boolean): GrpcProbe[] {
  return [...workload.groups.values()]
    .filter(({ probe }) => isGrpc(probe))
    .sort((a, b) => compare(orderOf(a), orderOf(b)))
    .map(({ container, probe, pods, failedPods, failures, byKind, counted }) => ({
      namespace: workload.namespace,
      workload: workload.name,
      container,
      type: probe.type,
      kind: probe.kind === 'grpc' ? 'grpc' : 'exec',
      port: probe.port,
      service: probe.service,
      periodSeconds: probe.periodSeconds,
      timeoutSeconds: probe.timeoutSeconds,
      pods,
      failedPods: sawEvents ? failedPods : null,
      failures,
      failureKinds: [...byKind.keys()].sort(),
      counted: publishedCounts(counted),
    }));
}

function orderOf({ container, probe }: ProbeGroup): string {
  return `${container} ${probe.type} ${probe.port ?? ''} ${probe.service ?? ''}`;
}

function findings(workload: ProbedWorkload): ProbeFinding[] {
  return findProbeFaults(workload).map(({ id, confidence, container, pods, text, evidence, settledBy }) => ({
    id,
    confidence,
    namespace: workload.namespace,
    workload: workload.name,
    container,
    pods,
    text,
    evidence: [...evidence],
    settledBy: [...settledBy],
  }));
}

function byConfidence(a: ProbeFinding, b: ProbeFinding): number {
  return confidences.indexOf(a.confidence) - confidences.indexOf(b.confidence);
}

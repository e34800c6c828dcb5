/** A recorded scenario from its folder to its report, and what was true of it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { collect } from '../../src/collect/collect.ts';
import type { SkewEvidence } from '../../src/evidence/schema.ts';
import { openRecorded } from '../../src/kube/recorded.ts';

const root = new URL('../recordings/', import.meta.url).pathname;

const collected = new Map<string, Promise<SkewEvidence>>();

/** Collected once a scenario: the pace of exec holds for a recording, too. */
export function evidenceOf(scenario: string): Promise<SkewEvidence> {
  const known = collected.get(scenario) ?? collectEvidence(scenario);
  collected.set(scenario, known);
  return known;
}

async function collectEvidence(scenario: string): Promise<SkewEvidence> {
  const recorded = await openRecorded(join(root, scenario));
  if (!recorded.ok) throw new Error(recorded.error.message);
  const kube = recorded.value;
  const request = {
    namespace: kube.namespace,
    name: kube.service,
    context: null,
    port: null,
    windowSeconds: 3,
    exec: true,
    allPods: false,
    metricsPort: null,
    probeMetrics: 'if-there' as const,
    toolVersion: '0.0.0',
  };
  const host = { kube, now: () => 0, wait: async () => {}, beforeExecs: () => {}, progress: () => {} };
  let evidence: SkewEvidence | null = null;
  for await (const state of collect(request, host)) {
    if (state.problem !== null) throw new Error(state.problem.message);
    evidence = state.evidence;
  }
  if (evidence === null) throw new Error('nothing was collected');
  return evidence;
}

export interface TruePod {
  readonly pod: string;
  readonly connections: number | null;
  /** Calls of clients, not of probes, in about a minute. */
  readonly calls: number;
}

interface Truth {
  readonly pod: string;
  readonly connections_2?: number | null;
  readonly handled_in_window?: Readonly<Record<string, number>>;
}

/** The backends, as seen on the nodes and counted by the servers themselves. */
export function truthOf(scenario: string): readonly TruePod[] {
  const truth: { pods: Truth[] } = JSON.parse(readFileSync(join(root, scenario, 'ground-truth.json'), 'utf8'));
  return truth.pods
    .filter((pod) => pod.connections_2 !== undefined)
    .map((pod) => ({
      pod: pod.pod,
      connections: pod.connections_2 ?? null,
      calls: pod.handled_in_window?.['Whoami/lab.Echo'] ?? 0,
    }));
}

/** P / Σ… of the calls, by the definition: how many evenly loaded pods would do the same work. */
export function trueEffectivePods(scenario: string, endpoints: ReadonlySet<string>): number {
  const calls = truthOf(scenario)
    .filter((pod) => endpoints.has(pod.pod))
    .map((pod) => pod.calls);
  const sum = calls.reduce((total, value) => total + value, 0);
  return sum ** 2 / calls.reduce((total, value) => total + value ** 2, 0);
}

/** What the tests of the parsers need of test/recordings. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = new URL('../recordings/', import.meta.url).pathname;

export interface RecordedPod {
  readonly scenario: string;
  readonly pod: string;
  readonly app: string;
  /** [local, peer] of every established connection, as seen on the node itself; null when it was not looked at. */
  readonly established: Readonly<Record<Sample, readonly (readonly [string, string])[] | null>>;
  /** Client connections at the gRPC port, the node's own probes left out; null: not a backend, or not running. */
  readonly clientConnections: Readonly<Record<Sample, number | null>>;
  readonly grpcPort: number | null;
}

export type Sample = 1 | 2;

interface TruthPod {
  readonly pod: string;
  readonly app: string;
  readonly established?: readonly (readonly [string, string])[] | null;
  readonly established_2?: readonly (readonly [string, string])[] | null;
  readonly connections_1?: number | null;
  readonly connections_2?: number | null;
  readonly grpc_port?: number;
}

export const scenarios: readonly string[] = readdirSync(root).sort();

export const recordedPods: readonly RecordedPod[] = scenarios.flatMap((scenario) => {
  const truth: { pods: TruthPod[] } = JSON.parse(readFileSync(join(root, scenario, 'ground-truth.json'), 'utf8'));
  return truth.pods.map((pod) => ({
    scenario,
    pod: pod.pod,
    app: pod.app,
    established: { 1: pod.established ?? null, 2: pod.established_2 ?? null },
    clientConnections: { 1: pod.connections_1 ?? null, 2: pod.connections_2 ?? null },
    grpcPort: pod.grpc_port ?? null,
  }));
});

/** The output of a command in a pod; null where it was not run, or failed (then the recorded file is empty). */
export function output(pod: RecordedPod, name: string, sample: Sample = 1): string | null {
  const stem = join(root, pod.scenario, 'pod', pod.pod, sample === 2 ? `${name}.2` : name);
  if (!existsSync(`${stem}.txt`) || existsSync(`${stem}.exec.json`)) return null;
  return readFileSync(`${stem}.txt`, 'utf8');
}

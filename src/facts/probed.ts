import { workloadOf } from '../evidence/workload.ts';
import { openCountBook } from '../probes/counts.ts';
import { findProbeFaults, type ProbeFault } from '../probes/faults.ts';
import { addPod, openWorkload, type ProbedWorkload, unhealthyOf } from '../probes/workload.ts';
import type { EvidenceIndex } from './evidence-index.ts';
import type { MeasuredPod } from './measured.ts';
import { probeLooks } from './prometheus.ts';

export { unhealthyOf };

/** What is found in the probes of the pods behind the port, workload by workload. */
export function findProbed(index: EvidenceIndex, measured: readonly MeasuredPod[], now: number): readonly ProbeFault[] {
  const { evidence } = index;
  const workloads = new Map<string, ProbedWorkload>();
  const looks = probeLooks(evidence);
  const book = openCountBook(looks ?? []);
  const byUid = new Map(measured.map((pod) => [pod.pod?.uid, pod]));
  for (const pod of evidence.pods ?? []) {
    if (pod.phase === 'Succeeded' || pod.phase === 'Failed') continue;
    const name = workloadOf(pod);
    const workload = workloads.get(name) ?? openWorkload(pod.namespace, name);
    workloads.set(name, workload);
    const backend = byUid.get(pod.uid);
    addPod(workload, pod, {
      unhealthy: unhealthyOf(index.unhealthy, pod),
      counts: looks === null ? null : book(pod),
      now,
      isServing: (port) => (backend?.backend.port === port ? carries(backend) : null),
      grpcPort: null,
    });
  }
  return [...workloads.values()].flatMap((workload) => findProbeFaults(workload));
}

function carries(pod: MeasuredPod): boolean | null {
  return pod.sockets === null ? null : pod.sockets.connections.some((connection) => (connection.bytes ?? 0) > 0);
}

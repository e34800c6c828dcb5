import { type Cluster, type LabWorkload, podsOf } from '../cluster.ts';
import type { Usage } from '../traffic/usage.ts';
import { type KubeObject, timestamp } from './meta.ts';

/** Requests of the containers of the lab, in millicores: what a utilization is a part of. */
const requestMillicores = 10;

/** An autoscaler on the CPU of a workload. Its mean is that of the pods as metrics-server knows them now. */
export function autoscalerObject(
  { namespace }: Cluster,
  workload: LabWorkload,
  targetPercent: number,
  usageOf: (pod: string) => Usage | undefined,
): KubeObject {
  const pods = podsOf(workload);
  const used = pods.flatMap(({ name }) => usageOf(name)?.cpuNanocores ?? []);
  const mean = used.reduce((sum, nanocores) => sum + nanocores, 0) / Math.max(1, used.length) / 1e6;
  const utilization = Math.round((100 * mean) / requestMillicores);
  const createdAt = workload.generations[0]?.createdAt ?? 0;
  return {
    metadata: {
      name: workload.name,
      namespace,
      uid: workload.uid.replace(/^.{8}/, 'a0a0a0a0'),
      resourceVersion: String(workload.resourceVersion),
      creationTimestamp: timestamp(createdAt),
    },
    spec: {
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: workload.name },
      minReplicas: 1,
      maxReplicas: 20,
      metrics: [
        {
          type: 'Resource',
          resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: targetPercent } },
        },
      ],
    },
    status: {
      currentReplicas: pods.length,
      desiredReplicas: pods.length,
      lastScaleTime: timestamp(workload.generations.at(-1)?.createdAt ?? createdAt),
      ...(used.length > 0 && {
        currentMetrics: [
          {
            type: 'Resource',
            resource: {
              name: 'cpu',
              current: { averageUtilization: utilization, averageValue: `${Math.round(mean)}m` },
            },
          },
        ],
      }),
    },
  };
}

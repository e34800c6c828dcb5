import { allPods, type Cluster, type LabPod, type LabWorkload } from '../cluster.ts';
import type { Usage } from '../traffic/usage.ts';
import { type KubeObject, timestamp } from './meta.ts';
import { nodeLabels } from './node.ts';
import { podLabels, podTemplate } from './pod.ts';

type UsageOf = (pod: string) => Usage | undefined;

/** A pod as metrics-server knows it; nothing while it has not been measured. */
export function podMetrics(
  cluster: Cluster,
  workload: LabWorkload,
  pod: LabPod,
  usageOf: UsageOf,
): readonly KubeObject[] {
  const usage = usageOf(pod.name);
  if (!usage) return [];
  return [
    {
      metadata: {
        name: pod.name,
        namespace: cluster.namespace,
        creationTimestamp: timestamp(Date.now()),
        labels: podLabels(workload, pod),
      },
      timestamp: timestamp(usage.at),
      window: `${usage.windowSeconds.toFixed(3).replace(/\.?0+$/, '')}s`,
      containers: [
        { name: pod.container, usage: quantities(usage.cpuNanocores, usage.memoryKibibytes) },
        ...(podTemplate(cluster, workload).spec.initContainers ?? []).map(({ name }) => ({
          name,
          usage: quantities(proxyNanocores, proxyKibibytes),
        })),
      ],
    },
  ];
}

/** Of a proxy that passes on a few calls a second. */
const proxyNanocores = 3_000_000;
const proxyKibibytes = 48_000;
const systemNanocores = 60_000_000;
const systemKibibytes = 900_000;

export function nodeMetrics(cluster: Cluster, usageOf: UsageOf): readonly KubeObject[] {
  const pods = allPods(cluster);
  return cluster.nodes.flatMap((node) => {
    const usages = pods.filter((pod) => pod.node === node).map((pod) => usageOf(pod.name));
    const [usage] = usages;
    if (!usage) return [];
    const sum = (of: (usage: Usage) => number) => usages.reduce((total, one) => total + (one ? of(one) : 0), 0);
    return [
      {
        metadata: { name: node.name, creationTimestamp: timestamp(Date.now()), labels: nodeLabels(node) },
        timestamp: timestamp(usage.at),
        window: '20s',
        usage: quantities(
          systemNanocores + sum((one) => one.cpuNanocores),
          systemKibibytes + sum((one) => one.memoryKibibytes),
        ),
      },
    ];
  });
}

function quantities(nanocores: number, kibibytes: number) {
  return { cpu: `${nanocores}n`, memory: `${kibibytes}Ki` };
}

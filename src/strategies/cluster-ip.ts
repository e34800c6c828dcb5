import { inferredWords } from '../facts/on-all-pods.ts';
import { enoughConnections } from '../figures/placement.ts';
import { figure } from '../report/words.ts';
import type { StrategyUnit } from './unit.ts';

export const clusterIp: StrategyUnit = {
  id: 'cluster-ip',
  title: 'Keep the ClusterIP Service as it is',
  what: 'kube-proxy, or what stands in for it, chooses a pod at random for each new connection; all calls of the connection stay there.',
  fitsWhen: 'There are many more client connections than pods, at least 4(P−1), and none of them carries much.',
  requirements: [
    {
      text: 'at least 4(P−1) effective connections: then random placement uses 80 % of the pods',
      status: ({ facts }) => {
        if (facts.onAllPods.effective === null) return 'unknown';
        return facts.onAllPods.effective >= enoughConnections(facts.replicas.length) ? 'met' : 'failed';
      },
    },
  ],
  newPods: 'from new connections only',
  costs: [],
  assess({ facts }) {
    const { replicas, onAllPods, loads } = facts;
    const effective = onAllPods.effective ?? 0;
    return {
      fits:
        effective >= enoughConnections(replicas.length) && replicas.length > 1
          ? [
              `${figure(effective)} effective connections${inferredWords(onAllPods, replicas.length)} for ${replicas.length} pods: placement by connection comes out about even`,
            ]
          : [],
      against: loads.basis?.reading === 'uneven' ? ['the load is uneven now and stays so until clients reconnect'] : [],
      prediction: {
        effectivePods: loads.basis?.effectivePods ?? null,
        effectivePodsRange: loads.basis?.effectiveRange == null ? null : [...loads.basis.effectiveRange],
        peakToMean: loads.basis?.peakToMean ?? null,
        newPod: clusterIp.newPods,
        newPodSeconds: null,
        cost: [],
      },
    };
  },
};

import { figure } from '../report/words.ts';
import type { StrategyUnit } from './unit.ts';

export const clusterIp: StrategyUnit = {
  id: 'cluster-ip',
  title: 'Keep the ClusterIP Service as it is',
  assess({ facts }) {
    const { replicas, effectiveConnections, loads } = facts;
    const enough = 4 * (replicas.length - 1);
    const effective = effectiveConnections ?? 0;
    return {
      fits:
        effective >= enough && replicas.length > 1
          ? [
              `${figure(effective)} effective connections for ${replicas.length} pods: placement by connection comes out about even`,
            ]
          : [],
      against: loads.basis?.reading === 'uneven' ? ['the load is uneven now and stays so until clients reconnect'] : [],
      preconditions: [],
      prediction: {
        effectivePods: loads.basis?.effectivePods ?? null,
        effectivePodsRange: loads.basis?.effectiveRange == null ? null : [...loads.basis.effectiveRange],
        peakToMean: loads.basis?.peakToMean ?? null,
        newPod: 'from new connections only',
        cost: [],
      },
    };
  },
};

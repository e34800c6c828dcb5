import type { SkewEvidence } from '../../evidence/schema.ts';
import type { KubeList, KubeResult } from '../../kube/types.ts';
import { latestOf, type SignalUpdate } from '../look.ts';
import { complete, failed, partial, unavailable } from '../state.ts';
import { readUsage } from './read.ts';

/** CPU and memory of the pods of the Service. */
export function lookAtUsage({ pods }: Pick<SkewEvidence, 'pods'>, answer: KubeResult<KubeList>): SignalUpdate {
  if (!answer.ok) {
    const { error } = answer;
    const message =
      error.status === 503
        ? 'the metrics API is registered but not answering (503)'
        : error.kind === 'not-found'
          ? 'this cluster has no metrics API (metrics.k8s.io)'
          : error.message;
    const step = error.kind === 'forbidden' ? 'forbidden' : 'unavailable';
    return { state: failed('usage', { ...error, message }), progress: ['usage', 'failed', step] };
  }
  const names = new Set(pods?.map((pod) => pod.name));
  const usage = readUsage(answer.value.items).filter((entry) => names.has(entry.pod));
  const missing = names.size - usage.length;
  const newest = latestOf(usage.map((entry) => entry.measuredAt));
  return {
    patch: { usage },
    state:
      usage.length === 0
        ? unavailable('usage', 'the metrics API has no data for these pods yet')
        : missing > 0
          ? partial('usage', `no data for ${missing} of ${names.size} pods`, newest)
          : complete('usage', newest),
    times: [answer.serverDate],
    progress: ['usage', missing === 0 ? 'done' : 'partial', usage.length === 0 ? 'no data' : `${usage.length} pods`],
  };
}

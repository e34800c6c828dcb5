import type { SkewEvidence } from '../../evidence/schema.ts';
import { workloadOf } from '../../evidence/workload.ts';
import type { KubeList, KubeResult } from '../../kube/types.ts';
import { type SignalUpdate, unanswered } from '../look.ts';
import { complete } from '../state.ts';
import { readAutoscalers } from './read.ts';

/** The autoscalers of the workloads that the pods are of. */
export function lookAtAutoscalers({ pods }: Pick<SkewEvidence, 'pods'>, answer: KubeResult<KubeList>): SignalUpdate {
  if (!answer.ok) return unanswered('autoscaling', answer.error);
  const owners = new Set(pods?.map((pod) => workloadOf(pod)));
  const autoscalers = readAutoscalers(answer.value.items).filter((entry) =>
    owners.has(`${entry.target.kind.toLowerCase()}/${entry.target.name}`),
  );
  return {
    patch: { autoscalers },
    state: complete('autoscaling', answer.serverDate),
    progress: ['autoscaling', 'done', autoscalers.map((entry) => entry.name).join(', ') || 'none'],
  };
}

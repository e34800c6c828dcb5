import type { Service } from '../../evidence/objects.ts';
import type { KubeList, KubeResult } from '../../kube/types.ts';
import { type SignalUpdate, unanswered } from '../look.ts';
import { complete } from '../state.ts';
import { readNamesakes, readSiblings } from './read.ts';

/** The other Services of the namespace: those over the same pods, and those whose name begins alike. */
export function lookAtSiblings(service: Service, answer: KubeResult<KubeList>): SignalUpdate {
  if (!answer.ok) return unanswered('siblings', answer.error);
  const siblings = readSiblings(answer.value.items, service);
  return {
    patch: { siblings, namesakes: readNamesakes(answer.value.items, service) },
    state: complete('siblings', answer.serverDate),
    progress: ['siblings', 'done', siblings.map((entry) => entry.name).join(', ') || 'none'],
  };
}

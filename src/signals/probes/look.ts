import type { SignalState, SkewEvidence } from '../../evidence/schema.ts';
import type { KubeError, KubeList, KubeResult } from '../../kube/types.ts';
import type { SignalUpdate } from '../look.ts';
import { complete, failed, partial } from '../state.ts';
import { readHappenings } from './read.ts';

/** What Events tell of the pods of the Service, and of changes of size. */
export function lookAtProbes({ pods }: Pick<SkewEvidence, 'pods'>, answer: KubeResult<KubeList>): SignalUpdate {
  if (!answer.ok) return { state: withoutEvents(answer.error), progress: ['probes', 'partial', 'pod status only'] };
  const names = new Set(pods?.map((pod) => pod.name));
  const happenings = readHappenings(answer.value.items).filter(
    (entry) => entry.kind === 'scaled' || names.has(entry.pod),
  );
  const unhealthy = happenings.filter((entry) => entry.kind === 'unhealthy').length;
  const found = unhealthy === 0 ? 'no failed probes in Events' : `${unhealthy} Events of failed probes`;
  return {
    patch: { happenings },
    state: complete('probes', answer.serverDate),
    progress: ['probes', 'done', found],
  };
}

/** Restarts, Ready conditions and probe specs come with the pods: only the Events are missing. */
export function withoutEvents(error: KubeError): SignalState {
  const { reason, needs } = failed('probes', error);
  return partial('probes', `pod status only, Events not seen: ${reason ?? ''}`, null, needs);
}

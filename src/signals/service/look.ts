import type { Service } from '../../evidence/objects.ts';
import type { KubeResult } from '../../kube/types.ts';
import type { SignalUpdate } from '../look.ts';
import { complete } from '../state.ts';

export function lookAtService(
  service: Service,
  { serverDate }: KubeResult<unknown> & { readonly ok: true },
): SignalUpdate {
  return {
    patch: { service },
    state: complete('service', serverDate),
    progress: ['service', 'done', service.clusterIP === 'None' ? 'headless' : service.type],
  };
}

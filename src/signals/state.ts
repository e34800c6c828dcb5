import type { SignalId, SignalState } from '../evidence/schema.ts';
import type { KubeError } from '../kube/types.ts';
import { signalFacts } from './catalogue.ts';

/** A signal that gave all that it can. */
export function complete(id: SignalId, lookedAt: string | null): SignalState {
  return { id, state: 'complete', reason: null, needs: null, lookedAt };
}

/** A signal that gave a part, and why not all. */
export function partial(
  id: SignalId,
  reason: string,
  lookedAt: string | null,
  needs: string | null = null,
): SignalState {
  return { id, state: 'partial', reason, needs, lookedAt };
}

/** A signal that was asked for and has nothing to give. */
export function unavailable(id: SignalId, reason: string, lookedAt: string | null = null): SignalState {
  return { id, state: 'unavailable', reason, needs: null, lookedAt };
}

export function skipped(id: SignalId, reason: string): SignalState {
  return { id, state: 'skipped', reason, needs: null, lookedAt: null };
}

/** A signal that gave nothing: forbidden with the right that is missing, or unavailable with the reason. */
export function failed(id: SignalId, error: KubeError): SignalState {
  if (error.kind === 'forbidden')
    return { id, state: 'forbidden', reason: error.message, needs: missingRight(id, error), lookedAt: null };
  return unavailable(id, error.message);
}

/** The right that a refusal asks for, as `rbac` prints it. */
export function missingRight(id: SignalId, { denied }: KubeError): string {
  const { rights } = signalFacts(id);
  if (denied === undefined) return rights.join(', ');
  const { verb, resource, name, namespace } = denied;
  const elsewhere = rights.some((right) => right.endsWith(` in ${namespace}`)) ? ` in ${namespace}` : '';
  // A WebSocket exec is checked for both verbs, one after the other: who lacks `get` may lack `create` as well.
  if (resource === 'pods/exec') return `${verb === 'create' ? 'create' : 'get and create'} pods/exec${elsewhere}`;
  const byName = `${verb} ${resource}/${name}${elsewhere}`;
  if (rights.includes(byName)) return byName;
  return `${verb} ${resource}${resource === 'pods' && namespace === null ? ' in all namespaces' : elsewhere}`;
}

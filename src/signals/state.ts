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

export function skipped(id: SignalId, reason: string): SignalState {
  return { id, state: 'skipped', reason, needs: null, lookedAt: null };
}

/** A signal that gave nothing: forbidden with the right that is missing, or unavailable with the reason. */
export function failed(id: SignalId, error: KubeError): SignalState {
  if (error.kind === 'forbidden')
    return { id, state: 'forbidden', reason: error.message, needs: missingRight(id, error), lookedAt: null };
  return { id, state: 'unavailable', reason: error.message, needs: null, lookedAt: null };
}

/**
 * The right that a 403 asks for. The API server names verb and resource; a WebSocket exec that has `get` but not
 * `create` is refused with nothing after "is forbidden: " (Kubernetes 1.35 and later check both).
 */
export function missingRight(id: SignalId, error: KubeError): string {
  const match = /cannot (\w+) resource "([^"]+)"(?: in API group "([^"]*)")?/.exec(error.message);
  // A WebSocket exec is checked for both verbs, one after the other: who lacks `get` may lack `create` as well.
  if (match?.[2] === 'pods/exec') return match[1] === 'create' ? 'create pods/exec' : 'get and create pods/exec';
  if (match !== null) {
    const [, verb = '', resource = '', group = ''] = match;
    return `${verb} ${resource}${group === '' ? '' : `.${group}`}`;
  }
  if (id === 'connections') return 'create pods/exec';
  return signalFacts(id).rights.join(', ');
}

import { statusError } from '../../src/kube/errors/status-error.ts';
import type { KubeError } from '../../src/kube/types.ts';

/** What the client makes of a 403 with these words of the API server. */
export function forbidden(message: string, request = 'ask'): KubeError {
  const text = JSON.stringify({ kind: 'Status', message });
  return statusError(request, { status: 403, contentType: 'application/json', text }, 'https://api');
}

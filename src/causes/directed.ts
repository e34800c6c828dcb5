import type { Facts } from '../facts/facts.ts';

/** The Service chooses by client, node or zone: more connections from the same places would change nothing. */
export function isDirected({ service, replicas }: Facts): boolean {
  return (
    service.sessionAffinity === 'ClientIP' ||
    service.internalTrafficPolicy === 'Local' ||
    replicas.some(({ backend }) => backend.hintZones.length + backend.hintNodes.length > 0)
  );
}

import type { Facts } from '../facts/facts.ts';
import { isUnequal } from '../facts/intended-skew.ts';

/**
 * The Service chooses by client, node or zone: more connections from the same places would change nothing. A setting that
 * gives every pod the same, with the clients where they are, does not.
 */
export function isDirected(facts: Facts): boolean {
  const { service, settings } = facts;
  if (service.sessionAffinity === 'ClientIP') return true;
  const isEven = settings.length > 0 && settings.every(({ known, shares }) => known && !isUnequal(shares));
  return isPlaced(facts) && !isEven;
}

/** Does the Service choose by node or zone? */
function isPlaced({ service, replicas }: Facts): boolean {
  return (
    service.internalTrafficPolicy === 'Local' ||
    replicas.some(({ backend }) => backend.hintZones.length + backend.hintNodes.length > 0)
  );
}

/** How many of the pods the clients can reach where they are, by the settings of the Service; null where it is not known. */
export function reachablePods({ service, replicas, settings }: Facts): number | null {
  if (service.sessionAffinity === 'ClientIP' || settings.some(({ known }) => !known)) return null;
  return replicas.filter((_, index) => settings.every(({ shares }) => (shares?.[index] ?? 0) > 0)).length;
}

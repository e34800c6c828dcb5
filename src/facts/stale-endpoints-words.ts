import { countOf, plural } from '../report/words.ts';
import type { Facts } from './facts.ts';

/** That pods outside the endpoints are held, in one line. */
export function describeStaleEndpoints({ staleEndpoints, allConnections, replicas }: Facts): string {
  const held = staleEndpoints.reduce((sum, holder) => sum + holder.connections, 0);
  const rest =
    allConnections.length === 0
      ? `the ${replicas.length} ready ones get nothing`
      : `the ${replicas.length} ready ones share the rest evenly`;
  return `clients hold ${plural(held, 'connection')} at ${countOf(staleEndpoints.length, 'pod that is', 'pods that are')} no endpoint; ${rest}`;
}

import type { Facts } from '../facts/facts.ts';
import { limits } from '../facts/limits.ts';
import type { PeerKind } from '../facts/peers/clients.ts';
import { shareIntervals } from '../figures/counts.ts';

/** A client or a connection is hot from this multiple of what the others carry on average: with two or three, too. */
export const hotFactor = 3;

/** From this multiple of a pod's fair part on it makes that pod stand out; on two pods, too. */
export const leastOfPod = 1.25;

/**
 * Whether a part of the load is surely more than half, by the calls of the window and with every pod seen. What connections
 * carried that were gone at its end is not known: no more of them may have come or gone than stayed.
 */
export function isSurelyMost({ allConnections, connections, replicas }: Facts, part: number): boolean {
  const calls = allConnections.map(({ connection }) => connection.windowCalls);
  if (connections?.seen !== replicas.length || calls.some((count) => count === null)) return false;
  const moved = replicas.reduce((sum, { sockets }) => sum + (sockets?.opened ?? 0) + (sockets?.closed ?? 0), 0);
  if (moved > allConnections.filter(({ connection }) => connection.kept).length) return false;
  const events = calls.reduce<number>((sum, count) => sum + (count ?? 0), 0);
  const [interval] = shareIntervals({ shares: [part], events }, limits.certainLevel);
  return events >= limits.certainEvents && (interval?.[0] ?? 0) > 0.5;
}

/** Behind these stand many clients: no single one can be told apart. */
export const isManyInOne: ReadonlySet<PeerKind> = new Set(['node', 'load-balancer', 'gateway', 'mesh-proxy']);

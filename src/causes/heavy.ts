import type { PeerKind } from '../facts/peers/clients.ts';

/** A client or a connection is hot from this multiple of what the others carry on average: with two or three, too. */
export const hotFactor = 3;

/** Behind these stand many clients: no single one can be told apart. */
export const isManyInOne: ReadonlySet<PeerKind> = new Set(['node', 'load-balancer', 'gateway', 'mesh-proxy']);

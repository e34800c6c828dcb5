/** The four things that tell one connection from another. */
export interface Ends {
  readonly localAddress: string;
  readonly localPort: number;
  readonly peerAddress: string;
  readonly peerPort: number;
}

/**
 * Tells whether a 4-tuple is new. A hash table of indexes, since a Set needs a text of all four for every row, and the
 * garbage of those takes longer than all the reading.
 */
export function newEnds(): (ends: Ends) => boolean {
  const seen: Ends[] = [];
  const hashes: number[] = [];
  /** 1-based indexes into `seen`, each in the first free slot from its hash on; 0 is free. */
  let slots = new Int32Array(64);

  const grow = () => {
    slots = new Int32Array(4 * slots.length);
    const mask = slots.length - 1;
    for (const [index, hash] of hashes.entries()) {
      let slot = hash & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = index + 1;
    }
  };

  return (ends) => {
    const hash = hashOf(ends);
    const mask = slots.length - 1;
    let slot = hash & mask;
    for (let index = slots[slot] ?? 0; index !== 0; index = slots[slot] ?? 0) {
      const other = hashes[index - 1] === hash ? seen[index - 1] : undefined;
      if (other !== undefined && isSame(ends, other)) return false;
      slot = (slot + 1) & mask;
    }
    slots[slot] = seen.push(ends);
    hashes.push(hash);
    if (2 * seen.length > slots.length) grow();
    return true;
  };
}

function isSame(a: Ends, b: Ends): boolean {
  return (
    a.peerPort === b.peerPort &&
    a.localPort === b.localPort &&
    a.peerAddress === b.peerAddress &&
    a.localAddress === b.localAddress
  );
}

/** FNV-1a over the peer and the local port (the local address hardly differs), mixed as neighbouring peers are alike. */
function hashOf({ localPort, peerAddress, peerPort }: Ends): number {
  let hash = Math.imul(localPort ^ 0x811c9dc5, 0x01000193);
  hash = Math.imul(hash ^ peerPort, 0x01000193);
  for (let at = 0; at < peerAddress.length; at++) hash = Math.imul(hash ^ peerAddress.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  return hash ^ (hash >>> 13);
}

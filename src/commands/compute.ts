import { setImmediate } from 'node:timers/promises';
import type { SkewEvidence } from '../evidence/schema.ts';
import type { Host } from './host.ts';

/** Connections, and characters of a text, from which on a computation takes so long that nobody waits for Ctrl-C to be heard. */
const many = { connections: 20_000, characters: 8 << 20 } as const;

/**
 * Computes without a pause. What is large leaves signals to the system meanwhile: nothing could hear them, so they end the
 * program at once. What came before is heard first: null, the program was interrupted.
 */
export async function compute<T>(
  host: Pick<Host, 'interrupted' | 'atTheMercyOfSignals'>,
  of: SkewEvidence | string,
  work: () => T,
): Promise<T | null> {
  // Signals and keys are heard in the poll phase of Node's loop: the first of two immediates may run before it.
  await setImmediate();
  await setImmediate();
  if (host.interrupted.aborted) return null;
  return isLarge(of) ? host.atTheMercyOfSignals(work) : work();
}

function isLarge(of: SkewEvidence | string): boolean {
  if (typeof of === 'string') return of.length > many.characters;
  const looks = of.connections?.looks ?? [];
  return looks.reduce((sum, look) => sum + look.sockets.length, 0) > many.connections;
}

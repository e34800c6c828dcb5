import type { SkewEvidence } from '../evidence/schema.ts';
import { heard } from '../kube/requests/turn.ts';
import type { Host } from './host.ts';

/** Objects of the evidence, and characters of a text, from which on a computation takes so long that nobody waits for Ctrl-C to be heard. */
const many = { objects: 100_000, characters: 8 << 20 } as const;

/** Computes without a pause, for long where there is much to compute of. Null: the program was interrupted before. */
export async function compute<T>(host: Interruptible, of: SkewEvidence | string, work: () => T): Promise<T | null> {
  if (isLarge(of)) return computeLong(host, work);
  await heard();
  return host.interrupted.aborted ? null : work();
}

type Interruptible = Pick<Host, 'interrupted' | 'atTheMercyOfSignals'>;

/**
 * Leaves signals to the system while something is computed: nothing could hear them, so they end the program at once. What
 * came before is heard first: null, the program was interrupted.
 */
export async function computeLong<T>(host: Interruptible, work: () => T): Promise<T | null> {
  await heard();
  return host.interrupted.aborted ? null : host.atTheMercyOfSignals(work);
}

/** Whether to compute of it takes long. */
export function isLarge(of: SkewEvidence | string): boolean {
  if (typeof of === 'string') return of.length > many.characters;
  const open: unknown[] = [of];
  for (let objects = 0; open.length > 0; objects += 1) {
    if (objects > many.objects) return true;
    for (const inner of Object.values(open.pop() as object)) {
      if (typeof inner === 'object' && inner !== null) open.push(inner);
    }
  }
  return false;
}

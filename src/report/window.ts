import type { Basis, spans } from './ids.ts';
import { duration } from './words.ts';

/** Longest window that makes sense for a look, in seconds: beyond it, record twice. */
export const longestWindow = 600;

/**
 * The look that would settle what so few events leave open.
 * @param seconds what would probably be enough, by the calls of now; null: not known
 */
export function longerWindow(seconds: number | null): string {
  if (seconds === null) return 'a longer --window';
  const step = seconds < 60 ? 5 : 30;
  const enough = Math.ceil(seconds / step) * step;
  return enough > longestWindow ? 'a time with more calls' : `a --window of about ${duration(enough)}`;
}

/** ` since the pods began`, where a figure is of more than a window; else nothing. */
export function ofWhichPast(basis: Basis | null | undefined, span: (typeof spans)[number] | null | undefined): string {
  if (span !== 'lifetime') return '';
  return basis === 'bytes' ? ' since the connections began' : ' since the pods began';
}

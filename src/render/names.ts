/** Kubernetes names, cut so that they still tell one from another. */
import { cutMiddle, widthOf } from './text.ts';

/**
 * Each name in at most `width` columns. The end of a generated name is what differs, so it gets the larger part; where
 * no part tells the names apart (they differ in the middle), they are numbered.
 */
export function cutNames(names: readonly string[], width: number, ellipsis: string): string[] {
  if (names.every((name) => widthOf(name) <= width)) return [...names];
  const different = new Set(names).size;
  const room = width - widthOf(ellipsis);
  const tails = [0.6, 0.5, 0.75, 0.9, 0.25, 0.1].map((part) => Math.round(room * part));
  for (const tail of tails) {
    const cut = names.map((name) => cutMiddle(name, width, ellipsis, tail));
    if (new Set(cut).size === different) return cut;
  }
  return numbered(names, width, ellipsis);
}

function numbered(names: readonly string[], width: number, ellipsis: string): string[] {
  const numbers = new Map([...new Set(names)].map((name, at) => [name, at + 1]));
  const digits = String(numbers.size).length + 1;
  return names.map((name) => {
    const number = `~${String(numbers.get(name)).padStart(digits - 1, '0')}`;
    return cutMiddle(name, Math.max(1, width - digits), ellipsis) + number;
  });
}

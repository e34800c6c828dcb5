/**
 * What is meant by a word that is none of `names`: those a letter or two away, or that begin with it, the nearest first.
 * Case and dashes make no difference.
 */
export function nearest(word: string, names: readonly string[]): readonly string[] {
  const typed = bare(word);
  if (typed.length < 3) return [];
  // Of a short word two letters are half: everything would be near.
  const most = typed.length < 5 ? 1 : 2;
  return names
    .map((name) => ({ name, distance: bare(name).startsWith(typed) ? 0 : distance(bare(name), typed) }))
    .filter((entry) => entry.distance <= most)
    .sort((a, b) => a.distance - b.distance)
    .map((entry) => entry.name);
}

/** `did you mean scale-up or scale-down?`; null where nothing is near. */
export function didYouMean(word: string, names: readonly string[]): string | null {
  const near = nearest(word, names).slice(0, 3);
  return near.length === 0 ? null : `did you mean ${near.join(' or ')}?`;
}

const bare = (name: string): string => name.toLowerCase().replaceAll(/[-_]/g, '');

/** How many letters differ: one that is missing, added or another one counts one, and so do two that changed places. */
function distance(a: string, b: string): number {
  const rows = [Array.from({ length: b.length + 1 }, (_, index) => index)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      row.push(
        Math.min(
          (row[j - 1] ?? 0) + 1,
          (rows[i - 1]?.[j] ?? 0) + 1,
          (rows[i - 1]?.[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1),
          swapped ? (rows[i - 2]?.[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
    rows.push(row);
  }
  return rows[a.length]?.[b.length] ?? 0;
}

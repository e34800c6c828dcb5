/** What is meant by a word that is none of `names`: those a letter or two away, or that begin with it, the nearest first. */
export function nearest(word: string, names: readonly string[]): readonly string[] {
  if (word.length < 3) return [];
  return names
    .map((name) => ({ name, distance: name.startsWith(word) ? 0 : distance(name, word) }))
    .filter((entry) => entry.distance <= 2)
    .sort((a, b) => a.distance - b.distance)
    .map((entry) => entry.name);
}

/** Levenshtein distance of two short names. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      next.push(
        Math.min((next[j - 1] ?? 0) + 1, (row[j] ?? 0) + 1, (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)),
      );
    }
    row = next;
  }
  return row[b.length] ?? 0;
}

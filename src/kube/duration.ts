const unitMs: ReadonlyMap<string, number> = new Map([
  ['ns', 1e-6],
  ['us', 1e-3],
  ['µs', 1e-3],
  ['ms', 1],
  ['s', 1000],
  ['m', 60_000],
  ['h', 3_600_000],
]);

/** A duration as Go spells it, `10s`, `1m30s`, `1.5h`, in milliseconds; null: not a duration. */
export function parseDuration(text: string): number | null {
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(ns|us|µs|ms|s|m|h)/g)];
  if (text === '' || parts.map((part) => part[0]).join('') !== text) return null;
  return parts.reduce((sum, [, amount, unit = '']) => sum + Number(amount) * (unitMs.get(unit) ?? 0), 0);
}

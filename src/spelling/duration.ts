const unitMs: ReadonlyMap<string, number> = new Map([
  ['ns', 1e-6],
  ['us', 1e-3],
  // U+00B5, the micro sign, and U+03BC, the letter mu.
  ['µs', 1e-3],
  ['μs', 1e-3],
  ['ms', 1],
  ['s', 1000],
  ['m', 60_000],
  ['h', 3_600_000],
]);

/** What Go can count: 2^63 nanoseconds, about 292 years. */
const maxMs = 2 ** 63 / 1e6;

/** A duration as Go spells it without a sign, `10s`, `1m30s`, `.5h`, in milliseconds; null: not a duration. */
export function parseDuration(text: string): number | null {
  const parts = [...text.matchAll(/(\d+\.?\d*|\.\d+)(ns|us|µs|μs|ms|s|m|h)/g)];
  if (text === '' || parts.map((part) => part[0]).join('') !== text) return null;
  const ms = parts.reduce((sum, [, amount, unit = '']) => sum + Number(amount) * (unitMs.get(unit) ?? 0), 0);
  return ms < maxMs ? ms : null;
}

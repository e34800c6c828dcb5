const unitMs: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
};

/**
 * `--request-timeout` in kubectl's spelling (client-go `clientcmd.ParseTimeout`): a number of seconds or a Go duration,
 * in milliseconds; `0` is no limit (Infinity). Null: not a duration.
 */
export function parseRequestTimeout(text: string): number | null {
  const parts = /^\d+$/.test(text) ? [[text, text, 's']] : [...text.matchAll(/(\d+(?:\.\d+)?)(ns|us|µs|ms|s|m|h)/g)];
  if (parts.map((part) => part[0]).join('') !== text || text === '') return null;
  const ms = parts.reduce((sum, [, amount, unit = '']) => sum + Number(amount) * (unitMs[unit] ?? 0), 0);
  return ms === 0 ? Number.POSITIVE_INFINITY : ms;
}

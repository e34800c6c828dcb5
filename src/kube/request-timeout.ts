import { parseDuration } from './duration.ts';

/**
 * `--request-timeout` in kubectl's spelling (client-go `clientcmd.ParseTimeout`): a number of seconds or a Go duration,
 * in milliseconds; `0` is no limit (Infinity). Null: not a duration.
 */
export function parseRequestTimeout(text: string): number | null {
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : parseDuration(text);
  return ms === 0 ? Number.POSITIVE_INFINITY : ms;
}

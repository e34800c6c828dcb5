import { parseDuration } from '../../spelling/duration.ts';

/**
 * `--request-timeout` in kubectl's spelling (client-go `clientcmd.ParseTimeout`): a number of seconds or a Go duration,
 * in milliseconds; `0` is no limit (Infinity), nor is less than that. Null: not a duration.
 */
export function parseRequestTimeout(text: string): number | null {
  const [, sign = '', amount = ''] = /^([+-]?)(.*)$/s.exec(text) ?? [];
  const isNumber = /^\d+$/.test(amount) && (sign !== '-' || Number(amount) === 0);
  const ms = parseDuration(isNumber ? `${amount}s` : amount);
  return ms === null || (ms > 0 && sign !== '-') ? ms : Number.POSITIVE_INFINITY;
}

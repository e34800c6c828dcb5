import type { Language, StrategyId } from '../report/ids.ts';
import type { SkewReport } from '../report/schema.ts';
import { duration } from '../report/words.ts';
import { supportOf } from './support.ts';

/**
 * Time that calls in flight have after the age: twice the longest call. How long calls take is not seen from outside, so
 * that it is taken for 15 s; the texts say to put one's own in.
 */
export const graceSeconds = 30;

/** The age that fits the connections which the clients have under a strategy. */
export function ageOf({ status }: SkewReport, strategy: StrategyId): number {
  const { strategies, connectionAgeSeconds } = status.recommendation;
  const prediction = strategies.find(({ id }) => id === strategy)?.prediction;
  return prediction?.connectionAgeSeconds ?? connectionAgeSeconds;
}

/** Until then all connections have ended once, with the ±10 % that libraries add. */
export function ageOver(ageSeconds: number): string {
  return duration(1.1 * ageSeconds);
}

export function ageNote(ageSeconds: number): string {
  return `age ${duration(ageSeconds)}: the shortest of 5, 10, 15, 30, 60 min with at most one reconnect a second and pod; most libraries spread it by ±10 %`;
}

export const graceNote = `grace ${graceSeconds} s: make it twice your longest call; what takes longer is cut off, endless streams once per age`;
export const retryNote =
  'a retry repeats a call that met UNAVAILABLE: name only methods that may run twice, if not all may ("name" in methodConfig)';

/** Whether a server in this language can have an age, as far as it is known. */
export function hasAge(language: Language | null): boolean {
  return language === null || supportOf(language, 'connection-age').has;
}

/** What clients do themselves where a server in their language has no age; null where it has one. */
export function ageAtClients(language: Language | null): string | null {
  const support = language === null ? null : supportOf(language, 'connection-age');
  return support === null || support.has ? null : (support.atClients ?? null);
}

/** What a client is to do about calls that meet the end of a connection. */
export function retryOf(language: Language | null): string {
  const support = language === null ? null : supportOf(language, 'retry');
  return support === null || support.has
    ? 'add the retry policy'
    : `retry calls that met UNAVAILABLE in the program (${support.why})`;
}

/** Which time it is at the API server: ages are counted from times that it, kubelets and pods' nodes have noted. */
export interface Clock {
  /**
   * Notes the `Date` of an answer of the API server itself.
   * @param askedAt milliseconds since the epoch, by our clock
   */
  note(serverDate: string | null, askedAt: number): void;
  /** A time of our clock as that of the server. */
  atServer(ours: Date): Date;
}

/** The last year that RFC 3339 and HTTP can write; beyond the next 270,000 there is no time that could be counted with. */
const lastYear = 9999;

/** RFC 3339 UTC, from RFC 3339 or an HTTP date, too; null for what is no date, or one that no clock shows. */
export function isoTime(time: Date | string): string | null {
  const date = new Date(time);
  const year = date.getUTCFullYear();
  return year >= 0 && year <= lastYear ? date.toISOString() : null;
}

/** Milliseconds that clocks commonly differ by; a `Date` has seconds, and an answer takes its time. */
const tolerated = 30_000;

/** @param warn told once, in words, where the clocks differ by more than is tolerated */
export function openClock(warn: (words: string) => void): Clock {
  let offset: number | null = null;
  return {
    note(serverDate, askedAt) {
      if (serverDate === null || offset !== null) return;
      const found = Date.parse(serverDate) - (askedAt + Date.now()) / 2;
      offset = Math.abs(found) > tolerated ? found : 0;
      if (offset === 0) return;
      const minutes = Math.abs(offset) / 60_000;
      const by = minutes < 120 ? `${Math.max(1, Math.round(minutes))} min` : `${Math.round(minutes / 60)} h`;
      const where = offset < 0 ? 'ahead of' : 'behind';
      warn(`the clock of this machine is ${by} ${where} that of the API server: ages go by the clock of the server`);
    },
    atServer: (ours) => new Date(ours.getTime() + (offset ?? 0)),
  };
}

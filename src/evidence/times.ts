/** Milliseconds since the epoch; null where there is no time, or none that can be read. */
export function millisecondsOf(time: string | null | undefined): number | null {
  const milliseconds = time == null ? Number.NaN : Date.parse(time);
  return Number.isNaN(milliseconds) ? null : milliseconds;
}

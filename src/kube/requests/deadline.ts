/** The longest time of a timer, in milliseconds, about 25 days: one that is set to more fires at once. */
export const maxTimerMs = 2 ** 31 - 1;

/** A time limit and the caller's own signal in one. */
export interface Deadline {
  /** Aborts when the time is over or the caller gives up. */
  readonly signal: AbortSignal;
  readonly limitMs: number;
  leftMs(): number;
  /** Whether it was the time that ended it. */
  expired(): boolean;
  /** Whether the caller gave up. */
  aborted(): boolean;
  /** Must be called: an open timer keeps the process alive. */
  clear(): void;
}

/** @param limitMs milliseconds; Infinity is no limit, nor is more than a timer can count */
export function startDeadline(limitMs: number, signal: AbortSignal): Deadline {
  const controller = new AbortController();
  const startedAt = performance.now();
  let expired = false;
  const abort = (): void => controller.abort();
  const timer =
    limitMs <= maxTimerMs
      ? setTimeout(() => {
          expired = true;
          abort();
        }, limitMs)
      : undefined;
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort, { once: true });
  return {
    signal: controller.signal,
    limitMs,
    leftMs: () => limitMs - (performance.now() - startedAt),
    expired: () => expired,
    aborted: () => signal.aborted,
    clear() {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
    },
  };
}

import { maxTimerMs } from './deadline.ts';

/**
 * Milliseconds to wait before a new try, or null where none is asked for. As client-go: 429 and 5xx, and only where the
 * header is there.
 */
export function retryAfterMs(status: number, header: string | readonly string[] | undefined): number | null {
  if (typeof header !== 'string' || (status !== 429 && status < 500)) return null;
  if (/^\d+$/.test(header.trim())) return Number(header) * 1000;
  const date = Date.parse(header);
  return Number.isNaN(date) ? null : Math.max(0, date - Date.now());
}

/** Resolves after so many milliseconds, or as soon as the signal aborts. */
export function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, Math.min(ms, maxTimerMs));
    signal.addEventListener('abort', end, { once: true });
  });
}

import type { ProbeCounts } from '../report/schema.ts';
import type { ProbeTally } from './counts.ts';

/** The published form of counts. */
export function publishedCounts(counted: ProbeTally | null): ProbeCounts | null {
  if (counted === null) return null;
  const { meanSeconds, window } = counted;
  return {
    ...counted,
    window: window === null ? null : { ...window },
    meanSeconds: meanSeconds === null ? null : Number(meanSeconds.toFixed(4)),
  };
}

import type { Confidence } from '../report/ids.ts';
import type { SkewReport } from '../report/schema.ts';
import { flapping } from './flapping.ts';
import type { WatchState } from './state.ts';

/** Without a report for so long the figures are old, though nothing has failed: a look takes seconds. */
const staleAfterSeconds = 60;

/** Seconds since the last look that answered, where the next one fails or does not come; null: what is shown is new. */
export function staleSeconds(state: Pick<WatchState, 'reportedAt' | 'now' | 'problem' | 'paused'>): number | null {
  const { reportedAt, now, problem, paused } = state;
  if (reportedAt === null || (paused && problem === null)) return null;
  const seconds = Math.max(0, Math.floor((now - reportedAt) / 1000));
  return problem !== null || seconds >= staleAfterSeconds ? seconds : null;
}

/**
 * The report as the screens show it: while the verdict still waits for something nothing is more than likely, and while
 * something comes and goes the advice stays that of the worst look.
 */
export function shownReport({ report, waitingFor, unrest }: WatchState): SkewReport | null {
  if (report === null) return null;
  if (waitingFor !== null) return provisional(report);
  return flapping(unrest) === null || unrest.worst === null ? report : advisedAs(report, unrest.worst);
}

/** A verdict that still waits for something: nothing of it is more than likely. */
export function provisional(report: SkewReport): SkewReport {
  const { verdict, headline, causes } = report.status;
  return {
    ...report,
    status: {
      ...report.status,
      verdict: { ...verdict, confidence: atMostLikely(verdict.confidence) },
      headline: { ...headline, whyConfidence: headline.whyConfidence && atMostLikely(headline.whyConfidence) },
      causes: causes.map((cause) => ({ ...cause, confidence: atMostLikely(cause.confidence) })),
    },
  };
}

function atMostLikely(confidence: Confidence): Confidence {
  return confidence === 'certain' ? 'likely' : confidence;
}

function advisedAs(report: SkewReport, { status }: SkewReport): SkewReport {
  const { headline, causes, recommendation, relief, avoid } = status;
  return { ...report, status: { ...report.status, headline, causes, recommendation, relief, avoid } };
}

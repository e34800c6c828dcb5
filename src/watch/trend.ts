import type { SkewReport } from '../report/schema.ts';

/** How the load was spread at one time. */
interface Sample {
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Pods there were, and how many evenly loaded ones would have done the same work. */
  readonly pods: number;
  readonly used: number;
  /** The load of each pod over its fair share, by name. */
  readonly loads: ReadonlyMap<string, number>;
}

/** What was seen since the view opened. Its samples lie at least `spacing` apart, so that hours take no more than minutes. */
export interface Trend {
  readonly first: Sample | null;
  readonly samples: readonly Sample[];
  /** Milliseconds. */
  readonly spacing: number;
}

const mostSamples = 120;
export const noTrend: Trend = { first: null, samples: [], spacing: 1000 };

/** The trend with what a report says; one that cannot tell how many pods are used adds nothing. */
export function withSample(trend: Trend, report: SkewReport, at: number): Trend {
  const { skew, pods } = report.status;
  const used = skew?.effectivePods ?? null;
  if (skew === null || used === null) return trend;
  const loads = new Map(
    pods.flatMap(({ name, load, expectedShare }): [string, number][] =>
      load === null || !expectedShare ? [] : [[name, load / expectedShare]],
    ),
  );
  const sample: Sample = { at, pods: skew.pods, used, loads };
  const first = trend.first ?? sample;
  const samples = spaced([...trend.samples, sample], trend.spacing);
  if (samples.length <= mostSamples) return { ...trend, first, samples };
  const spacing = trend.spacing * 2;
  return { first, samples: spaced(samples, spacing), spacing };
}

/** Of those that lie in one span the newest. */
function spaced(samples: readonly Sample[], spacing: number): readonly Sample[] {
  const span = (sample: Sample | undefined) => Math.floor((sample?.at ?? Number.NaN) / spacing);
  return samples.filter((sample, index) => span(sample) !== span(samples[index + 1]));
}

/** One value for each of `cells` equal parts of a time: what was true at its end; null before the first. */
export function overTime<T>(
  points: readonly { readonly at: number; readonly value: T }[],
  [from, to]: readonly [number, number],
  cells: number,
): (T | null)[] {
  return Array.from({ length: cells }, (_, cell) => {
    const end = from + ((to - from) * (cell + 1)) / cells;
    return points.findLast(({ at }) => at <= end)?.value ?? null;
  });
}

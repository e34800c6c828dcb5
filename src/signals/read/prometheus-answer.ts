import { isWithinBounds } from '../../evidence/bounds.ts';
import { err, ok, type Result } from '../../result/result.ts';
import { at, listAt, textAt } from './json.ts';

/** One time series of an answer. */
export interface Series {
  /** Of the label `__name__`; empty where a function has taken it away. */
  readonly name: string;
  readonly labels: ReadonlyMap<string, string>;
  /** In order of time: seconds since the epoch, and the value. What is no finite number is left out. */
  readonly samples: readonly (readonly [seconds: number, value: number])[];
}

/** What an answer holds. */
export interface SeriesAnswer {
  readonly series: readonly Series[];
  /** How many; their words are not kept. */
  readonly warnings: number;
}

/**
 * Reads `data` of an answer: a matrix (range vector) or a vector. Values are texts, `NaN` and `+Inf` among them; native
 * histograms stand in another field and are left out.
 * https://prometheus.io/docs/prometheus/latest/querying/api/#expression-query-result-formats
 */
export function readSeries(body: unknown): Result<SeriesAnswer, string> {
  const type = textAt(body, 'data', 'resultType');
  const result = at(body, 'data', 'result');
  if (type === 'scalar' || type === 'string') return err(`the answer is a ${type}, not series`);
  if ((type !== 'matrix' && type !== 'vector') || !Array.isArray(result)) return err('the answer has no result');
  return ok({ series: result.flatMap(readOne), warnings: listAt(body, 'warnings').length });
}

function readOne(entry: unknown): Series[] {
  const metric = at(entry, 'metric');
  if (typeof metric !== 'object' || metric === null || Array.isArray(metric)) return [];
  const labels = new Map(
    Object.entries(metric).filter((label): label is [string, string] => typeof label[1] === 'string'),
  );
  const values = listAt(entry, 'values');
  const samples = (values.length > 0 ? values : [at(entry, 'value')]).flatMap(readSample).sort(([a], [b]) => a - b);
  return samples.length === 0 ? [] : [{ name: labels.get('__name__') ?? '', labels, samples }];
}

/** The end of the year 9999, beyond which RFC 3339 has no times: milliseconds in the place of seconds are later. */
const lastSecond = 253_402_300_799;

function readSample(pair: unknown): (readonly [number, number])[] {
  if (!Array.isArray(pair)) return [];
  const [time, text] = pair;
  const value = typeof text === 'string' && text.trim() !== '' ? Number(text) : Number.NaN;
  return typeof time === 'number' && time >= 0 && time <= lastSecond && isWithinBounds(value) ? [[time, value]] : [];
}

/** The newest sample of all: what is much older than it has ended. Null without series. */
export function newestOf(series: readonly Series[]): number | null {
  return series.reduce<number | null>((newest, { samples }) => {
    const last = samples.at(-1)?.[0] ?? null;
    return last === null || (newest !== null && newest >= last) ? newest : last;
  }, null);
}

/** A counter between two of its samples. */
export interface Growth {
  readonly from: number;
  readonly to: number;
  readonly by: number;
}

/** So near to the present, in seconds, that it tells of now, and so long that a few scrapes are in it. */
const spanSeconds = 60;

/**
 * How much a counter grew lately: from its newest sample that is at least a minute older than the last one, else from
 * the first. A value below the one before began anew with its process, and all of it is new. Null with one sample.
 */
export function growthOf(samples: Series['samples']): Growth | null {
  const last = samples.at(-1);
  if (last === undefined) return null;
  const start = Math.max(
    0,
    samples.findLastIndex(([seconds]) => seconds <= last[0] - spanSeconds),
  );
  const from = samples[start]?.[0] ?? last[0];
  if (from >= last[0]) return null;
  let by = 0;
  for (let index = start + 1; index < samples.length; index++) {
    const now = samples[index]?.[1] ?? 0;
    const before = samples[index - 1]?.[1] ?? 0;
    by += now >= before ? now - before : Math.max(0, now);
  }
  return { from, to: last[0], by };
}

/** Seconds since the epoch as RFC 3339. */
export function timeOf(seconds: number): string {
  const date = new Date(Math.round(seconds * 1000));
  return Number.isNaN(date.getTime()) ? new Date(0).toISOString() : date.toISOString();
}

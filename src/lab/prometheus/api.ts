import type { Answer } from '../api/answer.ts';
import { BadQuery, evaluate, parseQuery } from './promql.ts';
import type { Labels, StoredSeries } from './store.ts';

/** Points of a range query that Prometheus gives at most. */
const mostPoints = 11_000;

/** Answers `/api/v1/query` and `/api/v1/query_range` as Prometheus does; anything else is not there. */
export function answerQuery(path: string, query: URLSearchParams, series: readonly StoredSeries[]): Answer {
  if (path === '/-/ready') return { status: 200, contentType: 'text/plain', body: 'Prometheus Server is Ready.\n' };
  try {
    if (path === '/api/v1/query') return success(instant(query, series));
    if (path === '/api/v1/query_range') return success(range(query, series));
  } catch (error) {
    if (error instanceof BadQuery || error instanceof SyntaxError) return badData(error.message);
    throw error;
  }
  return { status: 404, contentType: 'text/plain; charset=utf-8', body: '404 page not found\n' };
}

function instant(query: URLSearchParams, series: readonly StoredSeries[]): object {
  const at = timeIn(query, 'time') ?? Date.now();
  const value = evaluate(parseQuery(query.get('query') ?? ''), series, at);
  if (value.type === 'matrix')
    return { resultType: 'matrix', result: value.series.map(({ labels, samples }) => row(labels, samples)) };
  return {
    resultType: 'vector',
    result: value.series.map(({ labels, value: of }) => ({ metric: labels, value: [at / 1000, String(of)] })),
  };
}

function range(query: URLSearchParams, series: readonly StoredSeries[]): object {
  const [start, end] = [timeIn(query, 'start'), timeIn(query, 'end')];
  const step = Number(query.get('step')) * 1000;
  if (start === null || end === null || !(step > 0)) throw new BadQuery('invalid parameter "start", "end" or "step"');
  if ((end - start) / step > mostPoints)
    throw new BadQuery('exceeded maximum resolution of 11,000 points per timeseries');
  const expression = parseQuery(query.get('query') ?? '');
  const rows = new Map<string, { labels: Labels; samples: (readonly [number, number])[] }>();
  for (let at = start; at <= end; at += step) {
    const value = evaluate(expression, series, at);
    if (value.type !== 'vector') throw new BadQuery('invalid expression type "range vector" for range query');
    for (const { labels, value: of } of value.series) {
      const key = JSON.stringify(labels);
      const found = rows.get(key) ?? { labels, samples: [] };
      found.samples.push([at, of]);
      rows.set(key, found);
    }
  }
  return { resultType: 'matrix', result: [...rows.values()].map(({ labels, samples }) => row(labels, samples)) };
}

function row(metric: Labels, samples: readonly (readonly [number, number])[]): object {
  return { metric, values: samples.map(([at, value]) => [at / 1000, String(value)]) };
}

/** Seconds since the epoch or RFC 3339, in milliseconds. */
function timeIn(query: URLSearchParams, name: string): number | null {
  const text = query.get(name);
  if (text === null) return null;
  const seconds = Number(text);
  const at = Number.isNaN(seconds) ? Date.parse(text) : seconds * 1000;
  if (Number.isNaN(at)) throw new BadQuery(`invalid parameter "${name}": cannot parse "${text}" to a valid timestamp`);
  return at;
}

function success(data: object): Answer {
  return { status: 200, contentType: 'application/json', body: JSON.stringify({ status: 'success', data }) };
}

function badData(error: string): Answer {
  const body = JSON.stringify({ status: 'error', errorType: 'bad_data', error: `invalid parameter "query": ${error}` });
  return { status: 400, contentType: 'application/json', body };
}

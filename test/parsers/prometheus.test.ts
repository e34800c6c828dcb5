import { describe, expect, it } from 'vitest';
import { growthOf, readSeries } from '../../src/signals/read/prometheus-answer.ts';

const success = (data: unknown, more: object = {}) => ({ status: 'success', data, ...more });
const matrix = (values: readonly unknown[], metric: object = { __name__: 'up' }) =>
  success({ resultType: 'matrix', result: [{ metric, values }] });

function seriesOf(body: unknown) {
  const read = readSeries(body);
  if (!read.ok) throw new Error(read.error);
  return read.value.series;
}

describe('an answer of Prometheus', () => {
  it('gives the samples of a range, in order of time', () => {
    const [one] = seriesOf(
      matrix(
        [
          [20, '3'],
          [10, '1.5'],
        ],
        { __name__: 'x_total', pod: 'echo-0' },
      ),
    );
    expect(one?.name).toBe('x_total');
    expect(one?.labels.get('pod')).toBe('echo-0');
    expect(one?.samples).toEqual([
      [10, 1.5],
      [20, 3],
    ]);
  });

  it('gives the one sample of a vector, whose name a function has taken away', () => {
    const body = success({ resultType: 'vector', result: [{ metric: { pod: 'echo-0' }, value: [10, '7'] }] });
    expect(seriesOf(body)).toMatchObject([{ name: '', samples: [[10, 7]] }]);
  });

  it.each([
    ['NaN', [[10, 'NaN']]],
    ['+Inf', [[10, '+Inf']]],
    ['more than can be added up', [[10, '1e308']]],
    ['-Inf', [[10, '-Inf']]],
    ['no text', [[10, '']]],
    ['a number, where Prometheus writes a text', [[10, 7]]],
    ['no time', [['10', '7']]],
    ['of a time in milliseconds', [[1_700_000_000_000, '7']]],
    ['of a time before all', [[-1, '7']]],
    ['no pair', [7, null, {}, []]],
  ])('leaves a sample out that is %s, and a series without any other', (_name, values) => {
    expect(seriesOf(matrix(values))).toEqual([]);
    expect(seriesOf(matrix([...values, [20, '1']]))[0]?.samples).toEqual([[20, 1]]);
  });

  it('may be empty', () => {
    expect(readSeries(success({ resultType: 'vector', result: [] }))).toEqual({
      ok: true,
      value: { series: [], warnings: 0 },
    });
  });

  it('counts its warnings beside the data, and keeps none of their words', () => {
    const read = readSeries({ ...matrix([[1, '1']]), warnings: ['a store did not answer', 7] });
    expect(read).toMatchObject({ ok: true, value: { warnings: 2 } });
    expect(JSON.stringify(read)).not.toContain('store');
  });

  it.each([
    ['a scalar', success({ resultType: 'scalar', result: [1, '1'] }), 'the answer is a scalar, not series'],
    ['a string', success({ resultType: 'string', result: [1, 'x'] }), 'the answer is a string, not series'],
    ['no data', { status: 'success' }, 'the answer has no result'],
    ['a matrix that is none', success({ resultType: 'matrix', result: {} }), 'the answer has no result'],
    ['of a type that nobody knows', success({ resultType: 'x'.repeat(9999), result: [] }), 'the answer has no result'],
    ['nothing', null, 'the answer has no result'],
  ])('is refused in a line where it is %s', (_name, body, message) => {
    expect(readSeries(body)).toEqual({ ok: false, error: message });
  });

  it('passes over what is no series, and native histograms', () => {
    const result = [null, 7, { metric: [] }, { metric: { __name__: 'h' }, histograms: [[1, {}]] }, {}];
    expect(readSeries(success({ resultType: 'matrix', result }))).toEqual({
      ok: true,
      value: { series: [], warnings: 0 },
    });
  });

  it('has ten thousand series', () => {
    const result = Array.from({ length: 10_000 }, (_, index) => ({
      metric: { __name__: 'x_total', pod: `echo-${index}` },
      values: Array.from({ length: 20 }, (__, at) => [at * 15, String(index * at)]),
    }));
    const read = seriesOf(success({ resultType: 'matrix', result }));
    expect(read).toHaveLength(10_000);
    expect(read.at(-1)?.samples.at(-1)).toEqual([285, 9999 * 19]);
  });
});

describe('the growth of a counter', () => {
  it('is that of the last minute, from a sample that is at least so old', () => {
    // At a scrape every 15 s the newest sample that is 60 s older than the one at 120 is that at 60.
    const samples = [0, 15, 30, 45, 60, 75, 90, 105, 120].map((at) => [at, at * 2] as const);
    expect(growthOf(samples)).toEqual({ from: 60, to: 120, by: 120 });
  });

  it('is all that there is where that is less', () => {
    expect(
      growthOf([
        [100, 5],
        [130, 8],
      ]),
    ).toEqual({ from: 100, to: 130, by: 3 });
  });

  it('counts from 0 after a process began anew', () => {
    // 10 → 14, then a new process that has counted 3, then 5: 4 + 3 + 2.
    expect(
      growthOf([
        [0, 10],
        [20, 14],
        [40, 3],
        [60, 5],
      ]),
    ).toEqual({ from: 0, to: 60, by: 9 });
  });

  it('is not known from one sample, or from none', () => {
    expect(growthOf([[0, 10]])).toBeNull();
    expect(growthOf([])).toBeNull();
  });
});

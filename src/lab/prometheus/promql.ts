import type { Labels, StoredSeries } from './store.ts';

/** The part of PromQL that the lab's Prometheus speaks: selectors, ranges, `rate` and `sum by`. */
export type Expression =
  | { readonly kind: 'select'; readonly matchers: readonly Matcher[]; readonly rangeMs: number | null }
  | { readonly kind: 'rate'; readonly of: Expression }
  | { readonly kind: 'sum'; readonly by: readonly string[]; readonly of: Expression };

interface Matcher {
  readonly label: string;
  matches(value: string): boolean;
}

/** What an expression gives at one moment: raw samples of a range, or one value a series. */
export type Value =
  | { readonly type: 'matrix'; readonly series: readonly StoredSeries[] }
  | { readonly type: 'vector'; readonly series: readonly { readonly labels: Labels; readonly value: number }[] };

/** A query that this Prometheus does not understand, or one that makes no sense. */
export class BadQuery extends Error {}

/** How old the newest sample may be that stands for now: Prometheus' default. */
const lookbackMs = 300_000;

export function parseQuery(text: string): Expression {
  const reader = { text, at: 0 };
  const expression = readExpression(reader);
  skip(reader);
  if (reader.at < text.length) throw unexpected(reader);
  return expression;
}

interface Reader {
  readonly text: string;
  at: number;
}

function readExpression(reader: Reader): Expression {
  const name = readWord(reader);
  if (name === 'sum') {
    const before = readBy(reader);
    expect(reader, '(');
    const of = readExpression(reader);
    expect(reader, ')');
    return { kind: 'sum', by: before ?? readBy(reader) ?? [], of };
  }
  if (name === 'rate') {
    expect(reader, '(');
    const of = readExpression(reader);
    expect(reader, ')');
    if (of.kind !== 'select' || of.rangeMs === null)
      throw new BadQuery('expected type range vector in call to function "rate", got instant vector');
    return { kind: 'rate', of };
  }
  return readSelector(reader, name);
}

function readBy(reader: Reader): string[] | null {
  const start = reader.at;
  if (readWord(reader) !== 'by') {
    reader.at = start;
    return null;
  }
  const labels: string[] = [];
  expect(reader, '(');
  while (!take(reader, ')')) {
    labels.push(readWord(reader));
    take(reader, ',');
  }
  return labels;
}

function readSelector(reader: Reader, name: string): Expression {
  const matchers: Matcher[] = name === '' ? [] : [matcherOf('__name__', '=', name)];
  if (take(reader, '{'))
    while (!take(reader, '}')) {
      const label = readWord(reader);
      const operator = ['=~', '!~', '!=', '='].find((one) => take(reader, one));
      if (label === '' || operator === undefined) throw unexpected(reader);
      matchers.push(matcherOf(label, operator, readText(reader)));
      take(reader, ',');
    }
  if (matchers.length === 0) throw unexpected(reader);
  if (!take(reader, '[')) return { kind: 'select', matchers, rangeMs: null };
  const duration = /^(\d+)(ms|s|m|h)\]/.exec(reader.text.slice(reader.at));
  if (duration === null) throw unexpected(reader);
  reader.at += duration[0].length;
  return { kind: 'select', matchers, rangeMs: Number(duration[1]) * (unitMs[duration[2] ?? ''] ?? 0) };
}

const unitMs: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

function matcherOf(label: string, operator: string, text: string): Matcher {
  if (operator === '=' || operator === '!=') {
    const wanted = operator === '=';
    return { label, matches: (value) => (value === text) === wanted };
  }
  const pattern = new RegExp(`^(?:${text})$`);
  return { label, matches: (value) => pattern.test(value) === (operator === '=~') };
}

function readWord(reader: Reader): string {
  skip(reader);
  const word = /^[a-zA-Z_][\w:]*/.exec(reader.text.slice(reader.at))?.[0] ?? '';
  reader.at += word.length;
  return word;
}

function readText(reader: Reader): string {
  skip(reader);
  const quoted = /^"(?:[^"\\]|\\.)*"/.exec(reader.text.slice(reader.at))?.[0];
  if (quoted === undefined) throw unexpected(reader);
  reader.at += quoted.length;
  return JSON.parse(quoted) as string;
}

function skip(reader: Reader): void {
  while (/\s/.test(reader.text.charAt(reader.at))) reader.at++;
}

function take(reader: Reader, text: string): boolean {
  skip(reader);
  if (!reader.text.startsWith(text, reader.at)) return false;
  reader.at += text.length;
  return true;
}

function expect(reader: Reader, text: string): void {
  if (!take(reader, text)) throw unexpected(reader);
}

function unexpected(reader: Reader): BadQuery {
  const found = reader.text.charAt(reader.at);
  return new BadQuery(`1:${reader.at + 1}: parse error: unexpected ${found === '' ? 'end of input' : `"${found}"`}`);
}

/** Evaluates an expression at one moment, in milliseconds since the epoch. */
export function evaluate(expression: Expression, series: readonly StoredSeries[], at: number): Value {
  switch (expression.kind) {
    case 'select': {
      const fitting = series.filter(({ labels }) =>
        expression.matchers.every(({ label, matches }) => matches(labels[label] ?? '')),
      );
      const { rangeMs } = expression;
      if (rangeMs !== null) return { type: 'matrix', series: fitting.flatMap((one) => within(one, at - rangeMs, at)) };
      return {
        type: 'vector',
        series: fitting.flatMap((one) => {
          const last = within(one, at - lookbackMs, at)[0]?.samples.at(-1);
          return last === undefined ? [] : [{ labels: one.labels, value: last[1] }];
        }),
      };
    }
    case 'rate': {
      const ranges = evaluate(expression.of, series, at);
      if (ranges.type !== 'matrix') throw new BadQuery('expected type range vector');
      return { type: 'vector', series: ranges.series.flatMap(rateOf) };
    }
    case 'sum': {
      const of = evaluate(expression.of, series, at);
      if (of.type !== 'vector') throw new BadQuery('expected type instant vector in aggregation expression');
      return { type: 'vector', series: sumBy(expression.by, of.series) };
    }
  }
}

function within({ labels, samples }: StoredSeries, from: number, to: number): StoredSeries[] {
  const inside = samples.filter(([at]) => at > from && at <= to);
  return inside.length === 0 ? [] : [{ labels, samples: inside }];
}

function rateOf({ labels, samples }: StoredSeries): { labels: Labels; value: number }[] {
  const [first, last] = [samples[0], samples.at(-1)];
  if (first === undefined || last === undefined || last[0] <= first[0]) return [];
  const grown = samples.reduce((sum, [, value], index) => {
    const before = samples[index - 1]?.[1] ?? value;
    return sum + (value >= before ? value - before : value);
  }, 0);
  const { __name__: _name, ...rest } = labels;
  return [{ labels: rest, value: grown / ((last[0] - first[0]) / 1000) }];
}

function sumBy(
  by: readonly string[],
  series: readonly { readonly labels: Labels; readonly value: number }[],
): { labels: Labels; value: number }[] {
  const sums = new Map<string, { labels: Labels; value: number }>();
  for (const { labels, value } of series) {
    const kept = Object.fromEntries(
      by.flatMap((label) => (labels[label] === undefined ? [] : [[label, labels[label]]])),
    );
    const key = JSON.stringify(kept);
    const before = sums.get(key)?.value ?? 0;
    sums.set(key, { labels: kept, value: before + value });
  }
  return [...sums.values()];
}

import { isWithinBounds } from '../../evidence/bounds.ts';

/** One sample of a metrics page. */
export interface Sample {
  readonly name: string;
  readonly labels: ReadonlyMap<string, string>;
  readonly value: number;
}

/**
 * Reads the Prometheus exposition format and OpenMetrics, whose samples are written alike.
 * https://github.com/prometheus/docs/blob/main/docs/instrumenting/exposition_formats.md and OpenMetrics 1.0: a name,
 * labels in braces, a value; timestamps and exemplars after it are of no use here. Lines that cannot be read are passed
 * over: of a torn page the rest still counts. No maintained package reads both formats.
 * @param wanted only samples of these names are kept: pages may hold tens of thousands of others
 */
export function readExposition(text: string, wanted: (name: string) => boolean): Sample[] {
  const samples: Sample[] = [];
  for (const line of text.split('\n')) {
    const end = line.length > mostLine ? 0 : nameEnd(line);
    if (end === 0) continue;
    const name = line.slice(0, end);
    if (!wanted(name)) continue;
    const sample = readSample(name, line, end);
    if (sample !== null) samples.push(sample);
  }
  return samples;
}

/** Characters of a line; a sample with thirty labels has a thousand. */
const mostLine = 64 << 10;

/** Length of the metric name at the start of a line; 0 for comments, blank lines and what is no sample. */
function nameEnd(line: string): number {
  let at = 0;
  while (at < line.length && /[\w:]/.test(line.charAt(at))) at++;
  return at;
}

function readSample(name: string, line: string, from: number): Sample | null {
  const labels = new Map<string, string>();
  let at = skipBlanks(line, from);
  if (line[at] === '{') {
    const after = readLabels(line, at + 1, labels);
    if (after === null) return null;
    at = skipBlanks(line, after);
  }
  const word = /^\S+/.exec(line.slice(at, at + 64))?.[0];
  const value = word === undefined ? Number.NaN : Number(word.replace(/^([+-]?)Inf$/i, '$1Infinity'));
  return isWithinBounds(value) ? { name, labels, value } : null;
}

/** Reads `a="b",c="d"}`; answers the place after the brace. In values \\ \" and \n are escaped. */
function readLabels(line: string, from: number, labels: Map<string, string>): number | null {
  let at = from;
  for (;;) {
    at = skipBlanks(line, at);
    if (line[at] === '}') return at + 1;
    const equals = line.indexOf('=', at);
    if (equals < 0) return null;
    const key = line.slice(at, equals).trim();
    const quote = skipBlanks(line, equals + 1);
    if (line[quote] !== '"') return null;
    let value = '';
    at = quote + 1;
    while (line[at] !== '"') {
      if (at >= line.length) return null;
      if (line[at] === '\\') {
        at++;
        value += line[at] === 'n' ? '\n' : (line[at] ?? '');
      } else value += line[at];
      at++;
    }
    labels.set(key, value);
    at = skipBlanks(line, at + 1);
    if (line[at] === ',') at++;
  }
}

function skipBlanks(line: string, from: number): number {
  let at = from;
  while (line[at] === ' ' || line[at] === '\t') at++;
  return at;
}

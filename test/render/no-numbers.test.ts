import fc from 'fast-check';
import { expect, test } from 'vitest';
import { diagnosePorts } from '../../src/diagnose.ts';
import type { SkewEvidence } from '../../src/evidence/schema.ts';
import { lowerFirst } from '../../src/render/error.ts';
import * as numbers from '../../src/render/numbers.ts';
import { renderReports } from '../../src/render/report.ts';
import * as words from '../../src/report/words.ts';
import { buildEvidence } from '../diagnose/build.ts';
import { evidenceOf } from '../diagnose/recorded.ts';

const noNumber = /NaN|Infinity|undefined/;
const any = fc.oneof(
  fc.double(),
  fc.constantFrom(Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0, -0, 1e308),
);
const { share, amount, bytes, millicores, pods, factor, probability, duration, age } = numbers;
const { percent, figure } = words;

test.each(
  Object.entries({
    share,
    amount,
    bytes,
    millicores,
    pods,
    factor,
    probability,
    duration,
    age,
    percent,
    figure,
    clock: words.clock,
    chance: words.probability,
    ages: words.duration,
  }),
)('%s never writes what is no number', (_name, format) => {
  fc.assert(fc.property(any, (value) => !noNumber.test((format as (value: number) => string)(value))));
});

/** The numbers of some places are another, 0 above all: limits, windows, counters, times of a look. */
function withNumbers(evidence: SkewEvidence, picks: readonly number[], value: number): SkewEvidence {
  const copy = structuredClone(evidence);
  const places: [Record<string, unknown>, string][] = [];
  const visit = (part: unknown): void => {
    if (typeof part !== 'object' || part === null) return;
    for (const [key, inner] of Object.entries(part)) {
      if (typeof inner === 'number' && !/[pP]ort$/.test(key)) places.push([part as Record<string, unknown>, key]);
      visit(inner);
    }
  };
  visit(copy);
  const keys = new Set(picks.map((pick) => places[pick % places.length]?.[1]));
  for (const [holder, key] of places) if (keys.has(key)) holder[key] = value;
  return copy;
}

test.each(['built', 'skew-scaleup', 'hpa-blind', 'probe-broken'])(
  '%s with zeros and other extremes: no report says NaN or Infinity',
  async (name) => {
    const evidence =
      name === 'built'
        ? buildEvidence({
            pods: [{ name: 'echo-1' }, { name: 'echo-2' }],
            clients: [{ name: 'web-1' }],
            connections: [{ from: 'web-1', to: 'echo-1' }],
          })
        : await evidenceOf(name);
    fc.assert(
      fc.property(
        fc.array(fc.nat(), { minLength: 1, maxLength: 5 }),
        fc.constantFrom(0, 0, 0, 1, 1e-9, 1e15),
        (picks, value) => {
          const diagnosis = diagnosePorts(withNumbers(evidence, picks, value), { clients: null });
          if (!diagnosis.ok) return;
          for (const output of ['wide', 'markdown', 'yaml', 'chat', 'html'] as const)
            expect(
              renderReports(
                diagnosis.value,
                { output, color: 'never' },
                { env: {}, stdoutIsTerminal: false, columns: null },
              ),
            ).not.toMatch(noNumber);
        },
      ),
      { numRuns: 25 },
    );
  },
  120_000,
);

test.each([
  ['HTTP 302 came', 'HTTP 302 came'],
  ['NODE_EXTRA_CA_CERTS may name a file', 'NODE_EXTRA_CA_CERTS may name a file'],
  ['DaemonSet pods only', 'DaemonSet pods only'],
  ['Check the network', 'check the network'],
  ['A proxy is in the way', 'a proxy is in the way'],
  ['', ''],
])('after a semicolon %j is %j', (sentence, expected) => {
  expect(lowerFirst(sentence)).toBe(expected);
});

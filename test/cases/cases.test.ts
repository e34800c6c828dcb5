/** Every public case as Evidence: what is said of it, held against what its report established. */
import { readdirSync, readFileSync } from 'node:fs';
import Value from 'typebox/value';
import { describe, expect, it } from 'vitest';
import { buildEvidence } from '../diagnose/build.ts';
import { reportOf } from '../diagnose/report.ts';
import { harmfulReliefs } from '../diagnose/served.ts';
import { allowed, type PublicCase, scoreOf } from './case.ts';
import { judge, keepScore } from './judge.ts';

/** Cases that come out wrong, with the reason. A case that comes out right must leave the list, so it can only shrink. */
const wrongYet: Readonly<Record<number, string>> = {};

const folder = new URL('.', import.meta.url);
const published = JSON.parse(
  readFileSync(new URL('../../schemas/skewevidence-v1alpha1.json', import.meta.url), 'utf8'),
);

const cases = await Promise.all(
  readdirSync(folder)
    .filter((file) => /^\d{3}-.*\.ts$/.test(file))
    .map(async (file) => {
      const module: { publicCase: PublicCase } = await import(new URL(file, folder).href);
      return { number: Number(file.slice(0, 3)), file, ...module.publicCase };
    }),
);

describe.each(cases)('$file: $title', ({ number, mark, plan, options, expected }) => {
  const evidence = buildEvidence(plan);

  it('is Evidence by the published schema', () => {
    expect(Value.Errors(published, evidence)).toEqual([]);
  });

  it(number in wrongYet ? 'comes out wrong yet' : 'comes out as its report calls for', () => {
    const report = reportOf(evidence, options);
    const { status } = report;
    expect(harmfulReliefs(report)).toEqual([]);
    const { result, why } = scoreOf(status, expected);
    keepScore({ number, result, why });
    if (mark === 'E' && expected.lacks === undefined)
      judge(status, { causes: allowed(expected), state: expected.state });
    if (number in wrongYet) expect(result, 'right by now: take it off the list').not.toBe('right');
    else expect(why).toBe('');
  });
});

it('lists no case that does not exist', () => {
  expect(Object.keys(wrongYet).filter((number) => !cases.some((entry) => entry.number === Number(number)))).toEqual([]);
});

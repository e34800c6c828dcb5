/**
 * 300 runs of the simulation, with fixed seeds: how often the program is right about a truth that it did not make.
 *
 * `kept.json` holds the figures as they were last kept, with `npm run truth -- --keep`. They are a floor: a change of the program
 * may not make any of them worse. They are what was measured, not what is aimed at; who makes one better keeps it.
 */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { families } from '../../bench/truth/families/all.ts';
import { openProgram } from '../../bench/truth/program.ts';
import { extraOf, sampleOf, scoreCase } from '../../bench/truth/score.ts';
import { overallLines, type Part, type Summary, summarise } from '../../bench/truth/tables.ts';

const kept: Summary = JSON.parse(readFileSync(new URL('kept.json', import.meta.url), 'utf8'));

const rate = ({ right, of }: Part) => (of === 0 ? 1 : right / of);

/** The figures of which more is better, by name. */
function figuresOf({
  causes,
  states,
  named,
  predictions,
  again,
  pairs,
  advice,
  runs,
}: Summary): Record<string, number> {
  const { 'no-gain': noGain, worse, missed, other, harmful } = advice;
  return {
    ...Object.fromEntries(Object.entries(causes).map(([confidence, part]) => [`causes ${confidence}`, rate(part)])),
    ...Object.fromEntries(
      (['certain', 'likely'] as const).map((confidence) => [`states ${confidence}`, rate(states[confidence])]),
    ),
    ...{
      'states not wrong': 1 - rate(states.wrong),
      'no false fault': 1 - rate(states['false-fault']),
      'states known': 1 - rate(states.open),
    },
    ...{ 'a true cause named': rate(named.atAll), 'named first': rate(named.first) },
    ...{
      'advice right': 1 - (noGain + worse + missed + other + harmful) / runs,
      'advice not harmful': 1 - harmful / runs,
    },
    ...{ 'futures in range': rate(predictions.inside), 'another look': rate(again) },
    ...Object.fromEntries(Object.entries(pairs).map(([kind, part]) => [`shown otherwise: ${kind}`, rate(part)])),
  };
}

it('the program is right at least as often as was kept', { timeout: 180_000 }, async ({ task }) => {
  const program = await openProgram();
  const summary = summarise([...sampleOf(families).entries()].map(([at, one]) => scoreCase(one, program, extraOf(at))));
  task.meta.truth = overallLines(summary);
  const [now, floor] = [figuresOf(summary), figuresOf(kept)];
  const worse = Object.entries(floor).filter(([name, least]) => (now[name] ?? 0) < least - 1e-9);
  expect(worse.map(([name, least]) => `${name}: ${now[name]?.toFixed(4)}, kept ${least.toFixed(4)}`)).toEqual([]);
  expect(summary.runs).toBe(kept.runs);
});

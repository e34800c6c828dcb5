import { expect, test } from 'vitest';
import { compute } from '../../src/commands/compute.ts';

const large = ' '.repeat(9 << 20);

/** What a run does that is interrupted by `interrupt` when it is about to compute. */
async function computeAfter(interrupt: (abort: () => void) => void, of: string) {
  const controller = new AbortController();
  const done: string[] = [];
  const host = {
    interrupted: controller.signal,
    atTheMercyOfSignals: <T>(work: () => T) => {
      done.push('at the mercy of signals');
      return work();
    },
  };
  interrupt(() => controller.abort());
  const answer = await compute(host, of, () => done.push('computed') > 0);
  return { answer, done };
}

test.each(['small', large])('what has come before is heard first: nothing is computed', async (of) => {
  // As a key or a signal: it waits in the queue of the system, behind what runs.
  expect(await computeAfter((abort) => setImmediate(abort), of)).toEqual({ answer: null, done: [] });
});

test('what is large leaves signals to the system, what is small does not', async () => {
  expect(await computeAfter(() => {}, large)).toEqual({ answer: true, done: ['at the mercy of signals', 'computed'] });
  expect(await computeAfter(() => {}, 'small')).toEqual({ answer: true, done: ['computed'] });
});

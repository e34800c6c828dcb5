/** What `npm run mutants` changes, and that each change is the one that is said. */
import { expect, it } from 'vitest';
import { type Mutant, mutantsOf, type SourceFile, sourceFile } from '../../scripts/mutants/changes.ts';
import { instrument } from '../../scripts/mutants/instrument.ts';
import { MutantSwitch, OutOfTime } from '../../scripts/mutants/switch.ts';

const fileOf = (text: string, path = 'a.ts') => sourceFile(path, text);
const changesOf = (text: string) => mutantsOf(fileOf(text), [fileOf(text)]).map(({ change }) => change);

it.each([
  ['f(() => a < b)', ['a < b → a <= b', 'a < b → a >= b']],
  ['f(() => a === b)', ['a === b → a !== b']],
  ['f(() => a + 20)', ['a + 20 → a + 22', 'a + 20 → a + 18']],
  ['f(() => a + 2)', ['a + 2 → a + 3', 'a + 2 → a + 1']],
  ['f(() => a + 0.5)', ['a + 0.5 → a + 0.55', 'a + 0.5 → a + 0.45']],
  ['f(() => a + 0)', []],
  ['f(() => a.every(g))', ['a.every(g) → a.some(g)']],
  ['f(() => a && b && c)', ['&& without a', '&& without b', '&& without c']],
  ['f(() => a ?? b)', []],
  ['f(() => !a)', ['!a → a']],
  ['type A = 1 | 2; const b: 3 | A = f();', []],
  // Which of two equals comes first is no matter.
  ['a.toSorted((b, c) => (b < c ? d : e))', ['b < c → b >= c']],
])('%s', (text, changes) => {
  expect(changesOf(text)).toEqual(changes);
});

/** Runs a function of a file as it is, and as each of its mutants. */
function runAll(text: string, call: string): { readonly original: unknown; readonly mutants: Record<string, unknown> } {
  const file = fileOf(text);
  const numbered = mutantsOf(file, [file]).map((mutant, number) => ({ ...mutant, number }));
  const result = (mutant: (Mutant & { readonly number: number }) | null) => {
    const mutantSwitch = new MutantSwitch(() => true);
    if (mutant !== null) mutantSwitch.activate(mutant.number);
    return new Function('mutantSwitch', `${instrument(file, numbered)}; return ${call};`)(mutantSwitch) as unknown;
  };
  return {
    original: result(null),
    mutants: Object.fromEntries(numbered.map((mutant) => [mutant.change, result(mutant)])),
  };
}

it('each mutant computes what its change says', () => {
  const { original, mutants } = runAll(
    'const f = (a, b) => a > 1 && !(b <= 10)',
    '[f(1, 11), f(2, 10), f(2, 11)].join()',
  );
  expect(original).toBe('false,false,true');
  expect(mutants).toEqual({
    'a > 1 → a >= 1': 'true,false,true',
    'a > 1 → a <= 1': 'true,false,false',
    'a > 1 → a > 2': 'false,false,false',
    'a > 1 → a > 0': 'true,false,true',
    '&& without a > 1': 'true,false,true',
    '&& without !(b <= 10)': 'false,true,true',
    '!(b <= 10) → (b <= 10)': 'false,true,false',
    'b <= 10 → b < 10': 'false,true,true',
    'b <= 10 → b > 10': 'false,true,false',
    'b <= 10 → b <= 11': 'false,false,false',
    'b <= 10 → b <= 9': 'false,true,true',
  });
});

it('a constant and a number of a table are changed where they are read, in other files, too', () => {
  const table = fileOf('export const limits = { most: 20 } as const; export const least = 5;', 'limits.ts');
  const reader = fileOf("import { least, limits } from './limits.ts'; f(() => a > limits.most || b < least);", 'b.ts');
  const places = mutantsOf(table, [table, reader]).map(({ change, places: [place] }) => [
    change,
    place?.file,
    place?.text,
  ]);
  expect(places).toEqual([
    ['most: 20 → most: 22', 'b.ts', 'a > (22) || b < least'],
    ['most: 20 → most: 18', 'b.ts', 'a > (18) || b < least'],
    ['least = 5 → least = 6', 'b.ts', 'a > limits.most || b < (6)'],
    ['least = 5 → least = 4', 'b.ts', 'a > limits.most || b < (4)'],
  ]);
});

it('a change that is made twice in a file has two names, which lines do not move', () => {
  const text = 'f(() => a < b);\nf(() => a < b);';
  expect(changesOf(text)).toEqual(['a < b → a <= b', 'a < b → a >= b', 'a < b → a <= b (2)', 'a < b → a >= b (2)']);
  expect(changesOf(`\n\n${text}`)).toEqual(changesOf(text));
});

const probed = async (text: string, call: string): Promise<string[]> => {
  const file: SourceFile = fileOf(text);
  const numbered = mutantsOf(file, [file]).map((mutant, number) => ({ ...mutant, number }));
  const mutantSwitch = new MutantSwitch(() => true);
  const run = new Function('mutantSwitch', `${instrument(file, numbered)}; return () => ${call};`)(mutantSwitch);
  const { different } = await mutantSwitch.probe(run);
  return [...different].map((number) => numbered[number]?.change ?? '');
};

it('a run tells which changes make a difference to it', async () => {
  expect(await probed('const f = (a) => a > 10;', 'f(5)')).toEqual(['a > 10 → a <= 10']);
  expect(await probed('const f = (a) => a > 10;', 'f(10)')).toEqual([
    'a > 10 → a >= 10',
    'a > 10 → a <= 10',
    'a > 10 → a > 9',
  ]);
});

it('a mutant that does not come to an end is stopped', async () => {
  const file = fileOf('const f = (n) => { let a = n; while (a > 1) a -= 1; return a; };');
  const numbered = mutantsOf(file, [file]).map((mutant, number) => ({ ...mutant, number }));
  const mutantSwitch = new MutantSwitch(() => true);
  const run = new Function('mutantSwitch', `${instrument(file, numbered)}; return () => f(9);`)(mutantSwitch);
  const endless = numbered.find(({ change }) => change === 'a -= 1 → a -= 0');
  await expect(mutantSwitch.run(endless?.number ?? -1, 1000, 10_000, run)).rejects.toThrow(OutOfTime);
});

it('what is remembered between calls does not outlive a run', async () => {
  const file = fileOf('const known = new Map(); const f = () => { known.set(known.size, true); return known.size; };');
  const mutantSwitch = new MutantSwitch(() => true);
  const run = new Function('mutantSwitch', `${instrument(file, [])}; return f;`)(mutantSwitch);
  const sizes: number[] = [];
  for (let round = 0; round < 2; round++) await mutantSwitch.probe(() => sizes.push(run(), run()));
  expect(sizes).toEqual([1, 2, 1, 2]);
});

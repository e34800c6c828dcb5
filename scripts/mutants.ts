// Holds the tests against small changes of the program: each must make a test fail. Nothing is written to the tree: the
// changed program exists in memory only.
import { createHash } from 'node:crypto';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { startVitest } from 'vitest/node';
import { mutantsOf, sourceFile } from './mutants/changes.ts';
import { excused } from './mutants/excused.ts';
import { instrument, type Numbered } from './mutants/instrument.ts';
import { Ledger } from './mutants/switch.ts';

/** Where thresholds and conditions of the verdict stand, and the tests that are near to them. */
const folders = ['src/causes', 'src/facts', 'src/figures', 'src/strategies', 'src/verdict'];
const nearestTests = ['test/thresholds/', 'test/diagnose/', 'test/figures/'];

const help = `Usage: npm run mutants -- [options]

Changes one comparison, number, clause or negation at a time and prints the changes that no test notices.

  --files PART   only files whose path contains PART (repeatable)
  --tests PART   only tests whose path contains PART (repeatable; default: ${nearestTests.join(', ')})
  --sample N     only N of the changes, the same ones each time
  --seed S       another sample (default: 1)
  --min PERCENT  fails when fewer are noticed (default: 95)
  --json         the result as JSON
`;

const { values: flags } = parseArgs({
  options: {
    files: { type: 'string', multiple: true },
    tests: { type: 'string', multiple: true },
    sample: { type: 'string' },
    seed: { type: 'string', default: '1' },
    min: { type: 'string', default: '95' },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

/** In so many tests of one file a change of a sample is tried, so that a run of CI ends within minutes. */
const triesInSample = 12;

/** All that may read a number of these folders. The lab knows nothing of them. */
const files = globSync('src/**/*.ts', { exclude: ['src/lab/**'] })
  .sort()
  .map((path) => sourceFile(path, readFileSync(path, 'utf8')));

const keyOf = ({ file, change }: { file: string; change: string }) => `${file}: ${change}`;

function chosenMutants(): { readonly mutants: readonly Numbered[]; readonly stale: readonly string[] } {
  const all = files
    .filter(({ path }) => folders.some((folder) => path.startsWith(`${folder}/`)))
    .flatMap((file) => mutantsOf(file, files));
  const keys = new Set(all.map(keyOf));
  const held = all
    .filter((mutant) => excused[keyOf(mutant)] === undefined)
    .filter(({ file }) => flags.files?.some((part) => file.includes(part)) ?? true);
  // By the name of the file alone, so that a folder that is renamed leaves the sample as it is.
  const drawn = ({ file, change }: (typeof all)[number]) =>
    createHash('sha256')
      .update(`${flags.seed} ${basename(file)} ${change}`)
      .digest('hex');
  const sample =
    flags.sample === undefined
      ? held
      : held.toSorted((a, b) => (drawn(a) < drawn(b) ? -1 : 1)).slice(0, Number(flags.sample));
  return {
    mutants: sample.map((mutant, number) => ({ ...mutant, number })),
    stale: Object.keys(excused).filter((key) => !keys.has(key)),
  };
}

/** Runs the nearest tests over the program with all these mutants in it. False when one fails. */
async function runTests(mutants: readonly Numbered[], more: { readonly bail: number }): Promise<boolean> {
  const transform = (_: string, id: string) => {
    const file = files.find(({ path }) => path === relative(process.cwd(), id));
    return file === undefined ? null : instrument(file, mutants);
  };
  const vitest = await startVitest(
    'test',
    flags.tests ?? nearestTests,
    {
      config: false,
      include: ['test/**/*.test.ts'],
      runner: './scripts/mutants/runner.ts',
      pool: 'forks',
      isolate: false,
      maxWorkers: 2,
      watch: false,
      // A program with mutants in it must not be found by other runs.
      fsModuleCache: false,
      env: { FORCE_COLOR: '0', TZ: 'UTC' },
      // A test that is run for many mutants takes long, and each of these runs has its own limit.
      testTimeout: 600_000,
      reporters: [],
      ...more,
    },
    { plugins: [{ name: 'mutants', enforce: 'pre', transform }] },
  );
  const failed = vitest.state.getTestModules().filter((module) => !module.ok());
  const names = failed.flatMap((module) => [
    ...module.errors().map(({ message }) => `${module.moduleId}: ${message}`),
    ...[...module.children.allTests('failed')].map(({ fullName }) => `${module.moduleId}: ${fullName}`),
  ]);
  await vitest.close();
  if (failed.length > 0 && more.bail === 0) throw new Error(`without any change there fail:\n${names.join('\n')}`);
  return failed.length === 0;
}

interface Result {
  readonly mutants: number;
  readonly killed: number;
  readonly survivors: readonly {
    readonly file: string;
    readonly line: number;
    readonly change: string;
    readonly reached: boolean;
  }[];
}

async function hold(mutants: readonly Numbered[]): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'mutants-'));
  const ledger = new Ledger(join(folder, 'ledger'), mutants.length);
  process.env['MUTANTS_LEDGER'] = join(folder, 'ledger');
  if (flags.sample !== undefined) process.env['MUTANTS_TRIES'] = String(triesInSample);
  const alive = () => mutants.filter(({ number }) => !ledger.isKilled(number));
  try {
    await runTests(mutants, { bail: 0 });
    ledger.refresh();
    // What takes effect while modules are loaded needs a load of its own.
    const atLoad = alive().filter(({ number }) => ledger.reachedBy(number) === 'atLoad');
    for (const mutant of atLoad) {
      process.env['MUTANTS_ONLY'] = String(mutant.number);
      if (!(await runTests([mutant], { bail: 1 }))) ledger.kill(mutant.number);
    }
    const survivors = alive().map(({ file, line, change, number }) => ({
      file,
      line,
      change,
      reached: ledger.reachedBy(number) !== null,
    }));
    return { mutants: mutants.length, killed: mutants.length - survivors.length, survivors };
  } finally {
    ledger.close();
    rmSync(folder, { recursive: true });
  }
}

if (flags.help) {
  process.stdout.write(help);
  process.exit(0);
}
const started = performance.now();
const { mutants, stale } = chosenMutants();
const result = await hold(mutants);
const percent = (100 * result.killed) / Math.max(1, result.mutants);
const seconds = Math.round((performance.now() - started) / 1000);
if (flags.json) process.stdout.write(`${JSON.stringify({ ...result, percent, seconds, stale }, null, 2)}\n`);
else {
  for (const { file, line, change, reached } of result.survivors) {
    process.stdout.write(`${file}:${line}  ${change}${reached ? '' : '  (no test makes a difference)'}\n`);
  }
  for (const key of stale) process.stdout.write(`excused, but no longer there: ${key}\n`);
  process.stdout.write(
    `${result.killed} of ${result.mutants} changes noticed: ${percent.toFixed(1)} %, in ${seconds} s\n`,
  );
}
process.exitCode = percent < Number(flags.min) || stale.length > 0 ? 1 : 0;

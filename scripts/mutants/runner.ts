import { configureGlobal } from 'fast-check';
import { type RunnerTestCase, type RunnerTestFile, TestRunner } from 'vitest';
import { Ledger, MutantSwitch } from './switch.ts';

declare global {
  var mutantSwitch: MutantSwitch;
}

/** How much longer than the program as it is a mutant may run: in sites passed, and in milliseconds. */
const patience = { sites: 20, moreSites: 100_000, times: 20, moreMilliseconds: 1000 };

/** Simulations and properties over thousands of values are not repeated: milliseconds of CPU that a test may take. */
const mostMilliseconds = 200;

/**
 * Tests of one file are alike: in a sample, what made a difference in so many of them and failed none is left to other
 * files. It may be what a later test would notice, so of files that are named each test is tried.
 */
const mostTries = Number(process.env['MUTANTS_TRIES'] ?? Number.POSITIVE_INFINITY);

const ledger = new Ledger(process.env['MUTANTS_LEDGER'] ?? '');
const only = process.env['MUTANTS_ONLY'];

/** How often each mutant was tried by tests of the present file. */
const tries = new Map<number, number>();

const isOpen = (mutant: number) => !ledger.isKilled(mutant) && (tries.get(mutant) ?? 0) < mostTries;

// One process runs several files of tests: the modules are loaded once, and so is the switch.
globalThis.mutantSwitch ??= new MutantSwitch(isOpen);
if (only !== undefined) mutantSwitch.activate(Number(only));
// A property is held against the same values each time; one that fails need not be made small.
configureGlobal({ seed: 1, endOnFailure: true });

/** Runs each test as it is, and then once more as each mutant that made a difference to it and is not killed yet. */
export default class MutantRunner extends TestRunner {
  async runTask(test: RunnerTestCase): Promise<void> {
    const run = TestRunner.getTestFn(test);
    if (only !== undefined) return run();
    ledger.refresh();
    const started = process.cpuUsage();
    const { different, asked } = await mutantSwitch.probe(run);
    const took = process.cpuUsage(started).user / 1000;
    if (took > mostMilliseconds) return;
    for (const mutant of different) {
      ledger.reach(mutant, 'inTest');
      if (!isOpen(mutant)) continue;
      tries.set(mutant, (tries.get(mutant) ?? 0) + 1);
      const sites = asked * patience.sites + patience.moreSites;
      const milliseconds = took * patience.times + patience.moreMilliseconds;
      await mutantSwitch.run(mutant, sites, milliseconds, run).catch(() => ledger.kill(mutant));
    }
  }

  override onCollectStart(file: RunnerTestFile): void {
    super.onCollectStart(file);
    tries.clear();
  }

  override onAfterRunFiles(files: RunnerTestFile[]): void {
    super.onAfterRunFiles(files);
    for (const mutant of mutantSwitch.atLoad) ledger.reach(mutant, 'atLoad');
  }
}

import { configureGlobal } from 'fast-check';
import { type RunnerTestCase, type RunnerTestFile, TestRunner } from 'vitest';
import { Ledger, MutantSwitch } from './switch.ts';

declare global {
  var mutantSwitch: MutantSwitch;
}

/** How much longer than the program as it is a mutant may run: in sites passed, and in milliseconds. */
const patience = { sites: 20, moreSites: 100_000, times: 20, moreMilliseconds: 1000 };

const ledger = new Ledger(process.env['MUTANTS_LEDGER'] ?? '', null);
const only = process.env['MUTANTS_ONLY'];

// One process runs several files of tests: the modules are loaded once, and so is the switch.
globalThis.mutantSwitch ??= new MutantSwitch((mutant) => !ledger.isKilled(mutant));
if (only !== undefined) mutantSwitch.activate(Number(only));
// A property is held against the same values each time; one that fails need not be made small.
configureGlobal({ seed: 1, endOnFailure: true });

/** Runs each test as it is, and then once more as each mutant that made a difference to it and is not killed yet. */
export default class MutantRunner extends TestRunner {
  async runTask(test: RunnerTestCase): Promise<void> {
    const run = TestRunner.getTestFn(test);
    if (only !== undefined) return run();
    const started = performance.now();
    const { different, asked } = await mutantSwitch.probe(run);
    const took = performance.now() - started;
    for (const mutant of different) {
      ledger.reach(mutant, 1);
      if (ledger.isKilled(mutant)) continue;
      const sites = asked * patience.sites + patience.moreSites;
      const milliseconds = took * patience.times + patience.moreMilliseconds;
      await mutantSwitch.run(mutant, sites, milliseconds, run).catch(() => ledger.kill(mutant));
    }
  }

  override onAfterRunFiles(files: RunnerTestFile[]): void {
    super.onAfterRunFiles(files);
    for (const mutant of mutantSwitch.atLoad) ledger.reach(mutant, 2);
  }
}

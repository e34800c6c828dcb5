import { execFileSync } from 'node:child_process';

/** Builds dist/ once per run: the tests of the command line start the built program, not the sources. */
export function setup(): void {
  execFileSync(process.execPath, ['scripts/build.mjs'], { stdio: 'inherit' });
}

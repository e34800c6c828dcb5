import type { State } from '../report/ids.ts';

/** The published exit codes. */
export const exitCodes = { done: 0, failed: 1, usage: 2, stateMet: 3, cannotTell: 4, interrupted: 130 } as const;

/** The exit code of a diagnosis that was made. `failOn` null: --fail-on was not given. */
export function exitCodeFor(state: State, failOn: readonly string[] | null): number {
  if (failOn === null) return exitCodes.done;
  if (state === 'unknown') return exitCodes.cannotTell;
  return failOn.includes(state) ? exitCodes.stateMet : exitCodes.done;
}

/** The same for several: a state of --fail-on outweighs one that could not be told. */
export function exitCodeForAll(found: readonly State[], failOn: readonly string[] | null): number {
  const codes = found.map((state) => exitCodeFor(state, failOn));
  return [exitCodes.stateMet, exitCodes.cannotTell].find((code) => codes.includes(code)) ?? exitCodes.done;
}

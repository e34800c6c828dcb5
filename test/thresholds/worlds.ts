/** Parts that the worlds of these tests are put together from. */
import type { CauseId, Confidence } from '../../src/report/ids.ts';
import type { ClientPlan, Plan } from '../diagnose/build.ts';
import type { ConnectionPlan } from '../diagnose/build-looks.ts';
import { causesOf, statusOf } from '../diagnose/report.ts';

export type Outcome = Confidence | undefined;

/** How sure a report of this world is of a cause; undefined where it does not name it. */
export const confidenceOf = (id: CauseId, plan: Plan): Outcome => causesOf(statusOf(plan))[id];

export const firstNumbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

/** One connection of a client to each of the pods of these numbers, at a rate. */
export const to = (
  from: string,
  numbers: readonly number[],
  bytesPerSecond: number,
  more: Partial<ConnectionPlan> = {},
): ConnectionPlan[] => numbers.map((number) => ({ from, to: `echo-${number}`, bytesPerSecond, ...more }));

/** Clients that have run for so long. */
export const startedAgo = (count: number, startedSeconds: number, first = 0): ClientPlan[] =>
  firstNumbers(count).map((number) => ({ name: `web-${first + number}`, startedSeconds }));

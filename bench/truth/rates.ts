/** How many calls a client means to make between two times. */
import type { ClientPlan } from './plan.ts';

/** The integral of its rate: the mean of a Poisson count. `phase` in [0, 1) says where in a period of bursts time 0 is. */
export function expectedCalls(client: ClientPlan, phase: number, from: number, to: number): number {
  if (to <= from) return 0;
  const { former } = client;
  if (former !== undefined && from < former.until) {
    const until = Math.min(to, former.until);
    return former.factor * steady(client, phase, from, until) + steady(client, phase, until, Math.max(to, until));
  }
  return steady(client, phase, from, to);
}

function steady({ rate, burst }: ClientPlan, phase: number, from: number, to: number): number {
  if (burst === undefined) return rate * (to - from);
  // Seconds of silence and of calls alternate; the mean stays the rate.
  const until = (at: number) => {
    const periods = at / burst.periodSeconds + phase;
    const whole = Math.floor(periods);
    return (whole + Math.min((periods - whole) / burst.duty, 1)) * burst.periodSeconds;
  };
  return rate * (until(to) - until(from));
}

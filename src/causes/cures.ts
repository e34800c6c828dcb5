import type { Facts } from '../facts/facts.ts';
import type { StrategyId } from '../report/ids.ts';
import type { FoundCause } from './consequences.ts';
import type { CauseUnit } from './unit.ts';

/** Strategies by which a pod is chosen for each call, whatever connections carry it. */
export const perCall: readonly StrategyId[] = ['headless-round-robin', 'l7-proxy', 'proxyless-xds'];

/** While the connections lie as they do: what makes them lie anew in a worse way. */
function avoid({ headless }: Facts, state: string, causes: readonly FoundCause[]): string[] {
  if (state !== 'skewed' || causes.some(({ unit }) => unit.dealsAnew)) return [];
  return [
    'do not scale up: new pods get nothing until clients reconnect',
    ...(headless ? [] : ['do not restart all server pods: the first one back gets most']),
  ];
}

/** A new deal of the connections can ease it, and one by and by ends it. */
export const sticky = {
  curedBy: ['max-connection-age', ...perCall],
  relief: ['restart-one', 'restart-all'],
  avoid,
} satisfies Partial<CauseUnit>;

/** It lies in one client or connection: dealt anew that is as heavy, but beside less. */
export const heavy = { curedBy: perCall, relief: ['restart-one'], avoid } satisfies Partial<CauseUnit>;

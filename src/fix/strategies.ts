import type { StrategyId } from '../report/ids.ts';
import { headlessRoundRobinFix } from './headless.ts';
import { l7ProxyFix } from './l7-proxy.ts';
import { maxConnectionAgeFix } from './max-connection-age.ts';
import type { FixContext, StrategyFix } from './parts.ts';
import { proxylessXdsFix } from './proxyless-xds.ts';

/** What each strategy changes. */
export const fixes: Readonly<Record<StrategyId, (context: FixContext) => StrategyFix>> = {
  'cluster-ip': () => ({
    notes: ['the Service stays as it is: nothing to apply'],
    manifests: [],
    code: [],
    options: [],
    steps: [],
    undo: [],
  }),
  'max-connection-age': maxConnectionAgeFix,
  'headless-round-robin': headlessRoundRobinFix,
  'l7-proxy': l7ProxyFix,
  'proxyless-xds': proxylessXdsFix,
};

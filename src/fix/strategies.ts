import type { StrategyId } from '../report/ids.ts';
import { headlessRoundRobin } from './headless.ts';
import { l7Proxy } from './l7-proxy.ts';
import { maxConnectionAge } from './max-connection-age.ts';
import type { FixContext, FixParts } from './parts.ts';
import { proxylessXds } from './proxyless-xds.ts';

/** What each strategy changes. */
export const fixes: Readonly<Record<StrategyId, (context: FixContext) => FixParts>> = {
  'cluster-ip': () => ({
    notes: ['the Service stays as it is: nothing to apply'],
    manifests: [],
    code: [],
    options: [],
    steps: [],
    undo: [],
  }),
  'max-connection-age': maxConnectionAge,
  'headless-round-robin': headlessRoundRobin,
  'l7-proxy': l7Proxy,
  'proxyless-xds': proxylessXds,
};

import { claimAddressBlock } from './addresses.ts';
import { startClusterApi } from './api/cluster-api.ts';
import type { Faults } from './api/fault.ts';
import type { LoggedRequest } from './api/server.ts';
import { planCluster, podsOf } from './cluster.ts';
import { adminContext, viewerContext, writeKubeconfig } from './kubeconfig.ts';
import { probePlan } from './objects/pod.ts';
import { openScraper } from './prometheus/scraper.ts';
import { startPrometheusServer } from './prometheus/server.ts';
import { seededRandom } from './random.ts';
import { describe, parametersOf, scenarios as scenarioList, scenarioOf } from './scenarios.ts';
import { startKubelets } from './traffic/kubelet.ts';
import { type LabTraffic, startTraffic } from './traffic/traffic.ts';

export type { Fault } from './api/fault.ts';
export type { LoggedRequest } from './api/server.ts';

export interface LabOptions {
  readonly scenario: string;
  /** With a seed, connections go where chance (from this seed) sends them; without, they are placed. */
  readonly seed?: number | undefined;
  readonly clients?: number | undefined;
  /** Server pods before the scale-up. */
  readonly from?: number | undefined;
  /** Server pods after it. */
  readonly to?: number | undefined;
  /** Of each client; default: what the recorded ones made. */
  readonly callsPerSecond?: number | undefined;
  /** Of the API server; default: any free one. */
  readonly port?: number | undefined;
  /** One line per request to the API. */
  readonly log?: ((line: string) => void) | undefined;
}

export interface Lab {
  readonly kubeconfigPath: string;
  readonly contextName: string;
  readonly namespace: string;
  readonly service: string;
  /** Where the lab's Prometheus answers directly; the API's proxy to the Service prometheus-operated leads to it, too. */
  readonly prometheusUrl: string;
  /** One line: what this run does, and whether its connections were placed or left to chance. */
  readonly description: string;
  /** Traffic has flowed long enough to be diagnosed. */
  readonly ready: Promise<void>;
  /** Ends everything: sockets, timers, the kubeconfig. */
  stop(): Promise<void>;
  /** The requests to the API so far (the last 10 000). */
  readonly requests: readonly LoggedRequest[];
  /** What people change in a cluster, for tests: the pods, their counters and the rest of the traffic go on. */
  readonly change: Pick<LabTraffic, 'restartClients' | 'ageConnections'>;
  /** Makes the API fail, for tests. */
  readonly faults: Pick<Faults, 'inject' | 'clear'>;
}

export const scenarioSummaries: readonly {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly parameters: readonly string[];
}[] = scenarioList;

/**
 * Starts a cluster of one scenario. Rejects with one clear line when it cannot. Its traffic is real; its past is
 * back-dated: pods claim to be minutes old, and their connections have carried the bytes of that time.
 */
export async function startLab(options: LabOptions): Promise<Lab> {
  const scenario = scenarioOf(options.scenario);
  const parameters = parametersOf(scenario, options, options.callsPerSecond);
  const port = options.port ?? 0;
  if (!Number.isInteger(port) || port < 0 || port > 65535) throw new Error(`There is no port ${port}.`);

  const closers: (() => Promise<void> | void)[] = [];
  const stop = async () => {
    for (const close of closers.splice(0).reverse()) await close();
  };
  try {
    const block = await claimAddressBlock();
    closers.push(() => block.release());
    const random = seededRandom(parameters.seed);
    const cluster = planCluster(scenario, parameters, block.number, Date.now(), random);
    const traffic = await startTraffic(cluster, scenario, parameters, random);
    closers.push(() => traffic.close());
    const kubelets = startKubelets(podsOf(cluster.server), probePlan(scenario));
    closers.push(() => kubelets.close());
    const scraper = openScraper(cluster, traffic, kubelets);
    closers.push(() => scraper.close());
    const prometheus = await startPrometheusServer(scraper.store);
    closers.push(() => prometheus.close());
    const api = await startClusterApi(cluster, traffic, kubelets, scraper.store, { port, log: options.log });
    closers.push(() => api.close());
    const contextName = scenario.user === 'viewer' ? viewerContext : adminContext;
    const kubeconfig = await writeKubeconfig({
      server: `https://127.0.0.1:${api.port}`,
      certificatePem: api.certificate.certificatePem,
      namespace: cluster.namespace,
      adminToken: api.adminToken,
      viewerToken: api.viewerToken,
      currentContext: contextName,
    });
    closers.push(() => kubeconfig.remove());
    const ready = Promise.all([traffic.catchUp(), kubelets.settled]).then(([weight]) => {
      if (weight !== null) scraper.begin(weight);
    });
    ready.catch(() => {}); // whoever does not wait for it must not die of it
    return {
      kubeconfigPath: kubeconfig.path,
      contextName,
      namespace: cluster.namespace,
      service: cluster.service.name,
      prometheusUrl: prometheus.url,
      description: describe(scenario, parameters),
      ready,
      stop,
      requests: api.requests,
      change: traffic,
      faults: api.faults,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

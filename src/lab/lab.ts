import { randomBytes } from 'node:crypto';
import { claimAddressBlock } from './addresses.ts';
import { type Faults, faultList } from './api/fault.ts';
import { handle } from './api/handle.ts';
import { podProxy } from './api/proxy.ts';
import { adminUser, viewerUser } from './api/rbac.ts';
import { clusterResources } from './api/resources.ts';
import { type LoggedRequest, startApiServer } from './api/server.ts';
import { selfSignedCertificate } from './certificate.ts';
import { planCluster, podsOf } from './cluster.ts';
import { execUpgrades } from './exec/exec.ts';
import { adminContext, viewerContext, writeKubeconfig } from './kubeconfig.ts';
import { seededRandom } from './random.ts';
import { describe, parametersOf, scenarios as scenarioList, scenarioOf } from './scenarios.ts';
import { startKubelets } from './traffic/kubelet.ts';
import { startTraffic } from './traffic/traffic.ts';

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
  /** One line: what this run does, and whether its connections were placed or left to chance. */
  readonly description: string;
  /** Traffic has flowed long enough to be diagnosed. */
  readonly ready: Promise<void>;
  /** Ends everything: sockets, timers, the kubeconfig. */
  stop(): Promise<void>;
  /** The requests to the API so far (the last 10 000). */
  readonly requests: readonly LoggedRequest[];
  /** Makes the API fail, for tests. */
  readonly faults: Pick<Faults, 'inject' | 'clear'>;
}

export const scenarios: readonly {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly parameters: readonly string[];
}[] = scenarioList;

const keptRequests = 10_000;
// The API's store moves on by about one version a second.
const versionStart = 5000;

/** Starts a cluster of one scenario. Rejects with one clear line when it cannot. */
export async function startLab(options: LabOptions): Promise<Lab> {
  const scenario = scenarioOf(options.scenario);
  const parameters = parametersOf(scenario, options);
  const port = options.port ?? 0;
  if (!Number.isInteger(port) || port < 0 || port > 65535) throw new Error(`There is no port ${port}.`);

  const closers: (() => Promise<void> | void)[] = [];
  const stop = async () => {
    for (const close of closers.splice(0).reverse()) await close();
  };
  try {
    const now = Date.now();
    const block = await claimAddressBlock();
    closers.push(() => block.release());
    const random = seededRandom(parameters.seed);
    const cluster = planCluster(scenario, parameters, block.number, now, random);
    const traffic = await startTraffic(cluster, scenario, parameters, random);
    closers.push(() => traffic.close());
    const kubelets = startKubelets(podsOf(cluster.server));
    closers.push(() => kubelets.close());
    const proxy = podProxy();
    closers.push(() => proxy.close());

    const requests: LoggedRequest[] = [];
    const faults = faultList();
    const certificate = selfSignedCertificate(now);
    const admin = adminUser(newToken());
    const viewer = viewerUser(newToken(), cluster.namespace);
    const context = {
      cluster,
      resources: clusterResources(cluster, traffic.usageOf),
      kubelets,
      proxy,
      serverAddress: `127.0.0.1:${port}`,
      version: () => versionStart + Math.floor((Date.now() - now) / 1000),
      oldestVersion: versionStart,
    };
    const api = await startApiServer({
      port,
      certificate,
      users: [admin, viewer],
      faults,
      onRequest: (request) => handle(context, request),
      onUpgrade: execUpgrades(cluster, traffic.isHidden),
      log(request) {
        requests.push(request);
        if (requests.length > keptRequests) requests.shift();
        options.log?.(`${request.user || 'unknown'} ${request.method} ${request.path} ${request.status}`);
      },
    });
    closers.push(() => api.close());
    const contextName = scenario.user === 'viewer' ? viewerContext : adminContext;
    const kubeconfig = await writeKubeconfig({
      server: `https://127.0.0.1:${api.port}`,
      certificatePem: certificate.certificatePem,
      namespace: cluster.namespace,
      adminToken: admin.token ?? '',
      viewerToken: viewer.token ?? '',
      currentContext: contextName,
    });
    closers.push(() => kubeconfig.remove());
    const ready = traffic.catchUp();
    ready.catch(() => {}); // whoever does not wait for it must not die of it
    return {
      kubeconfigPath: kubeconfig.path,
      contextName,
      namespace: cluster.namespace,
      service: cluster.service.name,
      description: describe(scenario, parameters),
      ready,
      stop,
      requests,
      faults,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

function newToken(): string {
  return randomBytes(24).toString('base64url');
}

import { randomBytes } from 'node:crypto';
import { type Certificate, selfSignedCertificate } from '../certificate.ts';
import type { Cluster } from '../cluster.ts';
import { execUpgrades } from '../exec/exec.ts';
import type { SeriesStore } from '../prometheus/store.ts';
import type { Kubelets } from '../traffic/kubelet.ts';
import type { LabTraffic } from '../traffic/traffic.ts';
import { type Faults, faultList } from './fault.ts';
import { handle } from './handle.ts';
import { podProxy } from './proxy.ts';
import { adminUser, viewerUser } from './rbac.ts';
import { clusterResources } from './resources.ts';
import { type LoggedRequest, startApiServer } from './server.ts';

export interface ClusterApi {
  readonly port: number;
  readonly certificate: Certificate;
  readonly adminToken: string;
  readonly viewerToken: string;
  readonly requests: readonly LoggedRequest[];
  readonly faults: Faults;
  close(): Promise<void>;
}

const keptRequests = 10_000;
// The API's store moves on by a version a second.
const versionStart = 5000;

/** Starts the Kubernetes API of a cluster on 127.0.0.1. */
export async function startClusterApi(
  cluster: Cluster,
  traffic: LabTraffic,
  kubelets: Kubelets,
  prometheus: SeriesStore,
  options: { readonly port: number; readonly log?: ((line: string) => void) | undefined },
): Promise<ClusterApi> {
  const startedAt = Date.now();
  const requests: LoggedRequest[] = [];
  const faults = faultList();
  const certificate = await selfSignedCertificate(startedAt);
  const adminToken = newToken();
  const viewerToken = newToken();
  const proxy = podProxy();
  const context = {
    cluster,
    resources: clusterResources(cluster, traffic.usageOf, kubelets),
    kubelets,
    proxy,
    prometheus,
    serverAddress: () => `127.0.0.1:${server.port}`,
    version: () => versionStart + Math.floor((Date.now() - startedAt) / 1000),
    oldestVersion: versionStart,
  };
  const server = await startApiServer({
    port: options.port,
    certificate,
    users: [adminUser(adminToken), viewerUser(viewerToken, cluster.namespace)],
    faults,
    onRequest: (request) => handle(context, request),
    onUpgrade: execUpgrades(cluster, traffic.isHidden),
    log(request) {
      requests.push(request);
      if (requests.length > keptRequests) requests.shift();
      options.log?.(`${request.user || 'unknown'} ${request.method} ${request.path} ${request.status}`);
    },
  });
  const { port } = server;
  return {
    port,
    certificate,
    adminToken,
    viewerToken,
    requests,
    faults,
    async close() {
      proxy.close();
      await server.close();
    },
  };
}

function newToken(): string {
  return randomBytes(24).toString('base64url');
}

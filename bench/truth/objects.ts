/** The API's objects of a world, as Evidence holds them. */
import type { SkewEvidence } from '../../src/evidence/schema.ts';
import { isReady } from './placement.ts';
import type { ClientPlan, Plan, PodPlan } from './plan.ts';
import { seeded } from './random.ts';

type Pod = NonNullable<SkewEvidence['pods']>[number];
type Container = Pod['containers'][number];
type Slice = NonNullable<SkewEvidence['endpointSlices']>[number];
type Service = NonNullable<SkewEvidence['service']>;
type PeerPod = NonNullable<SkewEvidence['peers']>['pods'][number];
type Path = NonNullable<NonNullable<SkewEvidence['path']>>;
type Happening = NonNullable<SkewEvidence['happenings']>[number];
type Deployment = NonNullable<SkewEvidence['deployments']>[number];

export const serviceName = 'echo';
export const namespace = 'shop';
export const grpcPort = 50051;
/** Where Istio's sidecar takes what was meant for the application. */
export const sidecarPort = 15006;
const templateHash = '6b9cc657d4';
const epoch = Date.parse('2026-11-30T12:00:00Z');

/** Milliseconds for looks, whole seconds for what the API keeps. */
export const lookTime = (at: number) => new Date(Math.round(epoch + at * 1000)).toISOString();
export const apiTime = (at: number) => new Date(Math.round(epoch / 1000 + at) * 1000).toISOString();

export function uidOf(plan: Plan, pod: PodPlan): string {
  return `5e2d7a10-0000-4000-8000-${String(plan.pods.indexOf(pod) + 1).padStart(12, '0')}`;
}

/** Pods that the API still lists. */
export function listedPods(plan: Plan): readonly PodPlan[] {
  return plan.pods.filter((pod) => pod.startedAt <= 0 && (pod.goneAt ?? Infinity) > 0);
}

export function serviceOf({ service }: Plan): Service {
  const near = service.near === 'PreferSameZone' || service.near === 'PreferSameNode' ? service.near : null;
  return {
    ...{ name: serviceName, namespace, type: service.type },
    clusterIP: service.headless ? 'None' : '10.96.18.239',
    clusterIPs: [service.headless ? 'None' : '10.96.18.239'],
    selector: { app: 'echo' },
    ports: [{ name: 'grpc', port: grpcPort, targetPort: grpcPort, protocol: 'TCP', appProtocol: service.appProtocol }],
    sessionAffinity: service.affinity ? 'ClientIP' : 'None',
    sessionAffinityTimeoutSeconds: service.affinity ? 10800 : null,
    internalTrafficPolicy: service.internalLocal ? 'Local' : 'Cluster',
    externalTrafficPolicy: service.type === 'LoadBalancer' ? (service.externalLocal ? 'Local' : 'Cluster') : null,
    trafficDistribution: near,
    topologyMode: service.near === 'hints' ? 'Auto' : null,
    publishNotReadyAddresses: false,
    createdAt: apiTime(-60 * 86_400),
    labels: { app: 'echo' },
    ...(service.type === 'LoadBalancer' ? { loadBalancerAddresses: ['203.0.113.80'] } : {}),
  };
}

export function slicesOf(plan: Plan, seed: string): Slice[] {
  const zoneOf = new Map(plan.nodes.map((node) => [node.name, node.zone]));
  const isNear = plan.service.near !== 'none' && !plan.service.headless;
  const endpoints = seeded(`${seed}/slices`)
    .shuffle(listedPods(plan))
    .map((pod): Slice['endpoints'][number] => {
      const zone = zoneOf.get(pod.node) ?? null;
      const ready = isReady(pod, 0);
      const terminating = (pod.terminatingAt ?? Infinity) <= 0;
      return {
        ...{ addresses: [pod.address], ready, serving: ready || terminating, terminating },
        pod: { name: pod.name, namespace, uid: uidOf(plan, pod) },
        ...{ nodeName: pod.node, zone },
        hintZones: isNear && zone !== null ? [zone] : [],
        hintNodes: isNear && plan.service.near === 'PreferSameNode' ? [pod.node] : [],
      };
    });
  const ports = [{ name: 'grpc', port: grpcPort, protocol: 'TCP', appProtocol: plan.service.appProtocol }];
  return [{ name: 'echo-xglqf', addressType: 'IPv4', managedBy: 'controller', ports, endpoints }];
}

const noTermination = { waitingReason: null, lastTermination: null };

function containersOf(plan: Plan, pod: PodPlan): Container[] {
  const probe = (type: 'liveness' | 'readiness', service: string) => ({
    ...{ type, kind: 'grpc' as const, port: grpcPort, service, grpcHealthProbe: false },
    ...{ timeoutSeconds: 1, periodSeconds: type === 'liveness' ? 10 : 5, failureThreshold: 3 },
  });
  const server: Container = {
    ...{ name: 'server', image: 'registry.example/echo:1', sidecar: false },
    ports: [
      { name: 'grpc', port: grpcPort, protocol: 'TCP' },
      { name: 'metrics', port: 9090, protocol: 'TCP' },
    ],
    ...{ cpuRequestMillicores: 100, cpuLimitMillicores: pod.cpuLimitMillicores ?? null },
    ...{ memoryRequestBytes: 134_217_728, memoryLimitBytes: 536_870_912 },
    ...{ running: true, ready: isReady(pod, 0), restarts: pod.restarts ?? 0, startedAt: apiTime(pod.startedAt) },
    ...noTermination,
    ...((pod.restarts ?? 0) > 0
      ? {
          lastTermination: {
            reason: pod.oomKilled === true ? 'OOMKilled' : 'Error',
            exitCode: pod.oomKilled === true ? 137 : 1,
            finishedAt: apiTime(pod.startedAt - 1),
          },
        }
      : {}),
    probes: [probe('liveness', ''), probe('readiness', pod.neverReady === true ? 'shop.Echo' : '')],
  };
  if (plan.mesh === 'none') return [server];
  const proxy: Container = {
    ...{ name: 'istio-proxy', image: 'docker.io/istio/proxyv2:1.29.0', sidecar: true },
    ports: [{ name: 'http-envoy-prom', port: 15090, protocol: 'TCP' }],
    ...{ cpuRequestMillicores: 100, cpuLimitMillicores: 2000 },
    ...{ memoryRequestBytes: 134_217_728, memoryLimitBytes: 1_073_741_824 },
    ...{ running: true, ready: true, restarts: 0, startedAt: apiTime(pod.startedAt), ...noTermination, probes: [] },
  };
  return [server, proxy];
}

/** The ReplicaSet or StatefulSet that a pod belongs to, with the labels it gives. */
function ownerOf(workload: string, isStateful: boolean) {
  return isStateful
    ? { owner: { kind: 'StatefulSet', name: workload }, labels: {} }
    : {
        owner: { kind: 'ReplicaSet', name: `${workload}-${templateHash}` },
        labels: { 'pod-template-hash': templateHash },
      };
}

export function podsOf(plan: Plan): Pod[] {
  const hostOf = new Map(plan.nodes.map((node) => [node.name, node.address]));
  const pods = listedPods(plan).map((pod): Pod => {
    const { owner, labels } = ownerOf(pod.workload, plan.service.statefulSet);
    const ready = isReady(pod, 0) || ((pod.terminatingAt ?? Infinity) <= 0 && pod.neverReady !== true);
    const since = pod.neverReady === true ? pod.startedAt : ready ? pod.readyAt : (pod.unreadyAt ?? pod.readyAt);
    return {
      ...{ name: pod.name, namespace, uid: uidOf(plan, pod), owner },
      labels: { app: 'echo', ...labels },
      ...{
        addresses: [pod.address],
        hostNetwork: false,
        hostAddress: hostOf.get(pod.node) ?? null,
        nodeName: pod.node,
      },
      ...{ phase: 'Running', createdAt: apiTime(pod.createdAt ?? pod.startedAt - 3) },
      startedAt: apiTime(pod.createdAt ?? pod.startedAt - 3),
      deletedAt: (pod.terminatingAt ?? Infinity) <= 0 ? apiTime((pod.terminatingAt ?? 0) + 30) : null,
      ...{ ready, readySince: apiTime(since), containers: containersOf(plan, pod) },
      metricsEndpoint: { port: 9090, path: '/metrics', https: false },
    };
  });
  return pods.sort((a, b) => (a.name < b.name ? -1 : 1));
}

export function peerPodsOf(plan: Plan): PeerPod[] {
  const inCluster = plan.clients.filter(
    (client) => client.outside !== true && client.startedAt <= 0 && (client.endsAt ?? Infinity) > 0,
  );
  return inCluster
    .filter((client) => plan.sees.peers === 'cluster' || client.namespace === namespace)
    .map((client): PeerPod => {
      const { owner, labels } = ownerOf(client.workload, false);
      return {
        ...{ name: client.name, namespace: client.namespace, addresses: [client.address], hostNetwork: false },
        ...{ nodeName: client.node, startedAt: apiTime(client.startedAt - 2), owner },
        labels: { app: client.workload, ...labels },
        meshProxies: client.sidecar === true ? ['istio-proxy'] : [],
        ...(client.role === undefined ? {} : { role: client.role }),
      };
    })
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

export function deploymentsOf(plan: Plan): Deployment[] {
  const pods = listedPods(plan);
  const counted = (name: string, replicas: number, ready: number, updated: number): Deployment => ({
    ...{
      name,
      namespace,
      replicas,
      currentReplicas: replicas,
      updatedReplicas: updated,
      readyReplicas: ready,
      observed: true,
    },
  });
  const servers = plan.service.statefulSet ? [] : [...new Set(pods.map(({ workload }) => workload))];
  const clients = new Map<string, ClientPlan[]>();
  for (const client of plan.clients) {
    if (client.outside === true || client.namespace !== namespace || (client.endsAt ?? Infinity) <= 0) continue;
    clients.set(client.workload, [...(clients.get(client.workload) ?? []), client]);
  }
  return [
    ...servers.map((name) => {
      const own = pods.filter((pod) => pod.workload === name);
      const ready = own.filter((pod) => isReady(pod, 0)).length;
      return counted(name, own.length, ready, plan.rolling ? Math.ceil(own.length / 2) : own.length);
    }),
    ...[...clients].map(([name, own]) => counted(name, own.length, own.length, own.length)),
  ].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Events live for an hour. */
const eventSeconds = 3600;

export function happeningsOf(plan: Plan): Happening[] {
  const workload = { kind: 'Deployment', name: 'echo' };
  const scaled = plan.scalings
    .filter(({ at }) => at > -eventSeconds)
    .map(
      ({ at, from, to }): Happening => ({
        ...{ kind: 'scaled', workload, replicaSet: `echo-${templateHash}`, from, to, at: apiTime(at) },
      }),
    );
  const unhealthy = listedPods(plan)
    .filter((pod) => pod.neverReady === true || (pod.unreadyAt ?? Infinity) <= 0 || pod.deaf === true)
    .filter((pod) => plan.nodes.find(({ name }) => name === pod.node)?.ready !== false && pod.deaf !== true)
    .map((pod): Happening => {
      const from = Math.max(pod.unreadyAt ?? pod.startedAt, -eventSeconds);
      return {
        ...{ kind: 'unhealthy', pod: pod.name, podUid: uidOf(plan, pod), container: 'server', probe: 'readiness' },
        failure: pod.neverReady === true ? 'unknown-service' : 'not-serving',
        ...{ times: Math.max(1, Math.floor(-from / 5)), firstAt: apiTime(from), at: apiTime(-3) },
      };
    });
  return [...scaled, ...unhealthy];
}

const noMarks = { dataplaneMode: null, redirected: false, useWaypoint: null, opaquePorts: null, xds: null };

export function pathOf(plan: Plan): Path {
  const pods = listedPods(plan);
  const byWeight = new Map<number, string[]>();
  for (const pod of pods) {
    const weight = plan.weights[pod.name] ?? 1;
    byWeight.set(weight, [...(byWeight.get(weight) ?? []), pod.name]);
  }
  // A route gives weights to subsets; within a subset all pods are equal.
  const subsets = [...byWeight].map(([weight, names], at) => ({
    name: `v${at + 1}`,
    pods: names,
    weight: weight * names.length,
  }));
  const total = subsets.reduce((sum, { weight }) => sum + weight, 0);
  const routed = plan.weighting === 'route';
  const backends = subsets.map(({ name, weight }) => ({
    ...{ service: serviceName, subset: name, weight: Math.round((100 * weight) / total) },
  }));
  return {
    groups: plan.mesh === 'istio' ? ['networking.istio.io', 'metrics.k8s.io'] : ['metrics.k8s.io'],
    ...{ service: noMarks, ciliumL7: false, traefikH2c: false, namespace: noMarks, waypoints: [] },
    routes: routed ? [{ kind: 'VirtualService', name: 'echo', backends }] : [],
    destinationRules:
      plan.weighting === 'none' || plan.weighting === 'client-hash'
        ? []
        : [
            {
              ...{ name: 'echo', consistentHash: plan.weighting === 'proxy-hash' },
              subsets: routed ? subsets.map(({ name, pods: names }) => ({ name, pods: names })) : [],
            },
          ],
    ...{ ciliumPolicies: [], ingresses: [] },
    kubeProxyMode: plan.service.proxy === 'ipvs-rr' ? 'ipvs' : 'iptables',
    ...{ kubeProxyReplacement: false, socketLoadBalancing: 'off' },
  };
}

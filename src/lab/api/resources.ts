import { type Cluster, podsOf, workloadsOf } from '../cluster.ts';
import { autoscalerObject } from '../objects/autoscaler.ts';
import { kubeProxyConfig } from '../objects/config-map.ts';
import { eventObjects, probeEventObject } from '../objects/event.ts';
import type { KubeObject } from '../objects/meta.ts';
import { namespaceObject, nodeObject } from '../objects/node.ts';
import { podObjects } from '../objects/pod.ts';
import { prometheusNamespace, prometheusPodObject, prometheusServiceObject } from '../objects/prometheus.ts';
import { ciliumObjects, gatewayObjects, istioObjects, type OptionalObjects } from '../objects/routing.ts';
import { endpointSliceObject, serviceObject } from '../objects/service.ts';
import { istioNamespace, systemPods } from '../objects/system-pods.ts';
import { nodeMetrics, podMetrics } from '../objects/usage.ts';
import { deploymentObject, replicaSetObject } from '../objects/workload.ts';
import type { Kubelets } from '../traffic/kubelet.ts';
import type { Usage } from '../traffic/usage.ts';
import { columns } from './columns.ts';
import type { Resource } from './resource.ts';
import { ageColumn, name as nameColumn } from './table.ts';

const readVerbs = ['get', 'list', 'watch'];

/** Everything that the emulator serves, in the order in which discovery names it. */
export function clusterResources(
  cluster: Cluster,
  usageOf: (pod: string) => Usage | undefined,
  kubelets: Pick<Kubelets, 'readinessOf' | 'failures'>,
): readonly Resource[] {
  const { nodes, namespace, scenario, server } = cluster;
  const { readinessOf } = kubelets;
  const workloads = workloadsOf(cluster);
  const resource = (
    group: string,
    name: string,
    kind: string,
    objects: () => readonly KubeObject[],
    more: Partial<Resource> = {},
  ): Resource => ({
    group,
    version: 'v1',
    name,
    singular: kind.toLowerCase(),
    kind,
    namespaced: true,
    verbs: readVerbs,
    objects,
    columns: columns[name] ?? [nameColumn, ageColumn],
    ...more,
  });
  const nothing = () => [];
  const systems = [prometheusPodObject(cluster), ...systemPods(cluster)];
  const pods = () => [...workloads.flatMap((workload) => podObjects(cluster, workload, readinessOf)), ...systems];
  const past = eventObjects(cluster);
  const events = () => [...past, ...kubelets.failures().map((failure) => probeEventObject(namespace, failure))];
  const deployments = () => workloads.map((workload) => deploymentObject(cluster, workload, readinessOf));
  const replicaSets = () => workloads.map((workload) => replicaSetObject(cluster, workload, readinessOf));
  const ownServices = [cluster.service, ...(cluster.sibling === null ? [] : [cluster.sibling])];
  const services = [...ownServices.map((service) => serviceObject(cluster, service)), prometheusServiceObject(cluster)];
  const slices = () => ownServices.map((service) => endpointSliceObject(cluster, service, readinessOf));
  const autoscalers = () =>
    scenario.autoscalerTarget === undefined
      ? []
      : [autoscalerObject(cluster, server, scenario.autoscalerTarget, usageOf)];
  const optional = (group: string, version: string, kinds: OptionalObjects) =>
    Object.entries(kinds).map(([name, { kind, objects }]) => resource(group, name, kind, () => objects, { version }));
  const [firstNode] = nodes;
  const namespaces = ['default', 'kube-system', istioNamespace, prometheusNamespace, namespace].map((name, index) =>
    namespaceObject(name, firstNode.createdAt, uidLike(firstNode.uid, index), firstNode.resourceVersion),
  );
  const withoutVersion = { version: 'v1beta1', singular: '', verbs: ['get', 'list'], unversioned: true } as const;
  return [
    resource('', 'configmaps', 'ConfigMap', () => [kubeProxyConfig(firstNode)], { shortNames: ['cm'] }),
    resource('', 'events', 'Event', events, { shortNames: ['ev'] }),
    resource('', 'namespaces', 'Namespace', () => namespaces, { namespaced: false, shortNames: ['ns'] }),
    resource('', 'nodes', 'Node', () => nodes.map((node) => nodeObject(node, Date.now())), {
      namespaced: false,
      shortNames: ['no'],
    }),
    resource('', 'pods', 'Pod', pods, { shortNames: ['po'] }),
    resource('', 'services', 'Service', () => services, { shortNames: ['svc'] }),
    resource('apps', 'daemonsets', 'DaemonSet', nothing, { shortNames: ['ds'] }),
    resource('apps', 'deployments', 'Deployment', deployments, { shortNames: ['deploy'] }),
    resource('apps', 'replicasets', 'ReplicaSet', replicaSets, { shortNames: ['rs'] }),
    resource('apps', 'statefulsets', 'StatefulSet', nothing, { shortNames: ['sts'] }),
    resource('autoscaling', 'horizontalpodautoscalers', 'HorizontalPodAutoscaler', autoscalers, {
      version: 'v2',
      shortNames: ['hpa'],
    }),
    resource('discovery.k8s.io', 'endpointslices', 'EndpointSlice', slices),
    ...(scenario.sidecars !== undefined || scenario.gateway === 'subsets' || scenario.xds === true
      ? optional('networking.istio.io', 'v1', istioObjects(cluster))
      : []),
    ...(scenario.gateway === 'services' ? optional('gateway.networking.k8s.io', 'v1', gatewayObjects(cluster)) : []),
    ...(scenario.cilium === true ? optional('cilium.io', 'v2', ciliumObjects(cluster)) : []),
    resource('authorization.k8s.io', 'selfsubjectaccessreviews', 'SelfSubjectAccessReview', nothing, {
      namespaced: false,
      verbs: ['create'],
    }),
    resource('metrics.k8s.io', 'nodes', 'NodeMetrics', () => nodeMetrics(cluster, usageOf), {
      ...withoutVersion,
      namespaced: false,
    }),
    resource(
      'metrics.k8s.io',
      'pods',
      'PodMetrics',
      () =>
        workloads.flatMap((workload) => podsOf(workload).flatMap((pod) => podMetrics(cluster, workload, pod, usageOf))),
      withoutVersion,
    ),
  ];
}

function uidLike(uid: string, index: number): string {
  return `${uid.slice(0, -1)}${index}`;
}

import { type Cluster, podsOf } from '../cluster.ts';
import { kubeProxyConfig } from '../objects/config-map.ts';
import { eventObjects } from '../objects/event.ts';
import type { KubeObject } from '../objects/meta.ts';
import { namespaceObject, nodeObject } from '../objects/node.ts';
import { podObjects } from '../objects/pod.ts';
import { prometheusNamespace, prometheusPodObject, prometheusServiceObject } from '../objects/prometheus.ts';
import { endpointSliceObject, serviceObject } from '../objects/service.ts';
import { nodeMetrics, podMetrics } from '../objects/usage.ts';
import { deploymentObject, replicaSetObject } from '../objects/workload.ts';
import type { Usage } from '../traffic/usage.ts';
import { columns } from './columns.ts';
import type { Resource } from './resource.ts';
import { age, name as nameColumn } from './table.ts';

const readVerbs = ['get', 'list', 'watch'];

/** Everything that the emulator serves, in the order in which discovery names it. */
export function clusterResources(cluster: Cluster, usageOf: (pod: string) => Usage | undefined): readonly Resource[] {
  const { server, client, nodes, namespace } = cluster;
  const workloads = [client, server];
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
    columns: columns[name] ?? [nameColumn, age],
    ...more,
  });
  const nothing = () => [];
  const pods = [...workloads.flatMap((workload) => podObjects(cluster, workload)), prometheusPodObject(cluster)];
  const events = eventObjects(cluster);
  const deployments = workloads.map((workload) => deploymentObject(cluster, workload));
  const replicaSets = workloads.map((workload) => replicaSetObject(cluster, workload));
  const services = [serviceObject(cluster), prometheusServiceObject(cluster)];
  const slice = endpointSliceObject(cluster);
  const [firstNode] = nodes;
  const namespaces = ['default', 'kube-system', prometheusNamespace, namespace].map((name, index) =>
    namespaceObject(name, firstNode.createdAt, uidLike(firstNode.uid, index), firstNode.resourceVersion),
  );
  const withoutVersion = { version: 'v1beta1', singular: '', verbs: ['get', 'list'], unversioned: true } as const;
  return [
    resource('', 'configmaps', 'ConfigMap', () => [kubeProxyConfig(firstNode)], { shortNames: ['cm'] }),
    resource('', 'events', 'Event', () => events, { shortNames: ['ev'] }),
    resource('', 'namespaces', 'Namespace', () => namespaces, { namespaced: false, shortNames: ['ns'] }),
    resource('', 'nodes', 'Node', () => nodes.map((node) => nodeObject(node, Date.now())), {
      namespaced: false,
      shortNames: ['no'],
    }),
    resource('', 'pods', 'Pod', () => pods, { shortNames: ['po'] }),
    resource('', 'services', 'Service', () => services, { shortNames: ['svc'] }),
    resource('apps', 'daemonsets', 'DaemonSet', nothing, { shortNames: ['ds'] }),
    resource('apps', 'deployments', 'Deployment', () => deployments, { shortNames: ['deploy'] }),
    resource('apps', 'replicasets', 'ReplicaSet', () => replicaSets, { shortNames: ['rs'] }),
    resource('apps', 'statefulsets', 'StatefulSet', nothing, { shortNames: ['sts'] }),
    resource('autoscaling', 'horizontalpodautoscalers', 'HorizontalPodAutoscaler', nothing, {
      version: 'v2',
      shortNames: ['hpa'],
    }),
    resource('discovery.k8s.io', 'endpointslices', 'EndpointSlice', () => [slice]),
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

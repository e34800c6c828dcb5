import { meshProxiesIn } from '../../evidence/mesh-proxies.ts';
import type { Service } from '../../evidence/objects.ts';
import type { Path } from '../../evidence/path-schema.ts';
import type { SignalState, SkewEvidence } from '../../evidence/schema.ts';
import type { KubeClient, KubeError, KubeList, KubeResult } from '../../kube/types.ts';
import type { SignalHost, SignalUpdate } from '../look.ts';
import { textAt, textMapAt } from '../read/json.ts';
import { readMeshMarks } from '../read/mesh-marks.ts';
import { complete, missingRight, partial } from '../state.ts';
import { askConfigMap, askFelix, askGroups, askNamespace, askOptional, pathGroups } from './ask.ts';
import {
  readCiliumConfig,
  readCiliumPolicies,
  readDestinationRules,
  readFelix,
  readGroups,
  readIngresses,
  readKubeProxyMode,
  readRoutes,
  readServiceAnnotations,
  readVirtualServices,
  readWaypoints,
} from './read.ts';

/** Answers that depend on no other: asked with the first ones. */
export interface PathAnswers {
  readonly groups: KubeResult<unknown>;
  readonly kubeProxy: KubeResult<unknown>;
}

export async function askPath(kube: KubeClient, signal?: AbortSignal): Promise<PathAnswers> {
  const [groups, kubeProxy] = await Promise.all([askGroups(kube, signal), askConfigMap(kube, 'kube-proxy', signal)]);
  return { groups, kubeProxy };
}

/**
 * What stands at layer 7 between clients and pods. Of the optional APIs only those are asked that /apis lists, so a plain
 * cluster costs two requests. What is refused is named with the right that it needs, and the diagnosis goes on.
 */
export async function lookAtPath(
  { kube, signal }: SignalHost,
  evidence: Pick<SkewEvidence, 'pods'>,
  service: { readonly read: Service; readonly raw: unknown },
  pods: readonly unknown[],
  answers: PathAnswers,
): Promise<SignalUpdate> {
  const { namespace } = service.read;
  const served = answers.groups.ok ? readGroups(answers.groups.value) : null;
  const refused: KubeError[] = [];
  const list = async (group: string, resource: string): Promise<readonly unknown[] | null> => {
    const version = served?.get(group);
    if (version === undefined) return served === null ? null : [];
    const answer: KubeResult<KubeList> = await askOptional(kube, { group, version, resource, namespace }, signal);
    if (answer.ok) return answer.value.items;
    // A group without this kind of object: an older release of its CRDs.
    if (answer.error.kind === 'not-found') return [];
    refused.push(answer.error);
    return null;
  };
  const items = new Map(pods.map((item) => [textAt(item, 'metadata', 'name'), item]));
  const labels = new Map((evidence.pods ?? []).map(({ name }) => [name, labelsOf(items.get(name))]));
  const [gateways, grpcRoutes, httpRoutes, virtualServices, destinationRules, policies, inNamespace, sockets] =
    await Promise.all([
      list(pathGroups.gateway, 'gateways'),
      list(pathGroups.gateway, 'grpcroutes'),
      list(pathGroups.gateway, 'httproutes'),
      list(pathGroups.istio, 'virtualservices'),
      list(pathGroups.istio, 'destinationrules'),
      list(pathGroups.cilium, 'ciliumnetworkpolicies'),
      hasMesh(evidence, served) ? askNamespace(kube, namespace, signal) : null,
      askSockets(kube, served, signal),
    ]);
  if (inNamespace?.ok === false && inNamespace.error.kind !== 'not-found') refused.push(inNamespace.error);
  // How connections are dealt is known last: what stands at layer 7 weighs more.
  for (const answer of [answers.kubeProxy, sockets.answer])
    if (answer?.ok === false && answer.error.kind === 'forbidden') refused.push(answer.error);
  const routes = [
    ...(grpcRoutes === null ? [] : readRoutes(grpcRoutes, 'GRPCRoute', service.read)),
    ...(httpRoutes === null ? [] : readRoutes(httpRoutes, 'HTTPRoute', service.read)),
    ...(virtualServices === null ? [] : readVirtualServices(virtualServices, service.read)),
  ];
  const path: Path = {
    groups: served === null ? null : [...served.keys()].sort(),
    service: readMeshMarks(service.raw),
    ...readServiceAnnotations(service.raw),
    namespace: inNamespace?.ok === true ? readMeshMarks(inNamespace.value) : null,
    waypoints: gateways === null ? null : readWaypoints(gateways),
    routes: [grpcRoutes, httpRoutes, virtualServices].some((items) => items !== null) ? routes : null,
    destinationRules: destinationRules === null ? null : readDestinationRules(destinationRules, service.read, labels),
    ciliumPolicies: policies === null ? null : readCiliumPolicies(policies, labels),
    ingresses: null,
    kubeProxyMode: answers.kubeProxy.ok ? readKubeProxyMode(answers.kubeProxy.value) : null,
    ...sockets.found,
  };
  const isWhole = answers.groups.ok && refused.length === 0;
  const [proxy] = meshProxiesIn((evidence.pods ?? []).flatMap((pod) => pod.containers));
  const found = proxy === undefined ? 'no sidecar beside the pods' : `${proxy} beside the pods`;
  return {
    patch: { path },
    state: stateOf(answers.groups, refused),
    progress: ['path', isWhole ? 'done' : 'partial', found],
  };
}

function stateOf(groups: KubeResult<unknown>, [first]: readonly KubeError[]): SignalState {
  if (!groups.ok) return partial('path', `sidecars and labels only: ${groups.error.message}`, null);
  if (first === undefined) return complete('path', groups.serverDate);
  const needs = first.kind === 'forbidden' ? missingRight('path', first) : null;
  return partial('path', first.message, groups.serverDate, needs);
}

/** Is there anything that the labels of the namespace could speak to? */
function hasMesh({ pods }: Pick<SkewEvidence, 'pods'>, served: ReadonlyMap<string, string> | null): boolean {
  const groups: readonly string[] = [pathGroups.istio, pathGroups.linkerd];
  return (
    groups.some((group) => served?.has(group) === true) ||
    (pods ?? []).some((pod) => pod.mesh != null || meshProxiesIn(pod.containers).length > 0)
  );
}

interface Sockets {
  readonly answer: KubeResult<unknown> | null;
  readonly found: Pick<Path, 'kubeProxyReplacement' | 'socketLoadBalancing'>;
}

async function askSockets(
  kube: KubeClient,
  served: ReadonlyMap<string, string> | null,
  signal?: AbortSignal,
): Promise<Sockets> {
  const none = { kubeProxyReplacement: null, socketLoadBalancing: null };
  if (served?.has(pathGroups.cilium)) {
    const answer = await askConfigMap(kube, 'cilium-config', signal);
    return { answer, found: answer.ok ? readCiliumConfig(answer.value) : none };
  }
  const calico = served?.get(pathGroups.calico);
  if (calico === undefined) return { answer: null, found: none };
  const answer = await askFelix(kube, calico, signal);
  return { answer, found: answer.ok ? readFelix(answer.value) : none };
}

/** Ingresses are asked only where a client is a gateway or nobody that is known: a plain cluster has no need of them. */
export async function lookAtIngresses(
  { kube, signal }: SignalHost,
  { path, service, peers }: Pick<SkewEvidence, 'path' | 'service' | 'peers'>,
): Promise<SignalUpdate> {
  if (path == null || service === null || path.ingresses !== null) return {};
  if (peers?.pods.some((pod) => pod.role === 'gateway') !== true) return {};
  const { namespace } = service;
  const api = { group: pathGroups.ingress, version: 'v1', resource: 'ingresses', namespace };
  const answer = await askOptional(kube, api, signal);
  if (!answer.ok) return {};
  const ingresses = readIngresses(answer.value.items, service, path.traefikH2c);
  return { patch: { path: { ...path, ingresses } } };
}

/** All labels of a pod: subsets and policies may use any. They are compared here and go no further. */
function labelsOf(item: unknown): Readonly<Record<string, string>> {
  return textMapAt(item, 'metadata', 'labels');
}

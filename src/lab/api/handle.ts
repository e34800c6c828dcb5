import type { Cluster } from '../cluster.ts';
import { allPods, podsOf } from '../cluster.ts';
import { prometheusNamespace, prometheusPort, prometheusService } from '../objects/prometheus.ts';
import { istiodMetrics, istiodName, istioNamespace } from '../objects/system-pods.ts';
import { answerQuery } from '../prometheus/api.ts';
import type { SeriesStore } from '../prometheus/store.ts';
import type { Kubelets } from '../traffic/kubelet.ts';
import { accessReview } from './access-review.ts';
import { type Answer, failureStatus, json, notFound, pageNotFound } from './answer.ts';
import { discovery } from './discovery.ts';
import { listPage } from './list.ts';
import { parseResourcePath, type ResourcePath } from './path.ts';
import type { PodProxy } from './proxy.ts';
import { forbidden, forbiddenPath, isAllowed, type User } from './rbac.ts';
import { apiVersion, type Resource } from './resource.ts';
import { table, wantsTable } from './table.ts';

/** What the handlers need of the lab. */
export interface ApiContext {
  readonly cluster: Cluster;
  readonly resources: readonly Resource[];
  readonly kubelets: Kubelets;
  readonly proxy: PodProxy;
  readonly prometheus: SeriesStore;
  serverAddress(): string;
  /** The version of the store now, and the oldest that a `continue` may name. */
  version(): number;
  readonly oldestVersion: number;
}

export interface ApiRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly accept: string;
  readonly body: Buffer;
  readonly user: User;
}

/** Answers one request that is not an upgrade. */
export async function handle(context: ApiContext, request: ApiRequest): Promise<Answer> {
  const { method, path, user } = request;
  const about = discovery(path, context.resources, context.serverAddress());
  if (about) {
    if (method !== 'GET') return failureStatus(405, 'MethodNotAllowed', 'the server does not allow this method');
    return user.token === null && path !== '/version' ? forbiddenPath(user, path) : about;
  }
  const target = parseResourcePath(path);
  if (!target) return user.rights === 'all' ? pageNotFound() : forbiddenPath(user, path);
  const access = { ...target, verb: verbOf(request, target) };
  if (!isAllowed(user, access)) return forbidden(user, access);
  const resource = context.resources.find(
    (one) => one.group === target.group && one.version === target.version && one.name === target.resource,
  );
  if (!resource) return pageNotFound();
  if (target.subresource !== undefined) return subresource(context, target, request);
  if (target.resource === 'selfsubjectaccessreviews' && method === 'POST') return accessReview(user, request.body);
  if (!resource.verbs.includes(access.verb)) {
    return failureStatus(
      405,
      'MethodNotAllowed',
      'the server does not allow this method on the requested resource',
      {},
    );
  }
  // A watch that ends at once without an event: clients fall back on listing again.
  if (access.verb === 'watch') return { status: 200, contentType: 'application/json', body: '' };
  return target.name === undefined ? list(context, resource, target, request) : get(resource, target, request);
}

function verbOf({ method, query }: ApiRequest, target: ResourcePath): string {
  if (method === 'GET' || method === 'HEAD') {
    if (target.name !== undefined) return 'get';
    return ['true', '1'].includes(query.get('watch') ?? '') ? 'watch' : 'list';
  }
  return { POST: 'create', PUT: 'update', PATCH: 'patch', DELETE: 'delete' }[method] ?? method.toLowerCase();
}

function list(context: ApiContext, resource: Resource, target: ResourcePath, request: ApiRequest): Answer {
  const objects = resource
    .objects()
    .filter((object) => target.namespace === undefined || object.metadata.namespace === target.namespace);
  const page = listPage(resource.name, objects, request.query, context.version(), context.oldestVersion);
  if ('status' in page) return page;
  if (wantsTable(request.accept)) return json(table(resource, page, Date.now()));
  const metadata = resource.unversioned ? {} : page.metadata;
  return json({ kind: `${resource.kind}List`, apiVersion: apiVersion(resource), metadata, items: page.items });
}

function get(resource: Resource, target: ResourcePath, request: ApiRequest): Answer {
  const object = resource
    .objects()
    .find(({ metadata }) => metadata.name === target.name && metadata.namespace === target.namespace);
  if (!object) return notFound(resource.group, resource.name, target.name ?? '');
  if (wantsTable(request.accept)) {
    const { resourceVersion = '' } = object.metadata;
    return json(table(resource, { items: [object], metadata: { resourceVersion } }, Date.now()));
  }
  return json({ kind: resource.kind, apiVersion: apiVersion(resource), ...object });
}

async function subresource(context: ApiContext, target: ResourcePath, request: ApiRequest): Promise<Answer> {
  const [name = '', port] = (target.name ?? '').split(':');
  if (target.resource === 'pods' && target.namespace === context.cluster.namespace) {
    const pod = allPods(context.cluster).find((one) => one.name === name);
    if (!pod) return notFound('', 'pods', name);
    if (target.subresource === 'proxy' && request.method === 'GET') {
      return context.proxy.get(pod, port === undefined ? undefined : Number(port), target.rest);
    }
    if (target.subresource === 'exec') return failureStatus(400, 'BadRequest', 'Upgrade request required');
  }
  if (target.resource === 'pods' && target.subresource === 'proxy') return systemProxy(context, target);
  if (target.resource === 'services' && target.subresource === 'proxy') return serviceProxy(context, target, request);
  const node = context.cluster.nodes.find((one) => one.name === name);
  if (target.resource === 'nodes' && target.subresource === 'proxy' && target.rest === '/metrics/probes') {
    if (!node) return notFound('', 'nodes', name);
    const body = context.kubelets.probesPage(node, context.cluster.namespace);
    return { status: 200, contentType: 'text/plain; version=0.0.4; charset=utf-8', body };
  }
  return pageNotFound();
}

/** The way of `pods/proxy` to the pods of the system: istiod serves its metrics at port 15014. */
function systemProxy({ cluster }: ApiContext, target: ResourcePath): Answer {
  const isIstiod = target.namespace === istioNamespace && target.name === `${istiodName}:15014`;
  if (cluster.scenario.xds !== true || !isIstiod || target.rest !== '/metrics')
    return notFound('', 'pods', (target.name ?? '').split(':')[0] ?? '');
  const body = istiodMetrics(podsOf(cluster.client).length);
  return { status: 200, contentType: 'text/plain; version=0.0.4; charset=utf-8', body };
}

/** The way of `services/proxy`: of the lab's Services only Prometheus speaks HTTP. */
function serviceProxy(context: ApiContext, target: ResourcePath, request: ApiRequest): Answer {
  const [name = '', port = ''] = (target.name ?? '').split(':');
  const isThere = target.namespace === prometheusNamespace && name === prometheusService;
  if (!isThere) return notFound('', 'services', name);
  if (port !== 'web' && port !== String(prometheusPort))
    return failureStatus(503, 'ServiceUnavailable', `no service port "${port}" found for service "${name}"`);
  return answerQuery(target.rest, request.query, context.prometheus.series);
}

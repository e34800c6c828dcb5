import type { KubeObject } from '../objects/meta.ts';
import type { Column } from './resource.ts';
import { ageColumn, column, countColumn, humanDuration, name } from './table.ts';

// The objects are the lab's own, so their fields are known to be there: `at` reads them by path.
function at(object: unknown, ...path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>((value, step) => (value as Record<string | number, unknown> | undefined)?.[step], object);
}

function list(object: unknown, ...path: readonly (string | number)[]): readonly unknown[] {
  return (at(object, ...path) as readonly unknown[] | undefined) ?? [];
}

const none = '<none>';
const text = (value: unknown) => (value === undefined || value === '' ? none : String(value));
const selector =
  (...path: readonly string[]) =>
  (object: KubeObject) =>
    text(
      Object.entries((at(object, ...path) ?? {}) as Record<string, string>)
        .map(([key, value]) => `${key}=${value}`)
        .join(','),
    );
const containers = (field: string) => (object: KubeObject) =>
  list(object, 'spec', 'template', 'spec', 'containers')
    .map((container) => at(container, field))
    .join(',');
const templateColumns = [
  column('Containers', containers('name'), 1),
  column('Images', containers('image'), 1),
  column('Selector', selector('spec', 'selector', 'matchLabels'), 1),
];

/** kubectl's columns, by resource. */
export const columns: Readonly<Record<string, readonly Column[]>> = {
  pods: [
    name,
    column('Ready', (pod) => {
      const statuses = list(pod, 'status', 'containerStatuses');
      return `${statuses.filter((status) => at(status, 'ready')).length}/${statuses.length}`;
    }),
    column('Status', (pod) => text(at(pod, 'status', 'phase'))),
    column('Restarts', (pod) => text(at(pod, 'status', 'containerStatuses', 0, 'restartCount'))),
    ageColumn,
    column('IP', (pod) => text(at(pod, 'status', 'podIP')), 1),
    column('Node', (pod) => text(at(pod, 'spec', 'nodeName')), 1),
    column('Nominated Node', () => none, 1),
    column('Readiness Gates', () => none, 1),
  ],
  services: [
    name,
    column('Type', (service) => text(at(service, 'spec', 'type'))),
    column('Cluster-IP', (service) => text(at(service, 'spec', 'clusterIP'))),
    column('External-IP', () => none),
    column('Port(s)', (service) =>
      list(service, 'spec', 'ports')
        .map((port) => `${at(port, 'port')}/${at(port, 'protocol')}`)
        .join(','),
    ),
    ageColumn,
    column('Selector', selector('spec', 'selector'), 1),
  ],
  endpointslices: [
    name,
    column('AddressType', (slice) => text(at(slice, 'addressType'))),
    column('Ports', (slice) =>
      list(slice, 'ports')
        .map((port) => at(port, 'port'))
        .join(','),
    ),
    column('Endpoints', (slice) => firstThree(list(slice, 'endpoints').map((one) => at(one, 'addresses', 0)))),
    ageColumn,
  ],
  deployments: [
    name,
    column('Ready', (one) => `${at(one, 'status', 'readyReplicas')}/${at(one, 'spec', 'replicas')}`),
    countColumn('Up-to-date', (one) => Number(at(one, 'status', 'updatedReplicas'))),
    countColumn('Available', (one) => Number(at(one, 'status', 'availableReplicas'))),
    ageColumn,
    ...templateColumns,
  ],
  replicasets: [
    name,
    countColumn('Desired', (one) => Number(at(one, 'spec', 'replicas'))),
    countColumn('Current', (one) => Number(at(one, 'status', 'replicas'))),
    countColumn('Ready', (one) => Number(at(one, 'status', 'readyReplicas'))),
    ageColumn,
    ...templateColumns,
  ],
  nodes: [
    name,
    column('Status', () => 'Ready'),
    column('Roles', () => none),
    ageColumn,
    column('Version', (node) => text(at(node, 'status', 'nodeInfo', 'kubeletVersion'))),
    column('Internal-IP', (node) => text(at(node, 'status', 'addresses', 0, 'address')), 1),
    column('External-IP', () => none, 1),
    column('OS-Image', (node) => text(at(node, 'status', 'nodeInfo', 'osImage')), 1),
    column('Kernel-Version', (node) => text(at(node, 'status', 'nodeInfo', 'kernelVersion')), 1),
    column('Container-Runtime', (node) => text(at(node, 'status', 'nodeInfo', 'containerRuntimeVersion')), 1),
  ],
  namespaces: [name, column('Status', (one) => text(at(one, 'status', 'phase'))), ageColumn],
  events: [
    column('Last Seen', (event, now) => humanDuration(now - Date.parse(event.metadata.creationTimestamp))),
    column('Type', (event) => text(at(event, 'type'))),
    column('Reason', (event) => text(at(event, 'reason'))),
    column(
      'Object',
      (event) => `${String(at(event, 'involvedObject', 'kind')).toLowerCase()}/${at(event, 'involvedObject', 'name')}`,
    ),
    column('Message', (event) => text(at(event, 'message'))),
    column('Name', (event) => event.metadata.name, 1),
  ],
};

function firstThree(addresses: readonly unknown[]): string {
  const more = addresses.length - 3;
  return text(addresses.slice(0, 3).join(',') + (more > 0 ? ` + ${more} more...` : ''));
}

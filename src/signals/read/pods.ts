import { meshProxiesIn } from '../../evidence/mesh-proxies.ts';
import type { Container, Owner, PeerPod, Pod } from '../../evidence/objects.ts';
import { at, flagAt, integerAt, listAt, textAt, textMapAt, timeAt } from './json.ts';
import { nameLabels } from './labels.ts';
import { readMeshMarks, saysSomething } from './mesh-marks.ts';
import { readMetricsEndpoint } from './metrics-endpoint.ts';
import { readRole } from './peer-role.ts';
import { readProbes } from './probe-specs.ts';
import { readBytes, readMillicores } from './quantity.ts';

/** Reads pods field by field; a pod without name or uid is left out. */
export function readPods(items: readonly unknown[], selector: Readonly<Record<string, string>>): Pod[] {
  return items.flatMap((item) => {
    const name = textAt(item, 'metadata', 'name');
    const uid = textAt(item, 'metadata', 'uid');
    if (name === null || uid === null) return [];
    const ready = listAt(item, 'status', 'conditions').find((condition) => textAt(condition, 'type') === 'Ready');
    return [
      {
        name,
        namespace: textAt(item, 'metadata', 'namespace') ?? 'default',
        uid,
        labels: nameLabels(textMapAt(item, 'metadata', 'labels'), selector),
        owner: readOwner(item),
        addresses: podAddresses(item),
        hostNetwork: flagAt(item, 'spec', 'hostNetwork') ?? false,
        hostAddress: textAt(item, 'status', 'hostIP'),
        nodeName: textAt(item, 'spec', 'nodeName'),
        phase: textAt(item, 'status', 'phase'),
        createdAt: timeAt(item, 'metadata', 'creationTimestamp'),
        startedAt: timeAt(item, 'status', 'startTime'),
        deletedAt: timeAt(item, 'metadata', 'deletionTimestamp'),
        ready: ready === undefined ? null : textAt(ready, 'status') === 'True',
        readySince: timeAt(ready, 'lastTransitionTime'),
        containers: readContainers(item),
        metricsEndpoint: readMetricsEndpoint(item),
        ...meshOf(item),
      },
    ];
  });
}

/** Reads a pod as the possible peer of a socket; null when it has no address or has ended. */
export function readPeerPod(item: unknown): PeerPod | null {
  const name = textAt(item, 'metadata', 'name');
  const phase = textAt(item, 'status', 'phase');
  const addresses = podAddresses(item);
  if (name === null || addresses.length === 0 || phase === 'Succeeded' || phase === 'Failed') return null;
  return {
    name,
    namespace: textAt(item, 'metadata', 'namespace') ?? 'default',
    addresses,
    hostNetwork: flagAt(item, 'spec', 'hostNetwork') ?? false,
    nodeName: textAt(item, 'spec', 'nodeName'),
    startedAt: timeAt(item, 'status', 'startTime'),
    owner: readOwner(item),
    labels: nameLabels(textMapAt(item, 'metadata', 'labels')),
    meshProxies: [...meshProxiesIn(peerContainers(item))],
    ...meshOf(item),
    ...roleOf(item),
  };
}

/** In `containers`, or as native sidecars in `initContainers` (KEP-753). */
function peerContainers(item: unknown): { readonly name: string }[] {
  return [...listAt(item, 'spec', 'containers'), ...listAt(item, 'spec', 'initContainers')].flatMap((container) => {
    const name = textAt(container, 'name');
    return name === null ? [] : [{ name }];
  });
}

function meshOf(item: unknown): Pick<Pod, 'mesh'> {
  const mesh = readMeshMarks(item);
  return saysSomething(mesh) ? { mesh } : {};
}

function roleOf(item: unknown): Pick<PeerPod, 'role'> {
  const role = readRole(item);
  return role === null ? {} : { role };
}

/** The controlling owner of an object. */
function readOwner(item: unknown): Owner | null {
  const owners = listAt(item, 'metadata', 'ownerReferences');
  const owner = owners.find((entry) => flagAt(entry, 'controller') === true) ?? owners[0];
  const kind = textAt(owner, 'kind');
  const name = textAt(owner, 'name');
  return kind === null || name === null ? null : { kind, name };
}

function podAddresses(item: unknown): string[] {
  const all = listAt(item, 'status', 'podIPs').flatMap((entry) => textAt(entry, 'ip') ?? []);
  const first = textAt(item, 'status', 'podIP');
  return all.length === 0 && first !== null ? [first] : all;
}

function readContainers(item: unknown): Container[] {
  // Native sidecars stand among the init containers, with restartPolicy Always (KEP-753).
  const sidecars = listAt(item, 'spec', 'initContainers').filter((spec) => textAt(spec, 'restartPolicy') === 'Always');
  const statuses = [...listAt(item, 'status', 'containerStatuses'), ...listAt(item, 'status', 'initContainerStatuses')];
  const byName = new Map(statuses.map((status) => [textAt(status, 'name'), status]));
  const read = (sidecar: boolean) => (spec: unknown) => readContainer(spec, byName.get(textAt(spec, 'name')), sidecar);
  return [...listAt(item, 'spec', 'containers').flatMap(read(false)), ...sidecars.flatMap(read(true))];
}

function readContainer(spec: unknown, status: unknown, sidecar: boolean): Container[] {
  const name = textAt(spec, 'name');
  if (name === null) return [];
  const terminated = at(status, 'lastState', 'terminated');
  return [
    {
      name,
      image: textAt(spec, 'image') ?? '',
      sidecar,
      ports: listAt(spec, 'ports').flatMap((port) => {
        const number = integerAt(port, 'containerPort');
        return number === null
          ? []
          : [{ name: textAt(port, 'name'), port: number, protocol: textAt(port, 'protocol') ?? 'TCP' }];
      }),
      cpuRequestMillicores: orNone(readMillicores(at(spec, 'resources', 'requests', 'cpu'))),
      cpuLimitMillicores: orNone(readMillicores(at(spec, 'resources', 'limits', 'cpu'))),
      memoryRequestBytes: orNone(readBytes(at(spec, 'resources', 'requests', 'memory'))),
      memoryLimitBytes: orNone(readBytes(at(spec, 'resources', 'limits', 'memory'))),
      running: at(status, 'state', 'running') !== undefined,
      ready: flagAt(status, 'ready') ?? false,
      restarts: integerAt(status, 'restartCount') ?? 0,
      startedAt: timeAt(status, 'state', 'running', 'startedAt'),
      waitingReason: textAt(status, 'state', 'waiting', 'reason'),
      lastTermination:
        terminated === undefined
          ? null
          : {
              reason: textAt(terminated, 'reason'),
              exitCode: integerAt(terminated, 'exitCode'),
              finishedAt: timeAt(terminated, 'finishedAt'),
            },
      probes: readProbes(spec),
    },
  ];
}

/** To Kubernetes a limit or a request of 0 is none. */
function orNone(quantity: number | null): number | null {
  return quantity !== null && quantity > 0 ? quantity : null;
}

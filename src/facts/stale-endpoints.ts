import type { Pod } from '../evidence/objects.ts';
import type { EvidenceIndex } from './evidence-index.ts';
import { type MeasuredPod, measurePod } from './measured.ts';

/** A pod that gets no new connections by right, and holds some all the same. */
export interface StaleEndpoint {
  readonly pod: MeasuredPod;
  readonly why: 'not-ready' | 'terminating' | 'gone';
  readonly connections: number;
  /** Bytes of the window; of the lifetime where there is one sample; null where bytes are not known. */
  readonly bytes: number | null;
  /** Some connection was there in both samples and carried something: calls go on. */
  readonly goesOn: boolean;
}

/**
 * Pods that have left the Service and hold connections of its clients: of the same owner or template as a present pod,
 * with a client that is connected to a present pod, too, or with a part of the labels of the selector, as after the switch
 * from blue to green. Any other pod with the same port may be anybody's.
 */
export function formerPodsOf(index: EvidenceIndex, present: readonly MeasuredPod[]): readonly MeasuredPod[] {
  const { evidence } = index;
  const port = present.find((pod) => pod.backend.port !== null)?.backend.port ?? null;
  const kin = new Set((evidence.pods ?? []).flatMap(kinship));
  const clients = new Set(present.flatMap(clientsOf));
  return (evidence.formerPods ?? [])
    .map((pod) => measurePod(index, backendOf(pod, port)))
    .filter((pod) => {
      if ((pod.sockets?.connections.length ?? 0) === 0) return false;
      const isKin = pod.pod !== null && kinship(pod.pod).some((sign) => kin.has(sign));
      return (
        isKin ||
        fitsInPart(pod.pod, evidence.service?.selector ?? {}) ||
        clientsOf(pod).some((client) => clients.has(client))
      );
    });
}

/** All keys of the selector, and some of its values: another colour, version or track of one application. */
function fitsInPart(pod: Pod | null, selector: Readonly<Record<string, string>>): boolean {
  const wanted = Object.entries(selector);
  return (
    wanted.every(([key]) => pod?.labels[key] !== undefined) && wanted.some(([key, value]) => pod?.labels[key] === value)
  );
}

function kinship(pod: Pod): string[] {
  const hash = pod.labels['pod-template-hash'];
  return [
    ...(pod.owner === null ? [] : [`${pod.owner.kind}/${pod.owner.name}`]),
    ...(hash === undefined ? [] : [hash]),
  ];
}

function clientsOf(pod: MeasuredPod): string[] {
  return pod.sockets?.connections.map(({ peer }) => `${peer.namespace ?? ''}/${peer.workload}`) ?? [];
}

function backendOf(pod: Pod, port: number | null): MeasuredPod['backend'] {
  return {
    key: pod.uid,
    pod: { name: pod.name, namespace: pod.namespace, uid: pod.uid },
    addresses: pod.addresses,
    port,
    ready: false,
    serving: false,
    terminating: pod.deletedAt !== null,
    nodeName: pod.nodeName,
    zone: null,
    hintZones: [],
    hintNodes: [],
  };
}

/** Those outside the endpoints that hold client connections, with most of them first. */
export function findStaleEndpoints(
  unreadyPods: readonly MeasuredPod[],
  formerPods: readonly MeasuredPod[],
): readonly StaleEndpoint[] {
  const of = (pods: readonly MeasuredPod[], why: (pod: MeasuredPod) => StaleEndpoint['why']) =>
    pods.flatMap((pod): StaleEndpoint[] => {
      const connections = pod.sockets?.connections ?? [];
      if (connections.length === 0) return [];
      const goesOn = connections.some((entry) => entry.kept && (entry.windowBytes ?? 0) > 0);
      const bytes = connections.map((entry) => entry.windowBytes ?? entry.bytes);
      return [
        {
          pod,
          why: why(pod),
          connections: connections.length,
          bytes: bytes.some((value) => value === null)
            ? null
            : bytes.reduce<number>((sum, value) => sum + (value ?? 0), 0),
          goesOn,
        },
      ];
    });
  const isLeaving = (pod: MeasuredPod) => pod.backend.terminating || pod.pod?.deletedAt != null;
  return [
    ...of(unreadyPods, (pod) => (isLeaving(pod) ? 'terminating' : 'not-ready')),
    ...of(formerPods, (pod) => (isLeaving(pod) ? 'terminating' : 'gone')),
  ].sort((a, b) => b.connections - a.connections || (a.pod.name < b.pod.name ? -1 : 1));
}

import { type Cluster, type LabPod, type LabWorkload, workloadsOf } from '../cluster.ts';
import { hex, seededRandom, uuid } from '../random.ts';
import type { ProbeFailure } from '../traffic/kubelet.ts';
import { type KubeObject, microTime, timestamp } from './meta.ts';

interface Happening {
  readonly at: number;
  readonly object: { readonly kind: string; readonly name: string; readonly uid: string; readonly version: number };
  readonly reason: string;
  readonly message: string;
  readonly component: string;
  readonly host?: string;
  readonly fieldPath?: string;
}

/** What the controllers, the scheduler and kubelet noted while the workloads came up and were scaled. */
export function eventObjects(cluster: Cluster): readonly KubeObject[] {
  // Names and uids must stay the same from list to list, so they come from a seed of their own.
  const random = seededRandom(cluster.service.resourceVersion);
  const happenings = workloadsOf(cluster).flatMap((workload) => workloadHappenings(cluster, workload));
  return happenings.map((happening) => eventObject(cluster.namespace, happening, hex(random, 16), uuid(random)));
}

/** What kubelet tells of probes that failed: one Event a pod, counted on. */
export function probeEventObject(namespace: string, failure: ProbeFailure): KubeObject {
  const { pod, type, message, count, firstAt, lastAt } = failure;
  const object = { kind: 'Pod', name: pod.name, uid: pod.uid, version: pod.resourceVersion };
  const event = eventObject(
    namespace,
    {
      at: firstAt,
      object,
      reason: 'Unhealthy',
      message: `${type} probe failed: ${message}`,
      component: 'kubelet',
      host: pod.node.name,
      fieldPath: `spec.containers{${pod.container}}`,
    },
    pod.uid.slice(-12),
    pod.uid.replace(/^.{8}/, 'e0e0e0e0'),
  );
  return { ...event, type: 'Warning', count, lastTimestamp: timestamp(lastAt) };
}

function workloadHappenings(cluster: Cluster, workload: LabWorkload): readonly Happening[] {
  const replicaSet = `${workload.name}-${workload.hash}`;
  const { resourceVersion: version } = workload;
  let before = 0;
  let left = 0;
  return workload.generations.flatMap(({ createdAt, pods }) => {
    // What takes the place of a pod that left is no scaling.
    const after = before + pods.length - left;
    left = pods.filter((pod) => pod.hasLeft).length;
    const scaled: Happening = {
      at: createdAt,
      object: { kind: 'Deployment', name: workload.name, uid: workload.uid, version },
      reason: 'ScalingReplicaSet',
      message: `Scaled up replica set ${replicaSet} from ${before} to ${after}`,
      component: 'deployment-controller',
    };
    const created = pods.map(
      (pod): Happening => ({
        at: createdAt,
        object: { kind: 'ReplicaSet', name: replicaSet, uid: workload.replicaSetUid, version },
        reason: 'SuccessfulCreate',
        message: `Created pod: ${pod.name}`,
        component: 'replicaset-controller',
      }),
    );
    const scalings = after === before ? [] : [scaled];
    before = after;
    return [...scalings, ...created, ...pods.flatMap((pod) => podHappenings(cluster.namespace, workload, pod))];
  });
}

function podHappenings(namespace: string, workload: LabWorkload, pod: LabPod): readonly Happening[] {
  const object = { kind: 'Pod', name: pod.name, uid: pod.uid, version: pod.resourceVersion };
  const kubelet = (at: number, reason: string, message: string): Happening => ({
    at,
    object,
    reason,
    message,
    component: 'kubelet',
    host: pod.node.name,
    fieldPath: `spec.containers{${pod.container}}`,
  });
  const present = `Container image "${workload.image}" already present on machine and can be accessed by the pod`;
  return [
    {
      at: pod.createdAt,
      object,
      reason: 'Scheduled',
      message: `Successfully assigned ${namespace}/${pod.name} to ${pod.node.name}`,
      component: 'default-scheduler',
    },
    kubelet(pod.startedAt - 1000, 'Pulled', present),
    kubelet(pod.startedAt - 1000, 'Created', 'Container created'),
    kubelet(pod.startedAt, 'Started', 'Container started'),
  ];
}

function eventObject(namespace: string, happening: Happening, suffix: string, uid: string): KubeObject {
  const { at, object, component, host } = happening;
  const byScheduler = component === 'default-scheduler';
  return {
    metadata: {
      name: `${object.name}.${suffix}`,
      namespace,
      uid,
      resourceVersion: String(object.version + 1),
      creationTimestamp: timestamp(at),
    },
    involvedObject: {
      kind: object.kind,
      namespace,
      name: object.name,
      uid: object.uid,
      apiVersion: object.kind === 'Pod' ? 'v1' : 'apps/v1',
      resourceVersion: String(object.version),
      ...(happening.fieldPath ? { fieldPath: happening.fieldPath } : {}),
    },
    reason: happening.reason,
    message: happening.message,
    source: byScheduler ? {} : { component, ...(host ? { host } : {}) },
    firstTimestamp: byScheduler ? null : timestamp(at),
    lastTimestamp: byScheduler ? null : timestamp(at),
    ...(byScheduler ? {} : { count: 1 }),
    type: 'Normal',
    eventTime: byScheduler ? microTime(at) : null,
    ...(byScheduler ? { action: 'Binding' } : {}),
    reportingComponent: component,
    reportingInstance: byScheduler ? 'default-scheduler-lab' : (host ?? ''),
  };
}

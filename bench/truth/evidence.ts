/** Evidence of an observation: what a record of these looks holds, with all that was not seen left out. */
import type { SkewEvidence } from '../../src/evidence/schema.ts';
import {
  apiTime,
  deploymentsOf,
  grpcPort,
  happeningsOf,
  listedPods,
  lookTime,
  namespace,
  pathOf,
  peerPodsOf,
  podsOf,
  serviceName,
  serviceOf,
  sidecarPort,
  slicesOf,
  uidOf,
} from './objects.ts';
import type { Observation, PodLook, SeenSocket } from './observe.ts';
import { accepts } from './placement.ts';
import type { ClientPlan, Plan } from './plan.ts';

type Connections = NonNullable<SkewEvidence['connections']>;
type Socket = Connections['looks'][number]['sockets'][number];
type SocketFailure = Connections['failures'][number];
type Calls = NonNullable<NonNullable<SkewEvidence['calls']>>;
type ClientLooks = NonNullable<NonNullable<SkewEvidence['clientLooks']>>;
type Signal = SkewEvidence['signals'][number];

export function evidenceOf(observation: Observation, seed: string): SkewEvidence {
  const { plan, endsAt } = observation;
  const { sees } = plan;
  const connections = connectionsOf(observation);
  const calls = callsOf(observation);
  const usage = usageOf(observation);
  const clientLooks = clientLooksOf(plan, observation);
  const pods = listedPods(plan).length;
  const at = lookTime(endsAt);
  const signal = (id: Signal['id'], state: Signal['state'], reason: string | null = null): Signal => ({
    ...{ id, state, reason, needs: null, lookedAt: state === 'complete' || state === 'partial' ? at : null },
  });
  const partly = (seen: number) => (seen === pods ? 'complete' : seen === 0 ? 'unavailable' : 'partial');
  const some = (seen: number, what: string) => (seen === pods ? null : `${what} of ${seen} of ${pods} pods`);
  const looked = connections.looks.filter(({ sample }) => sample === 1).length;
  const counted = calls.looks.filter(({ sample }) => sample === 1).length;
  return {
    apiVersion: 'grpc-skew/v1alpha1',
    kind: 'SkewEvidence',
    metadata: { name: serviceName, namespace, context: 'prod', toolVersion: '0.1.0', now: at },
    spec: { port: null, windowSeconds: sees.windowSeconds },
    signals: [
      signal('service', 'complete'),
      signal('endpoints', 'complete'),
      signal(
        'usage',
        usage === null ? 'unavailable' : partly(usage.length),
        usage === null ? 'no metrics API' : some(usage.length, 'CPU'),
      ),
      signal('connections', partly(looked), some(looked, 'sockets')),
      signal('calls', partly(counted), some(counted, 'counters')),
      signal('probes', sees.happenings ? 'complete' : 'partial', sees.happenings ? null : 'events were not seen'),
      signal('clients', ...clientsState(sees.peers)),
      signal('path', 'complete'),
      signal('autoscaling', 'complete'),
      signal('siblings', 'complete'),
    ],
    service: serviceOf(plan),
    endpointSlices: slicesOf(plan, seed),
    pods: podsOf(plan),
    ...{ usage, connections, calls },
    peers: sees.peers === 'none' ? null : { scope: sees.peers, pods: peerPodsOf(plan) },
    ...(clientLooks === null ? {} : { clientLooks }),
    nodes: plan.nodes.map(({ name, address, zone, ready }) => ({
      ...{ name, addresses: [address], podCIDRs: [], zone, instanceType: 'm5.large', ready },
    })),
    deployments: deploymentsOf(plan),
    happenings: sees.happenings ? happeningsOf(plan) : null,
    ...{ autoscalers: [], path: pathOf(plan), siblings: [], namesakes: [] },
  };
}

function clientsState(peers: Plan['sees']['peers']): ['complete' | 'partial' | 'forbidden', string | null] {
  if (peers === 'cluster') return ['complete', null];
  return peers === 'namespace'
    ? ['partial', `only pods of namespace ${namespace} could be named`]
    : ['forbidden', 'no pods could be listed'];
}

function connectionsOf({ plan, looks }: Observation): Connections {
  const { sees } = plan;
  const dead = new Set(plan.nodes.filter(({ ready }) => !ready).map(({ name }) => name));
  const failureOf = ({ pod }: PodLook): SocketFailure['reason'] | null => {
    if (sees.sockets === 'none') return 'no-tool';
    if (dead.has(pod.node)) return 'unreachable';
    if (sees.notSampled.includes(pod.name)) return 'not-sampled';
    return sees.socketsMissing.includes(pod.name) ? 'timeout' : null;
  };
  const failures = looks
    .filter((look) => look.sample === 1)
    .flatMap((look): SocketFailure[] => {
      const reason = failureOf(look);
      const podUid = uidOf(plan, look.pod);
      return reason === null
        ? []
        : [{ pod: look.pod.name, podUid, sample: 1, reason, message: `sockets not read: ${reason}` }];
    });
  const read = looks.filter((look) => failureOf(look) === null);
  return {
    looks: read
      .map((look) => ({
        ...{ pod: look.pod.name, podUid: uidOf(plan, look.pod), container: 'server', sample: look.sample },
        way: sees.sockets === 'proc' ? ('proc' as const) : ('ss' as const),
        lookedAt: lookTime(look.at),
        sockets: (sees.emptyTables ? [] : look.sockets).flatMap((socket) => socketsOf(plan, look, socket)),
        listening:
          accepts(look.pod, look.at) && !sees.emptyTables
            ? portsOf(plan).map((port) => ({ port, loopback: false }))
            : [],
        unreadableRows: 0,
      }))
      .sort((a, b) => (a.pod === b.pod ? a.sample - b.sample : a.pod < b.pod ? -1 : 1)),
    failures,
    execs: read.length + failures.length,
  };
}

function portsOf(plan: Plan): number[] {
  return plan.mesh === 'istio' ? [grpcPort, sidecarPort] : [grpcPort];
}

function socketsOf(plan: Plan, { pod, at }: PodLook, seen: SeenSocket): Socket[] {
  const isProc = plan.sees.sockets === 'proc';
  const idle = Math.max(0, Math.round((at - seen.lastAt) * 1000));
  const facts = isProc
    ? { receiveQueueBytes: seen.queued, sendQueueBytes: 0 }
    : {
        ...{
          receiveQueueBytes: seen.queued,
          sendQueueBytes: 0,
          bytesAcked: seen.bytesOut,
          bytesReceived: seen.bytesIn + seen.queued,
        },
        ...{ segmentsOut: seen.segmentsOut, segmentsIn: seen.segmentsIn, lastSentMs: idle, lastReceivedMs: idle },
      };
  const own = {
    localAddress: pod.address,
    localPort: grpcPort,
    peerAddress: seen.peerAddress,
    peerPort: seen.peerPort,
  };
  if (plan.mesh === 'none') return [{ ...own, ...facts }];
  if (plan.mesh === 'unknown') return [{ ...own, localAddress: '127.0.0.1', peerAddress: '127.0.0.1', ...facts }];
  // The sidecar takes the connection at its own port and opens one to the application, from an address of its own.
  return [
    { ...own, localPort: sidecarPort, ...facts },
    { ...own, peerAddress: '127.0.0.6', ...facts },
  ];
}

function callsOf({ plan, looks }: Observation): Calls {
  const { sees } = plan;
  const isMissing = (look: PodLook) =>
    sees.calls === 'none' || sees.callsMissing.includes(look.pod.name) || look.pod.deaf === true;
  const hasStreams = plan.clients.some(({ streams }) => streams !== undefined);
  return {
    looks: looks
      .filter((look) => !isMissing(look))
      .map(({ pod, sample, at, work, openStreams }) => {
        const method = { service: 'shop.Echo', method: hasStreams ? 'Watch' : 'Say', streaming: hasStreams };
        const counters = {
          started: work.calls,
          handled: work.calls - openStreams,
          messages: hasStreams ? work.messages : null,
        };
        return {
          ...{
            pod: pod.name,
            podUid: uidOf(plan, pod),
            sample,
            lookedAt: lookTime(at + 0.05),
            family: 'go-grpc-middleware',
          },
          ...(sees.unknownPages.includes(pod.name) ? { family: null } : {}),
          methods: work.calls > 0 && !sees.unknownPages.includes(pod.name) ? [{ ...method, ...counters }] : [],
        };
      })
      .sort((a, b) => (a.pod === b.pod ? a.sample - b.sample : a.pod < b.pod ? -1 : 1)),
    failures: looks
      .filter((look) => look.sample === 1 && isMissing(look))
      .map(({ pod }) => ({
        ...{ pod: pod.name, podUid: uidOf(plan, pod) },
        reason: sees.calls === 'none' ? ('refused-by-pod' as const) : ('no-answer' as const),
        message: 'no page of metrics',
      })),
  };
}

function usageOf({ plan, cpu, begins }: Observation): SkewEvidence['usage'] {
  const { usage } = plan.sees;
  if (usage === null) return null;
  const dead = new Set(plan.nodes.filter(({ ready }) => !ready).map(({ name }) => name));
  return [...cpu]
    .filter(([pod]) => !dead.has(pod.node))
    .map(([pod, cpuMillicores]) => ({
      ...{ pod: pod.name, measuredAt: apiTime(begins - usage.ageSeconds), windowSeconds: usage.windowSeconds },
      containers: [
        { name: 'server', cpuMillicores: Number(cpuMillicores.toFixed(3)), memoryBytes: 48_000_000 },
        ...(plan.mesh === 'istio'
          ? [
              {
                name: 'istio-proxy',
                cpuMillicores: Number((3 + 0.3 * cpuMillicores).toFixed(3)),
                memoryBytes: 52_000_000,
              },
            ]
          : []),
      ],
    }))
    .sort((a, b) => (a.pod < b.pod ? -1 : 1));
}

/** A few clients are asked what they dial: the sockets at their end show virtual addresses or pods. */
function clientLooksOf(plan: Plan, { world, endsAt }: Observation): ClientLooks | null {
  if (!plan.sees.clientLooks) return null;
  const asked = plan.clients.filter((client) => isAskable(client)).slice(0, 3);
  const looks = asked.map((client): ClientLooks['looks'][number] => {
    const own = world.channels.filter((channel) => channel.client === client);
    const dialsVirtual = own.some(({ plan: how }) => how.dial.to === 'virtual');
    const connections = own.reduce((sum, channel) => sum + channel.connections.length, 0);
    return {
      ...{
        pod: client.name,
        namespace: client.namespace,
        container: 'client',
        lookedAt: lookTime(endsAt),
        runtime: 'other',
      },
      dialled:
        connections === 0
          ? []
          : [
              {
                what: dialsVirtual ? 'virtual-address' : 'pod',
                service: dialsVirtual ? serviceName : null,
                connections,
              },
            ],
    };
  });
  return { looks, failures: [] };
}

function isAskable(client: ClientPlan): boolean {
  return client.outside !== true && client.startedAt <= 0 && (client.endsAt ?? Infinity) > 0;
}

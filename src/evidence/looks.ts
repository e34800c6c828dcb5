/** What was looked at in pods and nodes: sockets, counters, what a client dials. */
import { type Static, Type } from 'typebox';
import { count, nullable, text, time } from './kinds.ts';

/** One established TCP connection, as the pod's own network namespace shows it. */
export const Socket = Type.Object({
  localAddress: Type.String(),
  localPort: Type.Integer({ minimum: 0, maximum: 65535 }),
  peerAddress: Type.String(),
  peerPort: Type.Integer({ minimum: 0, maximum: 65535 }),
  receiveQueueBytes: Type.Optional(count('Received by the kernel, not yet read by the program')),
  sendQueueBytes: Type.Optional(count('Sent by the program, not yet acknowledged by the peer')),
  bytesReceived: Type.Optional(count('Bytes received over the lifetime of the connection')),
  bytesAcked: Type.Optional(count('Bytes sent and acknowledged over the lifetime of the connection')),
  segmentsIn: Type.Optional(
    count('Segments with data received over the lifetime: a stand-in for the number of messages'),
  ),
  segmentsOut: Type.Optional(count('Segments with data sent over the lifetime')),
  lastReceivedMs: Type.Optional(count('Milliseconds since data was last received')),
  lastSentMs: Type.Optional(count('Milliseconds since data was last sent')),
});
export type Socket = Static<typeof Socket>;

/** How the sockets of a pod were read, best first. Only `ss` knows bytes. */
export const SocketWay = Type.Union([
  Type.Literal('ss'),
  Type.Literal('ss-unfiltered'),
  Type.Literal('netstat'),
  Type.Literal('proc'),
]);
export type SocketWay = Static<typeof SocketWay>;

/** One look at the sockets of one pod. */
export const SocketLook = Type.Object({
  pod: text('Name of the pod'),
  podUid: Type.String(),
  container: nullable(text('The container in which the command ran')),
  sample: Type.Union([Type.Literal(1), Type.Literal(2)]),
  way: SocketWay,
  lookedAt: time('When the answer arrived'),
  sockets: Type.Array(Socket, { description: 'Established sockets whose local port is wanted; others are dropped' }),
  timeWait: Type.Optional(count('Sockets in TIME-WAIT at the wanted ports, where the way shows them')),
  listening: Type.Optional(
    Type.Array(
      Type.Object({
        port: Type.Integer({ minimum: 0, maximum: 65535 }),
        loopback: Type.Boolean({ description: 'On a loopback address alone, which nobody outside the pod reaches' }),
      }),
      { description: 'Wanted ports at which a process listens; absent where no listening socket was shown' },
    ),
  ),
  unreadableRows: count('Rows that could not be read'),
});
export type SocketLook = Static<typeof SocketLook>;

/** Why the sockets of a pod were not seen. */
export const SocketFailure = Type.Object({
  pod: Type.String(),
  podUid: Type.String(),
  sample: Type.Union([Type.Literal(1), Type.Literal(2)]),
  reason: Type.Union([
    Type.Literal('forbidden'),
    Type.Literal('refused'),
    Type.Literal('no-tool'),
    Type.Literal('not-running'),
    Type.Literal('timeout'),
    Type.Literal('unreachable'),
    Type.Literal('no-upgrade'),
    Type.Literal('near-memory-limit'),
    Type.Literal('not-sampled'),
    Type.Literal('failed'),
  ]),
  message: text('In words, with what the server said; without values from the environment'),
});
export type SocketFailure = Static<typeof SocketFailure>;

/** Commands that ran in pods beside those of the Service. */
export const ExecsElsewhere = Type.Object({
  where: Type.Union([Type.Literal('clients'), Type.Literal('cilium-agents')]),
  execs: count('Commands run there'),
  pods: count('Pods in which they ran'),
});
export type ExecsElsewhere = Static<typeof ExecsElsewhere>;

/** What a pod's own counters say of one method (or of all, where its metrics do not tell them apart). */
export const MethodCounters = Type.Object({
  service: Type.String(),
  method: Type.String(),
  streaming: nullable(Type.Boolean({ description: 'A client, server or bidirectional stream; null when not told' })),
  started: nullable(Type.Number({ description: 'Calls started since the process began' })),
  handled: nullable(Type.Number({ description: 'Calls ended since the process began' })),
  messages: nullable(Type.Number({ description: 'Messages received and sent since the process began' })),
  port: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 65535, description: 'Port of the pod that was called; absent where not told' }),
  ),
});
export type MethodCounters = Static<typeof MethodCounters>;

/** One look at the metrics page of one pod. Health checks, reflection and channelz are left out. */
export const CallLook = Type.Object({
  pod: Type.String(),
  podUid: Type.String(),
  sample: Type.Union([Type.Literal(1), Type.Literal(2)]),
  lookedAt: time('When the answer arrived'),
  family: nullable(
    text('The family of metrics that was found; null when the page has none: then its calls are not known'),
  ),
  methods: Type.Array(MethodCounters),
});
export type CallLook = Static<typeof CallLook>;

export const CallFailure = Type.Object({
  pod: Type.String(),
  podUid: Type.String(),
  reason: Type.Union([
    Type.Literal('forbidden'),
    Type.Literal('refused-by-pod'),
    Type.Literal('no-endpoint'),
    Type.Literal('no-answer'),
    Type.Literal('failed'),
  ]),
  message: Type.String(),
});
export type CallFailure = Static<typeof CallFailure>;

/** What kubelet has counted of one kind of probe of one container, since the container or kubelet began. */
export const ProbeCount = Type.Object({
  pod: Type.String(),
  podUid: nullable(text('Null where kubelet does not say it: static pods, and old versions')),
  container: Type.String(),
  type: Type.Union([Type.Literal('liveness'), Type.Literal('readiness'), Type.Literal('startup')]),
  successful: Type.Number(),
  failed: Type.Number(),
  unknown: Type.Number(),
  lastResult: Type.Optional(
    Type.Union([Type.Literal('successful'), Type.Literal('failed'), Type.Literal('unknown')], {
      description: 'Old versions count nothing and tell the last result only',
    }),
  ),
  durations: nullable(
    Type.Object(
      {
        count: Type.Number(),
        sumSeconds: Type.Number(),
        p95Seconds: nullable(Type.Number({ description: 'Upper bound of the bucket of the 95th percentile' })),
      },
      { description: 'How long probes that succeeded took' },
    ),
  ),
});
export type ProbeCount = Static<typeof ProbeCount>;

/** One look at the counters of one kubelet: what is of other pods is left out. */
export const ProbeLook = Type.Object({
  node: Type.String(),
  sample: Type.Union([Type.Literal(1), Type.Literal(2)]),
  lookedAt: time('When the answer arrived'),
  counts: Type.Array(ProbeCount),
});
export type ProbeLook = Static<typeof ProbeLook>;

/** One look from the other end: what a client pod dials, and what runs in it. */
export const ClientLook = Type.Object({
  pod: Type.String(),
  namespace: Type.String(),
  container: Type.String(),
  lookedAt: time('When the answer arrived'),
  dialled: Type.Array(
    Type.Object({
      what: Type.Union([Type.Literal('virtual-address'), Type.Literal('pod')]),
      service: nullable(text('The Service whose virtual address it is')),
      connections: count('Established connections'),
    }),
  ),
  runtime: nullable(
    Type.Union(
      [
        Type.Literal('java'),
        Type.Literal('node'),
        Type.Literal('python'),
        Type.Literal('dotnet'),
        Type.Literal('other'),
      ],
      { description: 'By the name of its first process; other: a static binary or anything else' },
    ),
  ),
});
export type ClientLook = Static<typeof ClientLook>;

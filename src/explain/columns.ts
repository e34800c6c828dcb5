import type { Meaning } from '../report/meaning.ts';

/** Heads of columns, and the names that the details of the live view have for the same figures. */
export const columnFacts: readonly Meaning[] = [
  {
    id: 'share',
    title: 'The part of all load that a pod carries',
    means: ['by the measure that the line "measured" names; the bar is drawn against the hottest pod'],
    says: ['load-share'],
  },
  {
    id: 'shares',
    title: 'The part that a pod has of the connections, the bytes, the calls and the CPU',
    means: ['where they differ, that is the finding: connections may be even and what they carry not'],
  },
  {
    id: 'conn',
    title: 'Established connections of clients, at the port that the Service leads to',
    means: ['without those of kubelet, sidecars and the pod itself'],
  },
  {
    id: 'calls-per-second',
    title: 'Calls that a pod has ended, or messages where calls are long, each second of the window',
    means: ['by its own counters, or by Prometheus; health checks and reflection are left out'],
    says: ['calls/s'],
  },
  {
    id: 'bytes-per-second',
    title: 'Bytes received and acknowledged on the connections of clients, each second of the window',
    means: ['ss knows them, netstat and /proc do not'],
    says: ['b/s', 'bytes'],
  },
  {
    id: 'received-per-second',
    title: 'Bytes that the network interfaces of a pod receive each second, from anybody',
    means: ['by Prometheus; all traffic and not that of the port alone'],
    says: ['recv/s', 'receives'],
  },
  {
    id: 'messages',
    title: 'Messages of calls, as the pods count them',
    means: ['the load where more calls are under way than end: then they are streams'],
  },
  {
    id: 'cpu',
    title: 'CPU that the container of the port uses, in millicores, and its limit',
    means: ['1000m is one core; by the metrics API, else by Prometheus; the line "measured" says how old it is'],
    says: ['cpu-limit'],
  },
  {
    id: 'throttled',
    title: 'The part of its CPU periods in which the kernel held a pod back at its CPU limit',
    means: ['by Prometheus; the mean of CPU may lie far below the limit meanwhile'],
  },
  {
    id: 'memory',
    title: 'Memory that a pod uses, and its limit',
    means: ['by the metrics API'],
    says: ['mem', 'mem-limit'],
  },
  {
    id: 'age',
    title: 'How long ago a pod was created, or a client started',
    means: ['connections that are older than a pod never reached it'],
  },
  {
    id: 'ready',
    title: 'How long a pod has been Ready; no: it is not',
    means: ['a pod that is not Ready gets no new connections, and keeps those that it has'],
  },
  {
    id: 'restarts',
    title: 'How often containers of a pod have restarted',
    means: ['with each restart it lost its connections'],
  },
  {
    id: 'node',
    title: 'The node on which a pod runs, and its zone',
    means: ['Local policies and hints go by them'],
    says: ['zone'],
  },
  {
    id: 'marks',
    title: 'What is to be said of a pod, the worst first',
    means: ['each mark can be explained: explain hot, new, not-ready, restarted-3x'],
  },
  {
    id: 'pod',
    title: 'A pod behind the port of the Service, the hottest first',
    means: ['pods that are no endpoint and still carry load are among them'],
  },
  {
    id: 'endpoint',
    title: 'Whether a pod is a ready endpoint of the port: whether new connections go to it',
    means: ['the EndpointSlices of the Service say it'],
  },
  {
    id: 'client',
    title:
      'Who holds connections: a workload, a gateway, a proxy, a node, or an address that is no pod that could be seen',
    means: ['FROM, in the details of a pod, are those that hold it'],
    says: ['kind'],
  },
  {
    id: 'namespace',
    title: 'The namespace of a client; a dash where it is no pod that could be seen',
    means: ['one in another namespace may be of another team'],
  },
  {
    id: 'client-pods',
    title: 'Pods of a client, or its addresses',
    means: ['each has connections of its own'],
    says: ['client pods'],
  },
  {
    id: 'reaches',
    title: 'To how many pods of the Service a client is connected',
    means: ['one that balances by itself reaches all of them'],
  },
  {
    id: 'per-pod',
    title: 'How many connections a client holds to each pod',
    means: ['pods that it does not reach are left out'],
    says: ['per pod'],
  },
  {
    id: 'pods-since',
    title: 'Pods of the Service that became Ready after the client started',
    means: ['a client that does not resolve the name again knows none of them'],
  },
  {
    id: 'team',
    title: 'Whose a client is, by the labels of its pods',
    means: ['it tells whether you can change the client'],
  },
  {
    id: 'dials',
    title: 'What a client dials: the virtual address of a Service, or pods',
    means: ['seen in its own sockets, with --inspect-clients'],
  },
  {
    id: 'runtime',
    title: 'In which language a client is written, by its processes',
    means: ['seen with --inspect-clients'],
  },
  {
    id: 'load-by',
    title: 'The measure of a row: messages, calls, bytes, CPU or connections',
    means: ['the first that can be read is the load'],
    says: ['by'],
  },
  {
    id: 'span',
    title: 'Over which time a figure is counted',
    means: ['window: between two looks; lifetime: since connections or processes began; moment: at one look'],
    says: ['window', 'lifetime', 'moment'],
  },
  {
    id: 'from',
    title: 'Where a figure comes from; in the details of a pod, who holds connections to it',
    means: [
      'pod-metrics: the pods count it; sockets: ss in the pods; interface: what their network interfaces receive, by Prometheus',
    ],
    says: ['pod-metrics', 'metrics-api', 'interface'],
  },
  {
    id: 'reading',
    title: 'Whether a measure is even',
    means: [
      'within-noise: it differs, and no more than even traffic would by accident',
      'unknown: too little was counted, or too many pods were not seen',
    ],
    says: ['even', 'uneven', 'within-noise'],
  },
  { id: 'pods', title: 'How many pods have a value, or have this probe', means: ['of a client: its own pods'] },
  {
    id: 'events',
    title: 'Calls, messages or segments that were counted',
    means: ['few events say little: that is the noise'],
  },
  {
    id: 'range',
    title: 'Between which figures the pods used would lie in eight of ten cases',
    means: ['connections are dealt by chance: the tenth part at each end is left out'],
  },
  {
    id: 'state',
    title: 'The state of a Service, or what a fault comes to',
    means: ['explain skewed, balanced, outage, fault, by-setting and so on'],
  },
  {
    id: 'hottest',
    title: 'CPU of the busiest pod, in parts of its own limit where it has one',
    means: ['else in millicores'],
  },
  {
    id: 'sure',
    title: 'How sure the state is',
    means: ['certain, likely or possible, each of which can be explained'],
    says: ['confidence'],
  },
  {
    id: 'looks-grpc',
    title: 'What makes a port look like gRPC',
    means: ['its appProtocol, its name, a gRPC probe behind it, or that it leads to 50051; the surest is named'],
  },
  {
    id: 'workload',
    title: 'What runs the pods, as kind/name',
    means: ['a Deployment, a StatefulSet, a DaemonSet, or a bare pod'],
    says: ['container'],
  },
  {
    id: 'probe',
    title: 'A probe of kubelet: liveness, readiness or startup',
    means: ['readiness decides whether new connections come, liveness whether the container is restarted'],
    says: ['type'],
  },
  {
    id: 'asks',
    title: 'What a probe asks: gRPC health, an HTTP path, a TCP port or a command',
    means: ['the columns that bear the name of a kind count probes of it'],
    says: ['httpget', 'exec', 'tcpsocket', 'grpc'],
  },
  {
    id: 'every',
    title: 'How often a probe asks, and after which time without an answer it has failed',
    means: ['periodSeconds and timeoutSeconds'],
    says: ['every/limit', 'timeout'],
  },
  {
    id: 'failed',
    title: 'Failures of a probe that Events tell',
    means: ['Events live for an hour, and repeat themselves no more than they must'],
    says: ['failures', 'failed-pods'],
  },
  {
    id: 'ok-failed',
    title: 'Answers of a probe that kubelets counted: successful and failed',
    means: ['needs --probe-metrics, or Prometheus; LATELY: within the window'],
    says: ['ok/failed', 'lately'],
  },
  {
    id: 'takes',
    title: 'How long a probe takes, in the slowest pod',
    means: ['the mean, and what 95 % of them stay below'],
  },
  {
    id: 'of-fair',
    title: 'How many fair shares a pod carries: 5.0× of ten pods is half of all load',
    means: ['a fair share is what each pod would have of a load that lies evenly, or as a setting wants it'],
    says: ['×fair', 'xfair', '× fair'],
  },
  {
    id: 'trend',
    title: 'The share of a pod since the live view opened, one cell a look',
    means: ['the last cell is now', 'before it, where a Prometheus told of it, the last hour in fair shares'],
    says: ['last hour', 'last-hour'],
  },
];

import type { Happening } from '../../evidence/objects.ts';
import { integerAt, textAt, timeAt } from '../read/json.ts';

/** Turns Events into facts. Their texts stay behind: the output of a probe may hold anything. */
export function readHappenings(items: readonly unknown[]): Happening[] {
  return items.flatMap((item) => {
    const reason = textAt(item, 'reason');
    const at =
      timeAt(item, 'lastTimestamp') ??
      timeAt(item, 'series', 'lastObservedTime') ??
      timeAt(item, 'eventTime') ??
      timeAt(item, 'firstTimestamp');
    if (reason === null || at === null) return [];
    const times = integerAt(item, 'count') ?? integerAt(item, 'series', 'count') ?? 1;
    if (reason === 'ScalingReplicaSet') return readScaling(item, times, at);
    const pod = textAt(item, 'involvedObject', 'kind') === 'Pod' ? textAt(item, 'involvedObject', 'name') : null;
    if (pod === null) return [];
    const podUid = textAt(item, 'involvedObject', 'uid');
    const kind = podKinds.get(reason);
    if (kind !== undefined) return [{ kind, pod, podUid, times, at }];
    if (reason !== 'Unhealthy') return [];
    return [
      {
        kind: 'unhealthy',
        pod,
        podUid,
        ...readUnhealthy(item),
        times,
        firstAt: timeAt(item, 'firstTimestamp') ?? at,
        at,
      },
    ];
  });
}

const podKinds: ReadonlyMap<string, 'killed' | 'back-off' | 'evicted'> = new Map([
  ['Killing', 'killed'],
  ['BackOff', 'back-off'],
  ['Evicted', 'evicted'],
]);

function readScaling(item: unknown, times: number, at: string): Happening[] {
  const kind = textAt(item, 'involvedObject', 'kind');
  const name = textAt(item, 'involvedObject', 'name');
  // "Scaled up replica set echo-6b9 from 3 to 10"; before 1.28: "Scaled up replica set echo-6b9 to 10".
  const match = /^Scaled (?:up|down) replica set ([a-z0-9][-a-z0-9.]{0,252})(?: from (\d{1,9}))? to (\d{1,9})\b/.exec(
    textAt(item, 'message') ?? '',
  );
  if (kind === null || name === null || match === null) return [];
  const [, replicaSet = '', from, to] = match;
  return [
    {
      kind: 'scaled',
      workload: { kind, name },
      replicaSet,
      from: from === undefined ? null : Number(from),
      to: Number(to),
      ...(times > 1 && { times }),
      at,
    },
  ];
}

type Unhealthy = Extract<Happening, { kind: 'unhealthy' }>;

function readUnhealthy(item: unknown): Pick<Unhealthy, 'container' | 'probe' | 'failure'> {
  const message = textAt(item, 'message') ?? '';
  const container =
    /\{([a-z0-9][-a-z0-9]{0,62})\}/.exec(textAt(item, 'involvedObject', 'fieldPath') ?? '')?.[1] ?? null;
  const probe = /^(Liveness|Readiness|Startup) probe/.exec(message)?.[1]?.toLowerCase();
  return {
    container,
    probe: probe === 'liveness' || probe === 'readiness' || probe === 'startup' ? probe : 'unknown',
    failure: failures.find(([pattern]) => pattern.test(message))?.[1] ?? 'other',
  };
}

// Order matters: grpc_health_probe and kubelet wrap several of these words in one sentence.
const failures: readonly (readonly [RegExp, Unhealthy['failure']])[] = [
  [/NOT_FOUND|NotFound|unknown service name/i, 'unknown-service'],
  [/UNIMPLEMENTED|does not implement|unimplemented/i, 'unimplemented'],
  [/NOT_SERVING/, 'not-serving'],
  [/status ?code: ?\d+|statuscode/i, 'status'],
  [/does not look like a TLS handshake|gave HTTP response to HTTPS|HTTP request to an HTTPS|tls:|x509:/i, 'tls'],
  [/connection refused|connection reset|EOF|no route to host/i, 'connection'],
  // kubelet's gRPC prober dials until its time is over: nobody listens, or whoever does speaks TLS only.
  [/failed to connect service/i, 'connect-timeout'],
  [/timeout|timed out|deadline exceeded|within \d/i, 'timeout'],
];

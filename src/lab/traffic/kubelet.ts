import type { IncomingHttpHeaders } from 'node:http';
import { connect as connectHttp2 } from 'node:http2';
import { connect } from 'node:net';
import { grpcPort, realAddress } from '../addresses.ts';
import type { LabNode, LabPod } from '../cluster.ts';
import { healthCheckPath, healthRequest, servingResponse } from './messages.ts';

type ProbeType = 'Liveness' | 'Readiness';

const periodMs: Readonly<Record<ProbeType, number>> = { Liveness: 10_000, Readiness: 5_000 };
const timeoutMs = 1000;

export interface Kubelets {
  /** The page `/metrics/probes` of a node. */
  probesPage(node: LabNode, namespace: string): string;
  /** What the readiness probe makes of a pod. */
  readinessOf(pod: LabPod): Readiness;
  /** What Events tell of probes that failed. */
  failures(): readonly ProbeFailure[];
  /** Every pod was probed once, where that decides something. */
  readonly settled: Promise<void>;
  close(): void;
}

export interface Readiness {
  readonly ready: boolean;
  readonly since: number;
}

export interface ProbeFailure {
  readonly pod: LabPod;
  readonly type: ProbeType;
  readonly message: string;
  readonly count: number;
  readonly firstAt: number;
  readonly lastAt: number;
}

interface ProbedPod {
  readonly pod: LabPod;
  readonly counts: Record<ProbeType, { successful: number; failed: number }>;
  /** Seconds that each probe took that succeeded. */
  readonly took: Record<ProbeType, number[]>;
  readiness: Readiness;
  failed: ProbeFailure | null;
}

/** What is probed: the name that readiness asks for, and whether there is a liveness probe beside it. */
export interface ProbePlan {
  readonly service: string;
  readonly liveness: boolean;
  /** What a probe answers now it has answered since the pod started (or its health changed): else all begin from nothing. */
  readonly hasPast: boolean;
}

/** Probes every server pod as kubelet does: a new connection each time, from the bridge of the pod's node. */
export function startKubelets(
  pods: readonly LabPod[],
  plan: ProbePlan = { service: '', liveness: true, hasPast: false },
  random: () => number = Math.random,
): Kubelets {
  const timers = new Set<NodeJS.Timeout>();
  const probed = pods.map((pod): ProbedPod => {
    const zero = () => ({ successful: 0, failed: 0 });
    return {
      pod,
      counts: { Liveness: zero(), Readiness: zero() },
      took: { Liveness: [], Readiness: [] },
      readiness: { ready: true, since: pod.readyAt },
      failed: null,
    };
  });
  const probe = async (one: ProbedPod, type: ProbeType, isFirst: boolean): Promise<void> => {
    const startedAt = performance.now();
    const answer = await checkHealth(one.pod, type === 'Readiness' ? plan.service : '');
    const seconds = (performance.now() - startedAt) / 1000;
    const now = Date.now();
    // The pod claims to be minutes old, and so are the counters.
    const since = one.pod.healthSince ?? one.pod.startedAt;
    const past = isFirst && plan.hasPast ? Math.floor((now - since) / periodMs[type]) : 0;
    const times = 1 + (one.pod.health === 'flapping' ? Math.floor(past / 2) : past);
    one.counts[type][answer.ok ? 'successful' : 'failed'] += times;
    if (answer.ok) for (let time = 0; time < times; time++) one.took[type].push(seconds);
    else if (type === 'Readiness') one.failed = failureOf(one, answer.message, { times, now, since });
    if (type !== 'Readiness' || answer.ok === one.readiness.ready) return;
    one.readiness = { ready: answer.ok, since: isFirst && one.pod.health !== 'flapping' ? since : now };
  };
  const schedule = (one: ProbedPod, type: ProbeType, delayMs: number) => {
    const timer = setTimeout(async () => {
      timers.delete(timer);
      schedule(one, type, periodMs[type]);
      await probe(one, type, false);
    }, delayMs);
    timers.add(timer);
  };
  const types: readonly ProbeType[] = plan.liveness ? ['Readiness', 'Liveness'] : ['Readiness'];
  const settled = plan.hasPast
    ? Promise.all(probed.flatMap((one) => types.map((type) => probe(one, type, true)))).then(() => undefined)
    : Promise.resolve();
  for (const one of probed)
    for (const type of types) schedule(one, type, periodMs[type] * (plan.hasPast ? 1 : random()));
  const byPod = new Map(probed.map((one) => [one.pod, one]));
  return {
    probesPage: (node, namespace) =>
      page(
        probed.filter((one) => one.pod.node === node),
        namespace,
      ),
    readinessOf: (pod) => byPod.get(pod)?.readiness ?? { ready: true, since: pod.readyAt },
    failures: () => probed.flatMap(({ failed }) => failed ?? []),
    settled,
    close() {
      for (const timer of timers) clearTimeout(timer);
      timers.clear();
    },
  };
}

function failureOf(
  { pod, failed }: ProbedPod,
  message: string,
  { times, now, since }: { readonly times: number; readonly now: number; readonly since: number },
): ProbeFailure {
  const before = failed ?? { count: 0, firstAt: times > 1 ? since + periodMs.Readiness : now };
  return { pod, type: 'Readiness', message, count: before.count + times, firstAt: before.firstAt, lastAt: now };
}

type Health = { readonly ok: true } | { readonly ok: false; readonly message: string };

/** One `Health/Check` over plain HTTP/2: a gRPC channel per probe would cost three times as much. */
function checkHealth(pod: LabPod, service: string): Promise<Health> {
  return new Promise((resolve) => {
    const localAddress = realAddress(pod.node.bridgeIp);
    const socket = connect({ host: realAddress(pod.ip), port: grpcPort, localAddress });
    const session = connectHttp2(`http://${pod.ip}:${grpcPort}`, { createConnection: () => socket });
    let isOpen = false;
    const finish = (health: Health) => {
      clearTimeout(deadline);
      session.close();
      resolve(health);
    };
    // In kubelet's words, as recorded; it dials again until its time is over.
    const unreached = {
      ok: false,
      message: `timeout: failed to connect service "${pod.ip}:${grpcPort}" within 1s: context deadline exceeded`,
    } as const;
    const deadline = setTimeout(() => {
      session.destroy();
      finish(isOpen ? { ok: false, message: 'timeout: health rpc did not complete within 1s' } : unreached);
    }, timeoutMs);
    session.on('remoteSettings', () => {
      isOpen = true;
    });
    session.on('error', () => finish(unreached));
    const request = session.request({
      ':method': 'POST',
      ':path': healthCheckPath,
      'content-type': 'application/grpc',
      'user-agent': 'kube-probe/1.36',
      te: 'trailers',
    });
    const chunks: Buffer[] = [];
    let status = 0;
    const readStatus = (headers: IncomingHttpHeaders) => {
      status = Number(headers['grpc-status'] ?? status);
    };
    request.on('response', readStatus);
    request.on('trailers', readStatus);
    request.on('error', () => finish(unreached));
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => finish(isOpen ? healthOf(status, Buffer.concat(chunks).subarray(5)) : unreached));
    const message = healthRequest(service);
    const prefix = Buffer.alloc(5);
    prefix.writeUInt32BE(message.length, 1);
    request.end(Buffer.concat([prefix, message]));
  });
}

/** gRPC's NOT_FOUND: the server does not know the name. */
const notFoundStatus = 5;

function healthOf(status: number, message: Buffer): Health {
  if (message.equals(servingResponse)) return { ok: true };
  if (status === notFoundStatus)
    return {
      ok: false,
      message: 'error: health rpc probe failed: rpc error: code = NotFound desc = unknown service',
    };
  return { ok: false, message: 'service unhealthy (responded with "NOT_SERVING")' };
}

function page(probed: readonly ProbedPod[], namespace: string): string {
  const rows = probed.flatMap(({ pod, counts }) =>
    (['Liveness', 'Readiness'] as const).flatMap((type) =>
      (['failed', 'successful'] as const)
        .filter((result) => counts[type][result] > 0)
        .map((result) => {
          const labels = {
            container: pod.container,
            namespace,
            pod: pod.name,
            pod_uid: pod.uid,
            probe_type: type,
            result,
          };
          const text = Object.entries(labels).map(([name, value]) => `${name}="${value}"`);
          return `prober_probe_total{${text.join(',')}} ${counts[type][result]}`;
        }),
    ),
  );
  return [
    '# HELP prober_probe_duration_seconds [ALPHA] Duration in seconds for a probe response.',
    '# TYPE prober_probe_duration_seconds histogram',
    ...probed.flatMap((one) => durations(one, namespace)),
    '# HELP prober_probe_total [BETA] Cumulative number of a liveness, readiness or startup probe for a container by result.',
    '# TYPE prober_probe_total counter',
    ...rows.sort(),
    '',
  ].join('\n');
}

// The buckets of client_golang (prometheus.DefBuckets).
const bounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Kubelet observes probes that succeeded, and names no uid here. */
function durations({ pod, took }: ProbedPod, namespace: string): readonly string[] {
  return (['Liveness', 'Readiness'] as const).flatMap((type) => {
    const seconds = took[type];
    if (seconds.length === 0) return [];
    const labels = `container="${pod.container}",namespace="${namespace}",pod="${pod.name}",probe_type="${type}"`;
    const bucket = (bound: number | string, count: number) =>
      `prober_probe_duration_seconds_bucket{${labels},le="${bound}"} ${count}`;
    return [
      ...bounds.map((bound) => bucket(bound, seconds.filter((value) => value <= bound).length)),
      bucket('+Inf', seconds.length),
      `prober_probe_duration_seconds_sum{${labels}} ${seconds.reduce((sum, value) => sum + value, 0)}`,
      `prober_probe_duration_seconds_count{${labels}} ${seconds.length}`,
    ];
  });
}

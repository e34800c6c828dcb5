import { connect as connectHttp2 } from 'node:http2';
import { connect } from 'node:net';
import { grpcPort, realAddress } from '../addresses.ts';
import type { LabNode, LabPod } from '../cluster.ts';
import { healthCheckPath, servingResponse } from './messages.ts';

type ProbeType = 'Liveness' | 'Readiness';

const periodMs: Readonly<Record<ProbeType, number>> = { Liveness: 10_000, Readiness: 5_000 };
const timeoutMs = 1000;

export interface Kubelets {
  /** The page `/metrics/probes` of a node. */
  probesPage(node: LabNode, namespace: string): string;
  close(): void;
}

interface ProbedPod {
  readonly pod: LabPod;
  readonly counts: Record<ProbeType, { successful: number; failed: number }>;
  /** Seconds that each probe took that succeeded. */
  readonly took: Record<ProbeType, number[]>;
}

/** Probes every server pod as kubelet does: a new connection each time, from the bridge of the pod's node. */
export function startKubelets(pods: readonly LabPod[], random: () => number = Math.random): Kubelets {
  const timers = new Set<NodeJS.Timeout>();
  const probed = pods.map((pod): ProbedPod => {
    const zero = () => ({ successful: 0, failed: 0 });
    return { pod, counts: { Liveness: zero(), Readiness: zero() }, took: { Liveness: [], Readiness: [] } };
  });
  const schedule = (one: ProbedPod, type: ProbeType, delayMs: number) => {
    const timer = setTimeout(async () => {
      timers.delete(timer);
      schedule(one, type, periodMs[type]);
      const startedAt = performance.now();
      const serving = await checkHealth(one.pod);
      if (serving) one.took[type].push((performance.now() - startedAt) / 1000);
      one.counts[type][serving ? 'successful' : 'failed'] += 1;
    }, delayMs);
    timers.add(timer);
  };
  for (const one of probed) {
    schedule(one, 'Readiness', periodMs.Readiness * random());
    schedule(one, 'Liveness', periodMs.Liveness * random());
  }
  return {
    probesPage: (node, namespace) =>
      page(
        probed.filter((one) => one.pod.node === node),
        namespace,
      ),
    close() {
      for (const timer of timers) clearTimeout(timer);
      timers.clear();
    },
  };
}

/** One `Health/Check` over plain HTTP/2: a gRPC channel per probe would cost three times as much. */
function checkHealth(pod: LabPod): Promise<boolean> {
  return new Promise((resolve) => {
    const localAddress = realAddress(pod.node.bridgeIp);
    const socket = connect({ host: realAddress(pod.ip), port: grpcPort, localAddress });
    const session = connectHttp2(`http://${pod.ip}:${grpcPort}`, { createConnection: () => socket });
    const finish = (serving: boolean) => {
      clearTimeout(deadline);
      session.close();
      resolve(serving);
    };
    const deadline = setTimeout(() => {
      session.destroy();
      finish(false);
    }, timeoutMs);
    session.on('error', () => finish(false));
    const request = session.request({
      ':method': 'POST',
      ':path': healthCheckPath,
      'content-type': 'application/grpc',
      'user-agent': 'kube-probe/1.36',
      te: 'trailers',
    });
    const chunks: Buffer[] = [];
    request.on('error', () => finish(false));
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => finish(Buffer.concat(chunks).subarray(5).equals(servingResponse)));
    request.end(Buffer.alloc(5)); // a message of no bytes: the health of the whole server
  });
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

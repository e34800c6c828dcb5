import { metricsPort } from '../addresses.ts';
import { type Cluster, clientAgeSeconds, type LabPod, podsOf } from '../cluster.ts';
import type { Kubelets } from '../traffic/kubelet.ts';
import type { LabTraffic } from '../traffic/traffic.ts';
import { type Labels, openSeriesStore, type SeriesStore } from './store.ts';

/** The lab's Prometheus: scrapes the server pods and their kubelets, and keeps all that it has seen. */
export interface Scraper {
  readonly store: SeriesStore;
  /**
   * Makes up for the past that the cluster claims to have, then goes on scraping.
   * @param weight calls of that past for which one counted call stands
   */
  begin(weight: number): void;
  close(): void;
}

const scrapeMs = 5000;
/** Of the past, less often: it is a straight line. */
const pastStepMs = 10_000;
/** A readiness probe every 5 s and a liveness probe every 10 s. */
const probesPerSecond = 0.3;

// What a call and a health check put on the wire of the server, packets and their headers included, as recorded.
const bytesOnWire = { call: 190, probe: 900 };
const packetsOnWire = { call: 2, probe: 8 };
// What a recorded server uses of a CPU: to be there, and to answer one call; and the limit of its container.
const idleCores = 0.002;
const cpuSecondsPerCall = 0.004;
const limitCores = 0.5;
/** The kernel's CPU period is 100 ms. */
const periodsPerSecond = 10;

/** All that a pod has got since it started. */
interface Got {
  readonly calls: number;
  readonly probes: number;
}

const method = { grpc_method: 'Whoami', grpc_service: 'lab.Echo', grpc_type: 'unary' };

export function openScraper(cluster: Cluster, traffic: LabTraffic, kubelets: Kubelets): Scraper {
  const store = openSeriesStore();
  const { namespace } = cluster;
  const pods = podsOf(cluster.server);
  /** What is claimed of the past and was not made. */
  const claimed = new Map<string, Got>();
  const throttling = new Map<string, { readonly at: number; readonly cpuSeconds: number; readonly periods: number }>();
  let timer: NodeJS.Timeout | null = null;

  const callsOf = (pod: LabPod) => traffic.servers.find((server) => server.pod === pod)?.calls() ?? 0;
  const throttledPeriods = (pod: LabPod, at: number, cpuSeconds: number): number => {
    const before = throttling.get(pod.name) ?? { at: pod.startedAt, cpuSeconds: 0, periods: 0 };
    const seconds = Math.max(0, (at - before.at) / 1000);
    const wanted = seconds > 0 ? (cpuSeconds - before.cpuSeconds) / seconds : 0;
    // In as many periods as it wanted more than its limit.
    const part = wanted > limitCores ? 1 - limitCores / wanted : 0;
    const periods = before.periods + Math.round(seconds * periodsPerSecond * part);
    throttling.set(pod.name, { at, cpuSeconds, periods });
    return periods;
  };
  const keep = (pod: LabPod, at: number, { calls, probes }: Got) => {
    const scraped = appLabels(namespace, pod);
    const add = (name: string, labels: Labels, value: number) => store.add({ __name__: name, ...labels }, at, value);
    // Prometheus is outside the mesh as well: it knows of these pods what kubelet and cAdvisor tell.
    const isHidden = cluster.scenario.hiddenMetrics === true;
    add('up', scraped, isHidden ? 0 : 1);
    // A method that was never called has no series.
    if (calls > 0 && !isHidden) {
      add('grpc_server_started_total', { ...method, ...scraped }, calls);
      add('grpc_server_handled_total', { grpc_code: 'OK', ...method, ...scraped }, calls);
    }
    const ofPod = { namespace, pod: pod.name, ...kubeletLabels(pod, '/metrics/cadvisor'), id: cgroupOf(pod) };
    const onWire = (each: typeof bytesOnWire) => calls * each.call + probes * each.probe;
    add('container_network_receive_bytes_total', { interface: 'eth0', ...ofPod }, onWire(bytesOnWire));
    add('container_network_receive_packets_total', { interface: 'eth0', ...ofPod }, onWire(packetsOnWire));
    const seconds = Math.max(0, (at - pod.startedAt) / 1000);
    const cpuSeconds = seconds * idleCores + calls * cpuSecondsPerCall;
    const ofContainer = { container: pod.container, ...ofPod };
    add('container_cpu_usage_seconds_total', ofContainer, cpuSeconds);
    add('container_cpu_cfs_periods_total', ofContainer, Math.round(seconds * periodsPerSecond));
    add('container_cpu_cfs_throttled_periods_total', ofContainer, throttledPeriods(pod, at, cpuSeconds));
    const memory = traffic.usageOf(pod.name)?.memoryKibibytes;
    if (memory !== undefined) add('container_memory_working_set_bytes', ofContainer, memory * 1024);
  };
  const scrape = (at: number) => {
    const probes = cluster.nodes.flatMap((node) => readProbes(kubelets.probesPage(node, namespace)));
    for (const pod of pods) {
      const own = probes.filter(({ labels }) => labels['pod'] === pod.name);
      for (const { labels, count } of own)
        store.add({ ...labels, ...kubeletLabels(pod, '/metrics/probes') }, at, count);
      const past = claimed.get(pod.name) ?? { calls: 0, probes: 0 };
      const made = own.reduce((sum, { count }) => sum + count, 0);
      keep(pod, at, { calls: past.calls + callsOf(pod), probes: past.probes + made });
    }
  };
  return {
    store,
    begin(weight) {
      const now = Date.now();
      for (const pod of pods) {
        const made = callsOf(pod);
        const began = Math.max(now - clientAgeSeconds * 1000, pod.startedAt);
        const gotAt = (at: number): Got => ({
          calls: at <= began ? 0 : Math.round((made * weight * (at - began)) / (now - began)),
          probes: Math.floor(((at - pod.startedAt) / 1000) * probesPerSecond),
        });
        for (let at = pod.startedAt + pastStepMs; at < now; at += pastStepMs) keep(pod, at, gotAt(at));
        const past = gotAt(now);
        claimed.set(pod.name, { calls: past.calls - made, probes: past.probes });
      }
      scrape(now);
      timer = setInterval(() => scrape(Date.now()), scrapeMs);
    },
    close() {
      if (timer !== null) clearInterval(timer);
    },
  };
}

/** Labels by which a PodMonitor names its targets. */
function appLabels(namespace: string, pod: LabPod): Labels {
  const { name, ip, container } = pod;
  return {
    namespace,
    pod: name,
    container,
    job: `${namespace}/echo`,
    endpoint: 'metrics',
    instance: `${ip}:${metricsPort}`,
  };
}

function kubeletLabels({ node }: LabPod, path: string): Labels {
  const instance = `${node.internalIp}:10250`;
  return {
    job: 'kubelet',
    endpoint: 'https-metrics',
    service: 'kubelet',
    metrics_path: path,
    instance,
    node: node.name,
  };
}

function cgroupOf({ uid }: LabPod): string {
  return `/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod${uid.replaceAll('-', '_')}.slice`;
}

/** The counters of a kubelet's page, with their labels. */
function readProbes(page: string): { readonly labels: Labels; readonly count: number }[] {
  return [...page.matchAll(/^prober_probe_total\{(.*)\} (\d+)$/gm)].map(([, labels = '', count]) => ({
    labels: {
      __name__: 'prober_probe_total',
      ...Object.fromEntries(
        [...labels.matchAll(/(\w+)="([^"]*)"/g)].map(([, name, value]) => [name ?? '', value ?? '']),
      ),
    },
    count: Number(count),
  }));
}

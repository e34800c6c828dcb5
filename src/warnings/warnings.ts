import { portName } from '../evidence/ports.ts';
import { describeDial, dialsOf } from '../facts/dials.ts';
import type { Facts } from '../facts/facts.ts';
import { maxOf } from '../figures/extremes.ts';
import { countOf, listed, percent } from '../report/words.ts';
import { findPathWarnings } from './path.ts';
import { doubtfulSettings } from './settings.ts';
import { unevenProxies } from './uneven-proxies.ts';
import type { FoundWarning } from './warning.ts';

/** Findings that stand beside the causes. */
export function findWarnings(facts: Facts): FoundWarning[] {
  const warnings: FoundWarning[] = [];
  if (facts.united.contradictory.length > 0) {
    warnings.push({
      id: 'contradictory-endpoints',
      text: `the slices name ${listed(facts.united.contradictory)} both as ready and as not ready; the condition of the pod itself was taken`,
    });
  }
  const { stale } = facts.united;
  if (stale.length > 0) {
    warnings.push({
      id: 'stale-endpoints',
      text: `${countOf(stale.length, 'endpoint is', 'endpoints are')} stale: the slices name ${listed(stale)} as ready, and no such ${stale.length === 1 ? 'pod is' : 'pods are'} listed; connections to ${stale.length === 1 ? 'it' : 'them'} fail`,
    });
  }
  if (facts.service.publishNotReadyAddresses) {
    warnings.push({
      id: 'publishes-not-ready',
      text: 'publishNotReadyAddresses is set: DNS and slices name pods that are not Ready, so clients may call them',
    });
  }
  for (const hint of absentHints(facts)) warnings.push(hint);
  const killed = facts.replicas.filter((pod) =>
    pod.pod?.containers.some((container) => container.lastTermination?.reason === 'OOMKilled'),
  );
  const [victim] = killed;
  if (victim !== undefined)
    warnings.push({
      id: 'oom-victim',
      text: `${victim.name} was killed for memory: a pod that idles now may be the one that was too busy before`,
    });
  const mixed = facts.replicas.filter(
    (pod) => (pod.sockets?.inboundPort ?? null) !== null && pod.sockets?.inboundPort !== pod.backend.port,
  );
  if (mixed.length > 0) {
    warnings.push({
      id: 'sidecar-port',
      text: `clients were counted at port ${mixed[0]?.sockets?.inboundPort ?? ''} of the sidecar: all ports of the pod together, so an upper bound for this one`,
    });
  }
  const behind = facts.replicas.filter(({ sockets }) => (sockets?.inside.length ?? 0) > 0);
  if (behind.length > 0)
    warnings.push({
      id: 'proxy-inside',
      text: `what ${countOf(behind.length, 'pod gets', 'pods get')} at port ${behind[0]?.backend.port ?? ''} comes from inside the pod, as from a proxy that is not known here: the load counts, but not whose it is; such a proxy may choose a pod for each call`,
    });
  // A pod that stands still is a cause.
  const stuck = new Set(facts.stuck.map(({ pod }) => pod.name));
  const queues = facts.allConnections.filter(
    ({ replica, connection }) =>
      (connection.receiveQueueBytes ?? 0) > 64 * 1024 && !stuck.has(facts.replicas[replica]?.name ?? ''),
  );
  if (queues.length > 0)
    warnings.push({
      id: 'full-receive-queue',
      text: `${countOf(queues.length, 'connection has', 'connections have')} over 64 KiB that the server has not read: is a pod stuck?`,
    });
  const nodes = facts.clients.filter((client) => client.peer.kind === 'node');
  const share = nodes.reduce((sum, client) => sum + client.share, 0);
  if (share > 0.5)
    warnings.push({
      id: 'clients-behind-nodes',
      text: 'most load comes from node addresses (SNAT or hostNetwork): single clients cannot be told apart',
    });
  return [
    ...warnings,
    ...unevenProxies(facts),
    ...sharedCounters(facts),
    ...findPathWarnings(facts.path, facts.replicas),
    ...blindAutoscalers(facts),
    ...siblingServices(facts),
    ...doubtfulSettings(facts),
    ...doubtfulProbes(facts),
  ];
}

/** What a pod counts it counts for all of its ports. */
function sharedCounters(facts: Facts): FoundWarning[] {
  if (facts.sharedPorts.length === 0) return [];
  const ports = listed(facts.sharedPorts.map((port) => `${portName(port)} (${port.port})`));
  return [
    {
      id: 'counters-of-all-ports',
      text: `the same pods serve ${ports}: their calls and their CPU are counted for all ports together, so neither is the load of this one`,
    },
  ];
}

/** Hints were asked for and do not stand: kube-proxy then sends traffic everywhere, until they come back. */
function absentHints({ service, replicas, headless }: Facts): FoundWarning[] {
  const asked = /^auto$/i.test(service.topologyMode ?? '')
    ? `topology-mode ${service.topologyMode}`
    : service.trafficDistribution === null
      ? null
      : `trafficDistribution ${service.trafficDistribution}`;
  const bare = replicas.filter(({ backend }) => backend.hintZones.length + backend.hintNodes.length === 0);
  if (asked === null || headless || bare.length === 0) return [];
  const which =
    bare.length === replicas.length
      ? 'no endpoint carries hints'
      : `${bare.length} of ${replicas.length} endpoints carry no hints`;
  return [
    {
      id: 'hints-absent',
      text: `${asked} is set but ${which}: traffic is not kept in its zone; with another number of pods they may come back`,
    },
  ];
}

/** Probes that are no cause of what is seen now, but will be of something. */
function doubtfulProbes(facts: Facts): FoundWarning[] {
  return facts.probeFaults.flatMap(({ id, confidence, text }) => {
    const isDoubtful =
      id === 'no-readiness-probe' ||
      id === 'probe-one-second' ||
      id === 'probe-rewritten' ||
      (id === 'timeout-too-short' && confidence === 'possible');
    return isDoubtful ? [{ id, text }] : [];
  });
}

/**
 * An autoscaler that keeps to the mean of CPU while one pod is at its target or above: it will not scale, and new pods
 * would not get the connections of the hot one anyway.
 */
function blindAutoscalers(facts: Facts): FoundWarning[] {
  if (facts.loads.basis?.reading !== 'uneven') return [];
  const parts = facts.replicas.flatMap((pod) =>
    pod.cpu?.requestMillicores ? [pod.cpu.millicores / pod.cpu.requestMillicores] : [],
  );
  if (parts.length === 0) return [];
  const peak = maxOf(parts);
  const measured = parts.reduce((sum, part) => sum + part, 0) / parts.length;
  return facts.autoscalers.flatMap((autoscaler) =>
    autoscaler.metrics.flatMap((metric) => {
      if (metric.resource !== 'cpu' || metric.targetUtilization === null) return [];
      const target = metric.targetUtilization / 100;
      const mean = metric.utilization === null ? measured : metric.utilization / 100;
      if (mean >= target || peak < target) return [];
      return [
        {
          id: 'hpa-blind',
          text: `autoscaler ${autoscaler.name} sees a mean of ${percent(mean)} of the CPU requests (target ${percent(target)}), not the hottest pod at ${percent(peak)} of its own: it does not scale, and new pods would get no connections`,
        },
      ];
    }),
  );
}

/** The same pods behind another name: connections that are seen here may have been made for it. */
function siblingServices(facts: Facts): FoundWarning[] {
  const others = facts.siblings.map(
    (sibling) => `${sibling.name} (${sibling.clusterIP === 'None' ? 'headless' : sibling.type})`,
  );
  if (others.length === 0 || facts.allConnections.length === 0) return [];
  const dialled = facts.clients.flatMap((client) => {
    const dials = dialsOf(client, facts);
    return dials.length === 0 ? [] : [`${client.peer.workload} dials ${dials.map(describeDial).join(' and ')}`];
  });
  if (dialled.length > 0)
    return [
      {
        id: 'sibling-services',
        text: `${listed(others)} ${others.length === 1 ? 'stands' : 'stand'} before the same pods: ${dialled.join('; ')}`,
      },
    ];
  return [
    {
      id: 'sibling-services',
      text: `${listed(others)} ${others.length === 1 ? 'stands' : 'stand'} before the same pods: some of the connections may have been made by that name`,
    },
  ];
}

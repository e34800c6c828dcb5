/**
 * Services of any size, in which each collection of the Evidence grows with the pods: what a search of one for each entry
 * of another would show in the time.
 */
import type { Happening, Node } from '../../src/evidence/objects.ts';
import type { PrometheusLook } from '../../src/evidence/prometheus.ts';
import type { SkewEvidence } from '../../src/evidence/schema.ts';
import { buildEvidence, headless, type Plan, type PodPlan } from '../../test/diagnose/build.ts';
import { ago, type ConnectionPlan, callLooks, uidOf } from '../../test/diagnose/build-looks.ts';

export interface Size {
  readonly pods: number;
  /** On average; each of a client pod of its own. */
  readonly connectionsEach: number;
}

const podsOnNode = 20;
const zones = ['zone-a', 'zone-b', 'zone-c'];
const nodeOf = (at: number) => `n${1 + Math.floor(at / podsOnNode)}`;
const zoneOf = (at: number) => zones[Math.floor(at / podsOnNode) % zones.length] ?? null;

function podsOf(count: number, more: (at: number) => Partial<PodPlan> = () => ({})): PodPlan[] {
  return Array.from({ length: count }, (_, at) => ({
    ...{
      name: `echo-${at}`,
      node: nodeOf(at),
      zone: zoneOf(at) ?? 'zone-a',
      address: `10.${128 + (at >> 16)}.${(at >> 8) & 255}.${at & 255}`,
    },
    ...more(at),
  }));
}

function nodesOf(count: number): Node[] {
  return Array.from({ length: Math.ceil(count / podsOnNode) }, (_, at) => ({
    ...{ name: `n${at + 1}`, addresses: [`192.168.${at >> 8}.${at & 255}`], podCIDRs: [] },
    ...{ zone: zoneOf(at * podsOnNode), instanceType: at % 2 === 0 ? 'm5.large' : 'c5.large', ready: at % 9 !== 8 },
  }));
}

/** Connection i goes to the pod that `to` names. */
function connectionsOf(
  count: number,
  to: (at: number) => number,
  more: Partial<ConnectionPlan> = {},
): ConnectionPlan[] {
  return Array.from({ length: count }, (_, at) => ({ from: `web-${at}`, to: `echo-${to(at)}`, ...more }));
}

/** Clients on the nodes in turn, so many pods to a workload. */
function clientsOf(count: number, podsEach: number, pods: number): NonNullable<Plan['clients']> {
  return Array.from({ length: count }, (_, at) => ({
    ...{ name: `web-${at}`, workload: `web-${Math.floor(at / podsEach)}`, node: nodeOf(at % pods) },
  }));
}

/** A plain Service whose second half of pods came later and got nothing. */
function scaledUp({ pods, connectionsEach }: Size): Plan {
  const old = Math.ceil(pods / 2);
  return {
    pods: podsOf(pods, (at) => ({ ageSeconds: at < old ? 86_400 : 3600, cpuMillicores: at < old ? 600 : 20 })),
    connections: connectionsOf(pods * connectionsEach, (at) => at % old),
    nodes: nodesOf(pods),
  };
}

/** All alike, each client connected to one pod. */
function even({ pods, connectionsEach }: Size): Plan {
  return {
    pods: podsOf(pods),
    connections: connectionsOf(pods * connectionsEach, (at) => at % pods),
    nodes: nodesOf(pods),
  };
}

/** Zones of unequal load, and every client a workload of its own. */
function hinted({ pods, connectionsEach }: Size): Plan {
  const count = pods * connectionsEach;
  return {
    service: { trafficDistribution: 'PreferClose' },
    pods: podsOf(pods, (at) => ({
      endpoint: { hintZones: [zoneOf(at) ?? ''], hintNodes: at % 2 ? [nodeOf(at)] : [] },
    })),
    clients: clientsOf(count, 1, pods),
    connections: connectionsOf(count, (at) => Math.floor((at % pods) ** 2 / pods)),
    nodes: nodesOf(pods),
  };
}

/** Each node's load to its own pods, from inside and outside. */
function local({ pods, connectionsEach }: Size): Plan {
  const count = pods * connectionsEach;
  return {
    service: { type: 'LoadBalancer', internalTrafficPolicy: 'Local', externalTrafficPolicy: 'Local' },
    pods: podsOf(pods),
    clients: clientsOf(count, 1, pods),
    connections: connectionsOf(count, (at) => at % pods).map((entry, at) =>
      at % 4 === 0 ? { ...entry, from: `203.${(at >> 16) & 255}.${(at >> 8) & 255}.${at & 255}` } : entry,
    ),
    nodes: nodesOf(pods),
  };
}

/** A headless Service of which everything was asked, in disorder: each collection has an entry for each pod. */
function everything({ pods, connectionsEach }: Size): Plan {
  const count = pods * connectionsEach;
  const all = podsOf(pods, (at) => ({
    ageSeconds: 86_400 - at,
    restarts: at % 3,
    lastTermination: at % 3 === 1 ? { reason: 'OOMKilled', exitCode: 137, finishedAt: ago(600 + at) } : null,
    ...(at % 10 === 7 && { endpoint: false as const }),
    ...(at % 10 === 8 && { pod: { ready: false } }),
    ...(at % 10 === 9 && { pod: { owner: { kind: 'StatefulSet', name: `set-${at}` }, labels: {} } }),
  }));
  const former = podsOf(Math.ceil(pods / 10)).map((pod, at) => ({
    ...pod,
    ...{ name: `former-${at}`, address: `10.99.${at >> 8}.${at & 255}`, pod: { ready: false } },
  }));
  const uids = all.map(({ name }) => ({ pod: name, podUid: uidOf(name) }));
  const prometheus: Partial<PrometheusLook> = {
    calls: all.flatMap(({ name }) => callLooks({ pod: name, perSecond: 5 }, [1, 2], 60)),
    traffic: uids.map((pod) => ({ ...pod, from: ago(60), to: ago(0), bytes: 100_000, packets: 900 })),
    usage: uids.map((pod) => ({
      ...{ ...pod, measuredAt: ago(5), windowSeconds: 60 },
      containers: [{ name: 'server', cpuMillicores: 300, memoryBytes: 1e8, throttledShare: 0.1 }],
    })),
    history: [
      {
        ...{ basis: 'calls', from: ago(600), stepSeconds: 60, rateSeconds: 60 },
        pods: uids.map((pod, at) => ({ ...pod, values: Array.from({ length: 10 }, () => (at % 2 ? 0.1 : 9)) })),
      },
    ],
  };
  const happenings = uids.flatMap((pod, at): Happening[] => [
    {
      ...{ ...pod, kind: 'unhealthy', container: 'server', probe: 'readiness', failure: 'timeout' },
      ...{ times: 3, firstAt: ago(900), at: ago(60 + at) },
    },
    { ...pod, kind: 'killed', times: 1, at: ago(700 + at) },
    {
      ...{ kind: 'scaled', workload: { kind: 'Deployment', name: `other-${at}` }, replicaSet: `other-${at}-aaa` },
      ...{ from: 3, to: at % 2 ? 2 : 4, times: 3, at: ago(800 + at) },
    },
  ]);
  return {
    service: { ...headless, selector: { app: 'echo' } },
    pods: all,
    former,
    clients: clientsOf(count, 2, pods),
    connections: [
      ...connectionsOf(count, (at) => (at % 5 === 0 ? 0 : at % pods), { receiveQueueBytes: 10, unreadSeconds: 20 }),
      ...former.map(({ name }, at) => ({ from: `web-${at}`, to: name })),
    ],
    failures: all.flatMap(({ name }, at) => (at % 10 === 3 ? [{ pod: name, reason: 'refused' as const }] : [])),
    calls: all.map(({ name }, at) => ({ pod: name, perSecond: at % 2 ? 0 : 9 })),
    nodes: nodesOf(pods),
    ...{ happenings, prometheus, path: {} },
    also: {
      clientLooks: {
        looks: Array.from({ length: pods }, (_, at) => ({
          ...{ pod: `web-${at}`, namespace: 'shop', container: 'web', lookedAt: ago(0), runtime: null },
          dialled: [{ what: 'pod' as const, service: null, connections: 2 }],
        })),
        failures: [],
      },
    },
  };
}

/** Pods that came up one after another, each with fewer connections than the one before, while the clients are older. */
function inTurn({ pods, connectionsEach }: Size): Plan {
  const count = pods * connectionsEach;
  return {
    pods: podsOf(pods, (at) => ({ ageSeconds: 30 * (pods - at) })),
    clients: clientsOf(count, 5, pods).map((client, at) => ({
      ...client,
      startedSeconds: at % 3 === 0 ? 20 : 40 * pods,
    })),
    connections: connectionsOf(count, (at) => Math.floor((at % pods) ** 2 / pods), { ageSeconds: 15 }),
    nodes: nodesOf(pods),
  };
}

/** A StatefulSet whose clients each hold several pods and send most to the first. */
function named({ pods, connectionsEach }: Size): Plan {
  const clients = Math.floor(pods / 2);
  const each = 2 * connectionsEach;
  return {
    service: headless,
    pods: podsOf(pods, () => ({ pod: { owner: { kind: 'StatefulSet', name: 'echo' }, labels: {} } })),
    clients: clientsOf(clients, 2, pods),
    connections: Array.from({ length: clients * each }, (_, at) => {
      const [client, pod] = [at % clients, at < clients ? 0 : (at * 7) % pods];
      return { from: `web-${client}`, to: `echo-${pod}`, bytesPerSecond: pod === 0 ? 90_000 : 100 };
    }),
    nodes: nodesOf(pods),
  };
}

/** A namespace full of pods, of which one in a hundred is behind the Service. */
function oneOfMany({ pods, connectionsEach }: Size): Plan {
  const own = Math.ceil(pods / 100);
  return {
    pods: podsOf(own),
    clients: clientsOf(pods, 3, own),
    connections: connectionsOf(own * connectionsEach, (at) => at % own),
    nodes: nodesOf(pods),
  };
}

const plans = {
  'scaled up': scaledUp,
  'in turn': inTurn,
  even,
  hinted,
  local,
  named,
  'one of many': oneOfMany,
  everything,
};

export type World = keyof typeof plans;
export const worlds = Object.keys(plans) as World[];

export function evidenceOf(world: World, size: Size): SkewEvidence {
  return buildEvidence(plans[world](size));
}

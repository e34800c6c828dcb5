import { type Backends, uniteEndpoints } from '../evidence/endpoints.ts';
import type { Autoscaler, Deployment, Pod, Service, ServicePort } from '../evidence/objects.ts';
import type { SkewEvidence } from '../evidence/schema.ts';
import { millisecondsOf } from '../evidence/times.ts';
import { workloadOf } from '../evidence/workload.ts';
import type { Reach } from '../figures/deal.ts';
import type { ProbeFault } from '../probes/faults.ts';
import { type ChanceAnswer, readChance } from './chance.ts';
import { type ClientFacts, gatherClients } from './client-facts.ts';
import type { LoadDistribution, Reading } from './distribution.ts';
import { type EvidenceIndex, openIndex } from './evidence-index.ts';
import { type LoadHistory, readPast } from './history.ts';
import { type IntendedSkew, isUnequal, readIntendedSkew } from './intended-skew.ts';
import { isChurning, type Loads, measureLoads } from './loads.ts';
import { type MeasuredPod, measurePod } from './measured.ts';
import { findMissing, type MissingPods } from './missing.ts';
import { type OnAllPods, readOnAllPods } from './on-all-pods.ts';
import { isCpuPast } from './past-cpu.ts';
import { type PathFacts, readPath } from './path.ts';
import type { Connection } from './peers/connections.ts';
import { findProbed } from './probed.ts';
import { readReach } from './reach.ts';
import { readSettings, type Setting } from './settings.ts';
import { findSharedPorts, withoutShared } from './shared-ports.ts';
import { findStaleEndpoints, formerPodsOf, type StaleEndpoint } from './stale-endpoints.ts';
import { findStuck, type StuckPod } from './stuck.ts';

/** All that the causes and strategies decide from: derived from Evidence once, in one place. */
export interface Facts {
  readonly evidence: SkewEvidence;
  readonly index: EvidenceIndex;
  /** Flags of kubectl that printed commands carry, so that they act on the cluster that was looked at. */
  readonly connection: readonly string[];
  readonly service: Service;
  readonly port: ServicePort;
  readonly now: number;
  readonly headless: boolean;
  readonly united: Backends;
  /** Ready endpoints of the port that have a pod: what the traffic should be shared by. */
  readonly replicas: readonly MeasuredPod[];
  /** Endpoints and pods of the selector that should not get traffic now. */
  readonly unreadyPods: readonly MeasuredPod[];
  /** Pods that have left the Service and hold connections of its clients. */
  readonly formerPods: readonly MeasuredPod[];
  /** Those of both that hold connections. */
  readonly staleEndpoints: readonly StaleEndpoint[];
  /** Those of all that stand still while clients send to them. */
  readonly stuck: readonly StuckPod[];
  /** Pods of the selector that no slice names. */
  readonly podsWithoutEndpoint: readonly Pod[];
  readonly missing: MissingPods;
  /** Read against the shares that a setting gives, where these are known and hold; else against the same for each pod. */
  readonly loads: Loads;
  /** The reading of the load if every pod should get the same. */
  readonly plainReading: LoadDistribution['reading'] | null;
  /** Settings of the Service that lead traffic to pods by its place. */
  readonly settings: readonly Setting[];
  /** What gives the pods unequal shares, and the load lies so. */
  readonly intendedSkew: IntendedSkew | null;
  /** The share that each pod should have, by replica, where it is known and not the same for all. */
  readonly expectedShares: readonly number[] | null;
  readonly connections: LoadDistribution | null;
  /** What the connections of the port carry, by its sockets. */
  readonly bytes: LoadDistribution | null;
  /** Calls or messages by the pods' own counters. */
  readonly calls: LoadDistribution | null;
  readonly cpu: LoadDistribution | null;
  /** How the CPU is spread per unit of the load (see `Loads`); unknown where it was measured before the load of now came. */
  readonly cpuForLoad: Reading | null;
  /** Connections open and close all the time and carry hardly a call each: those of one moment tell nothing. */
  readonly perCall: boolean;
  /** How the load was spread over the last hour, by Prometheus. */
  readonly past: readonly LoadHistory[];
  /** Shares of the load, by replica; null for those not seen. */
  readonly load: readonly (number | null)[];
  readonly clients: readonly ClientFacts[];
  /** Connections of all replicas, and their weights as parts of the load (or 1 each where bytes are not known). */
  readonly allConnections: readonly { readonly replica: number; readonly connection: Connection }[];
  readonly weights: readonly number[];
  readonly onAllPods: OnAllPods;
  /** The pods that each connection could land on, were it made anew; null: any. */
  readonly reach: Reach | null;
  /** What chooses a pod for each call, by name. */
  readonly hops: readonly string[];
  readonly path: PathFacts;
  readonly chance: ChanceAnswer;
  readonly youngestEmpty: { readonly count: number; readonly probability: number } | null;
  readonly deployments: readonly Deployment[];
  readonly autoscalers: readonly Autoscaler[];
  /** What is wrong with the probes of the pods, most certain first within a workload. */
  readonly probeFaults: readonly ProbeFault[];
  /** Other Services over the same pods. */
  readonly siblings: readonly Service[];
  /** Other gRPC ports of the same pods: their counters of calls and their CPU are of all ports together. */
  readonly sharedPorts: readonly ServicePort[];
}

export function gatherFacts(
  evidence: SkewEvidence,
  service: Service,
  port: ServicePort,
  connection: Facts['connection'],
): Facts {
  const pods = evidence.pods ?? [];
  const united = uniteEndpoints(evidence.endpointSlices ?? [], port, { namespace: service.namespace, pods });
  const index = openIndex(evidence);
  const now = millisecondsOf(evidence.metadata.now) ?? latestLook(evidence);
  const sharedPorts = findSharedPorts(evidence, service, port);
  const own = sharedPorts.length === 0 ? index : openIndex(withoutShared(evidence));
  const measured = united.backends.filter((backend) => backend.pod !== null).map((backend) => measurePod(own, backend));
  const replicas = measured.filter((pod) => pod.backend.ready);
  const listed = new Set([...measured.map((pod) => pod.name), ...united.withoutPort, ...united.otherPort]);
  const allConnections = replicas.flatMap((pod, replica) =>
    (pod.sockets?.connections ?? []).map((connection) => ({ replica, connection })),
  );
  const weights = connectionWeights(allConnections.map((entry) => entry.connection));
  const headless = service.clusterIP === 'None';
  const path = readPath({
    evidence,
    service,
    port,
    replicas,
    connections: allConnections.map((entry) => entry.connection),
    weights,
  });
  const settings = readSettings({ index, service, headless, replicas, connections: allConnections, weights });
  const perCall = isChurning(replicas);
  const reach = readReach({ settings, replicas, connections: allConnections.length });
  const cpuIsPast = isCpuPast(evidence, {
    ...{ now, weights, perCall },
    connections: allConnections.map(({ replica, connection }) => ({
      ...{ connection, seconds: replicas[replica]?.sockets?.seconds ?? null },
    })),
  });
  const measure = (expected: readonly number[] | null) =>
    measureLoads(replicas, { expected, ownCpu: sharedPorts.length === 0 && !cpuIsPast, now });
  const plain = measure(null);
  const intendedSkew = readIntendedSkew({ replicas, plain, settings, path, measure });
  const loads = intendedSkew?.loads ?? plain;
  const find = (basis: LoadDistribution['basis']) => loads.distributions.find((entry) => entry.basis === basis) ?? null;
  const clients = gatherClients(allConnections, weights);
  const owners = new Set(pods.map((pod) => workloadOf(pod)));
  const unreadyPods = measured.filter((pod) => !pod.backend.ready);
  const formerPods = formerPodsOf(index, measured);
  const podsWithoutEndpoint = pods.filter(
    (pod) =>
      !listed.has(pod.name) &&
      pod.phase !== 'Succeeded' &&
      pod.phase !== 'Failed' &&
      Object.keys(service.selector).length > 0,
  );
  return {
    evidence,
    index,
    connection,
    service,
    port,
    now,
    headless,
    united,
    replicas,
    unreadyPods,
    formerPods,
    staleEndpoints: findStaleEndpoints(unreadyPods, formerPods),
    stuck: findStuck([...replicas, ...unreadyPods, ...formerPods]),
    podsWithoutEndpoint,
    missing: findMissing({ unreadyPods, podsWithoutEndpoint, united, now }),
    loads,
    plainReading: plain.basis?.reading ?? null,
    settings,
    intendedSkew,
    expectedShares:
      intendedSkew?.shares ?? settings.find(({ known, shares }) => known && isUnequal(shares))?.shares ?? null,
    connections: find('connections'),
    bytes: loads.distributions.find((entry) => entry.basis === 'bytes' && entry.source === 'sockets') ?? null,
    calls: loads.distributions.find((entry) => entry.basis === 'calls' || entry.basis === 'messages') ?? null,
    cpu: find('cpu'),
    cpuForLoad: cpuIsPast ? 'unknown' : loads.cpuForLoad,
    perCall,
    past: readPast(own),
    load: loads.basis?.shares ?? replicas.map(() => null),
    clients,
    allConnections,
    weights,
    onAllPods: readOnAllPods({ replicas, weights, reach }),
    reach,
    hops: path.hops,
    path,
    ...readChance({
      service,
      headless,
      path,
      replicas,
      connections: find('connections'),
      weights,
      allConnections,
      clients,
      churning: perCall,
    }),
    autoscalers: evidence.autoscalers ?? [],
    siblings: evidence.siblings ?? [],
    sharedPorts,
    probeFaults: findProbed(index, measured, now),
    deployments: (evidence.deployments ?? []).filter((entry) => owners.has(`deployment/${entry.name}`)),
  };
}

/** Where the time of the record cannot be read, that of its latest look. */
function latestLook(evidence: SkewEvidence): number {
  const looks = evidence.connections?.looks.flatMap((look) => millisecondsOf(look.lookedAt) ?? []) ?? [];
  return looks.reduce((latest, time) => Math.max(latest, time), 0);
}

/** Weights of connections: bytes of the window where they are known for all, else of the lifetime, else 1 each. */
function connectionWeights(connections: readonly Connection[]): readonly number[] {
  const window = connections.map((connection) => connection.windowBytes);
  const lifetime = connections.map((connection) => connection.bytes);
  for (const candidate of [window, lifetime]) {
    if (candidate.every((value) => value !== null) && candidate.some((value) => value > 0))
      return candidate.map((value) => value ?? 0);
  }
  return connections.map(() => 1);
}

/** Which pods are idle, by index of the replica, on the basis of the verdict. */
export function idleReplicas(facts: Facts): readonly number[] {
  return facts.loads.basis?.idle ?? [];
}

/** Is traffic uneven, as far as it was measured, beyond what a setting that is in force gives the pods? */
export function isUneven(facts: Facts): boolean {
  return facts.loads.basis?.reading === 'uneven' || isLittleUneven(facts);
}

/** Uneven beyond the noise, and not enough to be called skewed: nothing urgent, and worth its cause. */
export function isLittleUneven({ loads }: Pick<Facts, 'loads'>): boolean {
  return loads.basis?.reading === 'between';
}

/** Do the pods carry unequal parts, be it as a setting wants it or not? */
export function isUnequalLoad({ plainReading }: Facts): boolean {
  return plainReading === 'uneven' || plainReading === 'between';
}

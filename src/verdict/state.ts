import { maxOf } from '../figures/extremes.ts';
import { enoughEvents } from '../figures/noise.ts';
import type { CauseId, Confidence, State } from '../report/ids.ts';
import { countOf, figure, percent, plural } from '../report/words.ts';
import { type Distribution, readSpread } from './distribution.ts';
import type { Facts } from './facts.ts';
import { limits } from './limits.ts';
import { deafReplicas } from './listening.ts';
import type { MeasuredPod } from './measured.ts';

export interface StateAnswer {
  readonly state: State;
  readonly confidence: Confidence;
  readonly summary: string;
  /** For `unknown`: the one look that would settle it. */
  readonly settledBy: string | null;
}

function answer(state: State, confidence: Confidence, summary: string, settledBy: string | null = null): StateAnswer {
  return { state, confidence, summary, settledBy };
}

/** The state of the Service, from what was measured and which causes were found. */
export function decideState(facts: Facts, found: ReadonlyMap<CauseId, Confidence>): StateAnswer {
  const pods = facts.replicas.length;
  if (pods === 0) {
    const where = found.has('remote-endpoints') ? ' of this cluster' : '';
    return answer('not-load-balancing', 'certain', `no ready pod${where} stands behind this port`);
  }
  if (pods === 1) return answer('not-load-balancing', 'certain', 'one ready pod: there is nothing to balance');
  const { basis } = facts.loads;
  const stuck = decideStuck(facts);
  if (stuck !== null) return stuck;
  if (hasNoTraffic(facts) && facts.holders.length > 0)
    return answer('not-load-balancing', 'certain', describeHolders(facts));
  if (hasNoTraffic(facts)) return answer('no-traffic', 'certain', `no client is connected to any of the ${pods} pods`);
  if (basis === null) return answer('unknown', 'possible', whyNoBasis(facts), settlingLook(facts));
  switch (basis.reading) {
    case 'nothing':
      return answer('no-traffic', 'likely', `the connections of the ${pods} pods carried nothing`);
    case 'unknown': {
      const unseen = countOf(pods - basis.seen, 'pod was', 'pods were');
      return answer('unknown', 'possible', `${unseen} not seen, and the load may be there`, settlingLook(facts));
    }
    case 'uneven':
      return decideUneven(facts, found, basis);
    default:
      return decideEven(facts, found, basis);
  }
}

/** Pods that stand still, where the others share the load evenly: then their share says nothing about balancing. */
function decideStuck({ stuck, replicas, loads }: Facts): StateAnswer | null {
  const surely = stuck.filter(({ confidence }) => confidence !== 'possible');
  const names = new Set(surely.map(({ pod }) => pod.name));
  const indexes = replicas.flatMap((pod, index) => (names.has(pod.name) ? [index] : []));
  const rest = replicas.length - indexes.length;
  if (indexes.length === 0 || rest === 0 || loads.basis === null) return null;
  const others = readSpread(loads.basis, { excluded: new Set(indexes), nearLimit: false });
  if (!evenReadings.has(others.reading)) return null;
  const sure = surely.every(({ confidence }) => confidence === 'certain');
  const tail = rest === 1 ? 'the other one has the load' : `the ${rest} others share the load evenly`;
  return answer(
    'not-load-balancing',
    sure ? 'certain' : 'likely',
    `${countOf(indexes.length, 'pod does', 'pods do')} not read what clients send; ${tail}`,
  );
}

const evenReadings: ReadonlySet<Distribution['reading']> = new Set(['even', 'between', 'within-noise']);

function decideUneven(facts: Facts, found: ReadonlyMap<CauseId, Confidence>, basis: Distribution): StateAnswer {
  if (found.has('too-soon')) {
    const look = `the same again when they have been Ready for ${limits.tooSoonSeconds} s`;
    return answer('unknown', 'possible', 'uneven, but the idle pods have only just become Ready', look);
  }
  if (found.has('rollout-in-progress')) {
    return answer(
      'unknown',
      'possible',
      'uneven, but a rollout is under way',
      'the same again when the rollout is done',
    );
  }
  if (basis.basis === 'cpu' && found.has('uneven-work')) return unevenWork(facts);
  if (basis.basis === 'cpu' && found.has('unequal-pods')) return unequalPods(facts);
  if (onlyDeafAreIdle(facts)) return answer('not-load-balancing', 'certain', describeDeaf(facts));
  if (found.has('addressed-by-name')) return byName(facts, found.get('addressed-by-name'));
  const settledBy =
    facts.allConnections.length === 0 ? settlingLook(facts) : found.size === 0 ? unexplainedLook(facts) : null;
  return answer('skewed', measuredConfidence(facts), describeSkew(facts), settledBy);
}

function decideEven(facts: Facts, found: ReadonlyMap<CauseId, Confidence>, basis: Distribution): StateAnswer {
  const pods = facts.replicas.length;
  const tooFew = basis.events !== null && !enoughEvents(basis.events, basis.seen);
  if (tooFew) {
    const summary = `${plural(basis.events ?? 0, 'message')} on ${pods} pods are too few to judge`;
    return answer('unknown', 'possible', summary, 'a longer --window, or a time with more calls');
  }
  const isHeld = found.has('unready-but-connected') && facts.holders.some((holder) => holder.why !== 'terminating');
  if (isHeld && !found.has('pods-not-ready')) return answer('not-load-balancing', 'certain', describeHolders(facts));
  if (deafReplicas(facts).length > 0) return answer('not-load-balancing', 'certain', describeDeaf(facts));
  if (found.has('endpoints-missing') || found.has('pods-not-ready') || facts.missing.withoutPort.length > 0) {
    return answer('not-load-balancing', 'certain', describeMissing(facts));
  }
  if (found.has('uneven-work')) return unevenWork(facts);
  if (found.has('unequal-pods') && facts.cpu?.reading === 'uneven') return unequalPods(facts);
  if (facts.explained !== null) return asDirected(facts, found.get(facts.explained.id) ?? 'possible');
  const idle = basis.idle.length === 0 ? '' : `, ${basis.idle.length} of them idle`;
  const note =
    basis.reading === 'between'
      ? `${idle || ': a little uneven'} (the busiest has ${figure(basis.peakToMean ?? 1)} × its part)`
      : idle || ' evenly';
  const measure = nameOf(basis);
  const summary = `${pods} pods share the ${measure}${note}`;
  if (basis.basis === 'cpu' && facts.connections?.reading === 'uneven' && !facts.loads.churning) {
    const look = 'what the connections carry: ss in the image knows it';
    return answer('balanced', 'possible', `${summary}, though not the connections`, look);
  }
  return answer('balanced', basis.reading === 'between' ? 'likely' : measuredConfidence(facts), summary);
}

/** Each pod carries what a setting gives it: "4 pods share the load as internalTrafficPolicy Local deals it: one carries 75 %". */
function asDirected(facts: Facts, confidence: Confidence): StateAnswer {
  const peak = maxOf(facts.load.map((share) => share ?? 0));
  const summary = `${facts.replicas.length} pods share the load as ${facts.explained?.words ?? ''} deals it: one carries ${percent(peak)}`;
  const isCertain = confidence === 'certain' && measuredConfidence(facts) === 'certain';
  return answer('not-load-balancing', isCertain ? 'certain' : 'likely', summary);
}

function nameOf({ basis, source }: Distribution): string {
  if (source === 'interface') return 'network traffic';
  return basis === 'cpu' ? 'CPU use' : basis === 'connections' ? 'number of connections' : 'load';
}

function unevenWork(facts: Facts): StateAnswer {
  return facts.bytes === null
    ? answer('not-load-balancing', 'possible', 'connections are even, CPU is not; bytes are not known')
    : answer('not-load-balancing', 'likely', 'connections and bytes are even, CPU is not');
}

/** CPU follows what the pods differ in; without the connections nothing is known of the load itself. */
function unequalPods(facts: Facts): StateAnswer {
  const summary = 'CPU differs between kinds of pods';
  if (facts.connections === null && facts.calls === null)
    return answer('unknown', 'possible', `${summary}; the load is not known`, settlingLook(facts));
  return facts.loads.basis?.basis === 'cpu' || facts.loads.basis?.basis === 'connections'
    ? answer('not-load-balancing', 'possible', `connections are even, ${summary}; bytes are not known`)
    : answer('not-load-balancing', 'likely', `the load is even, ${summary}`);
}

/** Clients that choose a pod by its name are dealt by no Service. */
function byName(facts: Facts, confidence: Confidence | undefined): StateAnswer {
  const peak = maxOf(facts.load.map((share) => share ?? 0));
  return confidence === 'possible'
    ? answer(
        'unknown',
        'possible',
        `one pod carries ${percent(peak)}; the clients may have chosen it by its name`,
        'the target in the clients: the name of the Service, or of one pod (NAME-0.SERVICE)',
      )
    : answer('not-load-balancing', 'likely', `the clients choose the pods themselves: one carries ${percent(peak)}`);
}

/** Every idle pod refuses connections, and the others share the load about evenly. */
function onlyDeafAreIdle(facts: Facts): boolean {
  const deaf = new Set(deafReplicas(facts));
  const served = facts.load.filter((_, index) => !deaf.has(facts.replicas[index] as MeasuredPod));
  if (deaf.size === 0 || served.length === 0 || served.some((share) => share === null)) return false;
  const mean = served.reduce<number>((sum, share) => sum + (share ?? 0), 0) / served.length;
  return maxOf(served.map((share) => share ?? 0)) < limits.skewedPeakToMean * mean;
}

function describeDeaf(facts: Facts): string {
  const deaf = deafReplicas(facts).length;
  return `${countOf(deaf, 'ready pod does', 'ready pods do')} not listen on the port; the other ${facts.replicas.length - deaf} share the load`;
}

/** "10 pods do the work of 2.7: 7 are idle". */
function describeSkew(facts: Facts): string {
  const basis = facts.loads.basis;
  const pods = basis?.seen ?? facts.replicas.length;
  const of = pods < facts.replicas.length ? `${pods} of ${facts.replicas.length} pods looked at` : `${pods} pods`;
  const idle = basis?.idle.length ?? 0;
  const peak = maxOf(facts.load.map((share) => share ?? 0));
  const tail = idle > 0 ? (idle === 1 ? '1 is idle' : `${idle} are idle`) : `one carries ${percent(peak)}`;
  return `${of} do the work of ${figure(basis?.effectivePods ?? pods)}: ${tail}`;
}

/** Bases that are the load itself, counted over a window. */
const counted: ReadonlySet<string> = new Set(['calls', 'messages', 'bytes']);

/** Certain: bytes, calls or messages of all pods, in a window with enough of them. What was once carried may be long ago. */
function measuredConfidence(facts: Facts): Confidence {
  const basis = facts.loads.basis;
  if (basis === null || !counted.has(basis.basis) || basis.span !== 'window') return 'likely';
  // What Prometheus has is minutes old, and its labels, not the pods, say whose it is.
  if (basis.source === 'interface' || basis.source === 'prometheus') return 'likely';
  if (basis.events !== null && !enoughEvents(basis.events, basis.seen)) return 'likely';
  return basis.seen === facts.replicas.length ? 'certain' : 'likely';
}

function hasNoTraffic(facts: Facts): boolean {
  const { connections, loads } = facts;
  const waiting = facts.replicas.some((pod) => (pod.sockets?.timeWait ?? 0) > 0);
  return (
    connections !== null &&
    connections.seen === facts.replicas.length &&
    facts.allConnections.length === 0 &&
    !loads.churning &&
    !waiting
  );
}

function describeMissing(facts: Facts): string {
  const { notReady, pending, unnamed, withoutPort } = facts.missing;
  const rest = `the ${facts.replicas.length} ready ones share the load evenly`;
  const unready = notReady.length + pending.length;
  if (unready === 0) {
    const absent = unnamed.length + withoutPort.length;
    return `${countOf(absent, 'pod gets', 'pods get')} no traffic: not among the endpoints of the port; ${rest}`;
  }
  const held = notReady.reduce((sum, pod) => sum + (pod.sockets?.connections.length ?? 0), 0);
  if (held > 0)
    return `${countOf(unready, 'pod is', 'pods are')} not Ready, yet clients hold ${plural(held, 'connection')} there; ${rest}`;
  return `${countOf(unready, 'pod gets', 'pods get')} no traffic because ${unready === 1 ? 'it is' : 'they are'} not Ready; ${rest}`;
}

function describeHolders({ holders, allConnections, replicas }: Facts): string {
  const held = holders.reduce((sum, holder) => sum + holder.connections, 0);
  const rest =
    allConnections.length === 0
      ? `the ${replicas.length} ready ones get nothing`
      : `the ${replicas.length} ready ones share the rest evenly`;
  return `clients hold ${plural(held, 'connection')} at ${countOf(holders.length, 'pod that is', 'pods that are')} no endpoint; ${rest}`;
}

function whyNoBasis(facts: Facts): string {
  if (facts.loads.churning)
    return 'connections open and close all the time, so they say nothing about the load of the pods';
  return 'neither connections nor CPU use of the pods could be seen';
}

/** The one look that would settle an unknown. */
function settlingLook(facts: Facts): string {
  const signal = facts.evidence.signals.find((entry) => entry.id === 'connections');
  if (facts.loads.churning) return 'the calls that each pod counts: its own metrics, or CPU over a few minutes';
  if (signal?.state === 'skipped') return 'the connections: run without --no-exec';
  if (signal?.needs != null) return `the connections: they need the right to ${signal.needs}`;
  const unseen = facts.replicas.filter((pod) => pod.sockets === null);
  const [first] = unseen;
  if (first !== undefined)
    return `the connections of ${first.name}${unseen.length > 1 ? ` and ${unseen.length - 1} more` : ''}: ${first.notSeen?.message ?? 'not looked at'}`;
  return 'a longer --window';
}

/** The look that is most likely to explain an uneven load of which no cause is known. */
function unexplainedLook({ hops, headless, path }: Facts): string {
  const [hop] = hops;
  if (hop !== undefined) return `what ${hop} is told about this host, and the calls that it counts for each pod`;
  if (headless) return 'the calls per method of each pod, and how many channels each client makes';
  if (path.path?.kubeProxyMode === 'ipvs')
    return 'the nodes of the clients, and what each of them has dealt: ipvsadm -Ln there';
  return 'the calls per method of each pod: whether the busy one is asked for something else';
}

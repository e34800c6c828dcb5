import { type Conclusion, type Consequences, conclude, type FoundCause } from '../causes/consequences.ts';
import { evenReadings, type LoadDistribution, readDistribution } from '../facts/distribution.ts';
import type { Facts } from '../facts/facts.ts';
import { limits } from '../facts/limits.ts';
import { deafReplicas } from '../facts/listening.ts';
import { lookedInto, type MeasuredPod } from '../facts/measured.ts';
import { findRemote } from '../facts/remote.ts';
import { allPodsCheck, settlingCheck } from '../facts/settling.ts';
import { maxOf } from '../figures/extremes.ts';
import type { Confidence } from '../report/ids.ts';
import { longerWindow } from '../report/window.ts';
import { countOf, figure, percent, plural } from '../report/words.ts';
import { decideNoTraffic, decideSilence } from './no-traffic.ts';

/** The state of the Service, from what was measured and the causes that were found, in the order of their list. */
export function decideState(facts: Facts, causes: readonly FoundCause[]): Conclusion {
  const decided = decide(facts, causes);
  const isIdle = decided.state === 'not-load-balancing' || decided.state === 'no-traffic';
  // Where every ready pod refuses, nobody is connected because nobody can be.
  return isIdle && facts.replicas.length > 0 && deafReplicas(facts).length === facts.replicas.length
    ? { ...decided, kind: 'outage' }
    : decided;
}

function decide(facts: Facts, causes: readonly FoundCause[]): Conclusion {
  const pods = facts.replicas.length;
  if (pods === 0) return withoutPod(facts);
  if (pods === 1) {
    const one = conclude('not-load-balancing', 'certain', 'one ready pod: there is nothing to balance');
    return { ...one, kind: lacksPods(facts) || isHeldElsewhere(facts) ? 'fault' : 'single-pod' };
  }
  const { basis } = facts.loads;
  const stuck = decideStuck(facts);
  if (stuck !== null) return stuck;
  const silent = decideNoTraffic(facts);
  if (silent !== null) return silent;
  if (basis === null) return conclude('unknown', 'possible', whyNoBasis(facts), settlingCheck(facts));
  switch (basis.reading) {
    case 'nothing':
      return decideSilence(facts);
    case 'unknown': {
      const unseen = countOf(pods - basis.seen, 'pod was', 'pods were');
      return conclude('unknown', 'possible', `${unseen} not seen, and the load may be there`, settlingCheck(facts));
    }
    case 'open':
      return tooFew(facts, basis);
    case 'uneven':
      return decideUneven(facts, causes, basis);
    default:
      return decideEven(facts, causes, basis);
  }
}

/** Endpoints elsewhere are somebody's choice, while no pod here is to take the calls. */
function withoutPod(facts: Facts): Conclusion {
  const isElsewhere = findRemote(facts).backends.length > 0;
  const summary = `no ready pod${isElsewhere ? ' of this cluster' : ''} stands behind this port`;
  const kind = !isElsewhere ? 'outage' : lacksPods(facts) ? 'fault' : 'by-setting';
  return { ...conclude('not-load-balancing', 'certain', summary), kind };
}

/** Pods get no traffic although they should. */
function lacksPods({ missing }: Facts): boolean {
  return Object.values(missing).some((pods) => pods.length > 0);
}

/** Clients hold pods that should get nothing, and do not leave by themselves. */
function isHeldElsewhere({ staleEndpoints }: Facts): boolean {
  return staleEndpoints.some(({ why }) => why !== 'terminating');
}

/** Pods that stand still, where the others share the load evenly: then their share says nothing about balancing. */
function decideStuck({ stuck, replicas, loads }: Facts): Conclusion | null {
  const surely = stuck.filter(({ confidence }) => confidence !== 'possible');
  const names = new Set(surely.map(({ pod }) => pod.name));
  const indexes = replicas.flatMap((pod, index) => (names.has(pod.name) ? [index] : []));
  const rest = replicas.length - indexes.length;
  if (indexes.length === 0 || rest === 0 || loads.basis === null) return null;
  const others = readDistribution(loads.basis, { excluded: new Set(indexes), nearLimit: false });
  if (!evenReadings.has(others.reading)) return null;
  const sure = surely.every(({ confidence }) => confidence === 'certain');
  const tail = rest === 1 ? 'the other one has the load' : `the ${rest} others share the load evenly`;
  return conclude(
    'not-load-balancing',
    sure ? 'certain' : 'likely',
    `${countOf(indexes.length, 'pod does', 'pods do')} not read what clients send; ${tail}`,
  );
}

/** What the causes of one kind say of the state; of two the later in their list, which is over sooner. */
function stateBy(
  causes: readonly FoundCause[],
  about: NonNullable<Consequences['decides']>['about'],
  facts: Facts,
): Conclusion | null {
  const cause = causes.findLast(({ unit }) => unit.decides?.about === about);
  return cause?.unit.decides?.conclude(facts, cause.finding.confidence) ?? null;
}

function decideUneven(facts: Facts, causes: readonly FoundCause[], basis: LoadDistribution): Conclusion {
  const settledBy =
    facts.allConnections.length === 0 ? settlingCheck(facts) : causes.length === 0 ? unexplainedCheck(facts) : null;
  return (
    stateBy(causes, 'unsettled', facts) ??
    (basis.basis === 'cpu' ? stateBy(causes, 'work', facts) : null) ??
    (onlyDeafAreIdle(facts) ? conclude('not-load-balancing', 'certain', describeDeaf(facts)) : null) ??
    stateBy(causes, 'choice', facts) ??
    conclude('skewed', measuredConfidence(facts), describeSkew(facts), settledBy)
  );
}

function decideEven(facts: Facts, causes: readonly FoundCause[], basis: LoadDistribution): Conclusion {
  const pods = facts.replicas.length;
  const held = stateBy(causes, 'held', facts);
  if (held !== null) return held;
  if (deafReplicas(facts).length > 0) return conclude('not-load-balancing', 'certain', describeDeaf(facts));
  if (lacksPods(facts)) return conclude('not-load-balancing', 'certain', describeMissing(facts));
  const byWork = stateBy(causes, 'work', facts);
  if (byWork !== null) return byWork;
  if (facts.intendedSkew !== null) return asDirected(facts, causes);
  const still = causes.length > 0 || facts.connections !== null ? 0 : standingStill(basis);
  if (still > 0) {
    const use = `${still} of ${pods} pods ${still === 1 ? 'uses' : 'use'} hardly any CPU`;
    return conclude(
      'unknown',
      'possible',
      `${use}, and no connection or call was seen that tells why`,
      settlingCheck(facts),
    );
  }
  const idle = basis.idle.length === 0 ? '' : `, ${basis.idle.length} of them idle`;
  const note =
    basis.reading === 'between'
      ? `${idle || ': a little uneven'} (the busiest has ${figure(basis.peakToMean ?? 1)} × its part)`
      : idle || ' evenly';
  const measure = nameOf(basis);
  const summary = `${pods} pods share the ${measure}${note}`;
  if (basis.basis === 'cpu' && facts.connections?.reading === 'uneven' && !facts.loads.churning) {
    const look = 'what the connections carry: ss in the image knows it';
    return conclude('balanced', 'possible', `${summary}, though not the connections`, look);
  }
  return conclude(
    'balanced',
    basis.reading === 'between' ? atMostLikely(measuredConfidence(facts)) : measuredConfidence(facts),
    summary,
  );
}

/** Pods that have no part worth the name of the CPU, with all that their runtime costs: new, deaf, stuck or left out. */
function standingStill({ basis, idle, shares }: LoadDistribution): number {
  const fair = 1 / shares.length;
  return basis === 'cpu' ? idle.filter((index) => (shares[index] ?? 0) < limits.idlePart * fair).length : 0;
}

/** The load was measured, and what was counted would look so whether it is even or not. */
function tooFew(facts: Facts, basis: LoadDistribution): Conclusion {
  const pods = facts.replicas.length;
  if (basis.basis === 'cpu')
    return conclude(
      'unknown',
      'possible',
      `the CPU use of the ${pods} pods is too little to tell`,
      settlingCheck(facts),
    );
  const summary = `${plural(basis.events ?? 0, basis.basis === 'calls' ? 'call' : 'message')} on ${pods} pods are too few to judge`;
  return conclude('unknown', 'possible', summary, longerWindow(facts.loads.enoughSeconds));
}

/** Each pod carries what a setting gives it: "4 pods share the load as internalTrafficPolicy Local deals it: one carries 75 %". */
function asDirected(facts: Facts, causes: readonly FoundCause[]): Conclusion {
  const confidence = causes.find(({ unit }) => unit.explains === facts.intendedSkew?.by)?.finding.confidence;
  const peak = maxOf(facts.load.map((share) => share ?? 0));
  const summary = `${facts.replicas.length} pods share the load as ${facts.intendedSkew?.words ?? ''} deals it: one carries ${percent(peak)}`;
  const isCertain = confidence === 'certain' && measuredConfidence(facts) === 'certain';
  return { ...conclude('not-load-balancing', isCertain ? 'certain' : 'likely', summary), kind: 'by-setting' };
}

function nameOf({ basis, source }: LoadDistribution): string {
  if (source === 'interface') return 'network traffic';
  return basis === 'cpu' ? 'CPU use' : basis === 'connections' ? 'number of connections' : 'load';
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
  if (basis === null || basis.confidence === 'possible') return 'possible';
  if (!counted.has(basis.basis) || basis.span !== 'window') return 'likely';
  // What Prometheus has is minutes old, and its labels, not the pods, say whose it is.
  if (basis.source === 'interface' || basis.source === 'prometheus') return 'likely';
  if (basis.confidence === 'likely' || facts.loads.contradicted || (basis.events ?? 0) < limits.certainEvents)
    return 'likely';
  return basis.seen === facts.replicas.length ? 'certain' : 'likely';
}

function atMostLikely(confidence: Confidence): Confidence {
  return confidence === 'certain' ? 'likely' : confidence;
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

function whyNoBasis(facts: Facts): string {
  if (facts.loads.churning)
    return 'connections open and close all the time, so they say nothing about the load of the pods';
  return 'neither connections nor CPU use of the pods could be seen';
}

/** The look that is most likely to explain an uneven load of which no cause is known. */
function unexplainedCheck({ hops, headless, path, replicas }: Facts): string {
  const unlooked = replicas.length - lookedInto(replicas).length;
  if (unlooked > 0) return allPodsCheck(unlooked);
  const [hop] = hops;
  if (hop !== undefined) return `what ${hop} is told about this host, and the calls that it counts for each pod`;
  if (headless) return 'the calls per method of each pod, and how many channels each client makes';
  if (path.path?.kubeProxyMode === 'ipvs')
    return 'the nodes of the clients, and what each of them has dealt: ipvsadm -Ln there';
  return 'the calls per method of each pod: whether the busy one is asked for something else';
}

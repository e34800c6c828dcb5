import type { FoundCause, ReliefId } from '../causes/consequences.ts';
import type { Facts } from '../facts/facts.ts';
import { limits } from '../facts/limits.ts';
import { simulatePlacement } from '../figures/placement.ts';
import type { Relief } from '../report/advice.ts';
import type { State } from '../report/ids.ts';
import { busyPods, figure, plural } from '../report/words.ts';
import { allOf, isRestartable, restart } from './command.ts';
import {
  deleteHolder,
  replaceStuck,
  restartHolders,
  restartLeaking,
  restartOneHolder,
  widenChannels,
} from './fault-relief.ts';
import { leastGain, type Redeal, restartOneClient } from './one-client.ts';
import type { Ownership } from './ownership.ts';
import { ableReplicas, moveOf } from './serving.ts';

/** What helps in minutes without a change of code, with its predicted effect; what helps most first. Printed, never run. */
export function findRelief(
  facts: Facts,
  state: State,
  causes: readonly FoundCause[],
  whose: Ownership['whose'],
): Relief[] {
  if (state !== 'skewed' && state !== 'not-load-balancing') return [];
  const helps = new Set(causes.flatMap(({ unit }): readonly ReliefId[] => unit.relief ?? []));
  const ofClients = (reliefs: readonly Relief[]) => (whose === 'third-party' ? reliefs.map(byOthers) : reliefs);
  const ofStuck = helps.has('replace-stuck') ? replaceStuck(facts) : [];
  const move = moveOf(facts);
  // Whatever else is restarted works: it would lose connections, and get no new ones or some that nobody answers.
  if (move === 'not' || ableReplicas(facts).length < facts.replicas.length) return ofStuck;
  if (move === 'one-by-one')
    return [...ofStuck, ...ofClients(helps.has('restart-holders') ? restartOneHolder(facts) : [])];
  const deletion = helps.has('delete-holder') ? deleteHolder(facts) : [];
  const restarts = ofClients(helps.has('restart-holders') ? restartHolders(facts) : []);
  // A pod that has left the Service works, and may be kept for a way back: its clients are moved first, not the pod.
  const isKept = facts.staleEndpoints.some(({ why }) => why === 'gone');
  const faults = [
    ...ofStuck,
    ...(isKept ? [...restarts, ...deletion] : [...deletion, ...restarts]),
    ...ofClients([
      ...(helps.has('restart-leaking') ? restartLeaking(facts) : []),
      ...(helps.has('widen-channels') ? widenChannels() : []),
    ]),
  ];
  if (state !== 'skewed') return faults;
  // Of two that give the same the one comes first that fewer calls pay for.
  const redeals = causes.some(({ unit }) => unit.dealsAnew)
    ? []
    : [
        ...(helps.has('restart-one') && !facts.headless ? restartOneClient(facts) : []),
        ...(helps.has('restart-all') ? restartClients(facts, helps.has('resolve-anew')) : []),
      ];
  return [
    ...faults,
    ...ofClients(redeals.toSorted((a, b) => b.effectivePods - a.effectivePods).map(({ relief }) => relief)),
    ...raiseLimit(facts),
  ];
}

/** Whose clients they are not has no command for them: it would act on what somebody else runs. */
function byOthers(relief: Relief): Relief {
  return { ...relief, action: `${relief.action}, through those who run the clients`, command: null };
}

function raiseLimit(facts: Facts): Relief[] {
  const hot = facts.replicas.filter(
    (pod) => pod.cpu?.limitMillicores && pod.cpu.millicores / pod.cpu.limitMillicores >= limits.hotCpuPart,
  );
  if (hot.length === 0) return [];
  return [
    {
      action: `raise the CPU limit of ${hot.length === 1 ? 'the hot pod' : `the ${hot.length} hot pods`}`,
      command: null,
      prediction: 'no pod is throttled any longer; the load stays where it is',
      risk: 'changing the limit replaces the pods, unless the cluster resizes pods in place',
    },
  ];
}

/** Nothing where a new deal of the same connections would be no more even than what is. */
function restartClients(facts: Facts, resolves: boolean): Redeal[] {
  const pods = facts.replicas.length;
  const { weights, reach } = facts.onAllPods;
  const workloads = facts.clients.filter(({ peer }) => isRestartable(peer));
  const simulated = weights.length > 0 ? simulatePlacement({ weights, reach, pods }) : null;
  const present = facts.loads.basis?.effectivePods ?? 0;
  if (!resolves && simulated !== null && simulated.effectivePods.mean < leastGain * present) return [];
  const prediction = resolves
    ? 'they resolve the name again and find all pods'
    : simulated === null
      ? 'their connections are dealt anew; how evenly cannot be said without having seen them'
      : `${busyPods(facts.loads.basis?.effectivePods ?? null, simulated.effectivePods.mean, pods)} (${figure(simulated.effectivePods.p10)} to ${figure(simulated.effectivePods.p90)})`;
  const command = restart(
    facts,
    workloads.map(({ peer }) => peer),
  );
  const after = resolves ? 'pods that come later are not found' : 'the new connections stay where they land';
  const risk = `calls in flight end with the client pods; ${after}`;
  const relief = { action: `restart the clients${allOf(workloads.length)}`, command, prediction, risk };
  return [{ relief, effectivePods: resolves ? pods : (simulated?.effectivePods.mean ?? 0) }];
}

/** What not to do, and why: what several causes say, once. */
export function findAvoid(facts: Facts, state: State, causes: readonly FoundCause[]): string[] {
  const holds = facts.staleEndpoints.length > 0 ? avoidMoving(facts) : [];
  return [...holds, ...new Set(causes.flatMap(({ unit }) => unit.avoid?.(facts, state, causes) ?? []))];
}

function avoidMoving(facts: Facts): string[] {
  const deletion = 'do not delete a pod that is no endpoint and carries calls';
  const able = plural(ableReplicas(facts).length, 'ready pod');
  switch (moveOf(facts)) {
    case 'at-once':
      return [];
    case 'one-by-one':
      return [
        `do not restart all clients at once: what they hold open carries the calls, and ${able} may be too few for them`,
        `${deletion}: all its clients would move at once`,
      ];
    case 'not':
      return [
        'do not restart the clients: what they hold open carries the calls, and no pod can take new connections',
        deletion,
      ];
  }
}

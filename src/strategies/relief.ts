import { simulatePlacement } from '../figures/placement.ts';
import type { CauseId, State } from '../report/ids.ts';
import type { Relief } from '../report/schema.ts';
import { figure } from '../report/words.ts';
import type { Facts } from '../verdict/facts.ts';
import { limits } from '../verdict/limits.ts';
import { allOf, isRestartable, restart } from './command.ts';
import {
  deleteHolder,
  replaceStuck,
  restartHolders,
  restartLeaking,
  surelyStuck,
  widenChannels,
} from './fault-relief.ts';
import { leastGain, type Redeal, restartOneClient } from './one-client.ts';
import type { Ownership } from './ownership.ts';
import { ableReplicas, restsOnOldConnections } from './serving.ts';

/** Causes that a new deal of the connections can ease. */
const sticky: readonly CauseId[] = [
  'new-pods-idle',
  'restarted-pod',
  'rolling-restart-order',
  'few-connections',
  'chance',
  'pick-first',
  'no-re-resolution',
  'long-streams',
];

/** Causes that lie in one client or connection: dealt anew it is as heavy, but beside less. */
const heavy: readonly CauseId[] = ['hot-client', 'hot-connection'];

/** What helps in minutes without a change of code, with its predicted effect; what helps most first. Printed, never run. */
export function findRelief(
  facts: Facts,
  state: State,
  causes: readonly CauseId[],
  whose: Ownership['whose'],
): Relief[] {
  if (state !== 'skewed' && state !== 'not-load-balancing') return [];
  const has = (ids: readonly CauseId[]) => causes.some((id) => ids.includes(id));
  const ofClients = (reliefs: readonly Relief[]) => (whose === 'third-party' ? reliefs.map(byOthers) : reliefs);
  const ofStuck = has(['stuck-pod']) ? replaceStuck(facts) : [];
  // Whatever else is restarted works: it would lose connections, and get no new ones or some that nobody answers.
  if (restsOnOldConnections(facts) || ableReplicas(facts).length < facts.replicas.length) return ofStuck;
  const faults = [
    ...ofStuck,
    ...(has(['unready-but-connected']) ? deleteHolder(facts) : []),
    ...ofClients([
      ...(has(['unready-but-connected']) ? restartHolders(facts) : []),
      ...(has(['connection-leak']) ? restartLeaking(facts) : []),
      ...(has(['stream-limit']) ? widenChannels() : []),
    ]),
  ];
  if (state !== 'skewed') return faults;
  // Of two that give the same the one comes first that fewer calls pay for.
  const redeals = [
    ...(has([...sticky, ...heavy]) && !facts.headless ? restartOneClient(facts) : []),
    ...(has(sticky) ? restartClients(facts, causes) : []),
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
function restartClients(facts: Facts, causes: readonly CauseId[]): Redeal[] {
  const pods = facts.replicas.length;
  const workloads = facts.clients.filter(({ peer }) => isRestartable(peer));
  const simulated = facts.weights.length > 0 ? simulatePlacement({ weights: facts.weights, pods }) : null;
  const resolves = causes.includes('no-re-resolution');
  const present = facts.loads.basis?.effectivePods ?? 0;
  if (!resolves && simulated !== null && simulated.effectivePods.mean < leastGain * present) return [];
  const prediction = resolves
    ? 'they resolve the name again and find all pods'
    : simulated === null
      ? 'their connections are dealt anew; how evenly cannot be said without having seen them'
      : `about ${figure(simulated.effectivePods.mean)} of ${pods} pods (${figure(simulated.effectivePods.p10)} to ${figure(simulated.effectivePods.p90)})`;
  const command = restart(
    facts,
    workloads.map(({ peer }) => peer),
  );
  const after = resolves ? 'pods that come later are not found' : 'the new connections stay where they land';
  const risk = `calls in flight end with the client pods; ${after}`;
  const relief = { action: `restart the clients${allOf(workloads.length)}`, command, prediction, risk };
  return [{ relief, effectivePods: resolves ? pods : (simulated?.effectivePods.mean ?? 0) }];
}

/** What not to do, and why. */
export function findAvoid(facts: Facts, state: State, causes: readonly CauseId[]): string[] {
  const has = (ids: readonly CauseId[]) => causes.some((id) => ids.includes(id));
  const isDealt = state === 'skewed' && has([...sticky, ...heavy]);
  const rests = facts.holders.length > 0 && restsOnOldConnections(facts);
  return [
    ...(rests
      ? [
          'do not restart the clients: what they hold open carries the calls, and new connections find no such pod',
          'do not delete a pod that is no endpoint and carries calls',
        ]
      : []),
    ...(has(['stuck-pod']) && surelyStuck(facts).length > 0
      ? ['do not restart all pods: the others serve their clients']
      : []),
    ...(has(['draining']) ? ['do not delete a draining pod by force: that ends its streams'] : []),
    ...(isDealt ? ['do not scale up: new pods get nothing until clients reconnect'] : []),
    ...(isDealt && !facts.headless ? ['do not restart all server pods: the first one back gets most'] : []),
    ...(has(['stream-limit']) ? ['do not scale up for it: the calls wait in the clients'] : []),
  ];
}

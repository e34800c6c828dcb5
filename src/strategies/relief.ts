import { simulatePlacement } from '../figures/placement.ts';
import type { CauseId, State } from '../report/ids.ts';
import type { Relief } from '../report/schema.ts';
import { figure } from '../report/words.ts';
import type { Facts } from '../verdict/facts.ts';
import { limits } from '../verdict/limits.ts';

/** Causes that a new deal of the connections can ease. */
const sticky: readonly CauseId[] = [
  'new-pods-idle',
  'restarted-pod',
  'few-connections',
  'chance',
  'pick-first',
  'no-re-resolution',
];

/** A new deal helps when it uses at least so many times the effective pods of now. */
const leastGain = 1.05;

/** What helps in minutes without a change of code, with its predicted effect. Printed, never run. */
export function findRelief(facts: Facts, state: State, causes: readonly CauseId[]): Relief[] {
  if (state !== 'skewed') return [];
  const relief: Relief[] = [];
  if (causes.some((id) => sticky.includes(id))) relief.push(...restartClients(facts, causes));
  const hot = facts.replicas.filter(
    (pod) => pod.cpu?.limitMillicores && pod.cpu.millicores / pod.cpu.limitMillicores >= limits.hotCpuPart,
  );
  if (hot.length > 0) {
    relief.push({
      action: `raise the CPU limit of ${hot.length === 1 ? 'the hot pod' : `the ${hot.length} hot pods`}`,
      command: null,
      prediction: 'no pod is throttled any longer; the load stays where it is',
      risk: 'changing the limit replaces the pods, unless the cluster resizes pods in place',
    });
  }
  return relief;
}

/** Nothing where a new deal of the same connections would be no more even than what is. */
function restartClients(facts: Facts, causes: readonly CauseId[]): Relief[] {
  const pods = facts.replicas.length;
  const workloads = facts.clients.filter(
    (client) => client.peer.kind === 'workload' && /^(deployment|statefulset|daemonset)\//.test(client.peer.workload),
  );
  const [first] = workloads;
  const simulated = facts.weights.length > 0 ? simulatePlacement({ weights: facts.weights, pods }) : null;
  const resolves = causes.includes('no-re-resolution');
  const present = facts.loads.basis?.effectivePods ?? 0;
  if (!resolves && simulated !== null && simulated.effectivePods.mean < leastGain * present) return [];
  const prediction =
    resolves || simulated === null
      ? 'the clients resolve the name again and find all pods'
      : `about ${figure(simulated.effectivePods.mean)} of ${pods} pods (${figure(simulated.effectivePods.p10)} to ${figure(simulated.effectivePods.p90)})`;
  const command =
    first === undefined
      ? null
      : `kubectl rollout restart ${first.peer.workload} -n ${first.peer.namespace ?? facts.service.namespace}`;
  const all = workloads.length > 1 ? `, all ${workloads.length} workloads of them` : '';
  const risk = 'calls in flight end with the client pods; the new connections stay where they land';
  return [{ action: `restart the clients${all}`, command, prediction, risk }];
}

/** What not to do, and why. */
export function findAvoid(facts: Facts, state: State, causes: readonly CauseId[]): string[] {
  if (state !== 'skewed' || !causes.some((id) => sticky.includes(id) || id === 'hot-client')) return [];
  const avoid = ['do not scale up: new pods get nothing until clients reconnect'];
  if (!facts.headless) avoid.push('do not restart the server pods: the first one back gets most');
  return avoid;
}

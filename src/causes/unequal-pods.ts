import { evenReadings } from '../facts/distribution.ts';
import type { Facts } from '../facts/facts.ts';
import { limits } from '../facts/limits.ts';
import { settlingCheck } from '../facts/settling.ts';
import { findUnequal, type UnequalPods } from '../facts/unequal-pods.ts';
import { maxOf } from '../figures/extremes.ts';
import { figure, listed, percent } from '../report/words.ts';
import { type Conclusion, conclude } from './consequences.ts';
import type { CauseUnit, Finding } from './unit.ts';

const words = {
  workload: 'workload',
  'node-type': 'type of their nodes',
  'cpu-limit': 'CPU limit',
} as const;

export const unequalPods: CauseUnit = {
  id: 'unequal-pods',
  title: 'The pods are not alike',
  family: 'not-load-balancing',
  needs: ['endpoints', 'usage', 'connections'],
  signature:
    'CPU differs between groups of pods (two workloads behind one Service, types of nodes, CPU limits) and is alike within each; or the load is even and one pod is near its limit only because that is smaller.',
  confidenceRule: `likely when the load (calls or bytes) is even and the difference of CPU lies between two workloads, or between groups of at least two pods; possible when the load is not known, or a group has one pod; certain for limits: the load is even, limits differ, and a pod at ${percent(limits.hotCpuPart)} of its own or more would be below ${percent(limits.lowCpuPart)} of the largest.`,
  rivals: [{ id: 'uneven-work', toldApartBy: 'the calls per method of the pods of each group' }],
  decides: { about: 'work', conclude: decide },
  firstStep: 'give the pods alike nodes and limits, or each workload a Service of its own',
  find(facts) {
    if (facts.intendedSkew !== null) return null;
    return unlikeUse(facts) ?? unlikeLimits(facts);
  },
};

/** CPU follows what the pods differ in; without the connections nothing is known of the load itself. */
function decide(facts: Facts): Conclusion | null {
  if (facts.cpu?.reading !== 'uneven') return null;
  const summary = 'CPU differs between kinds of pods';
  if (facts.connections === null && facts.calls === null)
    return conclude('unknown', 'possible', `${summary}; the load is not known`, settlingCheck(facts));
  return facts.loads.basis?.basis === 'cpu' || facts.loads.basis?.basis === 'connections'
    ? conclude('not-load-balancing', 'possible', `connections are even, ${summary}; bytes are not known`)
    : conclude('not-load-balancing', 'likely', `the load is even, ${summary}`);
}

function unlikeUse(facts: Facts): Finding | null {
  const { cpu, loads } = facts;
  // The CPU of pods with several ports is that of all of them.
  if (cpu?.reading !== 'uneven' || facts.sharedPorts.length > 0) return null;
  if (facts.cpuForLoad !== null && facts.cpuForLoad !== 'uneven') return null;
  const { basis } = loads;
  const measured = basis === null || basis.basis === 'cpu' || basis.basis === 'connections' ? null : basis;
  const isEven = measured !== null && evenReadings.has(measured.reading);
  // A load that is uneven is explained by other causes; where it is not known, uneven connections speak against this one.
  if (measured !== null && !isEven) return null;
  if (!isEven && !loads.churning && facts.connections !== null && !evenReadings.has(facts.connections.reading))
    return null;
  const unequal = findUnequal(facts);
  if (unequal === null) return null;
  return {
    confidence:
      isEven && (unequal.by === 'workload' || unequal.groups.every(({ pods }) => pods > 1)) ? 'likely' : 'possible',
    text: `CPU follows the ${words[unequal.by]} of the pods, ${isEven ? 'and the load is even' : 'and the load itself is not known'}`,
    evidence: describeGroups(unequal),
    settledBy: ['the calls that pods of each group get, and what one costs there'],
  };
}

function describeGroups({ by, groups }: UnequalPods): string[] {
  const unit = by === 'cpu-limit' ? ' millicores' : '';
  return [...groups]
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ name, pods, meanMillicores }) => `${name}${unit}: ${figure(meanMillicores)}m in each of ${pods}`);
}

function unlikeLimits(facts: Facts): Finding | null {
  const load = facts.loads.basis;
  if (load === null || load.basis === 'cpu' || load.basis === 'connections' || !evenReadings.has(load.reading))
    return null;
  const limited = facts.replicas.flatMap((pod) => (pod.cpu?.limitMillicores ? [{ pod, cpu: pod.cpu }] : []));
  const largest = maxOf(
    limited.map(({ cpu }) => cpu.limitMillicores ?? 0),
    0,
  );
  const pressed = limited.filter(
    ({ cpu }) =>
      cpu.millicores >= limits.hotCpuPart * (cpu.limitMillicores ?? 0) && cpu.millicores < limits.lowCpuPart * largest,
  );
  const [first] = pressed;
  if (first === undefined) return null;
  return {
    confidence: 'certain',
    text: `${listed(pressed.map(({ pod }) => pod.name))}: near the own CPU limit of ${first.cpu.limitMillicores}m, other pods may use ${largest}m`,
    evidence: [
      `${first.pod.name} uses ${figure(first.cpu.millicores)}m, ${percent(first.cpu.millicores / (first.cpu.limitMillicores ?? 1))} of its limit`,
      'the pods get the same load',
    ],
  };
}

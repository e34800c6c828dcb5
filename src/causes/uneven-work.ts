import { evenReadings } from '../facts/distribution.ts';
import { maxOf } from '../figures/extremes.ts';
import { figure, percent } from '../report/words.ts';
import { conclude } from './consequences.ts';
import { unequalPods } from './unequal-pods.ts';
import type { CauseUnit } from './unit.ts';

export const unevenWork: CauseUnit = {
  id: 'uneven-work',
  title: 'The calls are spread evenly, but the work is not',
  family: 'not-load-balancing',
  needs: ['connections', 'usage'],
  signature: 'Connections and bytes are even, CPU is not: some calls cost more, or some pods have another role.',
  confidenceRule:
    'likely when bytes per pod are even and CPU is uneven; possible when only the connections are known to be even. Bytes are not calls, so it is never certain.',
  rivals: [
    {
      id: 'stuck-pod',
      toldApartBy: 'what the pod reads in a longer window: a busy pod reads late, a stuck one nothing',
    },
    { id: 'unequal-pods', toldApartBy: 'whether CPU follows the workload, the node type or the limits of the pods' },
  ],
  decides: {
    about: 'work',
    conclude: ({ bytes }) =>
      bytes === null
        ? conclude('not-load-balancing', 'possible', 'connections are even, CPU is not; bytes are not known')
        : conclude('not-load-balancing', 'likely', 'connections and bytes are even, CPU is not'),
  },
  firstStep: 'compare the calls per method and the roles of the pods: no way of balancing evens out unequal work',
  find(facts) {
    const { connections, bytes, cpu } = facts;
    // What is even against unequal expected shares says nothing about equal work.
    if (facts.intendedSkew !== null || unequalPods.find(facts) !== null) return null;
    // The CPU is that of all ports together: another one may use it.
    if (facts.sharedPorts.length > 0) return null;
    if (connections === null || cpu === null || facts.perCall || cpu.reading !== 'uneven') return null;
    // CPU that follows the load is the price of the load.
    if (facts.cpuForLoad !== null && facts.cpuForLoad !== 'uneven') return null;
    if (connections.reading !== 'even' && connections.reading !== 'between') return null;
    const bytesEven = bytes !== null && evenReadings.has(bytes.reading);
    if (bytes !== null && !bytesEven) return null;
    const busiest = cpu.shares.indexOf(maxOf(cpu.shares.map((share) => share ?? 0)));
    const pod = facts.replicas[busiest];
    return {
      confidence: bytesEven ? 'likely' : 'possible',
      text: `connections${bytesEven ? ' and bytes' : ''} are even, yet ${pod?.name ?? 'one pod'} uses ${percent(cpu.shares[busiest] ?? 0)} of the CPU`,
      evidence: [
        `connections: ${figure(connections.effectivePods ?? 0)} effective pods; CPU: ${figure(cpu.effectivePods ?? 0)} of ${facts.replicas.length}`,
        bytesEven && `bytes: ${figure(bytes.effectivePods ?? 0)} effective pods`,
      ],
      settledBy: ['the calls per method of each pod, and whether one pod has a role of its own (leader, shard)'],
    };
  },
};

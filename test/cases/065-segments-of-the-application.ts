/**
 * Query nodes of a vector database: one works, the rest idle, memory 58, 58, 3, 3 and 3 GB. The application assigns its
 * segments to nodes; connections and calls are even. No strategy of balancing moves a segment.
 */
import { meshed, pods } from '../diagnose/build.ts';
import { type PublicCase, webClients } from './case.ts';

const gibibyte = 2 ** 30;
const roomy = { memoryLimitBytes: 64 * gibibyte, cpuLimitMillicores: 4000 };

export const publicCase: PublicCase = {
  title: 'One query node works, the rest idle',
  source: 'https://github.com/milvus-io/milvus/issues/25341',
  mark: 'I',
  plan: {
    pods: [
      ...pods(2, { ...roomy, cpuMillicores: 3200, memoryBytes: 58 * gibibyte }),
      ...pods(3, { ...roomy, cpuMillicores: 150, memoryBytes: 3 * gibibyte }, 2),
    ],
    clients: webClients(2, { workload: 'proxy' }),
    connections: meshed(2, 5),
  },
  expected: {
    state: 'not-load-balancing',
    first: 'uneven-work',
    beside: ['addressed-by-name', 'unequal-pods'],
    strategy: 'cluster-ip',
    action: 'keep',
    says: [/no way of balancing evens out unequal work/],
    lacks: 'how the application assigns its work',
  },
};

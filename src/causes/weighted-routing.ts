import { percent } from '../report/words.ts';
import { isUneven } from '../verdict/facts.ts';
import { routedShares } from '../verdict/path.ts';
import type { CauseUnit } from './unit.ts';

/** A share that is this near to what the weights give is explained by them. */
const near = 0.1;

export const weightedRouting: CauseUnit = {
  id: 'weighted-routing',
  title: 'A route gives the pods unequal weights',
  family: 'layer-7',
  needs: ['path', 'connections', 'clients'],
  signature:
    'A VirtualService leads calls to subsets of the pods by weight, and clients go through proxies that obey it.',
  confidenceRule:
    'certain when the share of every pod is within 10 points of what the weights give; likely when at least the pods with most weight carry most; not found when the load does not follow the weights.',
  rivals: [{ id: 'mesh-sees-tcp', look: 'whether the load follows the weights' }],
  find(facts) {
    const { parts, routes } = facts.path;
    if (!isUneven(facts) || parts.meshed + parts.gateway + parts.waypoint < 0.5) return null;
    const wanted = routedShares(facts.path, facts.replicas);
    if (wanted === null || Math.max(...wanted) * wanted.length < 1.25) return null;
    const distance = Math.max(...wanted.map((share, index) => Math.abs(share - (facts.load[index] ?? 0))));
    const top = facts.load.indexOf(Math.max(...facts.load.map((share) => share ?? 0)));
    const follows = (wanted[top] ?? 0) >= Math.max(...wanted) - 1e-9;
    if (distance > near && !follows) return null;
    const route = routes.find(({ backends }) => backends.some((backend) => backend.subset !== null));
    const weights = route?.backends.map(({ subset, weight }) => `${subset ?? 'all'} ${weight}`).join(', ') ?? '';
    return {
      confidence: distance <= near && facts.load.every((share) => share !== null) ? 'certain' : 'likely',
      text: `${route?.kind ?? 'a route'} ${route?.name ?? ''} sends the calls by weight: ${weights}`,
      evidence: [
        `by the weights the busiest pod should carry ${percent(Math.max(...wanted))}; it carries ${percent(facts.load[top] ?? 0)}`,
      ],
      settledBy: distance <= near ? [] : ['the calls of each subset'],
    };
  },
};

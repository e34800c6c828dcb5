import { isUnequalLoad } from '../facts/facts.ts';
import { isNear, isUnequal, nearShare } from '../facts/intended-skew.ts';
import { routedShares } from '../facts/path.ts';
import { maxOf } from '../figures/extremes.ts';
import { percent } from '../report/words.ts';
import type { CauseUnit } from './unit.ts';

export const weightedRouting: CauseUnit = {
  id: 'weighted-routing',
  title: 'A route gives the pods unequal weights',
  family: 'layer-7',
  needs: ['path', 'connections', 'clients'],
  signature:
    'A VirtualService leads calls to subsets of the pods by weight, and clients go through proxies that obey it.',
  confidenceRule: `certain when the share of every pod is within ${100 * nearShare} points of what the weights give; likely when at least the pods with most weight carry most; not found when the load does not follow the weights.`,
  rivals: [{ id: 'mesh-sees-tcp', toldApartBy: 'whether the load follows the weights' }],
  directs: 'rule',
  explains: 'route',
  firstStep: 'set the weights in proportion to the pods of each subset, unless they are wanted',
  find(facts) {
    const { clientShares, routes } = facts.path;
    if (!isUnequalLoad(facts) || clientShares.meshed + clientShares.gateway + clientShares.waypoint < 0.5) return null;
    const wanted = routedShares(facts.path, facts.replicas);
    if (!isUnequal(wanted)) return null;
    const isMet = isNear(facts.load, wanted);
    const top = facts.load.indexOf(maxOf(facts.load.map((share) => share ?? 0)));
    const follows = (wanted[top] ?? 0) >= maxOf(wanted) - 1e-9;
    if (!isMet && !follows) return null;
    const route = routes.find(({ backends }) => backends.some((backend) => backend.subset !== null));
    const weights = route?.backends.map(({ subset, weight }) => `${subset ?? 'all'} ${weight}`).join(', ') ?? '';
    return {
      confidence: isMet ? 'certain' : 'likely',
      text: `${route?.kind ?? 'a route'} ${route?.name ?? ''} sends the calls by weight: ${weights}`,
      evidence: [
        `by the weights the busiest pod should carry ${percent(maxOf(wanted))}; it carries ${percent(facts.load[top] ?? 0)}`,
      ],
      settledBy: isMet ? [] : ['the calls of each subset'],
    };
  },
};

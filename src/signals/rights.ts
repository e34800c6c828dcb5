import type { SignalId } from '../evidence/schema.ts';
import { signalCatalogue } from './catalogue.ts';

/** One rule of a Role, and the signal that needs it. */
export interface RoleRule {
  readonly signal: SignalId;
  readonly why: string;
  readonly apiGroup: string;
  readonly resource: string;
  readonly verbs: readonly string[];
  /** Needs a ClusterRole: cluster-scoped objects, or all namespaces. */
  readonly cluster: boolean;
}

/** The rules that the wanted signals need, in the order of the diagnosis. */
export function rulesFor(signals: readonly SignalId[]): RoleRule[] {
  const rules: RoleRule[] = [];
  for (const { id, question, rights } of signalCatalogue) {
    if (!signals.includes(id)) continue;
    for (const right of rights) {
      const { verb, resource, apiGroup, cluster } = readRight(right);
      const same = rules.findIndex(
        (rule) => rule.resource === resource && rule.apiGroup === apiGroup && rule.cluster === cluster,
      );
      const before = rules[same];
      if (before === undefined) rules.push({ signal: id, why: question, apiGroup, resource, verbs: [verb], cluster });
      else if (!before.verbs.includes(verb)) rules[same] = { ...before, verbs: [...before.verbs, verb] };
    }
  }
  return rules;
}

/** `list pods.metrics.k8s.io`, `get pods/exec`, `list pods in all namespaces`, `list nodes`. */
function readRight(right: string): { verb: string; resource: string; apiGroup: string; cluster: boolean } {
  const everywhere = right.endsWith(' in all namespaces');
  const [verb = '', name = ''] = right.replace(' in all namespaces', '').split(' ');
  const dot = name.indexOf('.');
  const resource = dot < 0 ? name : name.slice(0, dot);
  return {
    verb,
    resource,
    apiGroup: dot < 0 ? '' : name.slice(dot + 1),
    cluster: everywhere || /^nodes(\/|$)/.test(resource),
  };
}

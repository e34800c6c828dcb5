import type { SignalId } from '../evidence/schema.ts';
import { signalCatalogue } from './catalogue.ts';

/** One rule of a Role, and the signals that need it. */
export interface RoleRule {
  readonly for: readonly { readonly signal: SignalId; readonly why: string }[];
  readonly apiGroup: string;
  readonly resource: string;
  readonly verbs: readonly string[];
  /** Names of the only objects that it is for; empty: all. */
  readonly names: readonly string[];
  /** Needs a ClusterRole: cluster-scoped objects, or all namespaces. */
  readonly cluster: boolean;
  /** Another namespace than that of the Service. */
  readonly namespace: string | null;
}

/** The rules that the wanted signals need, in the order of the diagnosis. */
export function rulesFor(signals: readonly SignalId[]): RoleRule[] {
  const rules: RoleRule[] = [];
  for (const { id, question, rights } of signalCatalogue) {
    if (!signals.includes(id)) continue;
    for (const right of rights) add(rules, { for: [{ signal: id, why: question }], ...readRight(right) });
  }
  return rules;
}

/** Verbs and names of one resource stand in one rule; an object by its name is another rule than all of them. */
function add(rules: RoleRule[], rule: RoleRule): void {
  const same = rules.findIndex(
    (other) =>
      other.resource === rule.resource &&
      other.apiGroup === rule.apiGroup &&
      other.cluster === rule.cluster &&
      other.namespace === rule.namespace &&
      (other.names.length === 0) === (rule.names.length === 0),
  );
  const before = rules[same];
  if (before === undefined) rules.push(rule);
  else
    rules[same] = {
      ...before,
      for: [...before.for, ...rule.for.filter(({ signal }) => !before.for.some((one) => one.signal === signal))],
      verbs: [...new Set([...before.verbs, ...rule.verbs])],
      names: [...new Set([...before.names, ...rule.names])],
    };
}

/** Parts of a resource that rights may name behind a slash; anything else there is the name of an object. */
const subresources: readonly string[] = ['exec', 'proxy'];

/** Cluster-scoped objects that a Role in a namespace does not reach. */
const clusterScoped: readonly string[] = ['nodes', 'felixconfigurations'];

/**
 * `list pods.metrics.k8s.io`, `get pods/exec`, `list pods in all namespaces`, `list nodes`, and of an object by its name
 * in another namespace: `get configmaps/kube-proxy in kube-system`.
 */
function readRight(right: string): Omit<RoleRule, 'for'> {
  const [what = '', place = null] = right.split(' in ');
  const [verb = '', path = ''] = what.split(' ');
  const [full = '', part] = path.split('/');
  const [, kind = '', group = ''] = /^([^.]*)\.?(.*)$/.exec(full) ?? [];
  const isSubresource = part !== undefined && subresources.includes(part);
  const everywhere = place === 'all namespaces';
  return {
    verbs: [verb],
    resource: isSubresource ? `${kind}/${part}` : kind,
    apiGroup: group,
    names: part === undefined || isSubresource ? [] : [part],
    cluster: everywhere || clusterScoped.includes(kind),
    namespace: everywhere ? null : place,
  };
}

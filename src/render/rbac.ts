/** Roles and bindings as YAML for kubectl apply. */
import { yamlText } from './yaml.ts';

/** One rule to print, with the reasons above it. */
export interface PrintedRule {
  readonly for: readonly { readonly signal: string; readonly why: string }[];
  readonly apiGroup: string;
  readonly resource: string;
  readonly verbs: readonly string[];
  /** Names of the only objects that it is for; empty: all. */
  readonly names: readonly string[];
  readonly cluster: boolean;
  /** Another namespace than that of the Service. */
  readonly namespace: string | null;
}

/** Who gets the rights. */
export type RoleSubject =
  | { readonly kind: 'User' | 'Group'; readonly name: string }
  | { readonly kind: 'ServiceAccount'; readonly namespace: string; readonly name: string };

const preface = [
  '# What kubectl grpc-skew asks for; each rule says which signal needs it. Leave out what you do not want to',
  '# give: the diagnosis goes on without it and says what it could not see.',
];
const nobody = [
  '# Nobody is bound to it yet: name who gets it with --user, --group or --serviceaccount NAMESPACE:NAME, or take',
  '# the signs away from the lines below and put a name of yours in the place of on-call.',
];
const apiGroup = 'rbac.authorization.k8s.io';

/**
 * A Role for each namespace that something is read in and, where something reaches beyond, a ClusterRole; each with its
 * binding. Without a subject the bindings are there as comments.
 */
export function renderRoles(
  rules: readonly PrintedRule[],
  namespace: string,
  subjects: readonly RoleSubject[],
): string {
  const namespaces = [...new Set(rules.filter((rule) => !rule.cluster).map((rule) => rule.namespace ?? namespace))];
  const beyond = rules.filter((rule) => rule.cluster);
  const inNamespace = (name: string) => rules.filter((rule) => !rule.cluster && (rule.namespace ?? namespace) === name);
  const roles = [
    ...namespaces.map((name) => ({ name, lines: role(name, inNamespace(name)) })),
    ...(beyond.length > 0 ? [{ name: null, lines: role(null, beyond) }] : []),
  ];
  const bindings = roles.map(({ name }) => binding(name, subjects));
  const documents = [
    ...roles.map(({ lines }) => lines),
    ...(subjects.length > 0 ? bindings : [[...nobody, ...bindings.flatMap(asComment)]]),
  ];
  return `${[...preface, ...documents.flatMap((lines, index) => [...(index > 0 ? ['---'] : []), ...lines])].join('\n')}\n`;
}

function role(namespace: string | null, rules: readonly PrintedRule[]): readonly string[] {
  const said = new Set<string>();
  // What a signal asks stands with the first of its rules, the others name it.
  const reason = ({ signal, why }: PrintedRule['for'][number]) => {
    const isNew = !said.has(signal);
    said.add(signal);
    return isNew ? `${signal}: ${why}` : signal;
  };
  return [
    ...head(namespace === null ? 'ClusterRole' : 'Role', namespace),
    'rules:',
    ...rules.flatMap((rule) => [
      ...rule.for.map((one) => `  # ${reason(one)}`),
      ...(warnings.has(rule.resource) ? [`  # ${warnings.get(rule.resource)}`] : []),
      `  - apiGroups: ["${rule.apiGroup}"]`,
      `    resources: ["${rule.resource}"]`,
      ...(rule.names.length === 0 ? [] : [`    resourceNames: [${rule.names.map((name) => `"${name}"`).join(', ')}]`]),
      `    verbs: [${rule.verbs.map((verb) => `"${verb}"`).join(', ')}]`,
    ]),
  ];
}

function binding(namespace: string | null, subjects: readonly RoleSubject[]): readonly string[] {
  const named: readonly RoleSubject[] = subjects.length > 0 ? subjects : [{ kind: 'Group', name: 'on-call' }];
  return [
    ...head(namespace === null ? 'ClusterRoleBinding' : 'RoleBinding', namespace),
    'roleRef:',
    `  apiGroup: ${apiGroup}`,
    `  kind: ${namespace === null ? 'ClusterRole' : 'Role'}`,
    '  name: grpc-skew',
    'subjects:',
    ...named.flatMap((subject) => [
      `  - kind: ${subject.kind}`,
      ...(subject.kind === 'ServiceAccount'
        ? [`    namespace: ${yamlText(subject.namespace)}`]
        : [`    apiGroup: ${apiGroup}`]),
      // Names of users may hold signs that mean something in YAML.
      `    name: ${yamlText(subject.name)}`,
    ]),
  ];
}

function head(kind: string, namespace: string | null): readonly string[] {
  return [
    `apiVersion: ${apiGroup}/v1`,
    `kind: ${kind}`,
    'metadata:',
    '  name: grpc-skew',
    ...(namespace === null ? [] : [`  namespace: ${namespace}`]),
  ];
}

function asComment(lines: readonly string[], index: number): readonly string[] {
  return [...(index > 0 ? ['---'] : []), ...lines].map((line) => `# ${line}`);
}

const warnings: ReadonlyMap<string, string> = new Map([
  ['pods/exec', 'As powerful as a shell in the pods.'],
  ['pods/proxy', 'Reaches every HTTP port of the pods.'],
  ['services/proxy', 'Reaches every HTTP port of the Services there. Prometheus may be in another namespace.'],
  // KEP-2862: GET on nodes/proxy reaches kubelet's own exec endpoint.
  ['nodes/proxy', 'As powerful as exec in every pod of the node.'],
]);

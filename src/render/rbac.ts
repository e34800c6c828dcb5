/** One rule to print, with the reason above it. */
export interface PrintedRule {
  readonly signal: string;
  readonly why: string;
  readonly apiGroup: string;
  readonly resource: string;
  readonly verbs: readonly string[];
  readonly cluster: boolean;
}

/** A Role for the namespace of the Service and, where something reaches beyond it, a ClusterRole: YAML for kubectl apply. */
export function renderRoles(rules: readonly PrintedRule[], namespace: string): string {
  const inside = rules.filter((rule) => !rule.cluster);
  const beyond = rules.filter((rule) => rule.cluster);
  const documents = [
    ...(inside.length > 0 ? [role('Role', [`  name: grpc-skew`, `  namespace: ${namespace}`], inside)] : []),
    ...(beyond.length > 0 ? [role('ClusterRole', ['  name: grpc-skew'], beyond)] : []),
  ];
  return `# What kubectl grpc-skew asks for; each rule says which signal needs it. Leave out what you do not want to\n# give: the diagnosis goes on without it and says what it could not see. Bind them to the user or ServiceAccount.\n${documents.join('---\n')}`;
}

function role(kind: string, metadata: readonly string[], rules: readonly PrintedRule[]): string {
  return [
    'apiVersion: rbac.authorization.k8s.io/v1',
    `kind: ${kind}`,
    'metadata:',
    ...metadata,
    'rules:',
    ...rules.flatMap((rule) => [
      `  # ${rule.signal}: ${rule.why}${warnings[rule.resource] ?? ''}`,
      `  - apiGroups: ["${rule.apiGroup}"]`,
      `    resources: ["${rule.resource}"]`,
      `    verbs: [${rule.verbs.map((verb) => `"${verb}"`).join(', ')}]`,
    ]),
    '',
  ].join('\n');
}

const warnings: Readonly<Record<string, string>> = {
  'pods/exec': ' As powerful as a shell in the pods.',
  'pods/proxy': ' Reaches every HTTP port of the pods.',
  // KEP-2862: GET on nodes/proxy reaches kubelet's own exec endpoint.
  'nodes/proxy': ' As powerful as exec in every pod of the node.',
};

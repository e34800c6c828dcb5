import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import type { Json } from './cluster.ts';
import { expectError, runProgram } from './program.ts';

async function roles(...args: readonly string[]): Promise<readonly Json[]> {
  const run = await runProgram(['rbac', '-n', 'shop', ...args]);
  expect([run.code, run.stderr]).toEqual([0, '']);
  return parseAllDocuments(run.stdout).flatMap((document) => document.toJS() ?? []);
}

const place = ({ kind, metadata }: Json): string => `${kind} ${metadata.namespace ?? '-'}`;
const rule = (documents: readonly Json[], kind: string, resource: string): Json =>
  documents
    .filter((one) => one.kind === kind)
    .flatMap((one) => one.rules.filter((two: Json) => two.resources[0] === resource));

describe('rbac', () => {
  test.concurrent('a Role for each namespace, and a ClusterRole for what lies beyond', async () => {
    const documents = await roles();
    // Nobody was named: the bindings are comments.
    expect(documents.map(place)).toEqual(['Role shop', 'Role kube-system', 'Role monitoring', 'ClusterRole -']);
    expect(rule(documents, 'Role', 'configmaps')).toEqual([
      { apiGroups: [''], resources: ['configmaps'], resourceNames: ['kube-proxy', 'cilium-config'], verbs: ['get'] },
    ]);
    expect(rule(documents, 'ClusterRole', 'felixconfigurations')).toMatchObject([
      { apiGroups: ['crd.projectcalico.org'], resourceNames: ['default'] },
    ]);
    expect(rule(documents, 'Role', 'pods/exec')).toMatchObject([{ verbs: ['get', 'create'] }]);
    expect(documents.flatMap(({ rules }) => rules).every((one: Json) => !one.verbs.includes('*'))).toBe(true);
  });

  test.concurrent('bindings for those who were named, to the Roles that are printed', async () => {
    const documents = await roles('--user', 'jo@example.com', '--group', 'on-call', '--serviceaccount', 'ci:skew');
    expect(documents.map(place)).toEqual([
      'Role shop',
      'Role kube-system',
      'Role monitoring',
      'ClusterRole -',
      'RoleBinding shop',
      'RoleBinding kube-system',
      'RoleBinding monitoring',
      'ClusterRoleBinding -',
    ]);
    const apiGroup = 'rbac.authorization.k8s.io';
    for (const { kind, roleRef, subjects } of documents.slice(4)) {
      expect(roleRef).toEqual({ apiGroup, kind: kind.replace('Binding', ''), name: 'grpc-skew' });
      expect(subjects).toEqual([
        { kind: 'User', apiGroup, name: 'jo@example.com' },
        { kind: 'Group', apiGroup, name: 'on-call' },
        { kind: 'ServiceAccount', namespace: 'ci', name: 'skew' },
      ]);
    }
  });

  test.concurrent('each rule names all signals that need it, and each Role asks a question once', async () => {
    const { stdout } = await runProgram(['rbac', '-n', 'shop', '--for', 'service,siblings,path,connections']);
    const [role = ''] = stdout.split('\n---\n');
    const rules = role.split(/\n(?= {2}# [a-z-]+(?:: |$))/m);
    expect(role).toMatch(
      /# service: What does the Service promise\?\n {2}# siblings: .*\n {2}- apiGroups: \[""\]\n {4}resources: \["services"\]/,
    );
    expect(rules.length).toBeGreaterThan(5);
    for (const question of role.match(/# [a-z-]+: .*\?/g) ?? []) expect(role.split(question)).toHaveLength(2);
    expect(role).toMatch(/# path\n {2}- apiGroups/);
    expect(role).toMatch(/# connections: .*\n {2}# As powerful as a shell in the pods\.\n/);
  });

  test.concurrent('names that mean something in YAML stay names', async () => {
    const name = 'system:node: "x" #1';
    const documents = await roles('--for', 'service', '--user', name);
    expect(documents.at(-1)?.subjects[0].name).toBe(name);
  });

  test.concurrent('without a name the bindings are comments that become whole documents', async () => {
    const { stdout } = await runProgram(['rbac', '-n', 'shop', '--for', 'service']);
    const [, commented = ''] = stdout.split('in the place of on-call.\n');
    const documents = parseAllDocuments(commented.replaceAll(/^# /gm, '')).map((one) => one.toJS());
    expect(documents.map(place)).toEqual(['RoleBinding shop']);
    expect(documents[0].subjects[0].name).toBe('on-call');
  });

  test.concurrent('what is as powerful as exec elsewhere only by name', async () => {
    expect(rule(await roles(), 'Role', 'pods/exec')).toHaveLength(1);
    const documents = await roles('--for', 'proxies');
    expect(documents.map(place)).toEqual(['Role shop', 'Role kube-system', 'Role istio-system']);
  });

  test.concurrent.each([
    [['--serviceaccount', 'skew'], /^error: --serviceaccount takes NAMESPACE:NAME, not skew; write/],
    [['--serviceaccount', 'a:b:c'], /^error: --serviceaccount takes NAMESPACE:NAME/],
  ])('%j: wrong usage', async (args, line) => {
    expectError(await runProgram(['rbac', ...args]), 2, line);
  });
});

test('a name that no terminal should obey is escaped, and means the same', async () => {
  const name = 'a\u202eb\u007fc\u0085d\u2028e';
  const run = await runProgram(['rbac', '-n', 'shop', '--for', 'service', '--user', name]);
  expect(run.stdout).not.toMatch(/[^\P{C}\n]|\p{Zl}/u);
  const subjects = parseAllDocuments(run.stdout).flatMap((document) => (document.toJS() as Json)?.subjects ?? []);
  expect(subjects.map((subject: Json) => subject.name)).toEqual([name]);
});

test('without -n it is the namespace of the context, as everywhere', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'grpc-skew-rbac-'));
  const config = join(folder, 'config');
  const clusters = '[{name: c, cluster: {server: "https://127.0.0.1:1"}}]';
  const contexts =
    '[{name: a, context: {cluster: c, namespace: shop}}, {name: b, context: {cluster: c, namespace: pay}}]';
  writeFileSync(
    config,
    `{apiVersion: v1, kind: Config, current-context: a, clusters: ${clusters}, contexts: ${contexts}}`,
  );
  const namespacesOf = async (...args: string[]) => {
    const run = await runProgram(['rbac', '--for', 'service', ...args], { env: { KUBECONFIG: config } });
    expect([run.code, run.stderr]).toEqual([0, '']);
    return [...run.stdout.matchAll(/^ {2}namespace: (\S+)$/gm)].map((match) => match[1]);
  };
  expect(await namespacesOf()).toEqual(['shop']);
  expect(await namespacesOf('--context', 'b')).toEqual(['pay']);
  expect(await namespacesOf('-n', 'other')).toEqual(['other']);
  rmSync(folder, { recursive: true });
});

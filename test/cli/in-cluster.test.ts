import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { selfSignedCertificate } from '../../src/lab/certificate.ts';
import { type ServedLab, serveLab } from '../tui/session.ts';
import { type OnTestFinished, programPath, type Run, runProgram, temporaryFolder } from './program.ts';

/** A mount namespace of one's own, in which a test may put a service account where kubelet puts it. */
const canUnshare = (() => {
  try {
    execFileSync('unshare', ['--mount', 'mount', '-t', 'tmpfs', 'none', '/run'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

const inPod = `mount -t tmpfs none /run && mkdir -p /run/secrets/kubernetes.io &&
  cp -r "$ACCOUNT" /run/secrets/kubernetes.io/serviceaccount && exec "$@"`;

describe.skipIf(!canUnshare)('in a pod, by its service account', () => {
  let lab: ServedLab;
  let cluster: { readonly server: string; readonly 'certificate-authority-data': string };
  let users: readonly { readonly name: string; readonly user: { readonly token: string } }[];

  beforeAll(async () => {
    lab = await serveLab();
    const config = parse(readFileSync(lab.kubeconfig, 'utf8'));
    cluster = config.clusters[0].cluster;
    users = config.users;
  }, 60_000);
  afterAll(() => lab.stop());

  /** The files that kubelet mounts: /var/run is /run. */
  function account(onTestFinished: OnTestFinished, files: Readonly<Record<string, string>> = {}): string {
    const folder = join(temporaryFolder(onTestFinished), 'serviceaccount');
    mkdirSync(folder);
    const mounted = {
      token: users[0]?.user.token ?? '',
      namespace: 'shop',
      'ca.crt': Buffer.from(cluster['certificate-authority-data'], 'base64').toString(),
      ...files,
    };
    for (const [name, text] of Object.entries(mounted)) writeFileSync(join(folder, name), text);
    return folder;
  }

  function run(folder: string, args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Run> {
    const { hostname, port } = new URL(cluster.server);
    return runProgram(args, {
      command: ['unshare', '--mount', 'sh', '-c', inPod, 'sh', process.execPath, programPath],
      env: { ACCOUNT: folder, KUBERNETES_SERVICE_HOST: hostname, KUBERNETES_SERVICE_PORT: port, ...env },
    });
  }

  test('a diagnosis, in the namespace of the account', async ({ onTestFinished }) => {
    const ended = await run(account(onTestFinished), ['echo', '-o', 'json', '--window', '0', '--fail-on', 'skewed']);
    expect([ended.code, ended.stderr]).toEqual([3, '']);
    const { metadata, status } = JSON.parse(ended.stdout);
    expect(metadata).toMatchObject({ name: 'echo', namespace: 'shop', context: 'in-cluster' });
    expect(status.verdict.state).toBe('skewed');
  });

  test('-n goes over the namespace of the account', async ({ onTestFinished }) => {
    const folder = account(onTestFinished, { namespace: 'elsewhere' });
    const elsewhere = await run(folder, ['echo', '-o', 'json', '--no-exec']);
    expect([elsewhere.code, elsewhere.stderr]).toEqual([1, expect.stringContaining('elsewhere')]);
    expect((await run(folder, ['echo', '-n', 'shop', '-o', 'json', '--no-exec'])).code).toBe(0);
  });

  test('an account with few rights gets what it may see, and hears what it may not', async ({ onTestFinished }) => {
    const viewer = users.find(({ name }) => name.includes('viewer'))?.user.token ?? '';
    const ended = await run(account(onTestFinished, { token: viewer }), ['echo', '-o', 'json', '--window', '0']);
    expect(ended.code).toBe(0);
    const { signals } = JSON.parse(ended.stdout).status;
    expect(signals).toContainEqual(expect.objectContaining({ id: 'connections', state: 'forbidden' }));
  });

  test('a token that the API refuses: one line, without the token', async ({ onTestFinished }) => {
    const ended = await run(account(onTestFinished, { token: 'worn-out-token' }), ['echo', '-o', 'json']);
    expect([ended.code, ended.stdout]).toEqual([1, '']);
    expect(ended.stderr).toMatch(/^error: .*\n$/);
    expect(ended.stderr).not.toContain('worn-out-token');
  });

  test('another authority than the account names is not trusted', async ({ onTestFinished }) => {
    const { certificatePem: other } = await selfSignedCertificate(Date.now());
    const ended = await run(account(onTestFinished, { 'ca.crt': other }), ['echo', '-o', 'json']);
    expect([ended.code, ended.stderr]).toEqual([1, expect.stringMatching(/certificate/i)]);
  });
});

describe('docs/in-cluster.md', () => {
  const text = readFileSync('docs/in-cluster.md', 'utf8');
  const blocks = [...text.matchAll(/^```yaml\n(.*?)^```$/gms)].map((match) => match[1] ?? '');
  const objects = blocks.flatMap((block) => parseAllDocuments(block).map((document) => document.toJS()));
  const one = (kind: string) => objects.find((object) => object.kind === kind);
  /** The containers of a Job and of a CronJob are the same. */
  const specs = [one('Job').spec, one('CronJob').spec.jobTemplate.spec];

  test('the account that gets the rights is the one that the pods run as, in their namespace', async () => {
    const command = /kubectl grpc-skew (rbac .*--serviceaccount \S+)/.exec(text)?.[1] ?? '';
    const printed = (await runProgram(command.split(' '))).stdout;
    const bindings = parseAllDocuments(printed)
      .map((document) => document.toJS())
      .filter((object) => object.kind.endsWith('Binding'));
    expect(bindings.length).toBeGreaterThan(1);
    for (const kind of ['Job', 'CronJob']) {
      const account = { kind: 'ServiceAccount', name: 'grpc-skew', namespace: one(kind).metadata.namespace };
      for (const { subjects } of bindings) expect(subjects).toEqual([expect.objectContaining(account)]);
    }
    for (const { template } of specs) expect(template.spec.serviceAccountName).toBe('grpc-skew');
  });

  test('the pods fit the restricted Pod Security Standard, and run once', () => {
    for (const { template, backoffLimit } of specs) {
      const { containers, restartPolicy, securityContext } = template.spec;
      expect([restartPolicy, backoffLimit]).toEqual(['Never', 0]);
      expect(securityContext).toEqual({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } });
      expect(containers).toHaveLength(1);
      expect(containers[0].securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
    }
  });

  test('their arguments are a command line that the program takes', async ({ onTestFinished }) => {
    const folder = temporaryFolder(onTestFinished);
    for (const { template } of specs) {
      // Without a cluster: what is wrong is the cluster, not the usage.
      const run = await runProgram(template.spec.containers[0].args, { cwd: folder });
      expect([run.code, run.stderr]).toEqual([1, expect.stringContaining('no cluster is configured')]);
    }
  });
});

test('the Containerfile copies the executable, and runs nothing in the image that is used', () => {
  const lines = readFileSync('Containerfile', 'utf8')
    .split('\n')
    .filter((line) => /^[A-Z]/.test(line));
  const last = lines.slice(lines.findLastIndex((line) => line.startsWith('FROM')));
  expect(last.map((line) => line.split(' ')[0])).toEqual(['FROM', 'COPY', 'COPY', 'ENTRYPOINT']);
  expect(last[0]).toMatch(/nonroot$/);
  expect(last.at(-1)).toContain('kubectl-grpc_skew');
});

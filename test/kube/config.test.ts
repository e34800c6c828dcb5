import { mkdirSync } from 'node:fs';
import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { kubeconfigPaths, loadConnection } from '../../src/kube/config/files.ts';
import { inClusterConnection } from '../../src/kube/config/in-cluster.ts';
import { mergeKubeconfigs } from '../../src/kube/config/load.ts';
import { resolveConnection } from '../../src/kube/config/resolve.ts';
import type { ClusterConnection } from '../../src/kube/config/types.ts';
import { openKube } from '../../src/kube/open.ts';
import type { ConnectionFlags, KubeError } from '../../src/kube/types.ts';
import { errorOf, kubeconfig, temporary, testHost } from './open-client.ts';

const directories: ReturnType<typeof temporary>[] = [];
afterEach(() => {
  for (const directory of directories.splice(0)) directory.remove();
});

function directory(): ReturnType<typeof temporary> {
  const made = temporary();
  directories.push(made);
  return made;
}

interface Parts {
  readonly current?: string;
  readonly clusters?: Record<string, unknown>;
  readonly users?: Record<string, unknown>;
  readonly contexts?: Record<string, unknown>;
}

function document(parts: Parts): unknown {
  const list = (key: string, entries: Record<string, unknown> = {}): unknown[] =>
    Object.entries(entries).map(([name, value]) => ({ name, [key]: value }));
  return {
    'current-context': parts.current ?? '',
    clusters: list('cluster', parts.clusters),
    users: list('user', parts.users),
    contexts: list('context', parts.contexts),
  };
}

function resolved(parts: Parts | readonly Parts[], flags: ConnectionFlags = {}): ClusterConnection | KubeError | null {
  const files = [parts].flat().map((each, at) => ({ path: `/etc/kube/${at}/config`, document: document(each) }));
  const outcome = resolveConnection(mergeKubeconfigs(files, 'linux'), flags);
  return outcome.ok ? outcome.value : outcome.error;
}

const basic: Parts = {
  current: 'dev',
  contexts: { dev: { cluster: 'c1', user: 'u1', namespace: 'shop' }, prod: { cluster: 'c2', user: 'u2' } },
  clusters: { c1: { server: 'https://one:6443' }, c2: { server: 'https://two:6443' } },
  users: { u1: { token: 't1' }, u2: { token: 't2' } },
};

describe('which files', () => {
  const where = (flags: ConnectionFlags, KUBECONFIG?: string, platform = 'linux'): readonly string[] =>
    kubeconfigPaths(flags, { env: { KUBECONFIG }, homeDirectory: '/home/me', platform }).paths;

  test('--kubeconfig alone, else KUBECONFIG, else home', () => {
    expect(where({ kubeconfig: '/a:/b' }, '/c')).toEqual(['/a:/b']);
    expect(where({}, '/c:/d')).toEqual(['/c', '/d']);
    expect(where({})).toEqual(['/home/me/.kube/config']);
    expect(where({ kubeconfig: '' }, '')).toEqual(['/home/me/.kube/config']);
  });

  test('duplicates and empty names are dropped; the separator is that of the system', () => {
    expect(where({}, ':/a::/b:/a:')).toEqual(['/a', '/b']);
    expect(where({}, 'C:\\a;D:\\b', 'win32')).toEqual(['C:\\a', 'D:\\b']);
  });

  test('a missing --kubeconfig is an error, even inside a pod', async () => {
    const host = testHost({ env: { KUBERNETES_SERVICE_HOST: '10.0.0.1', KUBERNETES_SERVICE_PORT: '443' } });
    const error = errorOf(await openKube({ kubeconfig: '/no/such/file' }, host));
    expect(error).toMatchObject({ kind: 'config', message: '/no/such/file: no such file' });
  });

  test('missing files of the list are skipped, with a warning only if all are missing', async () => {
    const files = directory();
    const path = files.write('config', kubeconfig('https://one:6443'));
    const some = testHost({ env: { KUBECONFIG: `/no/such:${path}` } });
    expect((await loadConnection({}, some)).ok).toBe(true);
    expect(some.lines).toEqual([]);
    const none = testHost({ env: { KUBECONFIG: '/no/such:/nor/this' } });
    expect(errorOf(await loadConnection({}, none)).kind).toBe('config');
    expect(none.lines).toEqual(['Warning: kubeconfig not found: /no/such, /nor/this']);
  });

  test('the file in the home directory', async () => {
    const home = directory();
    mkdirSync(`${home.path}/.kube`);
    home.write('.kube/config', kubeconfig('https://home:6443'));
    const outcome = await loadConnection({}, testHost({ homeDirectory: home.path }));
    expect(outcome).toMatchObject({ ok: true, value: { server: 'https://home:6443', namespace: 'shop' } });
  });

  test('broken YAML is an error that does not quote the file', async () => {
    const path = directory().write('config', 'users:\n- name: x\n  user: {token: secret-token\n');
    const error = errorOf(await loadConnection({ kubeconfig: path }, testHost()));
    expect(error.kind).toBe('config');
    expect(error.message).toContain('not valid YAML');
    expect(JSON.stringify(error)).not.toContain('secret-token');
  });

  test('nothing at all', async () => {
    const error = errorOf(await loadConnection({}, testHost()));
    expect(error.message).toBe('no cluster is configured in /nowhere/.kube/config');
  });
});

describe('merging', () => {
  test('the first file to name an entry gives the whole entry', () => {
    const second: Parts = {
      current: 'prod',
      clusters: { c1: { server: 'https://other', 'tls-server-name': 'other' } },
      users: { u1: { token: 'other', 'client-certificate': 'other' }, u3: { token: 't3' } },
    };
    expect(resolved([basic, second])).toMatchObject({ context: 'dev', server: 'https://one:6443' });
    const { cluster, user } = resolved([basic, second]) as ClusterConnection;
    expect(cluster.tlsServerName).toBeUndefined();
    expect(user).toEqual({ token: 't1', impersonation: { groups: [], extra: {} } });
    expect(resolved([{}, { ...basic }], { user: 'u1' })).toMatchObject({ context: 'dev' });
    expect(resolved([basic, second], { user: 'u3' })).toMatchObject({ user: { token: 't3' } });
  });

  test('as a property: for every name, the first file that has it wins', () => {
    const name = fc.constantFrom('a', 'b', 'c', 'd');
    const file = fc.record({
      current: fc.option(name, { nil: undefined }),
      clusters: fc.dictionary(name, fc.record({ server: fc.webUrl() })),
    });
    fc.assert(
      fc.property(fc.array(file, { maxLength: 4 }), (files) => {
        const merged = mergeKubeconfigs(
          files.map(({ current, clusters }, at) => ({
            path: `/${at}/config`,
            document: document({ clusters, ...(current === undefined ? {} : { current }) }),
          })),
          'linux',
        );
        expect(merged.currentContext).toBe(files.find((each) => each.current !== undefined)?.current);
        for (const key of ['a', 'b', 'c', 'd']) {
          const first = files.find((each) => Object.hasOwn(each.clusters, key));
          expect(merged.clusters.get(key)?.server).toBe(first?.clusters[key]?.server);
        }
      }),
    );
  });

  test('any document whatever is read without an exception', () => {
    const keys = fc.constantFrom('clusters', 'users', 'contexts', 'name', 'user', 'cluster', 'exec', 'extensions');
    const json = fc.letrec((tie) => ({
      value: fc.oneof(
        fc.constantFrom(null, 1, true, '', 'x'),
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(keys, tie('value'), { maxKeys: 4 }),
      ),
    })).value;
    fc.assert(
      fc.property(json, (value) => {
        const merged = mergeKubeconfigs([{ path: '/config', document: value }], 'linux');
        resolveConnection(merged, {});
      }),
    );
  });

  test('malformed entries matter only to who asks for them', () => {
    const parts: Parts = {
      ...basic,
      clusters: { ...basic.clusters, broken: 5, bare: {}, odd: { server: 7 } },
      users: { ...basic.users, broken: 'x', empty: null },
    };
    expect(resolved(parts)).toMatchObject({ server: 'https://one:6443' });
    expect(resolved(parts, { user: 'empty' })).toMatchObject({ user: { impersonation: { groups: [] } } });
    expect(resolved(parts, { cluster: 'broken' })).toMatchObject({ message: 'cluster "broken" does not exist' });
    expect(resolved(parts, { cluster: 'bare' })).toMatchObject({ message: 'cluster "bare" has no server' });
    expect(resolved(parts, { cluster: 'odd' })).toMatchObject({ message: 'cluster "odd" has no server' });
  });

  test('relative paths belong to the directory of their file', () => {
    const parts: Parts = {
      current: 'x',
      contexts: { x: { cluster: 'c', user: 'u' } },
      clusters: { c: { server: 'https://one', 'certificate-authority': 'ca.crt' } },
      users: {
        u: { 'client-certificate': '../c.crt', 'client-key': '/abs/c.key', tokenFile: './token' },
        bare: { exec: { command: 'aws', apiVersion: 'v' } },
        slash: { exec: { command: './bin/login', apiVersion: 'v' } },
      },
    };
    const { cluster, user } = resolved([{}, parts]) as ClusterConnection;
    expect(cluster.certificateAuthority).toBe('/etc/kube/1/ca.crt');
    expect(user.clientCertificate).toBe('/etc/kube/c.crt');
    expect(user.clientKey).toBe('/abs/c.key');
    expect(user.tokenFile).toBe('/etc/kube/1/token');
    expect(resolved(parts, { user: 'bare' })).toMatchObject({ user: { exec: { command: 'aws' } } });
    expect(resolved(parts, { user: 'slash' })).toMatchObject({ user: { exec: { command: '/etc/kube/0/bin/login' } } });
  });
});

describe('choosing', () => {
  test.each([
    [{ context: 'nope' }, 'context "nope" does not exist', 'The kubeconfig has: dev, prod.'],
    [{ cluster: 'nope' }, 'cluster "nope" does not exist', 'The kubeconfig has: c1, c2.'],
    [{ user: 'nope' }, 'user "nope" does not exist', 'The kubeconfig has: u1, u2.'],
  ])('%o', (flags, message, hint) => {
    expect(resolved(basic, flags)).toEqual({ kind: 'config', request: 'load the kubeconfig', message, hint });
  });

  test('a context that names what does not exist', () => {
    expect(resolved({ ...basic, users: {} })).toMatchObject({
      message: 'user "u1" does not exist',
      hint: 'The kubeconfig has no users.',
    });
    expect(resolved({ ...basic, current: 'gone' })).toMatchObject({ message: 'context "gone" does not exist' });
  });

  test('flags choose', () => {
    expect(resolved(basic, { context: 'prod' })).toMatchObject({ context: 'prod', server: 'https://two:6443' });
    expect(resolved(basic, { cluster: 'c2' })).toMatchObject({ server: 'https://two:6443', user: { token: 't1' } });
    expect(resolved(basic, { user: 'u2' })).toMatchObject({ server: 'https://one:6443', user: { token: 't2' } });
  });

  test('a context without a user keeps its TLS settings', () => {
    const parts: Parts = {
      current: 'x',
      contexts: { x: { cluster: 'c' } },
      clusters: { c: { server: 'https://one', 'insecure-skip-tls-verify': true, 'tls-server-name': 'n' } },
    };
    expect(resolved(parts)).toMatchObject({ cluster: { insecureSkipTlsVerify: true, tlsServerName: 'n' } });
  });

  test('namespace: flag, context, default', () => {
    expect(resolved(basic)).toMatchObject({ namespace: 'shop' });
    expect(resolved(basic, { namespace: 'x' })).toMatchObject({ namespace: 'x' });
    expect(resolved(basic, { namespace: '' })).toMatchObject({ namespace: 'shop' });
    expect(resolved(basic, { context: 'prod' })).toMatchObject({ namespace: 'default' });
  });

  test('no current-context: null, or an error that lists contexts', async () => {
    const { current: _current, ...without } = basic;
    expect(resolved(without)).toBeNull();
    expect(resolved(without, { server: 'https://flag' })).toMatchObject({ server: 'https://flag' });
    const path = directory().write('config', JSON.stringify(document(without)));
    const error = errorOf(await loadConnection({ kubeconfig: path }, testHost()));
    expect(error.hint).toBe('Choose one with --context: dev, prod.');
  });

  test.each([
    ['https://one:6443/', 'https://one:6443'],
    ['https://one/k8s/c-1//', 'https://one/k8s/c-1'],
    ['one:8080', 'http://one:8080'],
    ['http://[::1]:8080', 'http://[::1]:8080'],
  ])('server %s is %s', (server, url) => {
    expect(resolved(basic, { server })).toMatchObject({ server: url });
  });

  test('a server without a scheme is http, even where TLS is spoken of', () => {
    expect(resolved(basic, { server: 'one', insecureSkipTlsVerify: true })).toMatchObject({ server: 'http://one' });
  });

  test.each(['ftp://one', 'https://', 'not a url'])('server %s is none', (server) => {
    expect(resolved(basic, { server })).toMatchObject({ kind: 'config' });
  });
});

describe('flags over entries', () => {
  const withAuthority: Parts = {
    ...basic,
    clusters: {
      c1: {
        server: 'https://one',
        'certificate-authority-data': 'QQ==',
        'tls-server-name': 'n',
      },
    },
    users: { u1: { tokenFile: '/t', token: 'x', 'client-certificate-data': 'QQ==', 'client-key-data': 'QQ==' } },
  };

  test('--certificate-authority replaces data, --insecure-skip-tls-verify clears both', () => {
    const own = resolved(withAuthority, { certificateAuthority: '/mine' }) as ClusterConnection;
    expect(own.cluster.certificateAuthority).toBe('/mine');
    expect(own.cluster.certificateAuthorityData).toBeUndefined();
    const insecure = resolved(withAuthority, { insecureSkipTlsVerify: true }) as ClusterConnection;
    expect(insecure.cluster).toEqual({
      server: 'https://one',
      tlsServerName: 'n',
      insecureSkipTlsVerify: true,
      disableCompression: false,
    });
  });

  test('--server drops the tls-server-name that belonged to the old one', () => {
    const { cluster } = resolved(withAuthority, { server: 'https://new' }) as ClusterConnection;
    expect(cluster.tlsServerName).toBeUndefined();
    expect(cluster.certificateAuthorityData).toBe('QQ==');
    expect(resolved(withAuthority, { server: 'https://new', tlsServerName: 'm' })).toMatchObject({
      cluster: { tlsServerName: 'm' },
    });
  });

  test('--token and certificates', () => {
    const { user } = resolved(withAuthority, {
      token: 'flag',
      clientCertificate: '/c',
      clientKey: '/k',
    }) as ClusterConnection;
    expect(user).toEqual({
      token: 'flag',
      tokenFile: '/t',
      clientCertificate: '/c',
      clientKey: '/k',
      impersonation: { groups: [], extra: {} },
    });
  });

  test('an authority and insecure in one entry', () => {
    const clusters = {
      c1: { server: 'https://one', 'certificate-authority': '/ca', 'insecure-skip-tls-verify': true },
    };
    expect(resolved({ ...basic, clusters })).toMatchObject({ kind: 'config' });
  });

  test('impersonation from the kubeconfig, and from flags over it', () => {
    const u1 = { as: 'bob', 'as-uid': '1', 'as-groups': ['g'], 'as-user-extra': { k: ['v', 'w'] } };
    const parts = { ...basic, users: { u1 } };
    expect(resolved(parts)).toMatchObject({
      user: { impersonation: { user: 'bob', uid: '1', groups: ['g'], extra: { k: ['v', 'w'] } } },
    });
    expect(resolved(parts, { as: 'eve', asGroups: ['h'] })).toMatchObject({
      user: { impersonation: { user: 'eve', groups: ['h'] } },
    });
  });

  test.each([{ asGroups: ['g'] }, { asUid: '1' }, { asUserExtra: ['k=v'] }])('%o needs --as', (flags) => {
    expect(resolved(basic, flags)).toMatchObject({ kind: 'config', message: expect.stringContaining('(--as)') });
  });

  test('a line break cannot smuggle a header in', () => {
    expect(resolved(basic, { as: 'x\r\nImpersonate-Group: system:masters' })).toMatchObject({ kind: 'config' });
  });
});

describe('in a pod', () => {
  const env = { KUBERNETES_SERVICE_HOST: 'fd00::1', KUBERNETES_SERVICE_PORT: '6443' };

  function serviceAccount(): string {
    const files = directory();
    files.write('token', 'pod-token\n');
    files.write('ca.crt', 'pem');
    files.write('namespace', 'pod-ns\n');
    return files.path;
  }

  test('the service account', async () => {
    const path = serviceAccount();
    expect(await inClusterConnection({}, { env }, path)).toEqual({
      ok: true,
      value: {
        context: 'in-cluster',
        namespace: 'pod-ns',
        server: 'https://[fd00::1]:6443',
        cluster: {
          server: 'https://[fd00::1]:6443',
          certificateAuthority: `${path}/ca.crt`,
          insecureSkipTlsVerify: false,
          disableCompression: false,
        },
        user: { tokenFile: `${path}/token`, impersonation: { groups: [], extra: {} } },
      },
    });
  });

  test('namespace: flag, POD_NAMESPACE, file, default', async () => {
    const path = serviceAccount();
    const named = { ...env, POD_NAMESPACE: 'env-ns' };
    expect(await inClusterConnection({}, { env: named }, path)).toMatchObject({ value: { namespace: 'env-ns' } });
    const flags = { namespace: 'flag-ns', as: 'bob' };
    expect(await inClusterConnection(flags, { env: named }, path)).toMatchObject({
      value: { namespace: 'flag-ns', user: { impersonation: { user: 'bob' } } },
    });
    const bare = directory();
    bare.write('token', 'x');
    expect(await inClusterConnection({}, { env }, bare.path)).toMatchObject({ value: { namespace: 'default' } });
  });

  test('only where no kubeconfig names a cluster', async () => {
    const path = serviceAccount();
    const pod = testHost({ env });
    expect(await loadConnection({}, pod, path)).toMatchObject({ ok: true, value: { context: 'in-cluster' } });
    const config = directory().write('config', kubeconfig('https://one:6443'));
    const both = testHost({ env: { ...env, KUBECONFIG: config } });
    expect(await loadConnection({}, both, path)).toMatchObject({ ok: true, value: { context: 'test' } });
    expect(errorOf(await loadConnection({ context: 'nope' }, both, path)).kind).toBe('config');
    expect(errorOf(await loadConnection({ kubeconfig: '/no/such' }, pod, path)).kind).toBe('config');
  });

  test('null without the variables or the token', async () => {
    expect(await inClusterConnection({}, { env: {} }, serviceAccount())).toBeNull();
    expect(await inClusterConnection({}, { env }, '/no/such')).toBeNull();
  });
});

test.each(['x', '1d', '10 s', '-1'])('--request-timeout %s is refused', async (requestTimeout) => {
  const error = errorOf(await openKube({ requestTimeout }, testHost()));
  expect(error).toMatchObject({ kind: 'config', message: `invalid --request-timeout "${requestTimeout}"` });
});

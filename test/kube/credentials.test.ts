import { existsSync, readFileSync, readlinkSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { loadConnection } from '../../src/kube/config/files.ts';
import type { ClusterConnection, ExecPlugin } from '../../src/kube/config/types.ts';
import { runPlugin } from '../../src/kube/credentials/exec-plugin.ts';
import type { KubeClient } from '../../src/kube/types.ts';
import { type ApiServer, fixture, json, startServer } from './api-server.ts';
import { execRecording, refuse, replay } from './exec-server.ts';
import { base64, errorOf, kubeconfig, openClient, type Setup, temporary, testHost } from './open-client.ts';

const get = { request: 'get version' };
const target = { namespace: 'shop', pod: 'echo-1', container: 'server', command: ['ss'] };
const version = 'client.authentication.k8s.io/v1';

let server: ApiServer;
let files: ReturnType<typeof temporary>;
let clients: KubeClient[];
/** Authorization header of each request. */
let seen: (string | undefined)[];
let valid: (authorization: string | undefined) => boolean;

beforeEach(async () => {
  files = temporary();
  clients = [];
  seen = [];
  valid = () => true;
  server = await startServer(
    (request, response) => {
      seen.push(request.headers.authorization);
      const good = valid(request.headers.authorization);
      json(response, good ? { fine: true } : { kind: 'Status', message: 'Unauthorized' }, good ? 200 : 401);
    },
    { clientCertificates: true },
  );
  const good = replay(execRecording('success-v5'));
  server.upgrade = (request, socket, head) => {
    seen.push(request.headers.authorization);
    if (valid(request.headers.authorization)) good(request, socket, head);
    else refuse(socket, 'HTTP/1.1 401 Unauthorized', '{"kind":"Status","message":"Unauthorized"}');
  };
});

afterEach(async () => {
  for (const client of clients) await client.close();
  await server.close();
  files.remove();
});

async function open(setup: Setup): Promise<KubeClient> {
  const client = await openClient(server.url, setup);
  clients.push(client);
  return client;
}

/**
 * A plugin that is a shell script: notes each run and its KUBERNETES_EXEC_INFO, then prints what `answer` gives;
 * `$RUN` in it is the number of the run.
 */
function plugin(answer: object | string, more: object = {}, before = ''): object {
  const text = typeof answer === 'string' ? answer : JSON.stringify(answer);
  const script = files.write(
    'plugin.sh',
    `echo x >> '${files.path}/runs'
printf %s "$KUBERNETES_EXEC_INFO" > '${files.path}/info'
RUN=$(wc -l < '${files.path}/runs' | tr -d ' ')
${before}
cat <<END
${text}
END
`,
  );
  return { exec: { apiVersion: version, command: 'sh', args: [script], interactiveMode: 'IfAvailable', ...more } };
}

const runs = (): number =>
  existsSync(`${files.path}/runs`) ? readFileSync(`${files.path}/runs`, 'utf8').length / 2 : 0;

const info = (): unknown => JSON.parse(readFileSync(`${files.path}/info`, 'utf8'));

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

const credential = (status: object): object => ({ apiVersion: version, kind: 'ExecCredential', status });

describe('what is in the kubeconfig', () => {
  test.each([
    [{ token: 't' }, 'Bearer t'],
    [{ username: 'u', password: 'p:q' }, `Basic ${base64('u:p:q')}`],
    [{ token: 'tö€' }, `Bearer ${Buffer.from('tö€').toString('latin1')}`],
    [{}, undefined],
  ])('%o', async (user, authorization) => {
    const client = await open({ user });
    expect((await client.getJson('/version', get)).ok).toBe(true);
    expect((await client.exec(target)).ok).toBe(true);
    expect(seen).toEqual([authorization, authorization]);
  });

  test.each([
    ['of two lines', 's3c\nret'],
    ['with a control character', 's3c\u007fret'],
    ['that is cut off', 's3cret\r\n\0'],
  ])('a token %s is said to be none, and not quoted', async (_name, token) => {
    const tokenFile = files.write('token', token);
    for (const [user, place] of [
      [{ tokenFile }, tokenFile],
      [{ token }, 'the kubeconfig or --token'],
    ] as const) {
      const error = errorOf(await (await open({ user })).getJson('/version', get));
      expect(error).toMatchObject({ kind: 'credential', message: `${place} holds no token of one line` });
    }
    expect(seen).toEqual([]);
  });

  test('tokenFile beats token, which is used while the file is missing', async () => {
    const tokenFile = files.write('token', ' from-file\n');
    await (await open({ user: { token: 't', tokenFile } })).getJson('/version', get);
    await (await open({ user: { token: 't', tokenFile: `${files.path}/gone` } })).getJson('/version', get);
    expect(seen).toEqual(['Bearer from-file', 'Bearer t']);
    const client = await open({ user: { tokenFile: `${files.path}/gone` } });
    expect(errorOf(await client.getJson('/version', get))).toEqual({
      kind: 'credential',
      request: 'get version',
      message: `${files.path}/gone: no such file`,
    });
  });

  test('a token file that was rotated is read again on 401', async () => {
    const tokenFile = files.write('token', 'old');
    const client = await open({ user: { tokenFile } });
    await client.getJson('/version', get);
    files.write('token', 'new');
    valid = (authorization) => authorization === 'Bearer new';
    expect((await client.getJson('/version', get)).ok).toBe(true);
    expect(seen).toEqual(['Bearer old', 'Bearer old', 'Bearer new']);
    valid = () => false;
    expect(errorOf(await client.getJson('/version', get))).toMatchObject({ kind: 'credential', status: 401 });
    expect(seen).toHaveLength(4);
  });

  test('a request is tried with one renewed credential, not with many', async () => {
    const tokenFile = files.write('token', '0');
    valid = () => {
      files.write('token', String(seen.length));
      return false;
    };
    const client = await open({ user: { tokenFile } });
    expect(errorOf(await client.getJson('/version', get)).kind).toBe('credential');
    expect(errorOf(await client.exec(target)).kind).toBe('credential');
    expect(seen).toEqual(['Bearer 0', 'Bearer 1', 'Bearer 1', 'Bearer 3']);
  });

  test('a certificate beside its key in a file', async () => {
    let name: unknown;
    server.answer = (request, response) => {
      name = (request.socket as unknown as { getPeerCertificate(): { subject?: { CN: string } } }).getPeerCertificate()
        .subject?.CN;
      json(response, {});
    };
    const user = {
      'client-certificate-data': base64(fixture('client.pem')),
      'client-key': files.write('client.key', fixture('client.key')),
    };
    const client = await open({ user });
    expect((await client.getJson('/version', get)).ok).toBe(true);
    expect(name).toBe('tester');
  });

  test('an explicit token beats a plugin', async () => {
    const user = { ...plugin(credential({ token: 'x' })), token: 'explicit' };
    await (await open({ user })).getJson('/version', get);
    await (await open({ user: plugin(credential({ token: 'x' })), flags: { token: 'flag' } })).getJson('/version', get);
    expect(seen).toEqual(['Bearer explicit', 'Bearer flag']);
    expect(runs()).toBe(0);
  });

  test('an oidc token that is still good', async () => {
    const claims = base64(JSON.stringify({ exp: Math.floor(Date.now() / 1000) + 3600 }));
    const token = `e30.${claims}.x`;
    const config = {
      'id-token': token,
      'client-id': 'c',
      'idp-issuer-url': 'https://idp.invalid',
      'refresh-token': 'r',
    };
    await (await open({ user: { 'auth-provider': { name: 'oidc', config } } })).getJson('/version', get);
    expect(seen).toEqual([`Bearer ${token}`]);
  });

  test('providers that kubectl dropped', async () => {
    for (const name of ['toString', 'constructor', '']) {
      const other = errorOf(await (await open({ user: { 'auth-provider': { name } } })).getJson('/version', get));
      expect(other).not.toHaveProperty('hint');
    }
    const client = await open({ user: { token: 't', 'auth-provider': { name: 'gcp' } } });
    const error = errorOf(await client.getJson('/version', get));
    expect(error).toMatchObject({ kind: 'credential', message: 'the auth-provider "gcp" is no longer supported' });
    expect(error.hint).toContain('gke-gcloud-auth-plugin');
  });
});

describe('an exec plugin', () => {
  test('runs once for many requests, and is told about the cluster', async () => {
    const user = plugin(credential({ token: 'token-$RUN' }), { provideClusterInfo: true });
    const extensions = [{ name: 'client.authentication.k8s.io/exec', extension: { audience: 'a' } }];
    const client = await open({ user, cluster: { extensions } });
    await Promise.all([1, 2, 3].map(() => client.getJson('/version', get)));
    await client.exec(target);
    expect(runs()).toBe(1);
    expect(seen).toEqual(Array(4).fill('Bearer token-1'));
    expect(info()).toEqual({
      apiVersion: version,
      kind: 'ExecCredential',
      spec: {
        interactive: false,
        cluster: {
          server: server.url,
          'certificate-authority-data': base64(fixture('ca.pem')),
          config: { audience: 'a' },
        },
      },
    });
  });

  test('is told nothing about the cluster unless it asks, and gets its environment', async () => {
    const env = [{ name: 'GREETING', value: 'hello' }];
    const client = await open({ user: plugin(credential({ token: '$GREETING' }), { env }) });
    await client.getJson('/version', get);
    expect(seen).toEqual(['Bearer hello']);
    expect(info()).toMatchObject({ spec: { interactive: false } });
    expect(info()).not.toHaveProperty('spec.cluster');
  });

  test('runs again after expirationTimestamp', async () => {
    const past = credential({ token: 'token-$RUN', expirationTimestamp: '2020-01-01T00:00:00Z' });
    const client = await open({ user: plugin(past) });
    await client.getJson('/version', get);
    await client.getJson('/version', get);
    expect(seen).toEqual(['Bearer token-1', 'Bearer token-2']);
    const future = credential({ token: 'token-$RUN', expirationTimestamp: '2999-01-01T00:00:00Z' });
    const other = await open({ user: plugin(future) });
    await other.getJson('/version', get);
    await other.getJson('/version', get);
    expect(runs()).toBe(3);
  });

  test('is run once more on 401, by a request or an exec', async () => {
    const client = await open({ user: plugin(credential({ token: 'token-$RUN' })) });
    await client.getJson('/version', get);
    valid = (authorization) => authorization === 'Bearer token-2';
    const results = await Promise.all([client.getJson('/version', get), client.getJson('/version', get)]);
    expect(results.map((result) => result.ok)).toEqual([true, true]);
    expect(runs()).toBe(2);
    valid = (authorization) => authorization === 'Bearer token-3';
    expect((await client.exec(target)).ok).toBe(true);
    expect(runs()).toBe(3);
  });

  test('that another request has run meanwhile is not run again', async () => {
    const client = await open({ user: plugin(credential({ token: 'token-$RUN' })) });
    await client.getJson('/warm-up', get);
    let refuseLate = (): void => {};
    server.answer = (request, response) => {
      const refuse = (): void => json(response, { kind: 'Status', message: 'Unauthorized' }, 401);
      if (request.headers.authorization === 'Bearer token-2') json(response, {});
      else if (request.url === '/late') refuseLate = refuse;
      else refuse();
    };
    const late = client.getJson('/late', get);
    await expect.poll(() => server.requests.includes('GET /late'), { timeout: 15_000 }).toBe(true);
    expect((await client.getJson('/early', get)).ok).toBe(true);
    refuseLate();
    expect((await late).ok).toBe(true);
    expect(runs()).toBe(2);
  });

  test('whose credential is never good is not run for every request', async () => {
    valid = () => false;
    const client = await open({ user: plugin(credential({ token: 'token-$RUN' })) });
    for (let call = 0; call < 3; call += 1) {
      expect(errorOf(await client.getJson('/version', get))).toMatchObject({ kind: 'credential', status: 401 });
    }
    expect(runs()).toBe(2);
  });

  test('is not run again for the 401 of a pod behind a proxy path', async () => {
    const client = await open({ user: plugin(credential({ token: 'token-$RUN' })) });
    server.answer = (_request, response) => {
      response.writeHead(401, { 'Content-Type': 'text/html' });
      response.end('<html>Log in to this exporter</html>');
    };
    const path = '/api/v1/namespaces/shop/pods/echo-1:9090/proxy/metrics';
    const error = errorOf(await client.getText(path, { request: 'get metrics' }));
    expect(error).toMatchObject({ kind: 'refused', status: 401 });
    expect(error.hint).toContain('behind the proxy path');
    expect(runs()).toBe(1);
  });

  test('may give a certificate, and another one after a 401', async () => {
    const names: unknown[] = [];
    let good = 'tester';
    server.answer = (request, response) => {
      const socket = request.socket as unknown as { getPeerCertificate(): { subject?: { CN: string } } };
      const name = socket.getPeerCertificate().subject?.CN;
      names.push(name);
      json(response, {}, name === good ? 200 : 401);
    };
    const pair = (name: string): string =>
      JSON.stringify(
        credential({ clientCertificateData: fixture(`${name}.pem`), clientKeyData: fixture(`${name}.key`) }),
      );
    files.write('1', pair('client'));
    files.write('2', pair('client2'));
    const client = await open({ user: plugin('', {}, `cat '${files.path}'/$RUN`) });
    expect((await client.getJson('/version', get)).ok).toBe(true);
    good = 'tester-2';
    expect((await client.getJson('/version', get)).ok).toBe(true);
    expect(names).toEqual(['tester', 'tester', 'tester-2']);
  });

  const refusal = async (user: object, setup: Setup = {}): Promise<unknown> => {
    const error = errorOf(await (await open({ user, ...setup })).getJson('/version', get));
    expect(error.kind).toBe('credential');
    expect(error.request).toBe('get version');
    expect(error.message).not.toContain('\n');
    expect(error.message).not.toContain('secret');
    return error.message.replace(/^credential plugin ".*?": /, '');
  };

  test.each([
    ['secret', 'its output is not a JSON object'],
    ['{"kind": "Secret", "secret": 1}', 'its output is not of kind ExecCredential'],
    [credential({}), 'it gave neither a token nor a certificate'],
    [credential({ token: 'secret\nsecret' }), 'it gave no token of one line'],
    [credential({ clientKeyData: 'secret' }), 'it gave only one of certificate and key'],
    [credential({ token: 'secret', expirationTimestamp: 'x' }), 'its expirationTimestamp is not a time'],
    [
      { kind: 'ExecCredential', apiVersion: 'client.authentication.k8s.io/v1beta1', status: { token: 'secret' } },
      `it answered with apiVersion "client.authentication.k8s.io/v1beta1", the kubeconfig asks for "${version}"`,
    ],
  ])('that answers %o', async (answer, message) => {
    expect(await refusal(plugin(answer))).toBe(message);
  });

  test('that fails', async () => {
    expect(await refusal(plugin('', {}, 'exit 3'))).toBe('exit code 3');
    expect(await refusal(plugin('', {}, 'kill -9 $$'))).toMatch(/^ended by SIGKILL/);
  });

  test('that takes too long', async () => {
    const { exec } = plugin('', {}, 'exec sleep 60') as { exec: ExecPlugin };
    const { value } = (await loadConnection(
      { kubeconfig: files.write('config', kubeconfig(server.url, { exec })) },
      testHost(),
    )) as { value: ClusterConnection };
    const limits = { timeoutMs: 100, interactiveTimeoutMs: 100 };
    const { signal } = new AbortController();
    const { exec: resolved } = value.user;
    if (resolved === undefined) throw new Error('no plugin');
    const outcome = await runPlugin(resolved, value, testHost(), signal, limits);
    expect(errorOf(outcome)).toMatchObject({
      kind: 'credential',
      message: 'credential plugin "sh": ended by SIGTERM (limit 0.1 s)',
    });
  });

  test('of a version that is gone', async () => {
    const message = await refusal(plugin('', { apiVersion: 'client.authentication.k8s.io/v1alpha1' }));
    expect(message).toMatch(/^apiVersion "client.authentication.k8s.io\/v1alpha1" is not one of/);
  });

  test('that is not installed', async () => {
    const exec = {
      apiVersion: version,
      command: 'no-such-plugin',
      interactiveMode: 'Never',
      installHint: 'Install it from example.com.',
    };
    const error = errorOf(await (await open({ user: { exec } })).getJson('/version', get));
    expect(error).toEqual({
      kind: 'credential',
      request: 'get version',
      message: 'credential plugin "no-such-plugin": executable not found',
      hint: 'Install it from example.com.',
    });
  });

  test('is found by a path beside the kubeconfig', async () => {
    const exec = { apiVersion: version, command: './plugin', interactiveMode: 'Never' };
    const client = await open({ user: { exec } });
    const error = errorOf(await client.getJson('/version', get));
    expect(error.message).toMatch(/^credential plugin "\/.*\/plugin": executable not found$/);
  });

  test('reads the terminal only where it may', async () => {
    const terminal = testHost({ stdinIsTerminal: true });
    const asks = async (interactiveMode: string | undefined, host = terminal): Promise<unknown> => {
      const client = await open({ user: plugin(credential({ token: 't' }), { interactiveMode }), host });
      await client.getJson('/version', get);
      return (info() as { spec: { interactive: boolean } }).spec.interactive;
    };
    expect(await asks('Never')).toBe(false);
    expect(await asks('IfAvailable')).toBe(true);
    expect(await asks('Always')).toBe(true);
    expect(await asks('IfAvailable', testHost())).toBe(false);
    const message = await refusal(plugin(credential({ token: 't' }), { interactiveMode: 'Always' }));
    expect(message).toContain('standard input is no terminal');
  });

  test('does not hold up who gives up, and ends with the client', async () => {
    const pidFile = `${files.path}/pid`;
    const client = await open({ user: plugin('', {}, `echo $$ > '${pidFile}'; exec sleep 60`) });
    const controller = new AbortController();
    const result = client.getJson('/version', { ...get, signal: controller.signal });
    const other = client.getJson('/version', get);
    await expect.poll(() => existsSync(pidFile) && readFileSync(pidFile, 'utf8'), { timeout: 15_000 }).toMatch(/\d+\n/);
    controller.abort();
    expect(errorOf(await result).kind).toBe('aborted');
    await client.close();
    expect(errorOf(await other).kind).toBe('aborted');
    const pid = Number(readFileSync(pidFile, 'utf8'));
    await expect.poll(() => isRunning(pid), { timeout: 15_000 }).toBe(false);
  });

  test('writes its prompts to our stderr', async () => {
    if (process.platform !== 'linux') return;
    const user = plugin(credential({ token: 't' }), {}, 'ls -l /proc/$$/fd/2 > "$OUT"; ls -l /proc/$$/fd/0 >> "$OUT"');
    const out = `${files.path}/fds`;
    const client = await open({ user, host: testHost({ env: { PATH: process.env['PATH'], OUT: out } }) });
    await client.getJson('/version', get);
    const [stderr = '', stdin = ''] = readFileSync(out, 'utf8').split('\n');
    expect(stderr.split(' -> ')[1]).toBe(readlinkSync('/proc/self/fd/2'));
    expect(stdin.split(' -> ')[1]).toBe('/dev/null');
  });

  test('while the screen is taken it cannot ask, and its stderr is logged', async () => {
    const host = testHost({ stdinIsTerminal: true, screenIsTaken: () => true });
    const user = plugin(credential({ token: 't' }), {}, 'echo "a new login" >&2; echo "is due" >&2');
    const client = await open({ user, host });
    expect((await client.getJson('/version', get)).ok).toBe(true);
    expect(info()).toMatchObject({ spec: { interactive: false } });
    expect(host.lines.slice(0, 2)).toEqual(['credential plugin "sh": a new login', 'credential plugin "sh": is due']);
    const always = await open({ user: plugin(credential({ token: 't' }), { interactiveMode: 'Always' }), host });
    expect(errorOf(await always.getJson('/version', get)).message).toContain('the live view has the terminal');
  });
});

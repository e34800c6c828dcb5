import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TLSSocket } from 'node:tls';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ApiServer, fixture, json, startServer } from '../kube/api-server.ts';
import { base64 } from '../kube/open-client.ts';
import { expectNoTrace, type Run, runProgram } from './program.ts';

const hasKubectl = (() => {
  try {
    execFileSync('kubectl', ['version', '--client'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

const folder = mkdtempSync(join(tmpdir(), 'grpc-skew-as-kubectl-'));
let [http, https]: ApiServer[] = [];
/** What arrived for the Service of a namespace, which is that of one run. */
const arrived = new Map<string, string>();
let runs = 0;

beforeAll(async () => {
  const note = (request: IncomingMessage): void => {
    const namespace = /^\/api\/v1\/namespaces\/([^/]+)\/services\/echo$/.exec(request.url ?? '')?.[1];
    if (namespace === undefined) return;
    const { authorization = '', ...others } = request.headers;
    const who = Object.entries(others).filter(([name]) => /^(impersonate|proxy|cookie|x-)/.test(name));
    const name = (request.socket as TLSSocket).getPeerCertificate?.()?.subject?.CN;
    const parts = [authorization, ...who.map((line) => line.join('=')).sort(), name === undefined ? '' : `cn=${name}`];
    arrived.set(namespace, parts.filter((part) => part !== '').join(', ') || 'nobody');
  };
  const answer: Parameters<typeof startServer>[0] = (request, response) => {
    note(request);
    json(response, { kind: 'Status', apiVersion: 'v1', status: 'Failure', reason: 'NotFound', code: 404 }, 404);
  };
  http = await startServer(answer, { http: true });
  https = await startServer(answer, { clientCertificates: true });
});
afterAll(async () => {
  await Promise.all([http?.close(), https?.close()]);
  rmSync(folder, { recursive: true, force: true });
});

function file(name: string, text: string, mode = 0o600): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  chmodSync(path, mode);
  return path;
}

const v1 = 'client.authentication.k8s.io/v1';
const credential = (status: object, kind: object = { kind: 'ExecCredential' }) =>
  JSON.stringify({ apiVersion: v1, ...kind, status });
const plugin = (name: string, answer: string) =>
  file(name, `#!/bin/sh\ntouch "$RAN"\ncat <<'END'\n${answer}\nEND\n`, 0o700);
const exec = (command: string, more: object = {}, beside: object = {}) =>
  JSON.stringify({ exec: { apiVersion: v1, interactiveMode: 'Never', command, ...more }, ...beside });

const cert = base64(fixture('client.pem'));
const key = base64(fixture('client.key'));
const ca = base64(fixture('ca.pem'));
const certificate = { 'client-certificate-data': cert, 'client-key-data': key };
const certFile = file('client.pem', fixture('client.pem'));
const tokenFile = file('token', ' of-file\n');
const missing = join(folder, 'missing');
const tokenPlugin = plugin('token-plugin', credential({ token: 'plugged' }));
const certPlugin = plugin(
  'cert-plugin',
  credential({ clientCertificateData: fixture('client.pem'), clientKeyData: fixture('client.key') }),
);
const jwt = `e30.${base64(JSON.stringify({ exp: 4e9 }))}.x`;
const oidc = { 'id-token': jwt, 'client-id': 'c', 'idp-issuer-url': 'https://idp.invalid', 'refresh-token': 'r' };
const provider = (name: string, config: object = {}, beside: object = {}) =>
  JSON.stringify({ 'auth-provider': { name, config }, ...beside });
const basic = `Basic ${base64('me:p:w')}`;
const password = { username: 'me', password: 'p:w' };

/** What arrives: the credential; `nobody`; or `nothing`, where no request does. */
type Row = readonly [name: string, user: string, withTls: string, withoutTls?: string];

const users: readonly Row[] = [
  ['token', '{token: t}', 'Bearer t', 'nobody'],
  ['tokenFile', `{tokenFile: ${tokenFile}}`, 'Bearer of-file', 'nobody'],
  ['tokenFile that is missing', `{tokenFile: ${missing}}`, 'nothing', 'nobody'],
  ['tokenFile that is empty', `{tokenFile: ${file('empty', '\n')}}`, 'nothing', 'nobody'],
  ['token and tokenFile', `{token: t, tokenFile: ${tokenFile}}`, 'Bearer of-file', 'nobody'],
  ['token and tokenFile that is missing', `{token: t, tokenFile: ${missing}}`, 'Bearer t'],
  ['basic', JSON.stringify(password), basic, 'nobody'],
  ['a name without a password', '{username: me}', `Basic ${base64('me:')}`, 'nobody'],
  ['token and basic', JSON.stringify({ token: 't', ...password }), 'nothing', 'nothing'],
  ['tokenFile and basic', JSON.stringify({ tokenFile, ...password }), 'nothing', 'nobody'],
  ['certificate', JSON.stringify(certificate), 'cn=tester', 'nobody'],
  ['certificate of a file', `{client-certificate: ${certFile}, client-key-data: ${key}}`, 'cn=tester', 'nobody'],
  ['certificate and token', JSON.stringify({ token: 't', ...certificate }), 'Bearer t, cn=tester', 'nobody'],
  ['certificate without key', `{client-certificate-data: ${cert}}`, 'nothing', 'nothing'],
  ['certificate twice', JSON.stringify({ ...certificate, 'client-certificate': certFile }), 'nothing', 'nothing'],
  ['certificate that is missing', `{client-certificate: ${missing}, client-key-data: ${key}}`, 'nothing', 'nothing'],
  ['certificate in bad base64', `{client-certificate-data: "${cert}!!", client-key-data: ${key}}`, 'nothing'],
  ['certificate in base64 with a space', `{client-certificate-data: " ${cert}", client-key-data: ${key}}`, 'nothing'],
  [
    'certificate in base64 with line breaks',
    `{client-certificate-data: "${cert}\\n", client-key-data: ${key}}`,
    'cn=tester',
  ],
  ['exec', exec(tokenPlugin), 'Bearer plugged, ran', 'nobody'],
  ['exec for a certificate', exec(certPlugin), 'cn=tester, ran', 'nobody'],
  ['exec and token', exec(tokenPlugin, {}, { token: 't' }), 'Bearer t', 'nobody'],
  ['exec and basic', exec(tokenPlugin, {}, password), basic],
  ['exec and certificate', exec(tokenPlugin, {}, certificate), 'cn=tester'],
  ['exec and oidc', exec(tokenPlugin, {}, { 'auth-provider': { name: 'oidc', config: oidc } }), 'nothing', 'nothing'],
  ['exec without interactiveMode', exec(tokenPlugin, { interactiveMode: undefined }), 'nothing', 'nothing'],
  ['exec with another interactiveMode', exec(tokenPlugin, { interactiveMode: 'never' }), 'nothing'],
  ['exec that must ask', exec(tokenPlugin, { interactiveMode: 'Always' }), 'nothing', 'nobody'],
  [
    'exec of v1beta1 without interactiveMode',
    exec(plugin('beta', credential({ token: 'b' }).replace(v1, `${v1}beta1`)), {
      apiVersion: `${v1}beta1`,
      interactiveMode: undefined,
    }),
    'Bearer b, ran',
    'nobody',
  ],
  ['exec of v1alpha1', exec(tokenPlugin, { apiVersion: `${v1}alpha1` }), 'nothing', 'nobody'],
  ['exec without apiVersion', exec(tokenPlugin, { apiVersion: undefined }), 'nothing', 'nothing'],
  ['exec without command', exec('', {}), 'nothing', 'nothing'],
  ['exec with an env without name', exec(tokenPlugin, { env: [{ value: 'x' }] }), 'nothing', 'nothing'],
  ['exec with a number as argument', exec(tokenPlugin, { args: [1] }), 'nothing', 'nothing'],
  ['exec that answers another version', exec(tokenPlugin, { apiVersion: `${v1}beta1` }), 'nothing, ran'],
  ['exec that answers YAML', exec(plugin('yaml', `apiVersion: ${v1}\nstatus: {token: yaml}`)), 'Bearer yaml, ran'],
  ['exec that answers without a kind', exec(plugin('no-kind', credential({ token: 'k' }, {}))), 'Bearer k, ran'],
  ['exec that answers another kind', exec(plugin('pod', credential({ token: 'k' }, { kind: 'Pod' }))), 'nothing, ran'],
  ['exec that answers a number as token', exec(plugin('number', credential({ token: 5 }))), 'nothing, ran'],
  ['exec that answers a line break', exec(plugin('break', credential({ token: 'a\n' }))), 'nothing, ran'],
  ['exec that fails', exec(file('fails', '#!/bin/sh\ntouch "$RAN"\nexit 1\n', 0o700)), 'nothing, ran', 'nobody'],
  ['exec that is missing', exec(missing), 'nothing', 'nobody'],
  ['oidc', provider('oidc', oidc), `Bearer ${jwt}`, 'nobody'],
  ['oidc and token', provider('oidc', oidc, { token: 't' }), 'Bearer t', 'nobody'],
  ['oidc and certificate', provider('oidc', oidc, certificate), `Bearer ${jwt}, cn=tester`],
  ['oidc without issuer', provider('oidc', { ...oidc, 'idp-issuer-url': '' }, { token: 't' }), 'nothing', 'nobody'],
  ['oidc with a token that is no JWT', provider('oidc', { ...oidc, 'id-token': 'a.b.c' }), 'nothing'],
  ['gcp', provider('gcp'), 'nothing', 'nobody'],
  ['gcp and token', provider('gcp', {}, { token: 't' }), 'nothing', 'nobody'],
  ['a provider named as a method', provider('toString'), 'nothing', 'nobody'],
  ['as', '{token: t, as: bob}', 'Bearer t, impersonate-user=bob', 'impersonate-user=bob'],
  [
    'as, with all of it',
    '{token: t, as: b, as-uid: "7", as-groups: [g, h], as-user-extra: {k: [v, w]}}',
    'Bearer t, impersonate-extra-k=v, w, impersonate-group=g, h, impersonate-uid=7, impersonate-user=b',
  ],
  ['groups without as', '{token: t, as-groups: [g]}', 'nothing', 'nothing'],
  ['as-groups that are a text', '{token: t, as: bob, as-groups: g}', 'nothing'],
  ['a token with a tag', '{token: !vault tok}', 'Bearer tok', 'nobody'],
  ['a token in base64', '{token: !!binary dG9r}', 'Bearer tok'],
  ['a token of digits', '{token: 123}', 'nothing', 'nothing'],
  ['a token that is yes', '{token: yes}', 'nothing'],
  ['a token that is "yes"', '{token: "yes"}', 'Bearer yes'],
  ['a token with an underscore between digits', '{token: 1_000}', 'nothing'],
  ['a token like a time', '{token: 12:30:45}', 'Bearer 12:30:45'],
  ['a token like a date', '{token: 2020-01-01}', 'Bearer 2020-01-01'],
  ['a token with white space before it', '{token: "  t"}', 'Bearer   t'],
  ['a token with a line break', '{token: "t\\n"}', 'nothing', 'nobody'],
  ['a token that is not ASCII', '{token: "tö€"}', `Bearer ${Buffer.from('tö€').toString('latin1')}`],
  ['a key twice: the last', '{token: a, token: b}', 'Bearer b'],
  ['a merge key', '\n    <<: {token: merged}', 'Bearer merged'],
  ['a user twice', '{token: t}\n- {name: u, user: {token: other}}', 'nothing', 'nothing'],
  ['another user twice', '{token: t}\n- {name: z, user: {}}\n- {name: z, user: {}}', 'nothing'],
  ['bad base64 of another user', '{token: t}\n- {name: z, user: {client-key-data: "@"}}', 'nothing'],
  ['another user that is a text', '{token: t}\n- {name: z, user: x}', 'nothing'],
];

interface Parts {
  readonly server?: string | undefined;
  readonly cluster?: string;
  readonly user?: string;
  readonly context?: string;
  readonly before?: string;
  readonly after?: string;
}

const kubeconfig = (parts: Parts): string => `${parts.before ?? 'apiVersion: v1\nkind: Config\n'}
current-context: t
contexts: [{name: t, context: {cluster: c, user: u${parts.context ?? ''}}}]
clusters:
- {name: c, cluster: {server: "${parts.server ?? https?.url}"${parts.cluster ?? `, certificate-authority-data: ${ca}`}}}
users:
- name: u
  user: ${parts.user ?? '{token: t}'}
${parts.after ?? ''}`;

/** Lazy: the servers have their ports only later. */
type Document = readonly [name: string, parts: () => Parts, expected: string, flags?: () => readonly string[]];

const noAuthority = { cluster: '' };
const hostOf = (server: ApiServer | undefined) => `127.0.0.1:${server?.port}`;
const withUser = (server: ApiServer | undefined) => server?.url.replace('//', '//a:b@') ?? '';

const documents: readonly Document[] = [
  ['--token', () => ({ user: '{}' }), 'Bearer flag', () => ['--token', 'flag']],
  ['--token to http', () => ({ server: http?.url, ...noAuthority }), 'nobody', () => ['--token', 'flag']],
  [
    '--token beside tokenFile',
    () => ({ user: `{tokenFile: ${tokenFile}}` }),
    'Bearer of-file',
    () => ['--token', 'flag'],
  ],
  ['--token beside basic', () => ({ user: JSON.stringify(password) }), 'nothing', () => ['--token', 'flag']],
  ['--token beside exec', () => ({ user: exec(tokenPlugin) }), 'Bearer flag', () => ['--token', 'flag']],
  ['--server http, token', () => ({}), 'nobody', () => ['--server', http?.url ?? '']],
  ['--server http, basic', () => ({ user: JSON.stringify(password) }), 'nobody', () => ['--server', http?.url ?? '']],
  ['--server http, exec', () => ({ user: exec(tokenPlugin) }), 'nobody', () => ['--server', http?.url ?? '']],
  ['--server http, as', () => ({}), 'impersonate-user=bob', () => ['--server', http?.url ?? '', '--as', 'bob']],
  ['--server without a scheme', () => ({}), 'nobody', () => ['--server', hostOf(http)]],
  [
    '--server https over http',
    () => ({ server: http?.url, ...noAuthority }),
    'Bearer t',
    () => ['--server', https?.url ?? '', '--insecure-skip-tls-verify'],
  ],
  [
    '--client-certificate',
    () => ({ user: '{}' }),
    'cn=tester',
    () => ['--client-certificate', certFile, '--client-key', file('client.key', fixture('client.key'))],
  ],
  ['--client-certificate alone', () => ({ user: '{}' }), 'nothing', () => ['--client-certificate', certFile]],
  [
    '--as and groups',
    () => ({}),
    'Bearer t, impersonate-group=g, impersonate-user=bob',
    () => ['--as', 'bob', '--as-group', 'g'],
  ],
  ['a server without a scheme, with an authority', () => ({ server: hostOf(http) }), 'nobody'],
  ['a server in capitals', () => ({ server: http?.url.replace('http', 'HTTP'), ...noAuthority }), 'nobody'],
  ['a user in the URL of the server', () => ({ server: withUser(https) }), `Basic ${base64('a:b')}`],
  ['insecure: yes', () => ({ cluster: ', insecure-skip-tls-verify: yes' }), 'Bearer t'],
  ['insecure: on', () => ({ cluster: ', insecure-skip-tls-verify: on' }), 'Bearer t'],
  ['insecure: "true"', () => ({ cluster: ', insecure-skip-tls-verify: "true"' }), 'nothing'],
  ['insecure: off', () => ({ cluster: ', insecure-skip-tls-verify: off' }), 'nothing'],
  [
    'insecure and an authority',
    () => ({ cluster: `, insecure-skip-tls-verify: true, certificate-authority-data: ${ca}` }),
    'nothing',
  ],
  [
    'insecure and an authority over http',
    () => ({ server: http?.url, cluster: `, insecure-skip-tls-verify: true, certificate-authority-data: ${ca}` }),
    'nobody',
  ],
  [
    'an authority twice',
    () => ({ cluster: `, certificate-authority: ${certFile}, certificate-authority-data: ${ca}` }),
    'nothing',
  ],
  ['an authority in bad base64', () => ({ cluster: `, certificate-authority-data: "${ca}!"` }), 'nothing'],
  [
    'an authority without padding',
    () => ({ cluster: `, certificate-authority-data: "${base64('abcd').replaceAll('=', '')}"` }),
    'nothing',
  ],
  [
    'no PEM as authority over http',
    () => ({ server: http?.url, cluster: `, certificate-authority-data: ${base64('x')}` }),
    'nobody',
  ],
  [
    'an authority that is missing over http',
    () => ({ server: http?.url, cluster: `, certificate-authority: ${missing}` }),
    'nothing',
  ],
  ['a namespace of digits', () => ({ context: ', namespace: 123' }), 'nothing'],
  ['a namespace that is yes', () => ({ context: ', namespace: yes' }), 'nothing'],
  ['a namespace with a zero before it', () => ({ context: ', namespace: 010' }), 'nothing'],
  ['a namespace of quoted digits', () => ({ context: ', namespace: "123"' }), 'Bearer t'],
  [
    'a cluster twice',
    () => ({ before: '', after: `\nclusters: [{name: c, cluster: {}}, {name: c, cluster: {}}]` }),
    'nothing',
  ],
  ['another kind', () => ({ before: 'kind: Pod' }), 'nothing'],
  ['another version', () => ({ before: 'apiVersion: v2' }), 'nothing'],
  ['neither kind nor version', () => ({ before: '' }), 'Bearer t'],
  ['two documents: the first', () => ({ after: '---\nusers: [' }), 'Bearer t'],
  ['an alias that leads nowhere', () => ({ user: '{token: *s3cret}' }), 'nothing'],
  ['preferences that are a text', () => ({ after: 'preferences: x' }), 'nothing'],
];

interface Sent {
  readonly run: Run;
  readonly seen: string;
}

async function send(program: 'kubectl' | 'ours', parts: Parts, flags: readonly string[]): Promise<Sent> {
  runs += 1;
  const namespace = `run-${runs}`;
  const ran = join(folder, `ran-${runs}`);
  const path = file(`config-${runs}`, kubeconfig(parts));
  const options = { env: { KUBECONFIG: path, RAN: ran } };
  const run =
    program === 'kubectl'
      ? await runProgram(['get', '--raw', `/api/v1/namespaces/${namespace}/services/echo`, ...flags], {
          ...options,
          command: ['kubectl'],
        })
      : await runProgram(['echo', '-n', namespace, '--no-exec', '--window', '0', ...flags], options);
  return { run, seen: `${arrived.get(namespace) ?? 'nothing'}${existsSync(ran) ? ', ran' : ''}` };
}

const table: readonly Document[] = [
  ...users.flatMap(([name, user, withTls, withoutTls]): Document[] => [
    [`${name}, https`, () => ({ user }), withTls],
    ...(withoutTls === undefined
      ? []
      : [[`${name}, http`, () => ({ server: http?.url, ...noAuthority, user }), withoutTls] as const]),
  ]),
  ...documents,
];
const rows = table.map(([name, parts, expected, flags = () => []]) => ({ name, parts, expected, flags }));

describe('what arrives at the API server', () => {
  test.concurrent.each(rows)('$name', async ({ parts, expected, flags }) => {
    const { run, seen } = await send('ours', parts(), flags());
    expect(seen).toBe(expected);
    expectNoTrace(run);
    // One line, which quotes nothing of a file that may hold a credential.
    expect([run.code, run.stderr]).toEqual([1, expect.stringMatching(/^error: .*\n$/)]);
    expect(run.stderr).not.toMatch(/s3cret|of-file|plugged|\btok\b|!vault/);
  });
});

describe.skipIf(!hasKubectl)('the real kubectl sends the same', () => {
  test.concurrent.each(rows)('$name', async ({ parts, expected, flags }) => {
    expect((await send('kubectl', parts(), flags())).seen).toBe(expected);
  });
});

describe('on purpose not as kubectl', () => {
  const cases: readonly (readonly [string, () => Parts, string, string])[] = [
    ['nothing to sign in with: it asks for a name, this does not', () => ({ user: '{}' }), 'nothing', 'nobody'],
    [
      'a user in the URL of a server without TLS: that does not leave, either',
      () => ({ server: withUser(http), ...noAuthority }),
      `Basic ${base64('a:b')}`,
      'nobody',
    ],
  ];
  test.each(cases)('%s', async (_name, parts, theirs, ours) => {
    expect((await send('ours', parts(), [])).seen).toBe(ours);
    if (hasKubectl) expect((await send('kubectl', parts(), [])).seen).toBe(theirs);
  });
});

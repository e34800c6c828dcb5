import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { readAuthority } from './authority.ts';
import type { Connection, ExecPlugin } from './config-types.ts';
import { type Credential, fitsHeader, gettingCredential } from './credential.ts';
import { failure, type Outcome, success } from './outcome.ts';
import type { KubeHost } from './types.ts';
import { asObject, asText, defined, parseJson, writeJson } from './unknown-json.ts';

export interface PluginCredential {
  readonly credential: Credential;
  /** Milliseconds since the epoch; Infinity when the plugin names no time. */
  readonly expiresAtMs: number;
}

const versions = ['client.authentication.k8s.io/v1', 'client.authentication.k8s.io/v1beta1'];
/** Long enough for a cloud's command line; a person who types a code into a browser gets more. */
const defaultLimits = { timeoutMs: 60_000, interactiveTimeoutMs: 600_000 };
/** An ExecCredential with a certificate has a few kilobytes. */
const maxOutputBytes = 1 << 20;

/**
 * Runs an exec credential plugin once. Its stderr goes to the terminal so that prompts are seen; it may read the terminal
 * only where `interactiveMode` and the terminal allow. While the screen is taken it cannot ask, and what it writes to
 * stderr is logged line by line instead.
 */
export async function runPlugin(
  plugin: ExecPlugin,
  connection: Connection,
  host: KubeHost,
  signal: AbortSignal,
  limits: { readonly timeoutMs: number; readonly interactiveTimeoutMs: number } = defaultLimits,
): Promise<Outcome<PluginCredential>> {
  const name = `credential plugin "${plugin.command}"`;
  const fail = (message: string, hint?: string) =>
    failure('credential', gettingCredential, `${name}: ${message}`, { hint });
  if (!versions.includes(plugin.apiVersion)) {
    return fail(`apiVersion "${plugin.apiVersion}" is not one of ${versions.join(', ')}`);
  }
  if (plugin.interactiveMode === 'Always' && !host.stdinIsTerminal) {
    return fail('it must be able to ask (interactiveMode Always), but standard input is no terminal');
  }
  const isTaken = host.screenIsTaken?.() === true;
  if (plugin.interactiveMode === 'Always' && isTaken) {
    return fail('it must be able to ask (interactiveMode Always), and the live view has the terminal', 'Run it again.');
  }
  const interactive = plugin.interactiveMode !== 'Never' && host.stdinIsTerminal && !isTaken;
  if ([plugin.command, ...plugin.args, ...Object.entries(plugin.env).flat()].some((text) => text.includes('\0'))) {
    return fail('its command, an argument or a variable holds a NUL character', 'Correct the kubeconfig.');
  }
  const info = writeJson({
    apiVersion: plugin.apiVersion,
    kind: 'ExecCredential',
    spec: { interactive, ...(plugin.provideClusterInfo ? { cluster: await clusterInfo(connection) } : {}) },
  });
  if (info === undefined)
    return fail('the extension of its cluster cannot be written as JSON', 'Correct the kubeconfig.');
  const env = { ...host.env, ...plugin.env, KUBERNETES_EXEC_INFO: info };
  const limitMs = interactive ? limits.interactiveTimeoutMs : limits.timeoutMs;
  const onLine = isTaken ? (line: string) => host.log(0, `${name}: ${line}`) : null;
  const ended = await start(plugin, env, interactive, { limitMs, signal, onLine });
  if (ended.kind === 'missing') return fail('executable not found', plugin.installHint);
  if (ended.kind !== 'done') return fail(ended.message);
  return readCredential(ended.stdout, plugin.apiVersion, fail);
}

type Ended =
  | { readonly kind: 'done'; readonly stdout: string }
  | { readonly kind: 'missing' }
  | { readonly kind: 'failed'; readonly message: string };

function start(
  plugin: ExecPlugin,
  env: Record<string, string | undefined>,
  interactive: boolean,
  {
    limitMs,
    signal,
    onLine,
  }: { readonly limitMs: number; readonly signal: AbortSignal; readonly onLine: ((line: string) => void) | null },
): Promise<Ended> {
  return new Promise((resolve) => {
    const child = spawn(plugin.command, plugin.args, {
      env,
      stdio: [interactive ? 'inherit' : 'ignore', 'pipe', onLine === null ? 'inherit' : 'pipe'],
      signal,
      timeout: limitMs,
      windowsHide: true,
    });
    if (onLine !== null && child.stderr !== null) createInterface({ input: child.stderr }).on('line', onLine);
    const chunks: Buffer[] = [];
    let bytes = 0;
    child.stdout?.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= maxOutputBytes) chunks.push(chunk);
      else child.kill();
    });
    child.on('error', (error: NodeJS.ErrnoException) => {
      resolve(error.code === 'ENOENT' ? { kind: 'missing' } : { kind: 'failed', message: error.code ?? error.message });
    });
    child.on('close', (code, killedBy) => {
      if (bytes > maxOutputBytes) resolve({ kind: 'failed', message: 'its output is too long' });
      else if (killedBy !== null)
        resolve({ kind: 'failed', message: `ended by ${killedBy} (limit ${limitMs / 1000} s)` });
      else if (code !== 0) resolve({ kind: 'failed', message: `exit code ${code}` });
      else resolve({ kind: 'done', stdout: Buffer.concat(chunks).toString('utf8') });
    });
  });
}

/** `spec.cluster` of KUBERNETES_EXEC_INFO (client-go tools/auth/exec). */
async function clusterInfo(connection: Connection): Promise<Record<string, unknown>> {
  const { cluster, server } = connection;
  const authority = await readAuthority(cluster);
  return {
    server,
    ...defined({
      'tls-server-name': cluster.tlsServerName,
      'insecure-skip-tls-verify': cluster.insecureSkipTlsVerify || undefined,
      'certificate-authority-data':
        authority.ok && authority.value !== undefined ? Buffer.from(authority.value).toString('base64') : undefined,
      'proxy-url': cluster.proxyUrl,
      'disable-compression': cluster.disableCompression || undefined,
      config: cluster.execConfig,
    }),
  };
}

type Fail = (message: string, hint?: string) => Outcome<PluginCredential>;

/** Never quotes the output: it holds the credential. */
function readCredential(stdout: string, apiVersion: string, fail: Fail): Outcome<PluginCredential> {
  const answer = asObject(parseJson(stdout));
  if (answer === undefined) return fail('its output is not a JSON object');
  if (answer['kind'] !== 'ExecCredential') return fail('its output is not of kind ExecCredential');
  if (answer['apiVersion'] !== apiVersion) {
    return fail(
      `it answered with apiVersion "${asText(answer['apiVersion']) ?? ''}", the kubeconfig asks for "${apiVersion}"`,
    );
  }
  const status = asObject(answer['status']);
  const token = asText(status?.['token']);
  const cert = asText(status?.['clientCertificateData']);
  const key = asText(status?.['clientKeyData']);
  if ((cert === undefined) !== (key === undefined)) return fail('it gave only one of certificate and key');
  if (token === undefined && cert === undefined) return fail('it gave neither a token nor a certificate');
  const expires = asText(status?.['expirationTimestamp']);
  const expiresAtMs = expires === undefined ? Number.POSITIVE_INFINITY : Date.parse(expires);
  if (Number.isNaN(expiresAtMs)) return fail('its expirationTimestamp is not a time');
  const authorization = token === undefined ? undefined : `Bearer ${token.trim()}`;
  if (authorization !== undefined && !fitsHeader(authorization)) return fail('it gave no token of one line');
  return success({ credential: defined({ authorization, cert, key }), expiresAtMs });
}

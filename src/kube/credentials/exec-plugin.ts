import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { ok, type Result } from '../../result/result.ts';
import { type FieldShape, misshapen } from '../config/shape.ts';
import { type ClusterConnection, type ExecPlugin, execVersions } from '../config/types.ts';
import { failure, type KubeOutcome } from '../errors/outcome.ts';
import { asObject, asText, defined, writeJson } from '../errors/unknown-json.ts';
import type { KubeHost } from '../types.ts';
import { readAuthority } from './authority.ts';
import { bearer, type Credential, gettingCredential } from './credential.ts';
import { endTree } from './process-tree.ts';

export interface PluginCredential {
  readonly credential: Credential;
  /** Milliseconds since the epoch; Infinity when the plugin names no time. */
  readonly expiresAtMs: number;
}

/** Long enough for a cloud's command line; a person who types a code into a browser gets more. */
const defaultLimits = { timeoutMs: 60_000, interactiveTimeoutMs: 600_000 };
/** An ExecCredential with a certificate has a few kilobytes. */
const maxOutputBytes = 1 << 20;
/** After its end its output is in the pipe; what it left running may hold that open for ever. Milliseconds. */
const drainMs = 1000;

const execCredential: FieldShape = {
  fields: {
    kind: 'text',
    apiVersion: 'text',
    status: {
      fields: { token: 'text', clientCertificateData: 'text', clientKeyData: 'text', expirationTimestamp: 'text' },
    },
  },
};

/**
 * Runs an exec credential plugin once. Its stderr goes to the terminal so that prompts are seen; it may read the terminal
 * only where `interactiveMode` and the terminal allow. While the screen is taken it cannot ask, and what it writes to
 * stderr is logged line by line instead.
 */
export async function runPlugin(
  plugin: ExecPlugin,
  connection: ClusterConnection,
  host: KubeHost,
  signal: AbortSignal,
  limits: { readonly timeoutMs: number; readonly interactiveTimeoutMs: number } = defaultLimits,
): Promise<KubeOutcome<PluginCredential>> {
  const name = `credential plugin "${plugin.command}"`;
  const fail = (message: string, hint?: string) =>
    failure('credential', gettingCredential, `${name}: ${message}`, { hint });
  if (!execVersions.some((version) => version === plugin.apiVersion)) {
    return fail(`apiVersion "${plugin.apiVersion}" is not one of ${execVersions.join(', ')}`);
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
  const ended = await start(plugin, env, { interactive, limitMs, signal, onLine }).catch(
    // As for arguments that no system call takes.
    (error: NodeJS.ErrnoException): Ended => ({ kind: 'failed', message: `it cannot be started (${error.code})` }),
  );
  if (ended.kind === 'missing') return fail('executable not found', plugin.installHint);
  if (ended.kind !== 'done') return fail(ended.message);
  const { mostOfCredential, parseYaml } = await import('../config/yaml.ts');
  // As kubectl, which takes YAML as well.
  return readCredential(parseYaml(ended.stdout, mostOfCredential), plugin.apiVersion, fail);
}

type Ended =
  | { readonly kind: 'done'; readonly stdout: string }
  | { readonly kind: 'missing' }
  | { readonly kind: 'failed'; readonly message: string };

interface StartOptions {
  readonly interactive: boolean;
  readonly limitMs: number;
  readonly signal: AbortSignal;
  readonly onLine: ((line: string) => void) | null;
}

/**
 * One that asks nothing gets a process group of its own, so that all of it can be ended; one that may ask must stay in
 * the group that the terminal belongs to.
 */
function start(plugin: ExecPlugin, env: Record<string, string | undefined>, options: StartOptions): Promise<Ended> {
  const { interactive, limitMs, signal, onLine } = options;
  const detached = !interactive && process.platform !== 'win32';
  return new Promise((resolve) => {
    const child = spawn(plugin.command, plugin.args, {
      env,
      stdio: [interactive ? 'inherit' : 'ignore', 'pipe', onLine === null ? 'inherit' : 'pipe'],
      detached,
      windowsHide: true,
    });
    if (onLine !== null && child.stderr !== null) createInterface({ input: child.stderr }).on('line', onLine);
    const chunks: Buffer[] = [];
    let bytes = 0;
    let over = false;
    const finish = (ended: Ended): void => {
      over = true;
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
      // What it left running may hold them open.
      child.stdout?.destroy();
      child.stderr?.destroy();
      resolve(ended);
    };
    const end = (message: string): void => {
      if (over) return;
      endTree(child, detached);
      finish({ kind: 'failed', message });
    };
    const abort = (): void => end('given up');
    const timer = setTimeout(() => end(`ended by SIGTERM (limit ${limitMs / 1000} s)`), limitMs);
    signal.addEventListener('abort', abort, { once: true });
    child.stdout?.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= maxOutputBytes) chunks.push(chunk);
      else end('its output is too long');
    });
    child.on('error', (error: NodeJS.ErrnoException) => {
      finish(error.code === 'ENOENT' ? { kind: 'missing' } : { kind: 'failed', message: error.code ?? error.message });
    });
    let drained: NodeJS.Timeout | undefined;
    const done = (code: number | null, killedBy: NodeJS.Signals | null): void => {
      clearTimeout(drained);
      if (over) return;
      if (killedBy !== null) finish({ kind: 'failed', message: `ended by ${killedBy} (limit ${limitMs / 1000} s)` });
      else if (code !== 0) finish({ kind: 'failed', message: `exit code ${code}` });
      else finish({ kind: 'done', stdout: Buffer.concat(chunks).toString('utf8') });
    };
    child.on('close', done);
    child.on('exit', (code, killedBy) => {
      drained = setTimeout(() => done(code, killedBy), drainMs);
    });
    if (signal.aborted) abort();
  });
}

/** `spec.cluster` of KUBERNETES_EXEC_INFO (client-go tools/auth/exec). */
async function clusterInfo(connection: ClusterConnection): Promise<Record<string, unknown>> {
  const { cluster, server } = connection;
  const authority = await readAuthority(connection);
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

type Fail = (message: string, hint?: string) => KubeOutcome<PluginCredential>;

/** Never quotes the output: it holds the credential. */
function readCredential(
  parsed: Result<unknown, string>,
  apiVersion: string,
  fail: Fail,
): KubeOutcome<PluginCredential> {
  const answer = parsed.ok ? asObject(parsed.value) : undefined;
  if (answer === undefined) return fail('its output is not a JSON object');
  const wrong = misshapen(answer, execCredential, 'its output');
  if (wrong !== undefined) return fail(wrong);
  if ((answer['kind'] ?? 'ExecCredential') !== 'ExecCredential')
    return fail('its output is not of kind ExecCredential');
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
  const authorization = token === undefined ? undefined : bearer(token);
  if (authorization === null) return fail('it gave no token of one line');
  return ok({ credential: defined({ authorization, cert, key }), expiresAtMs });
}

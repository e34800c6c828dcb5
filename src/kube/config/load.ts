import { posix, win32 } from 'node:path';
import { asArray, asObject, asText, asTexts, defined, type JsonObject } from '../errors/unknown-json.ts';
import {
  type ExecPlugin,
  execVersions,
  type Impersonation,
  type Kubeconfig,
  type KubeconfigCluster,
  type KubeconfigContext,
  type KubeconfigUser,
} from './types.ts';

export interface KubeconfigFile {
  /** Absolute: relative paths inside the file resolve against its directory. */
  readonly path: string;
  /** The parsed YAML. */
  readonly document: unknown;
}

/** Extension under which a cluster keeps data for exec plugins (client-go tools/clientcmd/api/types.go). */
const execExtension = 'client.authentication.k8s.io/exec';

/**
 * Merges kubeconfig files as kubectl does (client-go tools/clientcmd/loader.go): the first file to name an entry gives
 * the whole entry, `current-context` comes from the first file that sets it. The documents have passed
 * `kubeconfigFault`; what would not is read as far as it can be.
 */
export function mergeKubeconfigs(files: readonly KubeconfigFile[], platform: string): Kubeconfig {
  const clusters = new Map<string, KubeconfigCluster>();
  const users = new Map<string, KubeconfigUser>();
  const contexts = new Map<string, KubeconfigContext>();
  let currentContext: string | undefined;
  for (const file of files) {
    const document = asObject(file.document);
    if (document === undefined) continue;
    const absolute = pathResolver(file.path, platform);
    addEntries(clusters, document['clusters'], 'cluster', (entry) => readCluster(entry, absolute));
    addEntries(users, document['users'], 'user', (entry) => readUser(entry, absolute));
    addEntries(contexts, document['contexts'], 'context', readContext);
    currentContext ??= asText(document['current-context']);
  }
  return { clusters, users, contexts, ...defined({ currentContext }) };
}

type Absolute = (path: string | undefined) => string | undefined;

function pathResolver(file: string, platform: string): Absolute {
  const paths = platform === 'win32' ? win32 : posix;
  return (path) => (path === undefined ? undefined : paths.resolve(paths.dirname(file), path));
}

function addEntries<T>(into: Map<string, T>, list: unknown, key: string, read: (entry: JsonObject) => T): void {
  for (const item of asArray(list)) {
    const named = asObject(item);
    const name = asText(named?.['name']);
    // `user: ` with nothing after it is a valid, empty entry.
    const entry = named?.[key] === null ? {} : asObject(named?.[key]);
    if (name !== undefined && entry !== undefined && !into.has(name)) into.set(name, read(entry));
  }
}

function readContext(entry: JsonObject): KubeconfigContext {
  return defined({
    cluster: asText(entry['cluster']),
    user: asText(entry['user']),
    namespace: asText(entry['namespace']),
  });
}

function readCluster(entry: JsonObject, absolute: Absolute): KubeconfigCluster {
  const extension = asArray(entry['extensions'])
    .map(asObject)
    .find((item) => item?.['name'] === execExtension);
  return {
    insecureSkipTlsVerify: entry['insecure-skip-tls-verify'] === true,
    disableCompression: entry['disable-compression'] === true,
    ...defined({
      server: asText(entry['server']),
      tlsServerName: asText(entry['tls-server-name']),
      certificateAuthority: absolute(asText(entry['certificate-authority'])),
      certificateAuthorityData: asText(entry['certificate-authority-data']),
      proxyUrl: asText(entry['proxy-url']),
      execConfig: extension?.['extension'],
    }),
  };
}

function readUser(entry: JsonObject, absolute: Absolute): KubeconfigUser {
  const provider = asObject(entry['auth-provider']);
  return {
    impersonation: readImpersonation(entry),
    ...defined({
      token: asText(entry['token']),
      tokenFile: absolute(asText(entry['tokenFile'])),
      clientCertificate: absolute(asText(entry['client-certificate'])),
      clientCertificateData: asText(entry['client-certificate-data']),
      clientKey: absolute(asText(entry['client-key'])),
      clientKeyData: asText(entry['client-key-data']),
      username: asText(entry['username']),
      password: asText(entry['password']),
      exec: readExec(asObject(entry['exec']), absolute),
      authProvider: provider && { name: asText(provider['name']) ?? '', config: asObject(provider['config']) ?? {} },
    }),
  };
}

function readImpersonation(entry: JsonObject): Impersonation {
  const extra = Object.entries(asObject(entry['as-user-extra']) ?? {}).map(([key, list]) => [key, asTexts(list)]);
  return {
    groups: asTexts(entry['as-groups']),
    extra: Object.fromEntries(extra),
    ...defined({ user: asText(entry['as']), uid: asText(entry['as-uid']) }),
  };
}

function readExec(entry: JsonObject | undefined, absolute: Absolute): ExecPlugin | undefined {
  if (entry === undefined) return undefined;
  const command = asText(entry['command']) ?? '';
  const apiVersion = asText(entry['apiVersion']) ?? '';
  const env = asArray(entry['env']).map((item): [string, string] => {
    const pair = asObject(item);
    return [asText(pair?.['name']) ?? '', asText(pair?.['value']) ?? ''];
  });
  return {
    // A bare name is looked up on PATH; anything with a separator is a path (client-go clientcmd/loader.go).
    command: /[/\\]/.test(command) ? (absolute(command) ?? command) : command,
    args: asTexts(entry['args']),
    env: Object.fromEntries(env),
    apiVersion,
    // Only v1 asks for it to be said.
    interactiveMode: asText(entry['interactiveMode']) ?? (apiVersion === execVersions[0] ? '' : 'IfAvailable'),
    provideClusterInfo: entry['provideClusterInfo'] === true,
    ...defined({ installHint: asText(entry['installHint']) }),
  };
}

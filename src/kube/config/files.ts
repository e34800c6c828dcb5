import { posix, resolve, win32 } from 'node:path';
import { inputs, readInput, reasonOf } from '../../files/read.ts';
import { ok } from '../../result/result.ts';
import { failure, type KubeOutcome } from '../errors/outcome.ts';
import type { ConnectionFlags, KubeHost } from '../types.ts';
import { inClusterConnection, serviceAccountDirectory } from './in-cluster.ts';
import { type KubeconfigFile, mergeKubeconfigs } from './load.ts';
import { kubeconfigFault } from './published.ts';
import { loadingConfig, resolveConnection } from './resolve.ts';
import type { ClusterConnection } from './types.ts';

export interface KubeconfigPaths {
  readonly paths: readonly string[];
  /** Named by `--kubeconfig`: it must exist, and it alone counts. */
  readonly explicit: boolean;
}

/** Which files kubectl reads: `--kubeconfig`, else `$KUBECONFIG` as a list, else `~/.kube/config`. */
export function kubeconfigPaths(
  flags: ConnectionFlags,
  host: Pick<KubeHost, 'env' | 'homeDirectory' | 'platform'>,
): KubeconfigPaths {
  const paths = host.platform === 'win32' ? win32 : posix;
  if (flags.kubeconfig) return { paths: [flags.kubeconfig], explicit: true };
  const list = host.env['KUBECONFIG'];
  if (list) return { paths: [...new Set(list.split(paths.delimiter).filter((path) => path !== ''))], explicit: false };
  return { paths: [paths.join(host.homeDirectory, '.kube', 'config')], explicit: false };
}

/**
 * Reads the kubeconfig files and resolves them to one connection; falls back to the pod's service account only when no
 * kubeconfig names a server. Warns through `host.log` at level 0 when all files of `$KUBECONFIG` are missing.
 */
export async function loadConnection(
  flags: ConnectionFlags,
  host: KubeHost,
  serviceAccount: string = serviceAccountDirectory,
): Promise<KubeOutcome<ClusterConnection>> {
  const where = kubeconfigPaths(flags, host);
  const files = await readFiles(where, host);
  if (!files.ok) return files;
  if (files.value.length === 0 && host.env['KUBECONFIG']) {
    host.log(0, `Warning: kubeconfig not found: ${where.paths.join(', ')}`);
  }
  const config = mergeKubeconfigs(files.value, host.platform);
  const connection = resolveConnection(config, flags);
  if (!connection.ok) return connection;
  if (connection.value !== null) return ok(connection.value);
  const inCluster = where.explicit ? null : await inClusterConnection(flags, host, serviceAccount);
  if (inCluster !== null) return inCluster;
  const contexts = [...config.contexts.keys()].sort();
  return contexts.length > 0
    ? failure('config', loadingConfig, 'the kubeconfig sets no current-context that names a cluster', {
        hint: `Choose one with --context: ${contexts.join(', ')}.`,
      })
    : failure('config', loadingConfig, `no cluster is configured in ${where.paths.join(', ')}`, {
        hint: 'Set KUBECONFIG or --kubeconfig to a file that names a cluster, or try kubectl grpc-skew lab, which needs none.',
      });
}

/** The names that the kubeconfig files hold, sorted; none where a file cannot be read. */
export async function kubeconfigNames(
  flags: ConnectionFlags,
  host: KubeHost,
): Promise<Readonly<Record<'contexts' | 'clusters' | 'users', readonly string[]>>> {
  const files = await readFiles(kubeconfigPaths(flags, host), host);
  const { contexts, clusters, users } = mergeKubeconfigs(files.ok ? files.value : [], host.platform);
  const sorted = (entries: ReadonlyMap<string, unknown>) => [...entries.keys()].sort();
  return { contexts: sorted(contexts), clusters: sorted(clusters), users: sorted(users) };
}

/** Characters of a kubeconfig from which on to parse it may take seconds. */
const long = 1 << 18;

async function readFiles(where: KubeconfigPaths, host: KubeHost): Promise<KubeOutcome<readonly KubeconfigFile[]>> {
  const files: KubeconfigFile[] = [];
  for (const path of where.paths.map((relative) => resolve(relative))) {
    const text = await readInput(path, inputs.kubeconfig, host.interrupted);
    if (typeof text !== 'string') {
      if ((text as NodeJS.ErrnoException).code === 'ENOENT' && !where.explicit) continue;
      return failure('config', loadingConfig, `${path}: ${reasonOf(text)}`);
    }
    // Imported here and not above: help and version must not pay for a YAML parser.
    const { parseYaml } = await import('./yaml.ts');
    const parsed = await (text.length > long ? host.computeLong(() => parseYaml(text)) : parseYaml(text));
    if (parsed === null) return failure('aborted', loadingConfig, 'given up before it was read');
    if (!parsed.ok) return failure('config', loadingConfig, `${path}: not valid YAML: ${parsed.error}`);
    const fault = kubeconfigFault(parsed.value);
    if (fault !== undefined) return failure('config', loadingConfig, `${path}: ${fault}`);
    files.push({ path, document: parsed.value });
  }
  return ok(files);
}

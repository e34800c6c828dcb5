import { didYouMean } from '../spelling/nearest.ts';
import { overrideCluster, overrideUser } from './config-override.ts';
import type { Connection, Kubeconfig, KubeconfigCluster, KubeconfigContext, KubeconfigUser } from './config-types.ts';
import { failure, type Outcome, success } from './outcome.ts';
import type { ConnectionFlags } from './types.ts';

/** What every error of this layer says was being done. */
export const loadingConfig = 'load the kubeconfig';

/** Names of namespaces are DNS labels; anything else would change the path of a request. */
const dnsLabel = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;

const emptyCluster: KubeconfigCluster = { insecureSkipTlsVerify: false, disableCompression: false };
const emptyUser: KubeconfigUser = { impersonation: { groups: [], extra: {} } };

/**
 * Picks context, cluster and user as kubectl does (client-go tools/clientcmd/client_config.go) and lays the flags over
 * them. A name that does not exist is an error that lists the names that do. Succeeds with null when nothing names a
 * server, so that the caller may try the in-cluster configuration.
 */
export function resolveConnection(config: Kubeconfig, flags: ConnectionFlags): Outcome<Connection | null> {
  const contextName = flags.context || config.currentContext || '';
  const context = contextName === '' ? success<KubeconfigContext>({}) : pick('context', config.contexts, contextName);
  if (!context.ok) return context;
  const clusterName = flags.cluster || context.value.cluster;
  const cluster = clusterName === undefined ? success(emptyCluster) : pick('cluster', config.clusters, clusterName);
  if (!cluster.ok) return cluster;
  const userName = flags.user || context.value.user;
  const user = userName === undefined ? success(emptyUser) : pick('user', config.users, userName);
  if (!user.ok) return user;
  if (clusterName === undefined && !flags.server) return success(null);
  return finishConnection(
    {
      context: contextName,
      namespace: context.value.namespace ?? 'default',
      cluster: cluster.value,
      user: user.value,
    },
    flags,
    clusterName,
  );
}

/** Lays the flags over entries that are already chosen, and checks that they make sense together. */
export function finishConnection(
  chosen: Omit<Connection, 'server'>,
  flags: ConnectionFlags,
  clusterName?: string,
): Outcome<Connection> {
  const cluster = overrideCluster(chosen.cluster, flags);
  const user = overrideUser(chosen.user, flags);
  const problem = contradiction(cluster, user);
  if (problem !== undefined) return failure('config', loadingConfig, problem);
  if (cluster.server === undefined) {
    return failure('config', loadingConfig, `cluster "${clusterName ?? ''}" has no server`);
  }
  const server = serverUrl(cluster.server, cluster, user);
  if (server === null) return failure('config', loadingConfig, `"${cluster.server}" is not a URL of an API server`);
  const namespace = flags.namespace || chosen.namespace;
  if (!dnsLabel.test(namespace)) return failure('config', loadingConfig, `"${namespace}" is no name of a namespace`);
  return success({ ...chosen, cluster, user, server, namespace });
}

function pick<T>(what: string, entries: ReadonlyMap<string, T>, name: string): Outcome<T> {
  const found = entries.get(name);
  if (found !== undefined) return success(found);
  const names = [...entries.keys()].sort();
  const meant = didYouMean(name, names);
  const all = names.length === 0 ? `The kubeconfig has no ${what}s.` : `The kubeconfig has: ${names.join(', ')}.`;
  const hint = meant === null ? all : `${meant} ${all}`;
  return failure('config', loadingConfig, `${what} "${name}" does not exist`, { hint });
}

function contradiction(cluster: KubeconfigCluster, user: KubeconfigUser): string | undefined {
  const hasAuthority = cluster.certificateAuthority !== undefined || cluster.certificateAuthorityData !== undefined;
  if (hasAuthority && cluster.insecureSkipTlsVerify) {
    return 'specifying a root certificates file with the insecure flag is not allowed';
  }
  const { user: as, uid, groups, extra } = user.impersonation;
  if (as === undefined && (uid !== undefined || groups.length > 0 || Object.keys(extra).length > 0)) {
    return 'requesting uid, groups or user-extra without impersonating a user (--as) is not allowed';
  }
  const fields = [as ?? '', uid ?? '', ...groups, ...Object.values(extra).flat()];
  if (fields.some((field) => /[\0\r\n]/.test(field))) return 'impersonation fields must not contain line breaks';
  return undefined;
}

/** A server without a scheme is `https` as soon as anything speaks of TLS, else `http` (client-go rest/url_utils.go). */
function serverUrl(server: string, cluster: KubeconfigCluster, user: KubeconfigUser): string | null {
  const speaksTls =
    cluster.certificateAuthority !== undefined ||
    cluster.certificateAuthorityData !== undefined ||
    cluster.insecureSkipTlsVerify ||
    user.clientCertificate !== undefined ||
    user.clientCertificateData !== undefined;
  const absolute = server.includes('://') ? server : `${speaksTls ? 'https' : 'http'}://${server}`;
  if (!/^https?:\/\//i.test(absolute) || !URL.canParse(absolute)) return null;
  const url = new URL(absolute);
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}

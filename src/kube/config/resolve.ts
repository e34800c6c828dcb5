import { ok } from '../../result/result.ts';
import { didYouMean } from '../../spelling/nearest.ts';
import { failure, type KubeOutcome } from '../errors/outcome.ts';
import { userOf } from '../requests/proxy.ts';
import type { ConnectionFlags } from '../types.ts';
import { contradiction } from './contradiction.ts';
import { overrideCluster, overrideUser } from './override.ts';
import {
  type ClusterConnection,
  isTls,
  type Kubeconfig,
  type KubeconfigCluster,
  type KubeconfigContext,
  type KubeconfigUser,
} from './types.ts';

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
export function resolveConnection(config: Kubeconfig, flags: ConnectionFlags): KubeOutcome<ClusterConnection | null> {
  const contextName = flags.context || config.currentContext || '';
  const context = contextName === '' ? ok<KubeconfigContext>({}) : pick('context', config.contexts, contextName);
  if (!context.ok) return context;
  const clusterName = flags.cluster || context.value.cluster;
  const cluster = clusterName === undefined ? ok(emptyCluster) : pick('cluster', config.clusters, clusterName);
  if (!cluster.ok) return cluster;
  const userName = flags.user || context.value.user;
  const user = userName === undefined ? ok(emptyUser) : pick('user', config.users, userName);
  if (!user.ok) return user;
  if (clusterName === undefined && !flags.server) return ok(null);
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
  chosen: Omit<ClusterConnection, 'server'>,
  flags: ConnectionFlags,
  clusterName?: string,
): KubeOutcome<ClusterConnection> {
  const cluster = overrideCluster(chosen.cluster, flags);
  const user = overrideUser(chosen.user, flags);
  if (cluster.server === undefined) {
    return failure('config', loadingConfig, `cluster "${clusterName ?? ''}" has no server`);
  }
  const url = serverUrl(cluster.server);
  if (url === null) {
    const shown = cluster.server.replace(/\/\/.*@/s, '//[redacted]@');
    return failure('config', loadingConfig, `"${shown}" is not a URL of an API server`);
  }
  const problem = contradiction(cluster, user, isTls(url.origin));
  if (problem !== undefined) return failure('config', loadingConfig, problem);
  const namespace = flags.namespace || chosen.namespace;
  if (!dnsLabel.test(namespace)) return failure('config', loadingConfig, `"${namespace}" is no name of a namespace`);
  const server = `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
  return ok({ ...chosen, cluster, user: withUserOf(url, user), server, namespace });
}

function pick<T>(what: string, entries: ReadonlyMap<string, T>, name: string): KubeOutcome<T> {
  const found = entries.get(name);
  if (found !== undefined) return ok(found);
  const names = [...entries.keys()].sort();
  const meant = didYouMean(name, names);
  const all = names.length === 0 ? `The kubeconfig has no ${what}s.` : `The kubeconfig has: ${names.join(', ')}.`;
  const hint = meant === null ? all : `${meant} ${all}`;
  return failure('config', loadingConfig, `${what} "${name}" does not exist`, { hint });
}

/** A server without a scheme is `http`, whatever else speaks of TLS, as for kubectl: it asks before it reads the rest. */
function serverUrl(server: string): URL | null {
  const absolute = server.includes('://') ? server : `http://${server}`;
  if (!/^https?:\/\//i.test(absolute) || !URL.canParse(absolute)) return null;
  const url = new URL(absolute);
  return userOf(url) === null ? null : url;
}

/** A user and password in the URL of the server go before all else that could stand in the same header, as in Go. */
function withUserOf(url: URL, user: KubeconfigUser): KubeconfigUser {
  if (url.username === '' && url.password === '') return user;
  const { token: _token, tokenFile: _file, exec: _exec, authProvider: _provider, ...rest } = user;
  return { ...rest, ...userOf(url) };
}

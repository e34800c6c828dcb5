import { resolve } from 'node:path';
import { defined } from '../errors/unknown-json.ts';
import type { ConnectionFlags } from '../types.ts';
import type { Impersonation, KubeconfigCluster, KubeconfigUser } from './types.ts';

/**
 * Flags over a cluster entry, by the rules of client-go's `getCluster` (tools/clientcmd/client_config.go): `--server`
 * also clears the entry's tls-server-name, `--certificate-authority` and `--insecure-skip-tls-verify` clear each other's
 * counterpart in the entry.
 */
export function overrideCluster(cluster: KubeconfigCluster, flags: ConnectionFlags): KubeconfigCluster {
  const { server, tlsServerName, certificateAuthority, certificateAuthorityData, ...rest } = cluster;
  const authority = flags.certificateAuthority
    ? { certificateAuthority: resolve(flags.certificateAuthority) }
    : flags.insecureSkipTlsVerify === true
      ? {}
      : defined({ certificateAuthority, certificateAuthorityData });
  const insecure = flags.insecureSkipTlsVerify ?? (flags.certificateAuthority ? false : cluster.insecureSkipTlsVerify);
  return {
    ...rest,
    ...authority,
    insecureSkipTlsVerify: insecure,
    disableCompression: flags.disableCompression ?? cluster.disableCompression,
    ...defined({
      server: flags.server || server,
      tlsServerName: flags.tlsServerName || (flags.server ? undefined : tlsServerName),
    }),
  };
}

/**
 * Flags over a user entry. A certificate given on the command line replaces its counterpart whole; a token does not, as in
 * kubectl: beside a tokenFile the file counts, beside a password there is one too many.
 */
export function overrideUser(user: KubeconfigUser, flags: ConnectionFlags): KubeconfigUser {
  let result = flags.token ? { ...user, token: flags.token } : user;
  if (flags.clientCertificate) {
    const { clientCertificateData: _data, ...rest } = result;
    result = { ...rest, clientCertificate: resolve(flags.clientCertificate) };
  }
  if (flags.clientKey) {
    const { clientKeyData: _data, ...rest } = result;
    result = { ...rest, clientKey: resolve(flags.clientKey) };
  }
  return { ...result, impersonation: overrideImpersonation(user.impersonation, flags) };
}

function overrideImpersonation(entry: Impersonation, flags: ConnectionFlags): Impersonation {
  const pairs = flags.asUserExtra ?? [];
  return {
    groups: flags.asGroups?.length ? flags.asGroups : entry.groups,
    extra: pairs.length > 0 ? groupPairs(pairs) : entry.extra,
    ...defined({ user: flags.as || entry.user, uid: flags.asUid || entry.uid }),
  };
}

/** `key=value`, a key may come several times; without `=` the value is empty. */
function groupPairs(pairs: readonly string[]): Record<string, readonly string[]> {
  const groups = new Map<string, string[]>();
  for (const pair of pairs) {
    const at = pair.includes('=') ? pair.indexOf('=') : pair.length;
    const key = pair.slice(0, at);
    groups.set(key, [...(groups.get(key) ?? []), pair.slice(at + 1)]);
  }
  return Object.fromEntries(groups);
}

import type { ExecPlugin, Impersonation, KubeconfigCluster, KubeconfigUser } from './types.ts';

/**
 * What kubectl refuses in a cluster and a user that are to go together, with the flags laid over them (client-go
 * tools/clientcmd/validation.go, transport/transport.go, transport/round_trippers.go). Undefined: nothing.
 * @param isTls where it is not, credentials are not looked at
 */
export function contradiction(cluster: KubeconfigCluster, user: KubeconfigUser, isTls: boolean): string | undefined {
  return ofCluster(cluster, isTls) ?? ofCredentials(user, isTls) ?? ofImpersonation(user.impersonation);
}

function ofCluster(cluster: KubeconfigCluster, isTls: boolean): string | undefined {
  const { certificateAuthority: file, certificateAuthorityData: data } = cluster;
  if (file !== undefined && data !== undefined) {
    return 'certificate-authority and certificate-authority-data are both given';
  }
  return isTls && cluster.insecureSkipTlsVerify && (file ?? data) !== undefined
    ? 'specifying a root certificates file with the insecure flag is not allowed'
    : undefined;
}

function ofCredentials(user: KubeconfigUser, isTls: boolean): string | undefined {
  const hasPassword = user.username !== undefined || user.password !== undefined;
  const hasCertificate = (user.clientCertificate ?? user.clientCertificateData) !== undefined;
  if (user.token !== undefined && hasPassword) return 'a token and a password are both given for the user';
  if (hasCertificate) {
    if (user.clientCertificate !== undefined && user.clientCertificateData !== undefined) {
      return 'client-certificate and client-certificate-data are both given';
    }
    if (user.clientKey !== undefined && user.clientKeyData !== undefined) {
      return 'client-key and client-key-data are both given';
    }
    if ((user.clientKey ?? user.clientKeyData) === undefined) return 'the client certificate has no client-key';
  }
  const plugin = user.exec && ofPlugin(user.exec);
  if (plugin !== undefined) return plugin;
  if (user.exec !== undefined && user.authProvider !== undefined) return 'exec and auth-provider are both given';
  if (isTls && user.tokenFile !== undefined && hasPassword) {
    return 'a token and a password are both given for the user';
  }
  return undefined;
}

function ofPlugin(plugin: ExecPlugin): string | undefined {
  if (plugin.command === '') return 'the exec plugin of the user has no command';
  if (plugin.apiVersion === '') return `the exec plugin "${plugin.command}" has no apiVersion`;
  if (Object.hasOwn(plugin.env, '')) return `the exec plugin "${plugin.command}" has an env without a name`;
  return ['Never', 'IfAvailable', 'Always'].includes(plugin.interactiveMode)
    ? undefined
    : `the exec plugin "${plugin.command}" has no interactiveMode that is Never, IfAvailable or Always`;
}

function ofImpersonation({ user, uid, groups, extra }: Impersonation): string | undefined {
  if (user === undefined && (uid !== undefined || groups.length > 0 || Object.keys(extra).length > 0)) {
    return 'requesting uid, groups or user-extra without impersonating a user (--as) is not allowed';
  }
  const fields = [user ?? '', uid ?? '', ...groups, ...Object.values(extra).flat()];
  return fields.some((field) => /[\0\r\n]/.test(field))
    ? 'impersonation fields must not contain line breaks'
    : undefined;
}

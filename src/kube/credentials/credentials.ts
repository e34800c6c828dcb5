import { type ClusterConnection, isTls } from '../config/types.ts';
import type { KubeHost } from '../types.ts';
import { authProviderCredentials } from './auth-provider.ts';
import type { CredentialSource } from './credential.ts';
import { execCredentials } from './exec-credentials.ts';
import { fileCredentials, noCredentials } from './file-credentials.ts';

/**
 * The source for a user entry. Without TLS there is none, and no plugin runs: what is sent could be read on the way. An
 * explicit token, password or certificate beats an exec plugin.
 */
export function credentialSource(connection: ClusterConnection, host: KubeHost): CredentialSource {
  const { user, server } = connection;
  if (!isTls(server)) return noCredentials(user);
  const files = fileCredentials(user);
  if (user.authProvider !== undefined) return authProviderCredentials(user.authProvider, files);
  const explicit =
    user.token ?? user.tokenFile ?? user.username ?? user.clientCertificate ?? user.clientCertificateData;
  return explicit === undefined && user.exec !== undefined ? execCredentials(user.exec, connection, host) : files;
}

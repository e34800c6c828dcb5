import { authProviderCredentials } from './auth-provider.ts';
import type { Connection } from './config-types.ts';
import type { CredentialSource } from './credential.ts';
import { execCredentials } from './exec-credentials.ts';
import { fileCredentials } from './file-credentials.ts';
import type { KubeHost } from './types.ts';

/** The source for a user entry. An explicit token, password or certificate beats an exec plugin. */
export function credentialSource(connection: Connection, host: KubeHost): CredentialSource {
  const { user } = connection;
  const explicit =
    user.token ?? user.tokenFile ?? user.username ?? user.clientCertificate ?? user.clientCertificateData;
  if (explicit === undefined && user.exec !== undefined) return execCredentials(user.exec, connection, host);
  if (explicit === undefined && user.authProvider !== undefined) return authProviderCredentials(user.authProvider);
  return fileCredentials(user);
}

import type { KubeconfigUser } from './config-types.ts';
import { type CredentialSource, gettingCredential } from './credential.ts';
import { failure, success } from './outcome.ts';

/** What came in place of the providers that kubectl 1.26 dropped. */
const successors: ReadonlyMap<string, string> = new Map([
  ['gcp', 'Use the exec plugin gke-gcloud-auth-plugin: gcloud container clusters get-credentials writes it.'],
  ['azure', 'Use the exec plugin kubelogin: kubelogin convert-kubeconfig writes it.'],
]);

/** `auth-provider` entries: `oidc` is left to client-node, which refreshes its token; the others are history. */
export function authProviderCredentials(provider: NonNullable<KubeconfigUser['authProvider']>): CredentialSource {
  return {
    async current() {
      if (provider.name !== 'oidc') {
        const message = `the auth-provider "${provider.name}" is no longer supported`;
        return failure('credential', gettingCredential, message, { hint: successors.get(provider.name) });
      }
      try {
        const { OpenIDConnectAuth } = await import('@kubernetes/client-node/dist/oidc_auth.js');
        const options: { headers?: Record<string, string> } = { headers: {} };
        await new OpenIDConnectAuth().applyAuthentication({ name: 'user', authProvider: provider }, options);
        const authorization = options.headers?.['Authorization'];
        if (authorization !== undefined) return success({ authorization });
        return failure('credential', gettingCredential, 'the oidc auth-provider gave no id-token');
      } catch (error) {
        const reason = error instanceof Error ? error.message.split('\n')[0] : String(error);
        return failure('credential', gettingCredential, `the oidc auth-provider failed: ${reason}`);
      }
    },
    renew: async () => null,
    accepted() {},
    close() {},
  };
}

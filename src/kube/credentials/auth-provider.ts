import { ok } from '../../result/result.ts';
import type { KubeconfigUser } from '../config/types.ts';
import { failure } from '../errors/outcome.ts';
import { asText } from '../errors/unknown-json.ts';
import { withoutSecrets } from '../requests/session.ts';
import { type CredentialSource, gettingCredential } from './credential.ts';

/** What came in place of the providers that kubectl 1.26 dropped. */
const successors: ReadonlyMap<string, string> = new Map([
  ['gcp', 'Use the exec plugin gke-gcloud-auth-plugin: gcloud container clusters get-credentials writes it.'],
  ['azure', 'Use the exec plugin kubelogin: kubelogin convert-kubeconfig writes it.'],
]);

/**
 * `auth-provider` entries: `oidc` is left to client-node, which refreshes its token; the others are history, and refused
 * even beside another credential. A token or password of the entry goes before the provider's token.
 * @param files the other credentials of the entry
 */
export function authProviderCredentials(
  { name, config }: NonNullable<KubeconfigUser['authProvider']>,
  files: CredentialSource,
): CredentialSource {
  const fail = (message: string, hint?: string) => failure('credential', gettingCredential, message, { hint });
  return {
    async current() {
      if (name !== 'oidc') {
        return fail(`the auth-provider "${name}" is no longer supported`, successors.get(name));
      }
      const missing = ['idp-issuer-url', 'client-id'].find((key) => asText(config[key]) === undefined);
      if (missing !== undefined) return fail(`the oidc auth-provider has no ${missing}`);
      const own = await files.current();
      if (!own.ok || own.value.authorization !== undefined) return own;
      try {
        const { OpenIDConnectAuth } = await import('@kubernetes/client-node/dist/oidc_auth.js');
        const options: { headers?: Record<string, string> } = { headers: {} };
        await new OpenIDConnectAuth().applyAuthentication({ name: 'user', authProvider: { name, config } }, options);
        const authorization = options.headers?.['Authorization'];
        return authorization === undefined
          ? fail('the oidc auth-provider gave no id-token')
          : ok({ ...own.value, authorization });
      } catch (error) {
        // The parser of JSON quotes what it could not read, and that is the token.
        if (error instanceof SyntaxError) return fail('the id-token of the oidc auth-provider is no JSON Web Token');
        const [reason = ''] = String(error instanceof Error ? error.message : error).split('\n');
        return fail(`the oidc auth-provider failed: ${withoutSecrets(reason, Object.values(config).map(asText))}`);
      }
    },
    renew: async () => null,
    accepted() {},
    close() {},
  };
}

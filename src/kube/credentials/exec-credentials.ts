import { ok } from '../../result/result.ts';
import type { ClusterConnection, ExecPlugin } from '../config/types.ts';
import type { KubeOutcome } from '../errors/outcome.ts';
import type { KubeHost } from '../types.ts';
import type { Credential, CredentialSource } from './credential.ts';
import { type PluginCredential, runPlugin } from './exec-plugin.ts';
import { sameCredential } from './file-credentials.ts';

/**
 * Credentials of an exec plugin, after client-go plugin/pkg/client/auth/exec/exec.go: one run at a time, kept until
 * `expirationTimestamp`, one forced run when the server refuses what it gave. A credential that is refused even after
 * that run is not asked for again, or each of many requests would start the plugin.
 */
export function execCredentials(plugin: ExecPlugin, connection: ClusterConnection, host: KubeHost): CredentialSource {
  const closing = new AbortController();
  let kept: PluginCredential | undefined;
  let running: Promise<KubeOutcome<PluginCredential>> | undefined;
  let mayForce = true;

  const run = async (): Promise<KubeOutcome<Credential>> => {
    running ??= runPlugin(plugin, connection, host, closing.signal).finally(() => {
      running = undefined;
    });
    const outcome = await running;
    if (!outcome.ok) return outcome;
    kept = outcome.value;
    return ok(kept.credential);
  };

  return {
    async current() {
      return kept !== undefined && kept.expiresAtMs > Date.now() ? ok(kept.credential) : run();
    },
    async renew(refused) {
      // Another request may have renewed it in the meantime, or be about to.
      if (kept !== undefined && !sameCredential(kept.credential, refused)) return ok(kept.credential);
      if (running === undefined && !mayForce) return null;
      mayForce = false;
      return run();
    },
    accepted(credential) {
      if (kept !== undefined && sameCredential(kept.credential, credential)) mayForce = true;
    },
    close: () => closing.abort(),
  };
}

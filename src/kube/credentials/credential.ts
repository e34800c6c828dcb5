import type { KubeOutcome } from '../errors/outcome.ts';
import { headerText } from './impersonation.ts';

/** What identifies the user: a header, a client certificate, both, or neither. Never logged. */
export interface Credential {
  readonly authorization?: string;
  /** PEM. */
  readonly cert?: string;
  /** PEM. */
  readonly key?: string;
}

/** Where credentials come from and how they are renewed. */
export interface CredentialSource {
  current(): Promise<KubeOutcome<Credential>>;
  /** After a 401: another credential to try once more with, or null where there is none to be had. */
  renew(refused: Credential): Promise<KubeOutcome<Credential> | null>;
  /** The server took this credential: a later 401 is news and worth a new run. */
  accepted(credential: Credential): void;
  /** Ends what still runs. */
  close(): void;
}

/** What is being done when a credential cannot be had. */
export const gettingCredential = 'get a credential';

/** The header of a token, as it stands; null where it cannot be in a header: one with a line break cannot. */
export function bearer(token: string): string | null {
  return /[\x00-\x08\x0a-\x1f\x7f]/.test(token) ? null : headerText(`Bearer ${token}`);
}

import type { Outcome } from './outcome.ts';

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
  current(): Promise<Outcome<Credential>>;
  /** After a 401: another credential to try once more with, or null where there is none to be had. */
  renew(refused: Credential): Promise<Outcome<Credential> | null>;
  /** The server took this credential: a later 401 is news and worth a new run. */
  accepted(credential: Credential): void;
  /** Ends what still runs. */
  close(): void;
}

/** What is being done when a credential cannot be had. */
export const gettingCredential = 'get a credential';

/** Whether a text can stand in an HTTP header: a token with a line break within cannot. */
export function fitsHeader(text: string): boolean {
  return /^[\t\x20-\x7e\x80-\xff]*$/.test(text);
}

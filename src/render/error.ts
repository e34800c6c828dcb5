/** Errors for stderr, as kubectl words them. */
import { sanitise } from './sanitise.ts';

/** `error: …`, and below it what to do about it. */
export function renderError(error: { readonly message: string; readonly hint?: string | null | undefined }): string {
  const hint = error.hint ? `hint: ${sanitise(error.hint).trim()}\n` : '';
  return `error: ${sanitise(error.message).trim()}\n${hint}`;
}

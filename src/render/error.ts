/** Errors for stderr, as kubectl words them. */
import { sanitise } from './sanitise.ts';

/** One line: what happened and, where that is known, what to do about it. */
export function renderError(error: { readonly message: string; readonly hint?: string | null | undefined }): string {
  const message = sanitise(error.message).trim().replace(/\.$/, '');
  const hint = error.hint ? sanitise(error.hint).trim().replace(/\.$/, '') : '';
  return hint === '' ? `error: ${message}\n` : `error: ${message}; ${hint.charAt(0).toLowerCase()}${hint.slice(1)}\n`;
}

/** Errors for stderr, as kubectl words them. */
import { sanitise } from './sanitise.ts';

/** One line: what happened and, where that is known, what to do about it. */
export function renderError(error: { readonly message: string; readonly hint?: string | null | undefined }): string {
  const message = sanitise(error.message).trim().replace(/\.$/, '');
  const hint = error.hint ? sanitise(error.hint).trim().replace(/\.$/, '') : '';
  return hint === '' ? `error: ${message}\n` : `error: ${message}; ${lowerFirst(hint)}\n`;
}

/** A sentence after a semicolon: an acronym or a name (`HTTP`, `NODE_EXTRA_CA_CERTS`, `DaemonSet`) keeps its capital. */
export function lowerFirst(sentence: string): string {
  const [first = ''] = /^\S*/.exec(sentence) ?? [];
  return /^[A-Z][a-z]*\W*$/.test(first) ? `${first.charAt(0).toLowerCase()}${sentence.slice(1)}` : sentence;
}

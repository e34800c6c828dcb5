import type { Key } from 'ink';
import { sanitise } from '../render/sanitise.ts';

/** Longer than any name of Kubernetes is no filter. */
const longest = 253;

/** What a key makes of a filter that is being typed: enter keeps it, esc clears it. Null: the key is none of these. */
export function typed(
  before: string,
  input: string,
  key: Key,
): { readonly text: string; readonly typing: boolean } | null {
  if (key.return) return { text: before, typing: false };
  if (key.escape) return { text: '', typing: false };
  if (key.backspace || key.delete) return { text: before.slice(0, -1), typing: before !== '' };
  if (key.ctrl && input === 'u') return { text: '', typing: true };
  const isLetter = input !== '' && !key.ctrl && !key.meta && !key.tab && sanitise(input) === input;
  return isLetter ? { text: (before + input).slice(0, longest), typing: true } : null;
}

/** A filter with what was pasted into it: its first word, as no name holds a space and a copied line has an end. */
export function pasted(before: string, text: string): string {
  const [word = ''] = text.trimStart().slice(0, longest).split(/\s/, 1);
  return sanitise(word) === word ? (before + word).slice(0, longest) : before;
}

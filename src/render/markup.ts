import { maxOf } from '../figures/extremes.ts';

/**
 * Text of the cluster in markdown. Names of pods and words of servers may hold anything; none of it may become markup,
 * HTML, a link, a mention of a person or a reference to a ticket, on GitHub, GitLab or in a chat.
 */

/** What makes a link, a mention or a reference by itself; an escape does not stop it, a code span does. */
const calling = /[@#!~$&%]\w|\w@|:\/\/|\bwww\.|\bGH-\d|\bmailto:/i;

/** One line of prose, with nothing in it but words. */
export function prose(text: string): string {
  return text
    .split(' ')
    .map((word) => (calling.test(word) ? codeWord(word) : escaped(word)))
    .join(' ');
}

/** As code, but for the comma or bracket that follows. */
function codeWord(word: string): string {
  const [, inner = '', after = ''] = /^(.*?)([,.;:)]*)$/.exec(word) ?? [];
  return code(inner) + after;
}

/** A cell of a table: a bar would end it, even in a code span. */
export function cell(text: string): string {
  return calling.test(text) ? code(text).replaceAll('|', '\\|') : escaped(text);
}

/** As code, in a fence longer than any that is in it. */
export function code(text: string): string {
  const runs = text.match(/`+/g) ?? [];
  const fence = '`'.repeat(
    maxOf(
      runs.map((run) => run.length),
      0,
    ) + 1,
  );
  const pad = text === '' || text.startsWith('`') || text.endsWith('`') ? ' ' : '';
  return fence + pad + text + pad + fence;
}

/** Signs that CommonMark or its dialects read; < > & as entities, which chats understand as well. */
function escaped(text: string): string {
  return text
    .replace(/[\\`*_{}[\]|#~$^]/g, (sign) => `\\${sign}`)
    .replace(/[&<>]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[sign] ?? sign);
}

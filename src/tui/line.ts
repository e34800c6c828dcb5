import { padEnd, widthOf } from '../render/text.ts';
import type { Item } from '../watch/state.ts';
import type { Canvas } from './canvas.ts';

/** One line of a screen; with an item it can be chosen. */
export interface Line {
  readonly text: string;
  readonly item?: Item;
}

export const plainLines = (texts: readonly string[]): Line[] => texts.map((text) => ({ text }));

const csi = /\u001b\[[0-9;]*m/y;

/** Cuts a line that may hold colours to a width, with an ellipsis, and ends its colours. */
export function cutEnd(text: string, width: number, ellipsis: string): string {
  if (widthOf(text) <= width) return text;
  let out = '';
  let used = 0;
  let colored = false;
  const room = width - widthOf(ellipsis);
  for (let at = 0; at < text.length; ) {
    csi.lastIndex = at;
    const sequence = csi.exec(text)?.[0];
    if (sequence !== undefined) {
      out += sequence;
      colored = sequence !== '\u001b[0m';
      at += sequence.length;
      continue;
    }
    const character = String.fromCodePoint(text.codePointAt(at) ?? 32);
    const next = widthOf(character);
    if (used + next > room) break;
    out += character;
    used += next;
    at += character.length;
  }
  return `${out}${ellipsis}${colored ? '\u001b[0m' : ''}`;
}

/** `left … right` on one line of the whole width; the left part gives way. */
export function spread(left: string, right: string, width: number, ellipsis: string): string {
  const room = width - widthOf(right) - (right === '' ? 0 : 2);
  const cut = cutEnd(left, Math.max(0, room), ellipsis);
  return right === '' ? cut : `${padEnd(cut, room)}  ${right}`;
}

/** Lines next to each other: the left ones padded to `leftWidth`. */
export function sideBySide(left: readonly Line[], right: readonly string[], leftWidth: number, canvas: Canvas): Line[] {
  const rows = Math.max(left.length, right.length);
  return Array.from({ length: rows }, (_, row) => {
    const line = left[row] ?? { text: '' };
    const beside = right[row] ?? '';
    const text = cutEnd(line.text, leftWidth, canvas.screen.signs.ellipsis);
    return { ...line, text: beside === '' ? text : `${padEnd(text, leftWidth)}  ${beside}` };
  });
}

/** Lines that can be chosen on their own screen, as plain ones. */
export function unchosen({ text, item }: Line): Line {
  return { text: item === undefined ? text : `  ${text}` };
}

/** Sections with a blank line between them; what is empty takes none. */
export function spaced(sections: readonly (readonly Line[])[]): Line[] {
  return sections
    .filter((section) => section.length > 0)
    .flatMap((section, index) => (index === 0 ? section : [{ text: '' }, ...section]));
}

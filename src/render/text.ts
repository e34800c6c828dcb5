/** Widths, wrapping and cutting, in terminal columns instead of characters. */
import stringWidth from 'string-width';
import { maxOf } from '../figures/extremes.ts';
import { oneColumnText } from './one-column.ts';

// What is read as one stays on one line: `50 %`, `12 s`, `2.6 to 4`, `sport = :50051`, a flag and its value. No line begins with
// the dot that parts one thing from the next.
const wordGap =
  / (?!%|= |· )(?<!= )(?<!\d (?=(?:s|ms|×)(?!\w)))(?<!\d (?=to \d))(?<!\d to (?=\d))(?<!(?:^| )--?[a-z][a-z-]* )/;
let segmenter: Intl.Segmenter | null = null;

/** Made when it is first needed: that takes longer than most commands need to print. */
function graphemes(): Intl.Segmenter {
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  return segmenter;
}

/** Terminal columns that a text takes; colour sequences take none. */
export function widthOf(text: string): number {
  return oneColumnText.test(text) ? text.length : stringWidth(text);
}

export function padEnd(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - widthOf(text)));
}

/** Lines of at most `width` columns (the first: `firstWidth`), broken at spaces; a longer word is broken where it must. */
export function wrap(text: string, width: number, firstWidth = width): string[] {
  const lines: string[] = [];
  let line = '';
  const room = () => (lines.length === 0 ? firstWidth : width);
  const add = (part: string, gap: string) => {
    const joined = line === '' ? part : line + gap + part;
    if (widthOf(joined) <= room()) {
      line = joined;
      return;
    }
    lines.push(line);
    line = part;
  };
  const words = text.split(wordGap).flatMap((part) => (widthOf(part) <= width ? part : part.split(' ')));
  for (const word of words.filter((part) => part !== '')) {
    if (widthOf(word) <= width) add(word, ' ');
    else
      split(word).forEach((part, at) => {
        add(part, at === 0 ? ' ' : '');
      });
  }
  if (line !== '' || lines.length === 0) lines.push(line);
  return lines;
}

/** `checkout-5684bb8b8c-9prh4` → `checkou…b8c-9prh4`: `tail` columns of the end stay, and as much of the start as fits. */
export function cutMiddle(text: string, width: number, ellipsis: string, tail?: number): string {
  if (widthOf(text) <= width) return text;
  const room = width - widthOf(ellipsis);
  if (room <= 0) return takeStart(split(text), width).join('');
  const atEnd = Math.min(room, tail ?? Math.floor(room / 2));
  if (oneColumnText.test(text)) return text.slice(0, room - atEnd) + ellipsis + text.slice(text.length - atEnd);
  const parts = split(text);
  const end = takeStart(parts.toReversed(), atEnd).toReversed();
  const start = takeStart(parts, room - widthOf(end.join('')));
  return start.join('') + ellipsis + end.join('');
}

/** The largest limit to which the widths can be held so that together they take at most `room` columns. */
export function commonLimit(widths: readonly number[], room: number): number {
  let limit = maxOf(widths, 1);
  while (limit > 1 && widths.reduce((sum, width) => sum + Math.min(width, limit), 0) > room) limit -= 1;
  return limit;
}

function split(text: string): string[] {
  return oneColumnText.test(text) ? text.split('') : Array.from(graphemes().segment(text), (part) => part.segment);
}

function takeStart(parts: readonly string[], width: number): string[] {
  const taken: string[] = [];
  let used = 0;
  for (const part of parts) {
    used += widthOf(part);
    if (used > width) break;
    taken.push(part);
  }
  return taken;
}

/** Parts that all sections are put together from. */
import type { Line } from '../lines.ts';
import { screenFor } from '../lines.ts';
import type { Entry, Facts } from '../section.ts';
import { painter, signs } from '../style.ts';
import { type Child, element, type Markup } from './element.ts';

/** For what is worded in terms of a terminal: its signs are wanted, not its width. */
export const screen = screenFor({ columns: 100, paint: painter(false), signs: signs(true) });

/** Nothing where there is nothing to say. */
export function section(title: string, ...children: readonly Child[]): Child {
  return children.every(isEmpty) ? null : element('section', {}, element('h2', {}, title), children);
}

function isEmpty(child: Child): boolean {
  return child === null || (Array.isArray(child) && child.every(isEmpty));
}

export function list(texts: readonly Child[]): Child {
  return texts.length === 0
    ? null
    : element(
        'ul',
        {},
        texts.map((text) => element('li', {}, text)),
      );
}

/** Something to be copied as it is. */
export function commandOf(text: string | null | undefined): Child {
  return text ? element('pre', { class: 'command' }, element('code', {}, text)) : null;
}

/** What is read only when it is asked for; on paper all of it is there. */
export function more(summary: string, ...children: readonly Child[]): Child {
  return children.every(isEmpty) ? null : element('details', {}, element('summary', {}, summary), children);
}

export function pairs(lines: readonly Pick<Line, 'label' | 'text' | 'right'>[], kind = ''): Child {
  if (lines.length === 0) return null;
  const word = ({ right }: Pick<Line, 'right'>) =>
    right === undefined ? null : element('span', { class: `word ${right.tone}` }, right.text);
  return element(
    'dl',
    { class: kind },
    lines.map((line) => [element('dt', {}, line.label), element('dd', {}, line.text, ' ', word(line))]),
  );
}

export function facts(known: Facts): Child {
  const said = known.filter(([, texts]) => texts.length > 0);
  if (said.length === 0) return null;
  return element(
    'dl',
    { class: 'facts' },
    said.map(([label, texts]) => [element('dt', {}, label), texts.map((text) => element('dd', {}, text))]),
  );
}

/** A cause or a strategy. */
export function entry({ id, title, text, right, facts: known }: Entry): Markup {
  return element(
    'div',
    { class: 'entry' },
    element(
      'h3',
      {},
      title,
      ' ',
      element('code', {}, id),
      right === undefined ? null : [' ', element('span', { class: `word ${right.tone}` }, right.text)],
    ),
    text === '' ? null : element('p', {}, text),
    facts(known),
  );
}

/** Lines with a label in front, a hanging indent, and perhaps a word at the right edge. */
import { changeQuotations, endsQuoted, shellSigns } from '../report/command.ts';
import type { Paint, Signs, Tone } from './style.ts';
import { padEnd, widthOf, wrap } from './text.ts';

/** Where a renderer draws. */
export type Screen = {
  /** Columns for prose: long lines are hard to read, so fewer than a wide terminal has. */
  readonly textWidth: number;
  /** Columns for tables. */
  readonly tableWidth: number;
  readonly paint: Paint;
  readonly signs: Signs;
};

const minimumColumns = 60;
const maximumColumns = 140;
const maximumTextColumns = 100;

export function screenFor(options: { columns: number; paint: Paint; signs: Signs }): Screen {
  const columns = Math.max(minimumColumns, Math.floor(options.columns));
  return {
    textWidth: Math.min(columns, maximumTextColumns),
    tableWidth: Math.min(columns, maximumColumns),
    paint: options.paint,
    signs: options.signs,
  };
}

/** Room for the longest usual label and a gap; a longer one takes what it needs on its own line. */
const labelWidth = 12;

export type Line = {
  readonly label: string;
  /** Where labels of a list stand one below the other and are longer than usual. */
  readonly labelWidth?: number;
  readonly labelTone?: Tone;
  readonly text: string;
  readonly tone?: Tone;
  readonly right?: { readonly text: string; readonly tone: Tone };
};

/** `why        the 4 connections are older …          certain` */
export function labelled(screen: Screen, line: Line): string[] {
  const { paint, textWidth } = screen;
  const column = line.labelWidth ?? labelWidth;
  const label = padEnd(line.label, line.label.length < column ? column : widthOf(line.label) + 2);
  const rightRoom = line.right === undefined ? 0 : widthOf(line.right.text) + 2;
  const wrapped = wrap(line.text, textWidth - column, textWidth - widthOf(label) - rightRoom);
  return wrapped.map((text, at) => {
    const start =
      at === 0 ? paint(line.labelTone ?? 'label', line.label) + label.slice(line.label.length) : ' '.repeat(column);
    const body = line.tone === undefined ? text : paint(line.tone, text);
    if (at > 0 || line.right === undefined) return (start + body).trimEnd();
    const gap = textWidth - widthOf(label) - widthOf(text) - widthOf(line.right.text);
    return start + body + ' '.repeat(gap) + paint(line.right.tone, line.right.text);
  });
}

/** Several texts under one label; dashes tell them apart where there is more than one. Below each its command, if it has one. */
export function labelledList(
  screen: Screen,
  label: string,
  texts: readonly string[],
  tone?: Tone,
  commandOf: (index: number) => string | null = () => null,
): string[] {
  const dash = texts.length > 1 ? '- ' : '';
  return texts.flatMap((text, at) => {
    const own = commandOf(at);
    const lines = wrap(text, screen.textWidth - labelWidth - dash.length).map((line, row) => {
      const start =
        at === 0 && row === 0
          ? screen.paint('label', label) + ' '.repeat(labelWidth - label.length)
          : ' '.repeat(labelWidth);
      const body = tone === undefined ? line : screen.paint(tone, line);
      return (start + (row === 0 ? dash : ' '.repeat(dash.length)) + body).trimEnd();
    });
    return [...lines, ...(own === null ? [] : command(screen, own))];
  });
}

/**
 * A command under the text before it, or behind a label. It is broken between words, and a backslash keeps it fit for
 * pasting into a shell. The JSON of a patch is broken at its blanks, which may as well be line breaks. Where a word is longer than a
 * line all of it is cut into lines that stand at the edge of the screen.
 */
export function command(screen: Screen, text: string, label = ''): string[] {
  const { paint, textWidth } = screen;
  const room = textWidth - labelWidth - ' \\'.length;
  const start = (at: number) =>
    at === 0 ? paint('label', label) + ' '.repeat(labelWidth - label.length) : ' '.repeat(labelWidth);
  const patch = patchAtEnd.exec(text)?.[0] ?? '';
  const before = text.slice(0, text.length - patch.length);
  const whole = changeQuotations(before, (quoted) => quoted.replaceAll(' ', glue)) + patch;
  if (whole.split(' ').some((word) => widthOf(word) > room - 2)) {
    const slices = shellSlices(text, textWidth - 1);
    const cut = slices.map((line, at) => paint('command', line) + (at < slices.length - 1 ? '\\' : ''));
    return label === '' ? cut : [paint('label', label), ...cut];
  }
  const lines = wrap(whole, room - 2, room).map((line) => line.replaceAll(glue, ' '));
  return lines.map((line, at) => {
    const isLast = at === lines.length - 1;
    const mark = isLast || endsQuoted(lines.slice(0, at + 1).join(' ')) ? '' : ' \\';
    return start(at) + paint('command', at === 0 ? line : `  ${line}`) + mark;
  });
}

/** The JSON of a patch is the last word. */
const patchAtEnd = / -p '\{[^']*\}'$/;

/** Stands for a blank that parts no words; no command that is printed holds one. */
const glue = '\u00a0';

/** Cut anywhere: within quotes a shell would take a backslash for itself, so that they are closed before and opened after. */
function shellSlices(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  let open = false;
  for (const { text: sign, quoted } of shellSigns(text)) {
    const turn = quoted === open ? '' : "'";
    if (widthOf(line + turn + sign) + (quoted ? 1 : 0) > width) {
      lines.push(open ? `${line}'` : line);
      line = quoted ? "'" : '';
    } else line += turn;
    line += sign;
    open = quoted;
  }
  return [...lines, open ? `${line}'` : line];
}

/** Lines behind a margin. What goes on within a word of a command stands at the edge: a shell would read two words else. */
export function behindMargin(lines: readonly string[], margin: string): string[] {
  const isCut = (line: string | undefined) => line?.endsWith('\\') === true && !line.endsWith(' \\');
  return lines.map((line, at) => (isCut(lines[at - 1]) ? line : margin + line));
}

/** The title of a section of the wide output. */
export function heading(screen: Screen, text: string): string[] {
  return ['', screen.paint('strong', text)];
}

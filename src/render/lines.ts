/** Lines with a label in front, a hanging indent, and perhaps a word at the right edge. */
import type { Paint, Signs, Tone } from './style.ts';
import { padEnd, slices, widthOf, wrap } from './text.ts';

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
  readonly labelTone?: Tone;
  readonly text: string;
  readonly tone?: Tone;
  readonly right?: { readonly text: string; readonly tone: Tone };
};

/** `why        the 4 connections are older …          certain` */
export function labelled(screen: Screen, line: Line): string[] {
  const { paint, textWidth } = screen;
  const label = padEnd(line.label, line.label.length < labelWidth ? labelWidth : widthOf(line.label) + 2);
  const rightRoom = line.right === undefined ? 0 : widthOf(line.right.text) + 2;
  const wrapped = wrap(line.text, textWidth - labelWidth, textWidth - widthOf(label) - rightRoom);
  return wrapped.map((text, at) => {
    const start =
      at === 0 ? paint(line.labelTone ?? 'label', line.label) + label.slice(line.label.length) : ' '.repeat(labelWidth);
    const body = line.tone === undefined ? text : paint(line.tone, text);
    if (at > 0 || line.right === undefined) return (start + body).trimEnd();
    const gap = textWidth - widthOf(label) - widthOf(text) - widthOf(line.right.text);
    return start + body + ' '.repeat(gap) + paint(line.right.tone, line.right.text);
  });
}

/** Several texts under one label; dashes tell them apart where there is more than one. */
export function labelledList(screen: Screen, label: string, texts: readonly string[], tone?: Tone): string[] {
  const dash = texts.length > 1 ? '- ' : '';
  return texts.flatMap((text, at) => {
    const lines = wrap(text, screen.textWidth - labelWidth - dash.length);
    return lines.map((line, row) => {
      const start =
        at === 0 && row === 0
          ? screen.paint('label', label) + ' '.repeat(labelWidth - label.length)
          : ' '.repeat(labelWidth);
      const body = tone === undefined ? line : screen.paint(tone, line);
      return (start + (row === 0 ? dash : ' '.repeat(dash.length)) + body).trimEnd();
    });
  });
}

/**
 * A command under the text before it. Where it must be broken, backslashes keep it fit for pasting into a shell; a word
 * that no line can hold may not be indented for that.
 */
export function command(screen: Screen, text: string): string[] {
  const room = screen.textWidth - labelWidth - ' \\'.length;
  const tooLong = text.split(' ').some((word) => widthOf(word) > room - 2);
  if (tooLong) return continued(slices(text, screen.textWidth - 1), '\\', screen.paint);
  const lines = wrap(text, room - 2, room).map((line, at) => (at === 0 ? line : `  ${line}`));
  return continued(lines, ' \\', screen.paint).map((line) => ' '.repeat(labelWidth) + line);
}

function continued(lines: readonly string[], mark: string, paint: Paint): string[] {
  return lines.map((line, at) => paint('command', line) + (at < lines.length - 1 ? mark : ''));
}

/** The title of a section of the wide output. */
export function heading(screen: Screen, text: string): string[] {
  return ['', screen.paint('strong', text)];
}

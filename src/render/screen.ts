/** What a table is drawn on, from what is known of the terminal. */
import { renderJson } from './json.ts';
import { type Screen, screenFor } from './lines.ts';
import { sanitise, sanitiseAll, toAscii } from './sanitise.ts';
import { type ColorFlag, colorChoice, type Environment, painter, signs, unicodeChoice } from './style.ts';
import { yamlOf } from './yaml.ts';

export interface Terminal {
  readonly env: Environment;
  readonly stdoutIsTerminal: boolean;
  readonly columns: number | null;
}

export interface Wanted {
  readonly output: string;
  readonly color: ColorFlag;
}

/** Columns of a table that goes to a file or a pipe, where $COLUMNS does not say otherwise. */
const plainColumns = 80;

export function screenOn({ env, stdoutIsTerminal, columns }: Terminal, color: ColorFlag): Screen {
  return screenFor({
    columns: columns ?? (Number(env['COLUMNS']) || plainColumns),
    paint: painter(colorChoice({ flag: color, env, isTerminal: stdoutIsTerminal })),
    signs: signs(unicodeChoice(env)),
  });
}

/** A document as JSON or YAML, or as lines that are drawn of it once all its strings are safe for the terminal. */
export function renderDocument<T extends object>(
  document: T,
  { output, color }: Wanted,
  terminal: Terminal,
  draw: (screen: Screen, safe: T) => readonly string[],
): string {
  if (output === 'json') return renderJson(document);
  if (output === 'yaml') return yamlOf(document);
  const unicode = unicodeChoice(terminal.env);
  const safe = sanitiseAll(document, (text) => (unicode ? sanitise(text) : toAscii(sanitise(text))).trim());
  return `${draw(screenOn(terminal, color), safe).join('\n')}\n`;
}

/** What a table is drawn on, from what is known of the terminal. */
import { type Screen, screenFor } from './lines.ts';
import { sanitise, sanitiseAll, toAscii } from './sanitise.ts';
import { type ColorFlag, colorChoice, type Environment, painter, signs, unicodeChoice } from './style.ts';

export interface Terminal {
  readonly env: Environment;
  readonly stdoutIsTerminal: boolean;
  readonly columns: number | null;
}

/** Columns of a table that goes to a file or a pipe, where $COLUMNS does not say otherwise. */
const plainColumns = 80;

/** The screen, and the document with all its strings made safe for it. */
export function plainScreen<T>(
  document: T,
  color: ColorFlag,
  { env, stdoutIsTerminal, columns }: Terminal,
): { readonly screen: Screen; readonly safe: T } {
  const unicode = unicodeChoice(env);
  const screen = screenFor({
    columns: columns ?? (Number(env['COLUMNS']) || plainColumns),
    paint: painter(colorChoice({ flag: color, env, isTerminal: stdoutIsTerminal })),
    signs: signs(unicode),
  });
  const safe = sanitiseAll(document, (text) => (unicode ? sanitise(text) : toAscii(sanitise(text))).trim());
  return { screen, safe };
}

/** What a terminal can show: colours by meaning, and signs with their ASCII stand-ins. */

export const tones = ['hot', 'idle', 'warn', 'good', 'dim', 'strong', 'label', 'command'] as const;
export type Tone = (typeof tones)[number];

/**
 * Sixteen colours, named by meaning. Yellow, cyan and the bright ones vanish on a light background, blue on a dark one,
 * so red, green, magenta, bold and faint have to do. A colour only repeats what a word says already.
 */
const sgr: Record<Tone, string> = {
  hot: '1;31',
  idle: '2',
  warn: '35',
  good: '1;32',
  dim: '2',
  strong: '1',
  label: '2',
  command: '1',
};

export type Paint = (tone: Tone, text: string) => string;

/** A painter that writes SGR sequences, or one that leaves the text alone. */
export function painter(color: boolean): Paint {
  return color ? (tone, text) => (text === '' ? '' : `\u001b[${sgr[tone]}m${text}\u001b[0m`) : (_, text) => text;
}

export type Signs = {
  readonly ellipsis: string;
  /** Between two facts on one line. */
  readonly dot: string;
  /** A bar of nothing: measured, and (nearly) 0. */
  readonly none: string;
  readonly range: string;
  readonly arrow: string;
  readonly times: string;
  /** Parts of one bar cell, smallest first; the last one is a full cell. */
  readonly bar: readonly string[];
};

const unicodeSigns: Signs = {
  ellipsis: '…',
  dot: '·',
  none: '·',
  range: '–',
  arrow: '→',
  times: '×',
  bar: ['▏', '▎', '▍', '▌', '▋', '▊', '▉', '█'],
};
const asciiSigns: Signs = { ellipsis: '...', dot: '-', none: '.', range: '-', arrow: '->', times: 'x', bar: ['#'] };

export function signs(unicode: boolean): Signs {
  return unicode ? unicodeSigns : asciiSigns;
}

export type Environment = Readonly<Record<string, string | undefined>>;
export type ColorFlag = 'always' | 'never' | 'auto';

/** Colour or not: `--color`, then FORCE_COLOR, then NO_COLOR (https://no-color.org: present and not empty), TERM, terminal. */
export function colorChoice(facts: { flag?: ColorFlag | undefined; env: Environment; isTerminal: boolean }): boolean {
  const { flag, env, isTerminal } = facts;
  if (flag === 'always' || flag === 'never') return flag === 'always';
  const force = env['FORCE_COLOR'];
  if (force !== undefined) return force !== '0' && force !== 'false';
  if (env['NO_COLOR']) return false;
  return env['TERM'] !== 'dumb' && isTerminal;
}

/**
 * Unicode or ASCII. The Linux console has too few glyphs; a locale that names another character set is taken at its
 * word. Without any locale variable (containers, Windows) terminals are UTF-8 nowadays, as systemd assumes too.
 */
export function unicodeChoice(env: Environment): boolean {
  if (env['TERM'] === 'linux') return false;
  const locale = env['LC_ALL'] || env['LC_CTYPE'] || env['LANG'];
  return locale === undefined || locale === '' || /utf-?8/i.test(locale);
}

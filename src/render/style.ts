/** What a terminal can show: colours by meaning, and signs with their ASCII stand-ins. */

export const tones = ['hot', 'idle', 'warn', 'good', 'dim', 'strong', 'label', 'command'] as const;
export type Tone = (typeof tones)[number];

/**
 * Colours by meaning: red is harm, yellow risk, green none. Of the sixteen, yellow, cyan and the bright ones vanish on a light
 * background, blue on a dark one: so the yellow is a dark one of the 256, which both show. A colour only repeats what a
 * word says already.
 */
const sgr: Record<Tone, string> = {
  hot: '1;31',
  idle: '2',
  warn: '38;5;136',
  good: '1;32',
  dim: '2',
  strong: '1',
  label: '2',
  command: '1',
};

export type Paint = (tone: Tone, text: string) => string;

/** A painter that writes SGR sequences; one without colours that keeps bold and faint; or one that leaves the text alone. */
export function painter(color: boolean, weights = color): Paint {
  return (tone, text) => {
    const codes = color ? sgr[tone] : weights ? weightOf(sgr[tone]) : '';
    return text === '' || codes === '' ? text : `\u001b[${codes}m${text}\u001b[0m`;
  };
}

/** The sequence without its colour: bold, faint or nothing. */
const weightOf = (codes: string) => /^[12](?=;|$)/.exec(codes)?.[0] ?? '';

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
  /** Heights of one cell, lowest first. */
  readonly levels: readonly string[];
  /** Where a bar of a fair share would end. */
  readonly fair: string;
};

const unicodeSigns: Signs = {
  ellipsis: '…',
  dot: '·',
  none: '·',
  range: '–',
  arrow: '→',
  times: '×',
  bar: ['▏', '▎', '▍', '▌', '▋', '▊', '▉', '█'],
  levels: ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'],
  fair: '┊',
};
const asciiSigns: Signs = {
  ellipsis: '...',
  dot: '-',
  none: '.',
  range: '-',
  arrow: '->',
  times: 'x',
  bar: ['#'],
  levels: ['_', '.', '-', '=', '+', '*', '#'],
  fair: '|',
};

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

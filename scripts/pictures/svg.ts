import type xterm from '@xterm/headless';

type Screen = Pick<xterm.Terminal, 'buffer' | 'cols' | 'rows'>;
type Cell = NonNullable<ReturnType<NonNullable<ReturnType<xterm.IBuffer['getLine']>>['getCell']>>;

/** Pixels of one cell, and around the screen. */
const cell = { width: 8.4, height: 18 } as const;
const margin = 12;

/** The 16 colours that a terminal names, on a dark ground. */
const palette = [
  '#484f58',
  '#ff7b72',
  '#7ee787',
  '#e3b341',
  '#79c0ff',
  '#d2a8ff',
  '#56d4dd',
  '#c9d1d9',
  '#8b949e',
  '#ffa198',
  '#aff5b4',
  '#f8e3a1',
  '#a5d6ff',
  '#e2c5ff',
  '#b3f0ff',
  '#ffffff',
] as const;
const ground = '#0d1117';
const ink = '#c9d1d9';

interface Style {
  readonly colour: string;
  readonly back: string | null;
  readonly bold: boolean;
  readonly faint: boolean;
}

interface Run extends Style {
  readonly column: number;
  readonly text: string;
  readonly width: number;
}

/** What a terminal emulator shows as one SVG without script, font or link: any browser draws it alone. */
export function screenToSvg(screen: Screen, title: string): string {
  const width = Math.ceil(screen.cols * cell.width) + 2 * margin;
  const height = screen.rows * cell.height + 2 * margin;
  const lines = Array.from({ length: screen.rows }, (_, row) => runsOf(screen, row).map((run) => draw(run, row)));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">`,
    `<title>${escaped(title)}</title>`,
    `<rect width="${width}" height="${height}" rx="8" fill="${ground}"/>`,
    `<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="14">`,
    ...lines.flat(),
    '</g>',
    '</svg>',
    '',
  ].join('\n');
}

/** Neighbouring cells of one style are one run; blanks on the plain ground are none. */
function runsOf(screen: Screen, row: number): readonly Run[] {
  const { active } = screen.buffer;
  const line = active.getLine(active.viewportY + row);
  const runs: Run[] = [];
  for (let column = 0; column < screen.cols; column++) {
    const found = line?.getCell(column);
    const width = found?.getWidth() ?? 0;
    if (found === undefined || width === 0) continue;
    const text = found.getChars() || ' ';
    const style = styleOf(found);
    const last = runs.at(-1);
    if (last !== undefined && last.column + last.width === column && isSame(last, style))
      runs[runs.length - 1] = { ...last, text: last.text + text, width: last.width + width };
    else runs.push({ ...style, column, text, width });
  }
  return runs.flatMap((run) => (run.back === null ? wordsOf(run) : [run]));
}

/** SVG draws several blanks as one, and none at the ends: what they set apart is drawn apart. */
function wordsOf(run: Run): readonly Run[] {
  return [...run.text.matchAll(/\S+(?: \S+)*/g)].map(({ 0: text, index }) => {
    const before = run.text.slice(0, index).length;
    return { ...run, text, column: run.column + before, width: text.length };
  });
}

function isSame(a: Style, b: Style): boolean {
  return a.colour === b.colour && a.back === b.back && a.bold === b.bold && a.faint === b.faint;
}

function styleOf(found: Cell): Style {
  const front = found.isFgRGB() ? rgb(found.getFgColor()) : found.isFgPalette() ? indexed(found.getFgColor()) : ink;
  const back = found.isBgRGB() ? rgb(found.getBgColor()) : found.isBgPalette() ? indexed(found.getBgColor()) : null;
  const isInverse = found.isInverse() !== 0;
  return {
    colour: isInverse ? (back ?? ground) : front,
    back: isInverse ? front : back,
    bold: found.isBold() !== 0,
    faint: found.isDim() !== 0,
  };
}

const rgb = (value: number) => `#${value.toString(16).padStart(6, '0')}`;

/** Of the 256 colours: the named 16, the 6×6×6 cube, 24 greys. */
function indexed(index: number): string {
  const named = palette[index];
  if (named !== undefined) return named;
  if (index >= 232) return rgb((8 + 10 * (index - 232)) * 0x010101);
  const level = (step: number) => (step === 0 ? 0 : 55 + 40 * step);
  const place = index - 16;
  return rgb((level(Math.floor(place / 36)) << 16) | (level(Math.floor(place / 6) % 6) << 8) | level(place % 6));
}

function draw(run: Run, row: number): string {
  const x = margin + run.column * cell.width;
  const y = margin + row * cell.height;
  const length = run.width * cell.width;
  const rect =
    run.back === null
      ? ''
      : `<rect x="${round(x)}" y="${y}" width="${round(length)}" height="${cell.height}" fill="${run.back}"/>`;
  const weight = run.bold ? ' font-weight="bold"' : '';
  const opacity = run.faint ? ' opacity="0.6"' : '';
  // The length holds the columns together whatever the font of the reader.
  return `${rect}<text x="${round(x)}" y="${round(y + 13.5)}" textLength="${round(length)}" lengthAdjust="spacingAndGlyphs" fill="${run.colour}"${weight}${opacity}>${escaped(run.text)}</text>`;
}

const round = (value: number) => Number(value.toFixed(1));

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

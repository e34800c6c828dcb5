import { widthOf } from '../render/text.ts';
import { type Canvas, margin } from './canvas.ts';

/** How the last line of a screen names a key. */
export interface NamedKey {
  readonly key: string;
  /** Where a terminal has no Unicode. */
  readonly ascii?: string;
  readonly does: string;
  /** Where the screen is narrow. */
  readonly short?: string;
  /** Where there is no room, the lowest is left out first, of equal ones the last; 9 never is. */
  readonly stays: number;
}

/** No room for what other screens say in full. */
export function isNarrow(canvas: Pick<Canvas, 'columns'>): boolean {
  return canvas.columns < 100;
}

/** As many keys as a line has room for; what a key has led to stands in brackets. */
export function keysLine<Key extends NamedKey>(
  keys: readonly Key[],
  canvas: Canvas,
  isHere: (key: Key) => boolean = () => false,
): string {
  const { paint } = canvas.screen;
  const words = (one: Key) => {
    const name = canvas.unicode ? one.key : (one.ascii ?? one.key);
    const text = isNarrow(canvas) ? (one.short ?? one.does) : one.does;
    return isHere(one) ? paint('strong', `[${name} ${text}]`) : `${paint('strong', name)} ${paint('dim', text)}`;
  };
  const line = (some: readonly Key[]) => margin + some.map(words).join(margin);
  let shown = keys;
  while (widthOf(line(shown)) > canvas.columns) {
    const least = shown.reduce((stays, one) => Math.min(stays, one.stays), alwaysStays);
    const last = shown.findLast(({ stays }) => stays === least && stays < alwaysStays);
    if (last === undefined) break;
    shown = shown.filter((one) => one !== last);
  }
  return line(shown);
}

const alwaysStays = 9;

/** Numbers in words: one wording for causes, strategies and renderers. All inputs are plain numbers in the unit that is named. */

/** In the place of what is no number: a quotient of nothing. */
const notKnown = '-';

/** Whether it is a number, and no hundredfold of it is beyond all numbers. */
export function isFigure(value: number): boolean {
  return Math.abs(value) < 1e300;
}

/** A share 0..1 as `12 %`; what is above zero never becomes `0 %`. */
export function percent(share: number): string {
  if (!isFigure(share)) return notKnown;
  const value = share * 100;
  if (value > 0 && value < 1) return '< 1 %';
  return `${Math.round(value)} %`;
}

/**
 * A figure with one decimal, without a trailing `.0`: `2.7`, `4`. By way of two decimals, which is what a Report holds:
 * a sentence made before, and a table made after, must not say 3.2 and 3.3 of 3.249.
 */
export function figure(value: number): string {
  if (!isFigure(value)) return notKnown;
  const inReport = Number(value.toFixed(2));
  return (Math.round(inReport * 10) / 10).toString();
}

/** Seconds: `47s`, `3m14s`, `14m`, `3h5m`, `7h`, `2d4h`, `12d`, `2y120d`. Two units while the second one matters, as kubectl does. */
export function duration(value: number): string {
  if (!isFigure(value)) return notKnown;
  const seconds = Math.max(0, Math.floor(value));
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  const days = Math.floor(hours / 24);
  if (minutes === 0) return `${seconds}s`;
  if (minutes < 10) return two(minutes, 'm', seconds % 60, 's');
  if (hours < 3) return `${minutes}m`;
  if (hours < 8) return two(hours, 'h', minutes % 60, 'm');
  if (hours < 48) return `${hours}h`;
  if (days < 8) return two(days, 'd', hours % 24, 'h');
  if (days < 730) return `${days}d`;
  return two(Math.floor(days / 365), 'y', days % 365, 'd');
}

function two(large: number, largeUnit: string, small: number, smallUnit: string): string {
  return small === 0 ? `${large}${largeUnit}` : `${large}${largeUnit}${small}${smallUnit}`;
}

/** `1 pod`, `3 pods`. */
export function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** `1 pod is`, `3 pods are`. */
export function countOf(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** What a change gives, in effective pods: `2.7 → about 3.6 busy pods of 10`. Null: how many there are now is not known. */
export function busyPods(now: number | null, then: number, pods: number): string {
  return `${now === null ? '' : `${figure(now)} → `}about ${figure(then)} busy pods of ${pods}`;
}

/** A probability: `0.50`, `0.0081`, `7.8e-6`. */
export function probability(value: number): string {
  if (!isFigure(value)) return notKnown;
  if (value >= 0.1) return value.toFixed(2);
  if (value >= 0.0001) return Number(value.toPrecision(2)).toString();
  return value.toExponential(1);
}

/** UTC time of day: `15:41:08`. */
export function clock(time: string | number): string {
  const at = new Date(time);
  return Number.isNaN(at.getTime()) ? notKnown : at.toISOString().slice(11, 19);
}

/** Names in a sentence: at most `most`, then `and 3 more`. */
export function listed(names: readonly string[], most = 3): string {
  const shown = names.slice(0, most).join(', ');
  return names.length > most ? `${shown} and ${names.length - most} more` : shown;
}

/** Lines of which those that are false do not apply. */
export type Lines = readonly (string | false)[];

export function applying(lines: Lines = []): string[] {
  return lines.filter((line) => line !== false);
}

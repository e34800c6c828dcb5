/** Numbers in words: one wording for causes, strategies and renderers. All inputs are plain numbers in the unit that is named. */

/** A share 0..1 as `12 %`; what is above zero never becomes `0 %`. */
export function percent(share: number): string {
  const value = share * 100;
  if (value > 0 && value < 1) return '< 1 %';
  return `${Math.round(value)} %`;
}

/** A figure with one decimal, without a trailing `.0`: `2.7`, `4`. */
export function figure(value: number): string {
  return (Math.round(value * 10) / 10).toString();
}

/** Seconds as kubectl writes ages: `45s`, `3m14s`, `2h5m`, `3d4h`. */
export function duration(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  if (whole < 120) return `${whole}s`;
  const parts: readonly (readonly [string, number])[] = [
    ['d', 86_400],
    ['h', 3600],
    ['m', 60],
    ['s', 1],
  ];
  const first = parts.findIndex(([, size]) => whole >= size);
  const [unit, size] = parts[first] ?? ['s', 1];
  const [nextUnit, nextSize] = parts[first + 1] ?? ['s', 1];
  const rest = Math.floor((whole % size) / nextSize);
  return `${Math.floor(whole / size)}${unit}${rest > 0 ? `${rest}${nextUnit}` : ''}`;
}

/** `1 pod`, `3 pods`. */
export function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** `1 pod is`, `3 pods are`. */
export function countOf(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** A probability: `0.50`, `0.0081`, `7.8e-6`. */
export function probability(value: number): string {
  if (value >= 0.1) return value.toFixed(2);
  if (value >= 0.0001) return Number(value.toPrecision(2)).toString();
  return value.toExponential(1);
}

/** UTC time of day: `15:41:08`. */
export function clock(time: string | number): string {
  return new Date(time).toISOString().slice(11, 19);
}

/** Names in a sentence: at most `most`, then `and 3 more`. */
export function listed(names: readonly string[], most = 3): string {
  const shown = names.slice(0, most).join(', ');
  return names.length > most ? `${shown} and ${names.length - most} more` : shown;
}

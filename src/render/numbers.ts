/** Figures for people. Null, and what is no number, is "not known" and prints as `-`, never as 0. */

import * as words from '../report/words.ts';

export const notKnown = '-';

type Figure = number | null;
const known = (format: (value: number) => string) => (value: Figure) =>
  value === null || !words.isFigure(value) ? notKnown : format(value);

/** 0.5 → `50 %`; below 2 % with one decimal, since with 200 pods all the difference lies there. */
export const share = known((value) => {
  const percent = value * 100;
  if (percent > 0 && percent < 0.05) return '<0.1 %';
  return percent > 0 && percent < 1.95 ? `${percent.toFixed(1)} %` : `${Math.round(percent)} %`;
});

const decimalUnits = ['', 'k', 'M', 'G', 'T', 'P'];
const binaryUnits = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi'];

/** 1434 → `1.4k`; for counts and rates. */
export const amount = known((value) => scaled(value, 1000, decimalUnits));

/** 64 Mi → `64Mi`, as in a manifest. */
export const bytes = known((value) => scaled(value, 1024, binaryUnits));

/** `61m`, also above a core, as in `kubectl top`. */
export const millicores = known((value) => `${Math.round(value)}m`);

/** Effective pods: 2.7 → `2.7`, 10 → `10`. */
export const pods = known((value) => (value >= 99.95 ? `${Math.round(value)}` : words.figure(value)));

/** A factor: 5 → `5.0`. */
export const factor = known((value) => value.toFixed(value >= 99.95 ? 0 : 1));

/** A probability, with two digits: 0.496 → `0.50`, 0.0081 → `0.0081`, very small ones as `6e-9`. */
export const probability = known((value) => {
  if (value === 0 || value >= 0.995) return value.toFixed(value === 0 ? 0 : 1);
  return value >= 0.001 ? value.toPrecision(2) : value.toExponential(0);
});

/** As the report words it; see report/words.ts. */
export const duration = known(words.duration);

/** In a sentence: `47 s`, `3m14s`. */
export function age(seconds: number): string {
  return seconds < 60 ? `${Math.max(0, Math.round(seconds))} s` : duration(seconds);
}

/** RFC 3339 → `2026-11-29 15:42:55 UTC`; what is no time is left as it is. */
export function clock(time: string): string {
  const at = new Date(time);
  return Number.isNaN(at.getTime()) ? time : `${at.toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

function scaled(value: number, base: number, units: readonly string[]): string {
  let rest = value;
  let at = 0;
  // 999.5 and more would print as four digits: move up already there
  while (rest >= 999.5 && at < units.length - 1) {
    rest /= base;
    at += 1;
  }
  const digits = at > 0 && rest < 9.95 ? 1 : 0;
  return `${rest.toFixed(digits).replace(/\.0$/, '')}${units[at]}`;
}

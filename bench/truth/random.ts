/** Seeded draws. Its own generator, so that nothing here can agree with the program by sharing one. */

export interface Random {
  /** Uniform in [0, 1). */
  next(): number;
  /** Uniform in [from, to). */
  between(from: number, to: number): number;
  /** Uniform on a logarithmic scale, for quantities that differ by orders of magnitude. */
  logBetween(from: number, to: number): number;
  /** An integer from `from` to `to`, both included. */
  integer(from: number, to: number): number;
  chance(probability: number): boolean;
  pick<T>(items: readonly T[]): T;
  shuffle<T>(items: readonly T[]): T[];
  exponential(mean: number): number;
  normal(): number;
  poisson(mean: number): number;
  /** A generator of its own for a part: draws of one part never shift those of another. */
  child(label: string): Random;
}

/** 128 bits of state from a text (cyrb128). */
function hash(text: string): [number, number, number, number] {
  let [a, b, c, d] = [1779033703, 3144134277, 1013904242, 2773480762];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    a = b ^ Math.imul(a ^ code, 597399067);
    b = c ^ Math.imul(b ^ code, 2869860233);
    c = d ^ Math.imul(c ^ code, 951274213);
    d = a ^ Math.imul(d ^ code, 2716044179);
  }
  a = Math.imul(c ^ (a >>> 18), 597399067);
  b = Math.imul(d ^ (b >>> 22), 2869860233);
  c = Math.imul(a ^ (c >>> 17), 951274213);
  d = Math.imul(b ^ (d >>> 19), 2716044179);
  return [(a ^ b ^ c ^ d) >>> 0, (b ^ a) >>> 0, (c ^ a) >>> 0, (d ^ a) >>> 0];
}

/** Small fast counter generator (sfc32). */
function generator(seed: string): () => number {
  let [a, b, c, d] = hash(seed);
  const next = () => {
    const sum = (a + b + d) | 0;
    d = (d + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + sum;
    return (sum >>> 0) / 4294967296;
  };
  for (let warmUp = 0; warmUp < 12; warmUp++) next();
  return next;
}

export function seeded(seed: string): Random {
  const next = generator(seed);
  const normal = () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next());
  const integer = (from: number, to: number) => from + Math.floor(next() * (to - from + 1));
  return {
    next,
    normal,
    integer,
    between: (from, to) => from + (to - from) * next(),
    logBetween: (from, to) => from * (to / from) ** next(),
    chance: (probability) => next() < probability,
    pick: (items) => {
      const item = items[Math.floor(next() * items.length)];
      if (item === undefined) throw new Error('nothing to pick from');
      return item;
    },
    shuffle: (items) => {
      const all = [...items];
      for (let at = all.length - 1; at > 0; at--) {
        const other = integer(0, at);
        [all[at], all[other]] = [all[other] as never, all[at] as never];
      }
      return all;
    },
    exponential: (mean) => -mean * Math.log(1 - next()),
    poisson: (mean) => poisson(mean, next),
    child: (label) => seeded(`${seed}/${label}`),
  };
}

/** Poisson counts: by products of uniforms where few, by transformed rejection (Hörmann 1993, PTRS) where many. */
function poisson(mean: number, next: () => number): number {
  if (mean <= 0) return 0;
  if (mean < 12) {
    const limit = Math.exp(-mean);
    let count = 0;
    for (let product = next(); product > limit; product *= next()) count++;
    return count;
  }
  const b = 0.931 + 2.53 * Math.sqrt(mean);
  const a = -0.059 + 0.02483 * b;
  const inverseAlpha = 1.1239 + 1.1328 / (b - 3.4);
  const vr = 0.9277 - 3.6224 / (b - 2);
  for (;;) {
    const u = next() - 0.5;
    const v = next();
    const us = 0.5 - Math.abs(u);
    const count = Math.floor((2 * a * u) / us + b * u + mean + 0.43);
    if (us >= 0.07 && v <= vr) return count;
    if (count < 0 || (us < 0.013 && v > us)) continue;
    const left = Math.log(v) + Math.log(inverseAlpha) - Math.log(a / (us * us) + b);
    if (left <= count * Math.log(mean) - mean - logFactorial(count)) return count;
  }
}

/** ln n! by Stirling's series; exact enough from 12 on, a product below. */
function logFactorial(n: number): number {
  if (n < 12) {
    let product = 1;
    for (let factor = 2; factor <= n; factor++) product *= factor;
    return Math.log(product);
  }
  return (n + 0.5) * Math.log(n) - n + 0.5 * Math.log(2 * Math.PI) + 1 / (12 * n) - 1 / (360 * n ** 3);
}

/** Shares of `count` parties of which the k-th has 1 ÷ k^exponent; they sum to 1. */
export function zipf(count: number, exponent: number): number[] {
  const weights = Array.from({ length: count }, (_, at) => (at + 1) ** -exponent);
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return weights.map((weight) => weight / sum);
}

/** Numbers in 0..1 from a seed: the same seed gives the same names, placements and DNS orders. */
export type Random = () => number;

/** The generator mulberry32: small, fast, good enough to place connections. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

export function pick<T>(items: readonly T[], random: Random): T | undefined {
  return items[Math.floor(random() * items.length)];
}

/** A copy in random order (Fisher–Yates). */
export function shuffled<T>(items: readonly T[], random: Random): T[] {
  const result = [...items];
  for (let i = result.length - 1; i > 0; i -= 1) {
    const j = Math.floor(random() * (i + 1));
    [result[i], result[j]] = [result[j] as T, result[i] as T];
  }
  return result;
}

// Kubernetes leaves out vowels and look-alikes so that generated names form no words.
const nameAlphabet = 'bcdfghjklmnpqrstvwxz2456789';

export function nameSuffix(random: Random, length: number): string {
  return text(random, nameAlphabet, length);
}

export function hex(random: Random, length: number): string {
  return text(random, '0123456789abcdef', length);
}

/** A version 4 UUID. */
export function uuid(random: Random): string {
  const variant = pick(['8', '9', 'a', 'b'], random) ?? '8';
  return `${hex(random, 8)}-${hex(random, 4)}-4${hex(random, 3)}-${variant}${hex(random, 3)}-${hex(random, 12)}`;
}

function text(random: Random, alphabet: string, length: number): string {
  return Array.from({ length }, () => alphabet[Math.floor(random() * alphabet.length)]).join('');
}

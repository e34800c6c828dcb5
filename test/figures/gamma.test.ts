import { describe, expect, it } from 'vitest';
import { chiSquareQuantile, chiSquareTail, logGamma, upperGamma } from '../../src/figures/gamma.ts';

describe('gamma functions', () => {
  // scipy.special.gammaincc
  it.each([
    [0.5, 0.5, 0.31731050786291115],
    [4.5, 2, 0.9114125268316792],
    [4.5, 30, 1.3406780483959625e-9],
    [499.5, 500, 0.48513148927490146],
    [499.5, 700, 5.924458565936921e-16],
    [0.5, 40, 3.744097384202887e-19],
    [1_000_000, 1_003_000, 0.0013617406462175913],
  ])('Q(%d, %d)', (a, x, expected) => {
    expect(upperGamma(a, x) / expected).toBeCloseTo(1, 8);
  });

  it('are consistent with each other', () => {
    expect(logGamma(0.5)).toBeCloseTo(Math.log(Math.sqrt(Math.PI)), 13);
    expect(logGamma(11)).toBeCloseTo(Math.log(3_628_800), 12);
    expect(chiSquareQuantile(0.01, 9)).toBeCloseTo(21.665994333461928, 8);
    expect(chiSquareTail(chiSquareQuantile(0.3, 999.5), 999.5)).toBeCloseTo(0.3, 9);
    expect(upperGamma(3, 3)).toBeCloseTo(Math.exp(-3) * (1 + 3 + 4.5), 12);
  });
});

import { describe, expect, test } from 'vitest';
import * as numbers from '../../src/render/numbers.ts';

const { share, amount, bytes, millicores, pods, factor, probability, duration } = numbers;
const formats = { share, amount, bytes, millicores, pods, factor, probability, duration };
type Format = keyof typeof formats;

const cases: Record<Format, [number, string][]> = {
  share: [
    [0, '0 %'],
    [0.0002, '<0.1 %'],
    [0.005, '0.5 %'],
    [0.0194, '1.9 %'],
    [0.0196, '2 %'],
    [0.5, '50 %'],
    [1, '100 %'],
  ],
  amount: [
    [0, '0'],
    [717, '717'],
    [999.6, '1k'],
    [1434, '1.4k'],
    [9960, '10k'],
    [240_000, '240k'],
    [1_500_000, '1.5M'],
  ],
  bytes: [
    [0, '0'],
    [31 * 2 ** 20, '31Mi'],
    [1.5 * 2 ** 30, '1.5Gi'],
    [1023 * 2 ** 20, '1Gi'],
  ],
  millicores: [
    [0, '0m'],
    [61, '61m'],
    [1500.4, '1500m'],
  ],
  pods: [
    [2.7, '2.7'],
    [10, '10'],
    [9.96, '10'],
    [161.4, '161'],
  ],
  factor: [
    [5, '5.0'],
    [1.26, '1.3'],
    [120, '120'],
  ],
  probability: [
    [0, '0'],
    [0.496, '0.50'],
    [0.0081, '0.0081'],
    [6.22e-9, '6e-9'],
    [1, '1.0'],
  ],
  duration: [
    [0, '0s'],
    [47, '47s'],
    [107, '1m47s'],
    [180, '3m'],
    [194, '3m14s'],
    [4100, '68m'],
    [11_100, '3h5m'],
    [40_000, '11h'],
    [187_300, '2d4h'],
    [950_400, '11d'],
    [64_000_000, '2y10d'],
  ],
};

describe.each(Object.entries(cases) as [Format, [number, string][]][])('%s', (name, examples) => {
  test.each(examples)('%d is %s', (value, expected) => {
    expect(formats[name](value)).toBe(expected);
  });

  test('null is not 0', () => {
    expect(formats[name](null)).toBe('-');
  });
});

test('in sentences', () => {
  expect(numbers.age(47.4)).toBe('47 s');
  expect(numbers.age(194)).toBe('3m14s');
  expect(numbers.clock('2026-11-29T15:42:55.123Z')).toBe('2026-11-29 15:42:55 UTC');
  expect(numbers.clock('soon')).toBe('soon');
});

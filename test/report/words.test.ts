import { expect, test } from 'vitest';
import * as words from '../../src/report/words.ts';

test('counts', () => {
  expect(words.plural(1, 'exec')).toBe('1 exec');
  expect(words.plural(20, 'exec')).toBe('20 execs');
  expect(words.countOf(1, 'pod is', 'pods are')).toBe('1 pod is');
  expect(words.countOf(0, 'pod is', 'pods are')).toBe('0 pods are');
});

test('a share above zero never reads as nothing', () => {
  expect(words.percent(0)).toBe('0 %');
  expect(words.percent(0.004)).toBe('< 1 %');
  expect(words.percent(0.496)).toBe('50 %');
});

test('small probabilities keep two digits', () => {
  expect(words.probability(0.496)).toBe('0.50');
  expect(words.probability(0.0081)).toBe('0.0081');
  expect(words.probability(7.83e-6)).toBe('7.8e-6');
});

test('durations keep two units while the second one matters', () => {
  expect([5, 59, 60, 194, 840, 3600, 11_100, 187_200].map(words.duration)).toEqual([
    '5s',
    '59s',
    '1m',
    '3m14s',
    '14m',
    '60m',
    '3h5m',
    '2d4h',
  ]);
});

test('lists of names are cut and say how many are left', () => {
  expect(words.listed(['a', 'b', 'c'])).toBe('a, b, c');
  expect(words.listed(['a', 'b', 'c', 'd', 'e'])).toBe('a, b, c and 2 more');
});

test('a figure reads the same before and after it was rounded for the report', () => {
  for (const value of [3.249, 3.2451, 2.35, 2.349, 1.0049, 9.96, 7]) {
    const inReport = Number(value.toFixed(2));
    expect([value, words.figure(value)]).toEqual([value, words.figure(inReport)]);
  }
  expect(words.figure(3.249)).toBe('3.3');
  expect(words.figure(3.24)).toBe('3.2');
});

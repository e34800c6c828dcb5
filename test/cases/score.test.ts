/** The score itself: it must be able to say wrong. */
import { describe, expect, it } from 'vitest';
import { dealt, pods } from '../diagnose/build.ts';
import { statusOf } from '../diagnose/report.ts';
import { type Expectation, scoreOf } from './case.ts';
import { claimsOf } from './judge.ts';
import { calibrationLines, scoreLines } from './scoreboard.ts';

/** Three connections on five pods: few-connections is certain, headless-round-robin the advice. */
const few = statusOf({ pods: pods(5), connections: dealt([2, 1]) });
const right: Expectation = {
  state: 'skewed',
  first: 'few-connections',
  strategy: 'headless-round-robin',
  action: 'adopt',
  says: [/3 connections for 5 pods/],
  replicas: 5,
};

describe('the score of a case', () => {
  it('is right when all is as the case calls for', () => {
    expect(scoreOf(few, right)).toEqual({ result: 'right', why: '' });
  });

  it.each<[string, Partial<Expectation>]>([
    ['skewed, not balanced', { state: 'balanced' }],
    ['few-connections first, not pick-first', { first: 'pick-first', beside: ['few-connections'] }],
    ['few-connections is named, and none holds', { first: null, beside: ['few-connections'] }],
    ['hot-client is not named', { named: ['hot-client'] }],
    ['headless-round-robin, not l7-proxy', { strategy: 'l7-proxy' }],
    ['adopt, not keep', { action: 'keep' }],
    ['says nothing of endless', { says: [/endless/] }],
    ['does not warn of hpa-blind', { warnings: ['hpa-blind'] }],
    ['5 replicas, not 4', { replicas: 4 }],
  ])('is wrong: %s', (why, other) => {
    expect(scoreOf(few, { ...right, ...other })).toEqual({ result: 'wrong', why });
  });

  it('is wrong when a cause is certain that does not hold', () => {
    const { first: _, ...rest } = right;
    const why = 'few-connections is certain, and does not hold';
    expect(scoreOf(few, rest)).toEqual({ result: 'wrong', why });
  });

  it('is unknown when the report does not settle what the case settles', () => {
    const unseen = statusOf({ pods: pods(5), exec: false, usage: false });
    expect(scoreOf(unseen, { state: 'skewed', strategy: 'cluster-ip' }).result).toBe('unknown');
    expect(scoreOf(unseen, { state: ['unknown'], strategy: 'cluster-ip', lacks: 'the connections' }).result).toBe(
      'right',
    );
  });
});

it('counts a claim as right only when it is among what is true', () => {
  const claims = claimsOf(few, { causes: ['few-connections'], state: 'balanced' });
  expect(claims.map(({ id, confidence, right: isRight }) => [id, confidence, isRight])).toEqual([
    ['few-connections', 'certain', true],
    ['skewed', 'certain', false],
  ]);
});

it('prints numbers of cases by result, and right of all by confidence', () => {
  const scores = [
    { number: 9, result: 'right' as const, why: '' },
    { number: 3, result: 'right' as const, why: '' },
    { number: 5, result: 'wrong' as const, why: 'balanced, not skewed' },
  ];
  expect(scoreLines(scores)).toEqual([
    ' 3 public cases',
    '   right      2   3 9',
    '   wrong      1   5',
    '   unknown    0   ',
    '   case 5: balanced, not skewed',
  ]);
  const claims = claimsOf(few, { causes: ['few-connections'] });
  expect(calibrationLines(claims).slice(1)).toEqual([
    `   ${'certain'.padEnd(29)}  ${'1 of 1'.padEnd(14)}-`,
    `   ${'likely'.padEnd(29)}  ${'-'.padEnd(14)}-`,
    `   ${'possible'.padEnd(29)}  ${'-'.padEnd(14)}-`,
  ]);
  expect([scoreLines([]), calibrationLines([])]).toEqual([[], []]);
});

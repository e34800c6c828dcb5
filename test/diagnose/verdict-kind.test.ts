/** What the verdict comes to where balancing is not at fault: an outage is not told like a wanted weight. */
import { describe, expect, it } from 'vitest';
import { dealt, meshed, type Plan, pods } from './build.ts';
import { ago } from './build-looks.ts';
import { statusOf } from './report.ts';

const unready = (count: number, first = 0) =>
  pods(count, { pod: { ready: false }, endpoint: { ready: false, serving: false } }, first);
const loopback = [{ port: 50_051, loopback: true }];
const verdictOf = (plan: Plan) => statusOf(plan).verdict;

describe('outage: no ready pod takes a connection', () => {
  it.each<[string, Plan]>([
    ['there is no pod', { pods: [] }],
    ['none is Ready', { pods: unready(3) }],
    ['none is Ready, and clients hold on to what they have', { pods: unready(3), connections: meshed(3, 3) }],
    ['one pod, and nothing listens but on its loopback', { pods: pods(1), listening: { 'echo-0': loopback } }],
  ])('%s', (_, plan) => {
    expect(verdictOf(plan)).toMatchObject({ state: 'not-load-balancing', kind: 'outage' });
  });

  it('every pod listens on its loopback address alone: nobody is connected because nobody can be', () => {
    const listening = Object.fromEntries(pods(3).map(({ name }) => [name, loopback]));
    expect(verdictOf({ pods: pods(3), listening })).toMatchObject({ state: 'no-traffic', kind: 'outage' });
  });

  it('is none while one pod of several takes connections', () => {
    const listening = { 'echo-0': [{ port: 50_051, loopback: false }], 'echo-1': loopback, 'echo-2': loopback };
    expect(verdictOf({ pods: pods(3), listening, connections: dealt([4]) }).kind).toBe('fault');
  });
});

describe('one ready pod', () => {
  it('and no other: single-pod', () => {
    expect(verdictOf({ pods: pods(1), connections: dealt([3]) })).toMatchObject({
      state: 'not-load-balancing',
      kind: 'single-pod',
    });
  });

  it.each<[string, Plan]>([
    ['of which the others are not Ready', { pods: [...pods(1), ...unready(2, 1)], connections: dealt([3]) }],
    ['while clients hold another that is not', { pods: [...pods(1), ...unready(1, 1)], connections: dealt([2, 2]) }],
  ])('%s: a fault', (_, plan) => {
    expect(verdictOf(plan).kind).toBe('fault');
  });

  it('whose predecessor is about to go: single-pod, as before and after', () => {
    const leaving = { ready: false, serving: true, terminating: true };
    const old = pods(1, { pod: { deletedAt: ago(5) }, endpoint: leaving }, 1);
    expect(verdictOf({ pods: [...pods(1), ...old], connections: dealt([2, 2]) }).kind).toBe('single-pod');
  });
});

it.each<[string, Plan]>([
  ['skewed', { pods: pods(4), connections: dealt([6, 1, 1, 0]) }],
  ['balanced', { pods: pods(4), connections: dealt([4, 4, 4, 4]) }],
  ['no-traffic', { pods: pods(4), calls: pods(4).map(({ name }) => ({ pod: name, perSecond: 0 })) }],
  ['unknown', { pods: pods(4), exec: false, usage: false }],
])('%s says it all: no kind', (state, plan) => {
  expect(verdictOf(plan)).toMatchObject({ state, kind: null });
});

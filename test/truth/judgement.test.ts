/** What the simulator calls true, on worlds small enough to reason about; and the scorer, on answers that are wrong on purpose. */
import { describe, expect, it } from 'vitest';
import { clients, nodes, plan, pods } from '../../bench/truth/build.ts';
import { families } from '../../bench/truth/families/all.ts';
import type { Family } from '../../bench/truth/family.ts';
import { effectiveWithout, futuresOf } from '../../bench/truth/futures.ts';
import { spreadOf } from '../../bench/truth/load.ts';
import { mechanismsIn, sceneOf } from '../../bench/truth/mechanisms.ts';
import { contradiction } from '../../bench/truth/pairs.ts';
import type { Plan } from '../../bench/truth/plan.ts';
import type { Answer } from '../../bench/truth/program.ts';
import { seeded } from '../../bench/truth/random.ts';
import { casesOf, sampleOf, scoreCase } from '../../bench/truth/score.ts';
import { simulate } from '../../bench/truth/simulate.ts';
import { summarise, wrongLines } from '../../bench/truth/tables.ts';
import { statesOf } from '../../bench/truth/truth.ts';
import { truthLines } from '../cases/scoreboard.ts';

const random = seeded('judgement');
const where = nodes(2);

const at = (made: Plan, seed = 'world') => {
  const world = simulate(made, seed);
  world.runUntil(0);
  return mechanismsIn([sceneOf(world, 0)]);
};

describe('mechanisms', () => {
  it('a scale-up after the clients is one of age, and of few connections only where they are few', () => {
    const old = pods(2, where, random);
    const young = pods(4, where, random, { startedAt: -600, first: 2 });
    const many = clients(60, where, random, { startedAt: -5000 });
    const found = at(plan(random, 0, { nodes: where, pods: [...old, ...young], clients: many }));
    expect([found['new-pods-idle'], found['few-connections'], found['chance']]).toEqual([
      'certain',
      undefined,
      undefined,
    ]);
    const few = at(plan(random, 0, { nodes: where, pods: [...old, ...young], clients: many.slice(0, 4) }));
    expect([few['new-pods-idle'], few['few-connections']]).toEqual(['certain', 'certain']);
    // The twin: the same clients, started after all pods were there.
    const after = many.map((client) => ({ ...client, startedAt: -300 }));
    expect(
      at(plan(random, 0, { nodes: where, pods: [...old, ...young], clients: after }))['new-pods-idle'],
    ).toBeUndefined();
  });

  it('a client is hot that calls many times what the others do, over a connection that stays', () => {
    const all = pods(4, where, random);
    const even = clients(8, where, random, { startedAt: -500 });
    const hot = even.map((client, index) => ({ ...client, rate: index === 0 ? 20 : 1 }));
    const said = (callers: typeof hot) => {
      const { 'hot-client': client, 'hot-connection': connection } = at(
        plan(random, 0, { nodes: where, pods: all, clients: callers }),
      );
      return [client, connection];
    };
    expect(said(hot)).toEqual(['certain', 'certain']);
    expect(said(even)).toEqual([undefined, undefined]);
    const dial = { to: 'headless', order: 'shuffled', resolve: 'watch' } as const;
    const balanced = hot.map((client) => ({
      ...client,
      channels: [{ policy: 'round_robin' as const, dial, part: 1 }],
    }));
    expect(said(balanced)).toEqual([undefined, undefined]);
  });

  it('a Local policy is one where it gives pods other parts than the same', () => {
    const service = { internalLocal: true };
    const all = pods(4, where, random);
    const both = [
      ...clients(20, where, random, { node: 'n1', startedAt: -500 }),
      ...clients(20, where, random, { node: 'n2', startedAt: -500, first: 20 }),
    ];
    const found = (callers: typeof both) =>
      at(plan(random, 0, { nodes: where, pods: all, clients: callers, service }))['internal-traffic-policy-local'];
    expect(found(both)).toBe('possible');
    expect(found(both.slice(0, 22))).toBe('certain');
  });
});

describe('futures', () => {
  it('of four connections on ten pods: an age deals them anew, calls in turn use all pods', () => {
    const made = plan(random, 0, { nodes: where, pods: pods(10, where, random), clients: clients(4, where, random) });
    const means = Object.fromEntries(
      futuresOf(made, 'futures').map(({ strategy, effective }) => [
        strategy,
        effective.reduce((sum, one) => sum + one, 0) / effective.length,
      ]),
    );
    // Between one pod and four, and on average near 3.3.
    expect(means['max-connection-age']).toBeGreaterThan(2.4);
    expect(means['max-connection-age']).toBeLessThan(4);
    expect([means['headless-round-robin'], means['l7-proxy'], means['cluster-ip']]).toEqual([
      expect.closeTo(10),
      expect.closeTo(10),
      Number.NaN,
    ]);
  });

  it('obey affinity: an age changes nothing under it, its end does', () => {
    const [how] = clients(1, where, random)[0]?.channels ?? [];
    if (how === undefined) throw new Error('no channel');
    const pooled = clients(1, where, random).map((client) => ({
      ...client,
      channels: Array.from({ length: 40 }, () => ({ ...how, part: 1 / 40 })),
    }));
    const made = plan(random, 0, {
      nodes: where,
      pods: pods(4, where, random),
      clients: pooled,
      service: { affinity: true },
    });
    const aged = futuresOf(made, 'affinity').find(({ strategy }) => strategy === 'max-connection-age')?.effective ?? [];
    expect(aged.every((effective) => effective === 1)).toBe(true);
    const free = effectiveWithout(
      made,
      (before) => ({ ...before, service: { ...before.service, affinity: false } }),
      'affinity',
    );
    expect(free).toBeGreaterThan(3);
  });
});

it.each([
  [[1, 1, 1, 1], ['balanced']],
  [[4, 1, 1, 0], ['skewed']],
  [[11, 10, 9, 10], ['balanced']],
  [[1, 0], ['skewed']],
  [[0, 0, 0], ['no-traffic']],
  [[5], ['not-load-balancing']],
  // An idle pod among many, and a peak near the limit: either word is right.
  [
    [...Array.from({ length: 20 }, () => 1), 0],
    ['skewed', 'balanced'],
  ],
  [
    [1.5, 1, 0.8, 0.7],
    ['skewed', 'balanced'],
  ],
] as const)('a true load of %j is %j', (loads, states) => {
  expect(statesOf(spreadOf(loads))).toEqual(states);
});

/** A program that says the same of everything. */
const answer = (told: Partial<Answer>): Answer => ({
  ...{ state: 'balanced', confidence: 'certain', causes: [], strategy: 'cluster-ip', action: 'keep' },
  ...{ hasFirst: false, rule: 1, predictions: [] },
  ...told,
});

const familyOf = (id: string) => families.find((family) => family.id === id) as Family;
const judged = (id: string, told: Partial<Answer>) => {
  const [one] = casesOf([familyOf(id)], 1, 'judged');
  if (one === undefined) throw new Error('no case');
  return scoreCase({ ...one, hardness: 0 }, () => answer(told), null);
};

describe('the scorer', () => {
  it('finds states, causes and advice wrong that are wrong', () => {
    const wrong = judged('headless-scale-up', { causes: [{ id: 'chance', confidence: 'likely' }] });
    expect([wrong.state, wrong.causes[0]?.right, wrong.named, wrong.advice]).toEqual(['wrong', false, 'not', 'missed']);
    const right = judged('headless-scale-up', {
      ...{ state: 'skewed', strategy: 'headless-round-robin', action: 'complete' },
      causes: [{ id: 'no-re-resolution', confidence: 'certain' }],
    });
    expect([right.state, right.causes[0]?.right, right.named, right.advice]).toEqual([
      'right',
      true,
      'first',
      'raises',
    ]);
  });

  it('knows a false fault, an open question, and more confidence than is due', () => {
    expect(judged('headless-even', { state: 'not-load-balancing' }).state).toBe('false-fault');
    expect(judged('headless-even', { state: 'unknown' }).state).toBe('open');
    const sure = (confidence: 'certain' | 'possible') =>
      judged('leader', { state: 'skewed', causes: [{ id: 'pick-first', confidence }] }).causes[0]?.right;
    expect([sure('possible'), sure('certain')]).toEqual([true, false]);
  });

  it('knows advice that breaks what clients do on purpose, and advice that gives nothing', () => {
    expect(judged('shards', { strategy: 'headless-round-robin', action: 'adopt' }).advice).toBe('harmful');
    expect(judged('headless-even', { strategy: 'l7-proxy', action: 'adopt' }).advice).toBe('no-gain');
    expect(judged('shards', { state: 'not-load-balancing' }).advice).toBe('kept');
  });

  it('sets predictions against futures', () => {
    const say = (mean: number, range: readonly [number, number]) =>
      judged('few-connections', { state: 'skewed', predictions: [{ strategy: 'max-connection-age', mean, range }] })
        .predictions[0];
    const [wide, narrow] = [say(3, [0, 100]), say(3, [0, 0.1])];
    expect([wide?.inside, narrow?.inside]).toEqual([wide?.draws, 0]);
  });

  it('sums up: rates, and kinds of wrong answers with a seed each', () => {
    const all = [
      judged('headless-even', { state: 'skewed' }),
      judged('headless-even', {}),
      judged('leader', { state: 'unknown' }),
    ];
    const { states, runs } = summarise(all);
    expect([runs, states.wrong, states.open, states.certain]).toEqual([
      3,
      { right: 1, of: 3 },
      { right: 1, of: 3 },
      { right: 1, of: 2 },
    ]);
    expect(wrongLines(all, 9)).toContain('   1  headless-even: skewed certain   judged/headless-even/0');
  });
});

it('the scoreboard shows the figures, and nothing where none were taken', () => {
  expect(truthLines(['300 runs', 'cause certain'])).toEqual([' Simulated truths', '   300 runs', '   cause certain']);
  expect(truthLines([])).toEqual([]);
});

describe('two answers to one truth', () => {
  const likely = answer({
    state: 'skewed',
    confidence: 'likely',
    causes: [{ id: 'few-connections', confidence: 'likely' }],
  });
  it('must be the same where only the look of it changed', () => {
    expect(contradiction('permute', likely, likely)).toBeNull();
    expect(contradiction('rename', likely, { ...likely, confidence: 'certain' })).toBe('skewed likely, skewed certain');
  });
  it('may only weaken where less is seen', () => {
    expect(contradiction('hide', likely, answer({ state: 'unknown', confidence: 'possible' }))).toBeNull();
    expect(contradiction('drop', likely, { ...likely, state: 'balanced' })).toBe('skewed → balanced');
    expect(contradiction('drop', likely, { ...likely, confidence: 'certain' })).toBe('skewed likely → certain');
    const surer = { ...likely, causes: [{ id: 'chance', confidence: 'likely' as const }] };
    expect(contradiction('hide', likely, surer)).toBe('chance not named → likely');
  });
});

it('the sample is 300 runs of all families, none with a seed of the report', () => {
  const sample = sampleOf(families);
  expect(sample.length).toBe(300);
  expect(new Set(sample.map(({ seed }) => seed)).size).toBe(300);
  expect(new Set(sample.map(({ family }) => family.id)).size).toBe(families.length);
  const report = new Set(casesOf(families, 40, 'report').map(({ seed }) => seed));
  expect(sample.filter(({ seed }) => report.has(seed))).toEqual([]);
});

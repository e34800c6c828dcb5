import { describe, expect, test } from 'vitest';
import { planTargets } from '../../src/collect/targets.ts';
import { uniteEndpoints } from '../../src/evidence/endpoints.ts';
import type { SkewEvidence } from '../../src/evidence/schema.ts';
import { buildEvidence, dealt, type Plan, pods } from './build.ts';
import { causesOf, reportOf, type Status } from './report.ts';

/** The Evidence of a run that looks into as many pods as it may, of those that it chooses. */
function sampled(plan: Plan): SkewEvidence {
  const evidence = buildEvidence(plan);
  const { service, endpointSlices, pods: all, usage, calls, connections } = evidence;
  const [port] = service?.ports ?? [];
  if (port === undefined || all === null || connections === null) throw new Error('no pods');
  const { backends } = uniteEndpoints(endpointSlices ?? [], port, { namespace: 'shop', pods: all });
  const counted = calls?.looks.filter(({ sample }) => sample === 1) ?? [];
  const { targets, left } = planTargets(backends, all, usage ?? [], { allPods: false, counted });
  const chosen = new Set(targets.map(({ pod }) => pod.uid));
  return {
    ...evidence,
    connections: {
      ...connections,
      looks: connections.looks.filter(({ podUid }) => chosen.has(podUid)),
      failures: left.map((entry) => ({ ...entry, sample: 1 as const })),
    },
  };
}

interface Many {
  /** Old pods that hold connections, and new ones that hold none. */
  readonly old: number;
  readonly young: number;
  readonly each?: number;
  readonly nodes?: number;
  readonly usage?: boolean;
  readonly counts?: boolean;
}

/** Scaled up ten minutes ago: the connections are older than the new pods. */
function scaledUp({ old, young, each = 1, nodes = 7, usage = true, counts = false }: Many): Plan {
  const all = [
    ...pods(old, { ...(usage && { cpuMillicores: 200 }) }),
    ...pods(young, { ageSeconds: 600, ...(usage && { cpuMillicores: 5 }) }, old),
  ].map((pod, index) => ({ ...pod, node: `n${index % nodes}` }));
  return {
    pods: all,
    usage,
    connections: dealt(Array(old).fill(each), { bytesPerSecond: 20_000, segmentsPerSecond: 60 }),
    ...(counts && {
      calls: all.map(({ name }, index) => ({
        pod: name,
        perSecond: index < old ? 30 * each : 0,
        total: index < old ? 1_000_000 : 0,
      })),
    }),
  };
}

const statusOf = (evidence: SkewEvidence): Status => reportOf(evidence).status;

describe('more pods than are looked into', () => {
  test.each<[string, Many]>([
    ['52, of which two are new', { old: 50, young: 2 }],
    ['the same on as many nodes: one pod of each node is not all that is chosen', { old: 50, young: 2, nodes: 52 }],
    ['a few new ones of many', { old: 195, young: 5, nodes: 60 }],
    ['mostly new ones', { old: 30, young: 90, each: 2 }],
    ['without CPU', { old: 40, young: 12, usage: false }],
    ['without CPU, with counters', { old: 195, young: 5, usage: false, counts: true, nodes: 100 }],
  ])('%s: new-pods-idle is named, likely, and a look into all would make it certain', (_name, many) => {
    const plan = scaledUp(many);
    const some = statusOf(sampled(plan));
    expect(causesOf(some)['new-pods-idle']).toBe('likely');
    const [cause] = some.causes;
    expect(cause?.settledBy.join()).toMatch(/the \d+ other pods: --all-pods/);
    expect(causesOf(statusOf(buildEvidence(plan)))['new-pods-idle']).toBe('certain');
  });

  test('the calls of all pods are counted, whichever are looked into', () => {
    const status = statusOf(sampled(scaledUp({ old: 30, young: 90, each: 2, counts: true })));
    expect(status.verdict).toMatchObject({ state: 'skewed', basis: 'calls', confidence: 'certain' });
    expect(status.skew).toMatchObject({ pods: 120, seenPods: 120, idlePods: 90 });
    expect(status.skew?.effectivePods).toBeCloseTo(30, 0);
  });

  test('twin: not where the pods that get nothing are of one age with the others', () => {
    const plan = scaledUp({ old: 40, young: 40 });
    const alike = { ...plan, pods: plan.pods.map((pod) => ({ ...pod, ageSeconds: 7200 })) };
    expect(causesOf(statusOf(sampled(alike)))).not.toHaveProperty('new-pods-idle');
  });

  test('twin: possible at most where older pods that were not looked into get nothing either', () => {
    const plan = scaledUp({ old: 60, young: 60, counts: true });
    // Forty of the old pods get no call: their connections, if they have any, carry nothing.
    const calls = plan.calls?.map((entry, index) => (index < 20 || index >= 60 ? entry : { ...entry, perSecond: 0 }));
    const status = statusOf(sampled({ ...plan, ...(calls && { calls }) }));
    expect(['certain', 'likely']).not.toContain(causesOf(status)['new-pods-idle']);
  });

  test('no cause is seen: the look that would tell is that into all', () => {
    // Every second pod is idle, of all ages, and has its connections as well as the others: 800 in all, more than 4 · 79.
    const connections = dealt(Array(80).fill(10)).map((connection, index) => ({
      ...connection,
      bytesPerSecond: index % 20 < 10 ? 60_000 : 0,
      segmentsPerSecond: index % 20 < 10 ? 500 : 0,
    }));
    const status = statusOf(sampled({ pods: pods(80), connections }));
    expect(status.verdict.state).toBe('skewed');
    expect(status.causes).toEqual([]);
    expect(status.verdict.settledBy).toBe('the connections of the 30 other pods: --all-pods looks into all');
  });

  describe('connections of the pods that were looked into stand for those of the others', () => {
    /** The first fifth of the pods carries six times what the others do, of all ages alike. */
    const uneven = (each: number): Plan => ({
      pods: pods(100),
      connections: dealt(Array(100).fill(each)).map((connection, index) => {
        const busy = Math.floor(index / each) % 5 === 0;
        return { ...connection, bytesPerSecond: busy ? 60_000 : 10_000, segmentsPerSecond: busy ? 240 : 40 };
      }),
    });

    test('8 on each of 100 pods are 800, of which few-connections says nothing and an age is enough', () => {
      // Shares of 6, 1, 1, 1, 1 make (10)² ÷ (5 · 40) = 0.5 of 800 connections: 400 and 4 above 4 · 99.
      const [some, all] = [statusOf(sampled(uneven(8))), statusOf(buildEvidence(uneven(8)))];
      expect([some.recommendation.rule, all.recommendation.rule]).toEqual([8, 8]);
      expect(some.recommendation.because.join()).toContain(
        '(seen on 50 of 100 pods, and taken for as many on the others)',
      );
      expect(all.recommendation.because.join()).not.toContain('taken for');
      const age = ({ recommendation }: Status) =>
        recommendation.strategies.find(({ id }) => id === 'max-connection-age')?.prediction.effectivePods;
      expect(age(some)).toBeCloseTo(age(all) ?? 0, -1);
    });

    test('2 on each are too few for 100 pods, likely, and a look into all would tell', () => {
      const status = statusOf(sampled(uneven(2)));
      const cause = status.causes.find(({ id }) => id === 'few-connections');
      expect(cause).toMatchObject({
        confidence: 'likely',
        settledBy: expect.arrayContaining(['the connections of the 50 other pods: --all-pods looks into all']),
      });
      expect(cause?.text).toContain('200 connections (seen on 50 of 100 pods');
    });

    test('never certain, be there fewer connections than pods', () => {
      const half = dealt(pods(100).map((_, index) => (index % 3 === 0 ? 1 : 0)));
      expect(causesOf(statusOf(sampled({ pods: pods(100), connections: half })))['few-connections']).toBe('likely');
      expect(causesOf(statusOf(buildEvidence({ pods: pods(100), connections: half })))['few-connections']).toBe(
        'certain',
      );
    });
  });
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compareRuns, mismatch } from '../../src/baseline/compare.ts';
import { type ComparedReport, readBaseline } from '../../src/baseline/read.ts';
import { writeEvidence } from '../../src/evidence/write.ts';
import { effectivePods, toShares } from '../../src/figures/shares.ts';
import { buildEvidence, dealt, meshed, type Plan, pods } from '../diagnose/build.ts';
import { reportOf } from '../diagnose/report.ts';

const compare = (before: Plan, after: Plan) =>
  compareRuns(reportOf(buildEvidence(before)), reportOf(buildEvidence(after)));

/** Three pods of an hour, seven of five minutes, and four connections that are older. */
const scaledUp: Plan = {
  pods: [...pods(3, { ageSeconds: 7200 }), ...pods(7, { ageSeconds: 300 }, 3)],
  connections: dealt([2, 1, 1], { bytesPerSecond: 20_000, segmentsPerSecond: 60 }),
};
const repaired: Plan = {
  pods: pods(10),
  connections: meshed(4, 10, { bytesPerSecond: 2_000, segmentsPerSecond: 20 }),
};

describe('a run compared with its baseline', () => {
  test('improved: four connections on three pods, then each client on each pod', () => {
    const comparison = compare(scaledUp, repaired);
    // 2, 1 and 1 of 4: 1 / (1/4 + 1/16 + 1/16) = 2.67; then 10 of 10.
    expect(comparison).toMatchObject({
      result: 'improved',
      basis: 'bytes',
      text: 'by bytes: 10 of 10 pods used, before 2.7 of 10',
      before: { effectivePods: 2.67, pods: 10, hottestPod: 'echo-0', hottestShare: 0.5 },
      after: { effectivePods: 10, pods: 10 },
      leftOut: [],
      settledBy: null,
    });
    expect(comparison.after.effectivePodsRange?.[0]).toBeGreaterThan(comparison.before.effectivePodsRange?.[1] ?? 10);
  });

  test('says of each run what its own report says', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 2, max: 40 }), { minLength: 3, maxLength: 5 }), (rates) => {
        const calls = rates.map((perSecond, index) => ({ pod: `echo-${index}`, perSecond }));
        const plan: Plan = { pods: pods(rates.length), connections: meshed(2, rates.length), calls };
        const { skew, verdict } = reportOf(buildEvidence(plan)).status;
        const { basis, before, after } = compare(plan, plan);
        // Where the calls leave it open, the bytes decide.
        expect([verdict.span, basis]).toEqual(['window', verdict.basis]);
        expect([before.effectivePods, after.effectivePods]).toEqual([skew?.effectivePods, skew?.effectivePods]);
      }),
      { numRuns: 40 },
    );
  });

  test('worse: the same, the other way round', () => {
    expect(compare(repaired, scaledUp)).toMatchObject({ result: 'worse', hotPodMoved: false });
  });

  test('unchanged: the same again', () => {
    expect(compare(scaledUp, scaledUp)).toMatchObject({ result: 'unchanged', hotPodMoved: false });
  });

  test('unchanged: a rollout that only made another pod hot, and says so', () => {
    const rolled: Plan = {
      ...scaledUp,
      pods: pods(10, {}, 20),
      connections: scaledUp.connections?.map((connection) => ({
        ...connection,
        to: { 'echo-0': 'echo-27', 'echo-1': 'echo-20', 'echo-2': 'echo-21' }[connection.to] ?? '',
      })) as NonNullable<Plan['connections']>,
    };
    expect(compare(scaledUp, rolled)).toMatchObject({
      result: 'unchanged',
      hotPodMoved: true,
      text: 'by bytes: 2.7 of 10 pods used, before 2.7 of 10; another pod is hot now: echo-27',
      leftOut: [],
    });
  });

  test('a difference that is sharp but too small to notice is none', () => {
    const many = (heavy: number): Plan => ({
      pods: pods(10),
      connections: dealt(Array(10).fill(1)).map((connection, pod) => ({
        ...connection,
        bytesPerSecond: pod < 3 ? heavy : 10_000,
        segmentsPerSecond: 9000,
      })),
    });
    // Peak 1.9 and 1.8 of the mean: 9.3 and 9.5 of 10 pods, with 900,000 segments counted.
    const [before, after] = [many(24_000), many(22_500)];
    const comparison = compare(before, after);
    expect(comparison.after.effectivePodsRange?.[0]).toBeGreaterThan(comparison.before.effectivePodsRange?.[1] ?? 0);
    expect(comparison.result).toBe('unchanged');
  });
});

describe('when it cannot be told', () => {
  test('a pod of the baseline is still there and was not measured', () => {
    const blind: Plan = { ...repaired, usage: false, failures: [{ pod: 'echo-0', reason: 'timeout' }] };
    const comparison = compare(scaledUp, blind);
    expect(comparison).toMatchObject({ result: 'cannot-tell', leftOut: ['echo-0'] });
    expect(comparison.settledBy).not.toBeNull();
    // The twin: the same pod is gone, as after a rollout.
    const gone: Plan = { ...repaired, pods: pods(10, {}, 1), connections: moved(repaired, 'echo-0', 'echo-10') };
    expect(compare(scaledUp, gone)).toMatchObject({ result: 'improved', leftOut: [] });
  });

  test('the hot pod is no endpoint any more, and clients still hold it', () => {
    const unready = (connections: number): Plan => ({
      ...repaired,
      pods: [{ name: 'echo-0', pod: { ready: false } }, ...pods(9, {}, 1)],
      connections: [
        ...(repaired.connections ?? []).filter(({ to }) => to !== 'echo-0'),
        ...dealt([connections], { bytesPerSecond: 90_000 }),
      ],
    });
    expect(compare(scaledUp, unready(2))).toMatchObject({ result: 'cannot-tell', leftOut: ['echo-0'] });
    expect(compare(scaledUp, unready(0)).leftOut).toEqual([]);
  });

  test('only CPU is known of both, and on CPU the skew did not show', () => {
    const onlyCpu: Plan = { ...repaired, exec: false };
    expect(compare(scaledUp, onlyCpu)).toMatchObject({ result: 'cannot-tell', basis: null });
    // The twin: the busy pods used more CPU, too.
    const busy: Plan = {
      ...scaledUp,
      pods: scaledUp.pods.map((pod, at) => ({ ...pod, cpuMillicores: at < 3 ? 400 : 4 })),
    };
    expect(compare(busy, onlyCpu)).toMatchObject({
      result: 'improved',
      basis: 'cpu',
      text: expect.stringMatching(/^by CPU: 10 of 10 pods used, before \d/),
    });
  });

  test('only connections are known: they are not the load', () => {
    const blind = (plan: Plan): Plan => ({ ...plan, way: 'proc', usage: false });
    expect(compare(blind(scaledUp), blind(repaired))).toMatchObject({ result: 'cannot-tell', basis: null });
  });

  test('the second run is itself unsettled: pods that have only just come', () => {
    const fresh: Plan = { ...scaledUp, pods: [...pods(3), ...pods(7, { ageSeconds: 20 }, 3)] };
    expect(compare(repaired, fresh)).toMatchObject({ result: 'cannot-tell', text: /this run does not settle it/ });
  });

  const once = (plan: Plan): Plan => ({ ...plan, windowSeconds: 0, usage: false });

  test('lifetime totals: they still hold the time before the change; what each run shows is shown', () => {
    expect(compare(once(scaledUp), once(repaired))).toMatchObject({
      result: 'cannot-tell',
      basis: null,
      before: { basis: 'bytes', span: 'lifetime', effectivePods: 2.67, hottestPod: 'echo-0', hottestShare: 0.5 },
      after: { basis: 'bytes', span: 'lifetime', effectivePods: 10 },
    });
    expect(compare(scaledUp, once(repaired))).toMatchObject({
      result: 'cannot-tell',
      before: { basis: 'bytes', span: 'window', effectivePods: 2.67 },
      after: { span: 'lifetime' },
    });
  });

  test('lifetime totals of the baseline alone: all that they hold was before', () => {
    expect(compare(once(scaledUp), repaired)).toMatchObject({
      result: 'improved',
      basis: 'bytes',
      text: 'by bytes: 10 of 10 pods used, before 2.7 of 10 since the connections began',
      before: { span: 'lifetime', effectivePods: 2.67 },
      after: { span: 'window' },
    });
    expect(compare(once(repaired), scaledUp).result).toBe('worse');
    expect(compare(once(scaledUp), scaledUp).result).toBe('unchanged');
  });

  test('too few events to tell: the window that would tell is said', () => {
    // Six pods evenly, then 15² ÷ 33 = 6.8.
    const loads = [3, 3, 2, 2, 2, 1, 1, 1];
    const used = (parts: readonly number[], callsPerSecond: number): Plan => ({
      pods: pods(10),
      usage: false,
      connections: dealt(parts.map(() => 1)).map((connection, index) => ({
        ...connection,
        bytesPerSecond: 100 * callsPerSecond * (parts[index] ?? 0),
        segmentsPerSecond: callsPerSecond * (parts[index] ?? 0),
      })),
    });
    const six = used([1, 1, 1, 1, 1, 1], 200);
    const few = compare(six, used(loads, 0.3));
    expect(few).toMatchObject({ result: 'cannot-tell' });
    const seconds = few.settledInSeconds ?? 0;
    expect(seconds).toBeGreaterThan(10);
    expect(few.settledBy).toMatch(/--window of about/);
    const within = (length: number) => compare(six, { ...used(loads, 0.3), windowSeconds: length });
    expect(within(seconds)).toMatchObject({ result: 'improved', settledInSeconds: null });
    expect(within(seconds / 2).result).toBe('cannot-tell');
    // A window of the baseline that tells nothing gives way to its totals, which its verdict rests on.
    expect(compare(used(loads, 0.1), six)).toMatchObject({ before: { span: 'lifetime', effectivePods: 6.82 } });
  });
});

describe('when the number of pods has changed', () => {
  const spread = (count: number, used: number): Plan => ({
    pods: pods(count),
    connections: dealt(Array(used).fill(1), { bytesPerSecond: 20_000, segmentsPerSecond: 100 }),
  });

  test.each([
    // scaled up, and the new pods get nothing
    [spread(3, 3), spread(10, 3), 'worse'],
    // scaled up and all of them work
    [spread(3, 3), spread(10, 10), 'unchanged'],
    [spread(10, 3), spread(20, 20), 'improved'],
    // scaled down: no more pods work than before
    [spread(10, 3), spread(5, 3), 'unchanged'],
    // scaled down to those that work, evenly
    [spread(10, 5), spread(5, 5), 'improved'],
    [spread(10, 10), spread(5, 5), 'unchanged'],
    // more pods work, but a smaller part of them; and the other way round
    [spread(10, 5), spread(40, 10), 'cannot-tell'],
    [spread(40, 10), spread(10, 6), 'cannot-tell'],
  ] as const)('case %#', (before, after, result) => {
    const comparison = compare(before, after);
    expect(comparison.result).toBe(result);
    expect(comparison.leftOut).toEqual([]);
  });
});

describe('by simulation', () => {
  /** A report with these counts of calls, as two looks of one Service would give. */
  const bases = new Map<number, ComparedReport>();
  const baseOf = (count: number): ComparedReport => {
    const base =
      bases.get(count) ?? reportOf(buildEvidence({ pods: pods(count), connections: dealt(Array(count).fill(1)) }));
    bases.set(count, base);
    return base;
  };
  const seen = (counts: readonly number[]): ComparedReport => {
    const base = baseOf(counts.length);
    const shares = toShares(counts) ?? [];
    const events = counts.reduce((sum, count) => sum + count, 0);
    const distribution = {
      basis: 'calls' as const,
      span: 'window' as const,
      seconds: 10,
      pods: counts.length,
      effectivePods: effectivePods(shares),
      peakToMean: 1,
      idlePods: 0,
      events,
      reading: 'uneven' as const,
      source: 'pod-metrics' as const,
    };
    return {
      ...base,
      status: {
        ...base.status,
        verdict: { ...base.status.verdict, basis: 'calls', state: 'skewed' },
        distributions: [distribution],
        pods: base.status.pods.map((pod, index) => ({ ...pod, shares: { ...pod.shares, calls: shares[index] ?? 0 } })),
      },
    };
  };
  const countsOf = fc
    .array(fc.integer({ min: 1, max: 30 }), { minLength: 2, maxLength: 12 })
    .chain((weights) => fc.integer({ min: 50, max: 3000 }).map((events) => ({ weights, events })));
  const draw = ({ weights, events }: { weights: number[]; events: number }, uniform: () => number) => {
    const total = weights.reduce((sum, weight) => sum + weight, 0);
    const counts = weights.map(() => 0);
    for (let event = 0; event < events; event++) {
      let at = uniform() * total;
      const pod = weights.findIndex((weight) => {
        at -= weight;
        return at < 0;
      });
      counts[Math.max(0, pod)] = (counts[Math.max(0, pod)] ?? 0) + 1;
    }
    return counts;
  };

  test('too few calls: the range spans both', () => {
    const before = seen([300, 150, 150, 0, 0, 0, 0, 0, 0, 0]);
    expect(compareRuns(before, seen([0, 1, 0, 1, 0, 1, 0, 0, 0, 0])).result).toBe('cannot-tell');
    expect(compareRuns(before, seen([40, 52, 47, 55, 49, 50, 44, 51, 46, 53])).result).toBe('improved');
  });

  test('two looks at a Service that did not change: hardly ever improved or worse', () => {
    let state = 12_345;
    const uniform = () => {
      state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
      return state / 2 ** 31;
    };
    const cases = fc.sample(countsOf, { numRuns: 250, seed: 1 });
    const results = cases.map((one) => compareRuns(seen(draw(one, uniform)), seen(draw(one, uniform))).result);
    const wrong = results.filter((result) => result === 'improved' || result === 'worse');
    // Ranges that hold 95 % each are apart by accident far less often than 5 %.
    expect(wrong.length).toBeLessThanOrEqual(5);
    expect(results.filter((result) => result === 'unchanged').length).toBeGreaterThan(100);
  });

  test('improved never with ranges that touch, worse never the other way round; and again the same', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 400 }), { minLength: 2, maxLength: 8 }),
        fc.array(fc.integer({ min: 0, max: 400 }), { minLength: 2, maxLength: 8 }),
        (first, second) => {
          fc.pre(first.some((count) => count > 0) && second.some((count) => count > 0));
          const comparison = compareRuns(seen(first), seen(second));
          expect(compareRuns(seen(first), seen(second))).toEqual(comparison);
          const [low = 0, high = 0] = comparison.before.effectivePodsRange ?? [];
          const [least = 0, most = 0] = comparison.after.effectivePodsRange ?? [];
          const [before, after] = [first.length, second.length];
          if (comparison.result === 'improved') expect(least / after).toBeGreaterThanOrEqual(high / before - 0.01);
          if (comparison.result === 'worse') expect(most / after).toBeLessThanOrEqual(low / before + 0.01);
        },
      ),
      { numRuns: 150 },
    );
  });
});

describe('which files and runs can be a baseline', () => {
  const evidence = buildEvidence(scaledUp);
  const report = reportOf(evidence);

  test('evidence and a JSON report give the same comparison', () => {
    const read = readBaseline(JSON.stringify(report), 'before.json');
    const before = read.ok && read.value.kind === 'reports' ? read.value.reports[0] : undefined;
    if (before === undefined) throw new Error('no report');
    const after = reportOf(buildEvidence(repaired));
    expect(compareRuns(before, after)).toEqual(compareRuns(report, after));
    expect(readBaseline(writeEvidence(evidence), 'before.json')).toMatchObject({
      ok: true,
      value: { kind: 'evidence' },
    });
  });

  test('a report that lacks what is compared', () => {
    const broken = { ...report, status: { ...report.status, pods: 'ten' } };
    expect(readBaseline(JSON.stringify(broken), 'x.json')).toMatchObject({
      ok: false,
      error: { message: /^x\.json is damaged at \/status\/pods: / },
    });
    expect(readBaseline('{"kind":"Pod"}', 'x.json')).toMatchObject({
      ok: false,
      error: { message: /its kind is "Pod"/ },
    });
  });

  test.each([
    ['another Service', { metadata: { ...report.metadata, name: 'web' } }, /of service web in shop, port 50051, this/],
    [
      'another namespace',
      { metadata: { ...report.metadata, namespace: 'prod' } },
      /echo in prod, port 50051, this run/,
    ],
    ['another port', { spec: { ...report.spec, port: { name: null, port: 80, targetPort: 80 } } }, /port 80, this run/],
    ['a later run', { metadata: { ...report.metadata, generatedAt: '2027-01-01T00:00:00Z' } }, /is newer/],
    ['another context', { metadata: { ...report.metadata, context: 'prod' } }, null],
  ])('%s', (_name, given, message) => {
    const before = { ...report, ...given };
    if (message === null) {
      expect(mismatch(before, report, 'before.json')).toBeNull();
      expect(compareRuns(before, report).notes).toEqual([expect.stringContaining('the same cluster')]);
    } else expect(mismatch(before, report, 'before.json')).toMatch(message);
  });
});

function moved(plan: Plan, from: string, to: string): NonNullable<Plan['connections']> {
  return (plan.connections ?? []).map((connection) => (connection.to === from ? { ...connection, to } : connection));
}

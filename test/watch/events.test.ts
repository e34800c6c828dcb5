import { describe, expect, test } from 'vitest';
import type { ReportPod, SkewReport } from '../../src/report/schema.ts';
import { changes } from '../../src/watch/events.ts';
import { pod, report } from '../render/reports.ts';

const skewed = { state: 'skewed', basis: 'bytes', source: 'sockets', confidence: 'certain', settledBy: null } as const;

function of(pods: readonly ReportPod[], status: Partial<SkewReport['status']> = {}): SkewReport {
  return report('echo', { pods: [...pods], ...status });
}

function texts(before: SkewReport, after: SkewReport): string[] {
  return changes(before, after).map((event) => event.text);
}

test('nothing changed: no events, whatever the figures do', () => {
  const quiet = [pod('a', { connections: 2, cpuMillicores: 5 }), pod('b')];
  const later = [pod('a', { connections: 2, cpuMillicores: 400, bytesPerSecond: 7 }), pod('b', { ageSeconds: 999 })];
  expect(changes(of(quiet), of(later))).toEqual([]);
});

test('every event has the time of the look that saw it', () => {
  const after = report(
    'echo',
    { pods: [pod('a')] },
    { metadata: { ...of([]).metadata, generatedAt: '2026-11-29T10:42:07Z' } },
  );
  expect(changes(of([]), after)).toEqual([{ time: '2026-11-29T10:42:07Z', text: 'a is new and Ready' }]);
});

describe('pods', () => {
  test('a new pod, Ready or not yet', () => {
    expect(texts(of([]), of([pod('a')]))).toEqual(['a is new and Ready']);
    expect(texts(of([]), of([pod('a', { ready: false, endpoint: false })]))).toEqual(['a is new, not Ready yet']);
  });

  test('becoming an endpoint says how many connections it has', () => {
    const before = of([pod('a', { endpoint: false, ready: false, connections: 0 })]);
    expect(texts(before, of([pod('a', { connections: 0 })]))).toEqual(['a Ready, 0 connections']);
    const unseen = of([pod('a', { endpoint: false, ready: false, connections: null })]);
    expect(texts(unseen, of([pod('a', { connections: null })]))).toEqual(['a Ready']);
  });

  test('leaving the endpoints says what it still holds', () => {
    const after = of([pod('a', { endpoint: false, ready: false, connections: 1 })]);
    expect(texts(of([pod('a', { connections: 1 })]), after)).toEqual(['a left the endpoints, 1 connection']);
  });

  test('restarts and the end of a pod', () => {
    expect(texts(of([pod('a')]), of([pod('a', { restarts: 1 })]))).toEqual(['a restarted']);
    expect(texts(of([pod('a')]), of([pod('a', { marks: ['terminating'] })]))).toEqual(['a is terminating']);
    expect(texts(of([pod('a', { connections: 3 })]), of([]))).toEqual(['a is gone, it held 3 connections']);
    expect(texts(of([pod('a', { connections: null })]), of([]))).toEqual(['a is gone']);
  });

  test('many that go at once are one line', () => {
    const pods = ['a', 'b', 'c', 'd', 'e'].map((name) => pod(name));
    expect(texts(of(pods), of([]))).toEqual(['5 pods are gone: a, b, c and 2 more']);
  });
});

describe('connections', () => {
  test('what left some pods and came to others has moved', () => {
    const before = of([pod('a', { connections: 12 }), pod('b'), pod('c')]);
    const after = of([pod('a'), pod('b', { connections: 7 }), pod('c', { connections: 5 })]);
    expect(texts(before, after)).toEqual(['12 connections moved, to b, c']);
  });

  test('more than moved: opened or closed', () => {
    expect(texts(of([pod('a')]), of([pod('a', { connections: 2 })]))).toEqual(['2 connections opened, on a']);
    expect(texts(of([pod('a', { connections: 1 })]), of([pod('a')]))).toEqual(['1 connection closed']);
    const before = of([pod('a', { connections: 1 }), pod('b', { connections: 0 })]);
    const after = of([pod('a', { connections: 0 }), pod('b', { connections: 3 })]);
    expect(texts(before, after)).toEqual(['1 connection moved, to b', '2 connections opened, on b']);
  });

  test('what a new pod holds at its first look has come to it', () => {
    const before = of([pod('a', { connections: 2 }), pod('b', { connections: null })]);
    const after = of([pod('a', { connections: 0 }), pod('b', { connections: 2 })]);
    expect(texts(before, after)).toEqual(['2 connections moved, to b']);
  });

  test('what could not be seen before is no news', () => {
    const before = of([pod('a', { connections: null, notSeen: 'no container has ss' })]);
    expect(texts(before, of([pod('a', { connections: 4 })]))).toEqual([]);
    expect(texts(of([pod('a', { connections: 4 })]), of([pod('a', { connections: null })]))).toEqual([]);
  });
});

describe('the verdict', () => {
  test('a new state, with its words', () => {
    const before = of([], { verdict: { ...skewed, summary: '10 pods do the work of 2.7' } });
    const after = of([], { verdict: { ...skewed, state: 'balanced', summary: '10 pods share the load evenly' } });
    expect(texts(before, after)).toEqual(['skewed → balanced: 10 pods share the load evenly']);
  });

  test('still skewed: only a clear change of the effective pods', () => {
    const skew = (effectivePods: number) => ({
      verdict: { ...skewed, summary: `10 pods do the work of ${effectivePods}` },
      skew: {
        pods: 10,
        seenPods: 10,
        idlePods: 5,
        effectivePods,
        effectivePodsRange: null,
        peakToMean: null,
        gini: null,
        chance: { method: 'not-applicable', probability: null, expectedEffectivePods: null, reason: null } as const,
        ageOrder: null,
      },
    });
    expect(texts(of([], skew(2.7)), of([], skew(2.9)))).toEqual([]);
    expect(texts(of([], skew(2.7)), of([], skew(4)))).toEqual(['10 pods do the work of 4']);
  });
});

import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Collected } from '../../src/collect/collect.ts';
import { collectLive } from '../../src/collect/live.ts';
import type { KubeClient, KubeError } from '../../src/kube/types.ts';
import { type FakeCluster, type FakePod, fakeCluster } from '../signals/fake-cluster.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const podsOf = (count: number): FakePod[] =>
  Array.from({ length: count }, (_, index) => ({ name: `echo-${index}`, node: `n${index % 3}` }));

/** A live look at a fake cluster, on a clock that only moves when a test says so. */
function watch(kube: KubeClient, options: { readonly exec?: boolean } = {}) {
  const quit = new AbortController();
  const states: Collected[] = [];
  const keys = { paused: false, last: Date.now(), again: () => {} };
  const request = {
    namespace: 'shop',
    name: 'echo',
    context: null,
    port: null,
    windowSeconds: 3,
    exec: options.exec ?? true,
    allPods: false,
    metricsPort: null,
    toolVersion: '0.0.0',
  };
  const host = {
    kube,
    signal: quit.signal,
    now: Date.now,
    wait: (seconds: number) => new Promise<void>((resolve) => setTimeout(resolve, seconds * 1000)),
    beforeExecs: () => {},
    progress: () => {},
  };
  const control = {
    paused: () => keys.paused,
    idleSeconds: () => (Date.now() - keys.last) / 1000,
    again: () =>
      new Promise<void>((resolve) => {
        keys.again = resolve;
      }),
  };
  const ended = (async () => {
    for await (const state of collectLive(request, host, control)) states.push(state);
  })();
  return {
    states,
    keys,
    ended,
    /** Lets the clock run while a key is pressed now and then. */
    async run(seconds: number) {
      for (let second = 0; second < seconds; second++) {
        keys.last = Date.now();
        await vi.advanceTimersByTimeAsync(1000);
      }
    },
    quit: () => quit.abort(),
  };
}

const rounds = ({ asked }: FakeCluster) => asked.filter((entry) => entry.path.endsWith('/services/echo')).length;
const looked = ({ runs }: FakeCluster, from = 0) => runs.slice(from).map((run) => run.target.pod);

describe('the pace', () => {
  test('first two samples as in a single diagnosis, then the lists every 3 s', async () => {
    const cluster = fakeCluster(podsOf(4));
    const live = watch(cluster.kube);
    await live.run(5);
    expect(live.states.map((state) => state.stage)).toContain('second-sample');
    expect(cluster.runs).toHaveLength(8);
    const before = rounds(cluster);
    await live.run(15);
    expect(rounds(cluster) - before).toBe(5);
  });

  test('a full round of sockets is no sooner than 30 s after the one before', async () => {
    const cluster = fakeCluster(podsOf(4));
    const live = watch(cluster.kube);
    await live.run(5);
    await live.run(26);
    expect(cluster.runs).toHaveLength(8);
    await live.run(120);
    const starts = cluster.runs.filter((run) => run.target.pod === 'echo-0').map((run) => run.startedAt);
    const gaps = starts.slice(2).map((start, index) => start - (starts[index + 1] ?? 0));
    expect(gaps.length).toBeGreaterThanOrEqual(3);
    expect(Math.min(...gaps.slice(1))).toBeGreaterThanOrEqual(30_000);
  });

  test('after the first look at most 2 commands a second are started', async () => {
    const cluster = fakeCluster(podsOf(30));
    const live = watch(cluster.kube);
    await live.run(5);
    const before = cluster.runs.length;
    await live.run(50);
    const starts = cluster.runs.slice(before).map((run) => run.startedAt);
    expect(starts.length).toBeGreaterThanOrEqual(30);
    for (const start of starts)
      expect(starts.filter((other) => other > start && other <= start + 1000).length).toBeLessThanOrEqual(2);
  });

  test('a long round is not joined by another one', async () => {
    const cluster = fakeCluster(podsOf(8), undefined, 9000);
    const live = watch(cluster.kube);
    await live.run(120);
    expect(Math.max(...cluster.runs.slice(16).map((run) => run.atOnce))).toBeLessThanOrEqual(8);
    live.quit();
  });
});

describe('pods that come and go', () => {
  test('a newcomer is looked at at once, the others are not', async () => {
    const pods = podsOf(4);
    const cluster = fakeCluster(pods);
    const live = watch(cluster.kube);
    await live.run(7);
    const before = cluster.runs.length;
    pods.push({ name: 'echo-new', node: 'n0' });
    await live.run(4);
    expect(looked(cluster, before)).toEqual(['echo-new']);
  });

  test('a pod beyond the budget of 50 is no newcomer', async () => {
    const pods = podsOf(80);
    const cluster = fakeCluster(pods);
    const live = watch(cluster.kube);
    await live.run(8);
    const before = cluster.runs.length;
    // The hottest are others now: the choice of 50 changes, but nothing new has come.
    pods.reverse();
    pods.forEach((pod, index) => {
      pods[index] = { ...pod, cpu: `${index * 7}m` };
    });
    await live.run(10);
    expect(looked(cluster, before)).toEqual([]);
  });

  test('what was seen of a pod that is gone is forgotten', async () => {
    const pods = podsOf(3);
    const cluster = fakeCluster(pods, (target) =>
      target.pod === 'echo-2' ? { end: { kind: 'failed', message: 'it broke' } } : { stdout: '' },
    );
    const live = watch(cluster.kube);
    await live.run(6);
    const state = () => live.states.at(-1)?.evidence.signals.find((signal) => signal.id === 'connections');
    expect(state()?.reason).toContain('1 of 3 pods not seen');
    pods.pop();
    await live.run(4);
    expect(state()).toMatchObject({ state: 'complete', reason: null });
    expect(live.states.at(-1)?.evidence.connections?.failures).toEqual([]);
  });
});

describe('keys', () => {
  test('paused, nothing is asked and no command is started', async () => {
    const cluster = fakeCluster(podsOf(30));
    const live = watch(cluster.kube);
    await live.run(8);
    live.keys.paused = true;
    await live.run(2);
    const before = [rounds(cluster), cluster.runs.length];
    await live.run(90);
    expect([rounds(cluster), cluster.runs.length]).toEqual(before);
    live.keys.paused = false;
    await live.run(40);
    expect(rounds(cluster)).toBeGreaterThan(before[0] ?? 0);
    expect(cluster.runs.length).toBeGreaterThan(before[1] ?? 0);
  });

  test('a pause holds a round that has begun, and the round goes on after it', async () => {
    const cluster = fakeCluster(podsOf(30));
    const live = watch(cluster.kube);
    await live.run(38);
    const begun = cluster.runs.length;
    expect(begun).toBeGreaterThan(60);
    live.keys.paused = true;
    await live.run(60);
    expect(cluster.runs.length - begun).toBeLessThanOrEqual(1);
    live.keys.paused = false;
    await live.run(4);
    expect(cluster.runs.length - begun).toBeLessThanOrEqual(10);
    await live.run(12);
    expect(cluster.runs.length).toBeGreaterThanOrEqual(90);
  });

  test('r looks again at once, also while paused', async () => {
    const cluster = fakeCluster(podsOf(3));
    const live = watch(cluster.kube);
    await live.run(6);
    live.keys.paused = true;
    await live.run(5);
    const before = [rounds(cluster), cluster.runs.length];
    live.keys.again();
    await live.run(3);
    expect([rounds(cluster), cluster.runs.length]).toEqual([(before[0] ?? 0) + 1, (before[1] ?? 0) + 3]);
  });

  test('after 10 minutes without a key no more commands are run; the lists go on; a key wakes', async () => {
    const cluster = fakeCluster(podsOf(3));
    const live = watch(cluster.kube);
    await live.run(5);
    await vi.advanceTimersByTimeAsync(640_000);
    const [lists, runs] = [rounds(cluster), cluster.runs.length];
    await vi.advanceTimersByTimeAsync(300_000);
    expect(cluster.runs).toHaveLength(runs);
    expect(rounds(cluster)).toBe(lists + 100);
    await live.run(6);
    expect(cluster.runs).toHaveLength(runs + 3);
  });

  test('quitting ends the stream', async () => {
    const live = watch(fakeCluster(podsOf(3)).kube);
    await live.run(10);
    live.quit();
    await vi.advanceTimersByTimeAsync(3000);
    await live.ended;
  });
});

describe('what is refused or does not answer', () => {
  const refused: KubeError = { kind: 'forbidden', request: 'exec', status: 403, message: 'cannot create pods/exec' };

  test('a refused exec is asked once, and once more for each r', async () => {
    const cluster = fakeCluster(podsOf(5), () => refused);
    const live = watch(cluster.kube);
    await live.run(150);
    expect(cluster.runs).toHaveLength(1);
    live.keys.again();
    await live.run(60);
    expect(cluster.runs).toHaveLength(2);
  });

  test('without exec only the lists are read', async () => {
    const cluster = fakeCluster(podsOf(3));
    const live = watch(cluster.kube, { exec: false });
    await live.run(60);
    expect(cluster.runs).toHaveLength(0);
    expect(live.states.at(-1)?.evidence.signals.find((signal) => signal.id === 'connections')?.state).toBe('skipped');
  });

  test('an API that stops answering is a problem each time, until it answers', async () => {
    const cluster = fakeCluster(podsOf(3));
    const error: KubeError = { kind: 'timeout', request: 'get service shop/echo', message: 'no answer in 10 s' };
    let isDown = false;
    const kube: KubeClient = {
      ...cluster.kube,
      getJson: (path, options) =>
        isDown ? Promise.resolve({ ok: false, error }) : cluster.kube.getJson(path, options),
    };
    const live = watch(kube);
    await live.run(8);
    isDown = true;
    await live.run(4);
    expect(live.states.at(-1)?.problem?.message).toContain('no answer in 10 s');
    expect(live.states.at(-1)?.evidence.pods).toHaveLength(3);
    isDown = false;
    await live.run(4);
    expect(live.states.at(-1)?.problem).toBeNull();
  });

  test('without a first answer the stream ends with the problem', async () => {
    const cluster = fakeCluster(podsOf(3));
    const error: KubeError = { kind: 'not-found', request: 'get service shop/echo', status: 404, message: 'not found' };
    const live = watch({ ...cluster.kube, getJson: async () => ({ ok: false, error }) });
    await live.run(1);
    await live.ended;
    expect(live.states).toHaveLength(1);
    expect(live.states[0]?.problem).not.toBeNull();
  });
});

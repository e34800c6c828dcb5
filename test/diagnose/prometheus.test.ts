import { describe, expect, it } from 'vitest';
import type { Happening } from '../../src/evidence/objects.ts';
import type { PodTraffic, PrometheusHistory, PrometheusUsage } from '../../src/evidence/prometheus.ts';
import { renderTables } from '../../src/render/table.ts';
import { buildEvidence, dealt, meshed, type Plan, pods } from './build.ts';
import { ago, callLooks, uidOf } from './build-looks.ts';
import { expectNear, reading, reportOf, statusOf } from './report.ts';

/** Bytes a second that each pod receives over the last minute, in packets of 200 bytes. */
const traffic = (rates: readonly number[], more: Partial<PodTraffic> = {}): PodTraffic[] =>
  rates.map((rate, index) => ({
    pod: `echo-${index}`,
    podUid: uidOf(`echo-${index}`),
    from: ago(65),
    to: ago(5),
    bytes: rate * 60,
    packets: (rate * 60) / 200,
    ...more,
  }));

const usage = (of: readonly Partial<PrometheusUsage['containers'][number]>[]): PrometheusUsage[] =>
  of.map((container, index) => ({
    pod: `echo-${index}`,
    podUid: uidOf(`echo-${index}`),
    measuredAt: ago(10),
    windowSeconds: 60,
    containers: [{ name: 'server', cpuMillicores: null, memoryBytes: null, throttledShare: null, ...container }],
  }));

/** One value a minute for each pod, the last one now. */
const history = (
  basis: PrometheusHistory['basis'],
  rows: Readonly<Record<string, readonly (number | null)[]>>,
): PrometheusHistory => {
  const entries = Object.entries(rows);
  const steps = Math.max(...entries.map(([, values]) => values.length));
  return {
    basis,
    from: ago(60 * (steps - 1)),
    stepSeconds: 60,
    rateSeconds: 60,
    pods: entries.map(([pod, values]) => ({
      pod,
      podUid: pod.startsWith('gone') ? null : uidOf(pod),
      values: [...values],
    })),
  };
};

const distroless = { exec: false, usage: false } as const;
const scaled = (secondsAgo: number): Happening => ({
  kind: 'scaled',
  workload: { kind: 'Deployment', name: 'echo' },
  replicaSet: 'echo-aaa',
  from: 2,
  to: 4,
  at: ago(secondsAgo),
});
const clock = (secondsAgo: number) => ago(secondsAgo).slice(11, 19);
const minute = (secondsAgo: number) => ago(secondsAgo).slice(11, 16);

describe('all traffic of the pods', () => {
  it('tells a skew of distroless pods, likely: it is not the traffic of the port alone', () => {
    // 20 kB/s at one of four and 500 B/s of probes at the others: 21 500 in all, of which one has 93 %.
    const report = reportOf(
      buildEvidence({ ...distroless, pods: pods(4), prometheus: { traffic: traffic([20_000, 500, 500, 500]) } }),
    );
    const { status } = report;
    expect(status.verdict).toMatchObject({
      state: 'skewed',
      basis: 'bytes',
      source: 'interface',
      confidence: 'likely',
    });
    expectNear(status.skew?.peakToMean, (4 * 20_000) / 21_500, 0.01);
    // What is left of 500 without the smallest pod's 500 is nothing: three idle.
    expect(status.skew?.idlePods).toBe(3);
    expect(status.pods[0]).toMatchObject({
      name: 'echo-0',
      receivedPerSecond: 20_000,
      bytesPerSecond: null,
      marks: expect.arrayContaining(['hot']),
    });
    const table = renderTables([report], { columns: 100, color: false, unicode: true, wide: false });
    expect(table).toMatch(
      /measured .*all traffic of the pods over 1m by Prometheus\s+monitoring\/prometheus-operated:9090/,
    );
    expect(table).toMatch(/RECV\/S/);
  });

  it('even, it is balanced, and says of what', () => {
    const status = statusOf({
      ...distroless,
      pods: pods(4),
      prometheus: { traffic: traffic([5000, 5100, 4900, 5000]) },
    });
    expect(status.verdict).toMatchObject({ state: 'balanced', source: 'interface', confidence: 'likely' });
    expect(status.verdict.summary).toBe('4 pods share the network traffic evenly');
  });

  it('comes after what the sockets of the port carry', () => {
    const status = statusOf({
      pods: pods(4),
      connections: meshed(3, 4),
      prometheus: { traffic: traffic([20_000, 500, 500, 500]) },
    });
    expect(status.verdict).toMatchObject({ state: 'balanced', source: 'sockets', confidence: 'certain' });
    expect(status.distributions.find((entry) => entry.source === 'interface')?.reading).toBe('uneven');
  });

  it('does not outvote a few calls that are far beyond the noise', () => {
    // 30 calls, all at one of four pods: too few to call it even, but fair traffic does that once in 4^29.
    const calls = [3, 0, 0, 0].map((perSecond, index) => ({ pod: `echo-${index}`, perSecond, total: 10 * perSecond }));
    const plan: Plan = {
      ...distroless,
      pods: pods(4),
      calls,
      prometheus: { traffic: traffic([5000, 1500, 1500, 1500]) },
    };
    expect(statusOf(plan).verdict).toMatchObject({ state: 'skewed', basis: 'calls', source: 'pod-metrics' });
  });

  it('settles what uneven connections of unknown weight leave open', () => {
    // netstat knows no bytes; four connections on one pod, but all pods receive alike.
    const plan: Plan = { pods: pods(4), connections: dealt([4, 0, 0, 0]), way: 'netstat', usage: false };
    expect(statusOf(plan).verdict).toMatchObject({ state: 'skewed', basis: 'connections' });
    const known = statusOf({ ...plan, prometheus: { traffic: traffic([5000, 5000, 5000, 5000]) } });
    expect(known.verdict).toMatchObject({ state: 'balanced', source: 'interface' });
  });

  it('says nothing where it is no more than probes and scrapes', () => {
    const status = statusOf({ ...distroless, pods: pods(4), prometheus: { traffic: traffic([900, 200, 200, 200]) } });
    expect(status.verdict.state).toBe('unknown');
  });

  it('of pods on the network of their node does not count', () => {
    const plans = pods(4).map((pod, index) => (index === 0 ? { ...pod, pod: { hostNetwork: true } } : pod));
    const status = statusOf({
      ...distroless,
      pods: plans,
      prometheus: { traffic: traffic([900_000, 2000, 2000, 2000]) },
    });
    expect(status.distributions).toMatchObject([{ source: 'interface', pods: 3 }]);
    // Where that one stands is not known, so neither is the whole.
    expect(status.verdict.state).toBe('unknown');
  });

  it('from before the pod was there was another pod’s', () => {
    const plans = pods(4).map((pod, index) => (index === 0 ? { ...pod, ageSeconds: 30 } : pod));
    const status = statusOf({ ...distroless, pods: plans, prometheus: { traffic: traffic([20_000, 500, 500, 500]) } });
    expect(status.pods.find((pod) => pod.name === 'echo-0')?.receivedPerSecond).toBeNull();
    expect(status.verdict.state).toBe('unknown');
  });

  it('of another pod with the same name is left alone: the uid tells', () => {
    const entries = traffic([20_000, 500, 500, 500]).map((entry, index) =>
      index === 0 ? { ...entry, podUid: 'former' } : entry,
    );
    const status = statusOf({ ...distroless, pods: pods(4), prometheus: { traffic: entries } });
    expect(status.distributions).toMatchObject([{ source: 'interface', pods: 3 }]);
  });
});

describe('calls by Prometheus', () => {
  const scraped = (rates: readonly number[]) =>
    rates.flatMap((perSecond, index) => callLooks({ pod: `echo-${index}`, perSecond }, [1, 2], 60));

  it('are the load where the pods’ own pages gave none', () => {
    const status = statusOf({
      pods: pods(4),
      connections: meshed(3, 4),
      prometheus: { calls: scraped([30, 2, 2, 2]) },
    });
    expect(status.verdict).toMatchObject({
      state: 'skewed',
      basis: 'calls',
      source: 'prometheus',
      confidence: 'likely',
    });
    expectNear(status.skew?.peakToMean, (4 * 30) / 36, 0.02);
    expect(reading(status, 'bytes')).toBe('even');
  });

  it('give way to the pods’ own pages, which tell of now', () => {
    const calls = [10, 10, 10, 10].map((perSecond, index) => ({ pod: `echo-${index}`, perSecond }));
    const status = statusOf({
      pods: pods(4),
      connections: meshed(3, 4),
      calls,
      prometheus: { calls: scraped([30, 2, 2, 2]) },
    });
    expect(status.verdict).toMatchObject({ state: 'balanced', source: 'pod-metrics', confidence: 'certain' });
  });

  it('stand in where only some pods gave a page: two sources are never mixed', () => {
    const calls = [{ pod: 'echo-0', perSecond: 10 }];
    const status = statusOf({ ...distroless, pods: pods(4), calls, prometheus: { calls: scraped([30, 2, 2, 2]) } });
    expect(
      status.distributions.filter((entry) => entry.basis === 'calls').map((entry) => [entry.source, entry.pods]),
    ).toEqual([
      ['prometheus', 4],
      ['prometheus', 4],
    ]);
  });

  it('make the signal complete, and say whence', () => {
    const signals = {
      calls: { state: 'forbidden', reason: 'pods/proxy is forbidden', needs: 'get pods/proxy' },
    } as const;
    const status = statusOf({
      pods: pods(4),
      connections: meshed(3, 4),
      signals,
      prometheus: { calls: scraped([10, 10, 10, 10]) },
    });
    expect(status.signals.find(({ id }) => id === 'calls')).toMatchObject({
      state: 'complete',
      needs: null,
      reason: 'by Prometheus; else: pods/proxy is forbidden',
    });
    expect(status.headline.notSeen).toEqual([]);
  });
});

describe('CPU by Prometheus', () => {
  it('stands in for the metrics API', () => {
    const cpu = usage([900, 100, 100, 100].map((cpuMillicores) => ({ cpuMillicores, memoryBytes: 64 * 2 ** 20 })));
    const status = statusOf({ ...distroless, pods: pods(4), prometheus: { usage: cpu } });
    expect(status.verdict).toMatchObject({ state: 'skewed', basis: 'cpu', source: 'prometheus', confidence: 'likely' });
    expect(status.impact).toMatchObject({ level: 'risk', text: 'hottest pod at 90 % of its CPU limit, no restarts' });
  });

  it('gives way to the metrics API', () => {
    const cpu = usage([900, 100, 100, 100].map((cpuMillicores) => ({ cpuMillicores })));
    const status = statusOf({ pods: pods(4, { cpuMillicores: 200 }), exec: false, prometheus: { usage: cpu } });
    expect(status.pods.map((pod) => pod.cpuMillicores)).toEqual([200, 200, 200, 200]);
  });

  it('of the process before the present one does not count', () => {
    const plans = pods(4, { runningSeconds: 5 });
    const status = statusOf({
      ...distroless,
      pods: plans,
      prometheus: { usage: usage([900, 100, 100, 100].map((cpuMillicores) => ({ cpuMillicores }))) },
    });
    expect(status.pods.map((pod) => pod.cpuMillicores)).toEqual([null, null, null, null]);
  });
});

describe('throttling', () => {
  const hot: Plan = { pods: pods(4, { cpuMillicores: 400 }), connections: dealt([4, 0, 0, 0]) };

  it('of the hot pod raises the impact: its mean is far from the limit, its bursts are not', () => {
    expect(statusOf(hot).impact.level).toBe('none');
    const status = statusOf({ ...hot, prometheus: { usage: usage([{ throttledShare: 0.62 }, {}, {}, {}]) } });
    expect(status.impact).toEqual({
      level: 'risk',
      text: 'hottest pod at 40 % of its CPU limit, throttled in 62 % of its CPU periods, no restarts',
    });
    expect(status.pods.find((pod) => pod.name === 'echo-0')?.throttledShare).toBe(0.62);
  });

  it('below a quarter of the periods is no harm', () => {
    const status = statusOf({ ...hot, prometheus: { usage: usage([{ throttledShare: 0.24 }]) } });
    expect(status.impact).toEqual({ level: 'none', text: 'hottest pod at 40 % of its CPU limit, no restarts' });
  });

  it('names the pod where it is not the hottest one', () => {
    const status = statusOf({ ...hot, prometheus: { usage: usage([{}, {}, { throttledShare: 0.3 }]) } });
    expect(status.impact.text).toBe(
      'hottest pod at 40 % of its CPU limit, echo-2 throttled in 30 % of its CPU periods, no restarts',
    );
  });
});

describe('the last hour', () => {
  const skewed: Plan = { pods: pods(4), connections: dealt([4, 0, 0, 0]) };
  const quiet = Array<number>(6).fill(2000);

  it('tells when the load turned', () => {
    // Even for three minutes, then one pod has nearly all for three: the last even minute is three minutes ago.
    const turned = history('bytes', {
      'echo-0': [2000, 2000, 2000, 20_000, 20_000, 20_000],
      'echo-1': quiet,
      'echo-2': quiet,
      'echo-3': quiet,
    });
    const status = statusOf({ ...skewed, prometheus: { history: [turned] } });
    expect(status.headline.since).toBe(`about ${minute(180)}: even before (network traffic, Prometheus)`);
    expect(status.timeline[0]).toEqual({
      time: ago(180),
      text: 'the network traffic was even until about then (Prometheus)',
    });
    expect(status.prometheus?.history[0]).toMatchObject({ evenUntil: ago(180), unevenSince: ago(120) });
    expect(status.prometheus?.history[0]?.points.map((point) => point.reading)).toEqual([
      'even',
      'even',
      'even',
      'uneven',
      'uneven',
      'uneven',
    ]);
  });

  it('confirms the scaling of that time', () => {
    const turned = history('bytes', {
      'echo-0': [2000, 2000, 2000, 20_000, 20_000, 20_000],
      'echo-1': quiet,
      'echo-2': quiet,
      'echo-3': quiet,
    });
    const status = statusOf({ ...skewed, happenings: [scaled(170)], prometheus: { history: [turned] } });
    expect(status.headline.since).toBe(`${clock(170)}, deployment/echo scaled 2 → 4`);
  });

  it('acquits a scaling that came later', () => {
    const always = history('bytes', {
      'echo-0': Array<number>(60).fill(20_000),
      'echo-1': Array<number>(60).fill(500),
      'echo-2': Array<number>(60).fill(500),
      'echo-3': Array<number>(60).fill(500),
    });
    const plan: Plan = { ...skewed, happenings: [scaled(600)] };
    expect(statusOf(plan).headline.since).toBe(`${clock(600)}, deployment/echo scaled 2 → 4`);
    expect(statusOf({ ...plan, prometheus: { history: [always] } }).headline.since).toBe(
      `before ${minute(59 * 60)}: uneven as far back as Prometheus tells (network traffic)`,
    );
  });

  it('one even minute is a lull, at the start of the traffic too', () => {
    const lull = history('bytes', {
      'echo-0': [2000, 20_000, 20_000, 2000, 20_000, 20_000],
      'echo-1': quiet,
      'echo-2': quiet,
      'echo-3': quiet,
    });
    const status = statusOf({ ...skewed, prometheus: { history: [lull] } });
    expect(status.headline.since).toMatch(/^before .*: uneven as far back as Prometheus tells/);
  });

  it('one uneven minute is a burst', () => {
    const burst = history('bytes', {
      'echo-0': [2000, 2000, 2000, 2000, 2000, 20_000],
      'echo-1': quiet,
      'echo-2': quiet,
      'echo-3': quiet,
    });
    const status = statusOf({ ...skewed, prometheus: { history: [burst] } });
    expect(status.prometheus?.history[0]?.unevenSince).toBeNull();
    expect(status.headline.since).toBeNull();
  });

  it('counts a pod that was never called from its start on', () => {
    // Ten calls a second at two pods; two more came two minutes ago and have no series.
    const plans = [...pods(2), ...pods(2, { ageSeconds: 130, readySeconds: 120 }, 2)];
    const looks = [0, 1, 2, 3].flatMap((index) =>
      callLooks({ pod: `echo-${index}`, perSecond: index < 2 ? 10 : 0, counted: index < 2 }, [1, 2], 60),
    );
    const past = history('calls', { 'echo-0': [10, 10, 10, 10, 10], 'echo-1': [10, 10, 10, 10, 10] });
    const status = statusOf({ pods: plans, exec: false, prometheus: { calls: looks, history: [past] } });
    // A rate of 60 s can tell of them from 70 s ago on.
    expect(status.prometheus?.history[0]?.points.map((point) => [point.pods, point.reading])).toEqual([
      [2, 'even'],
      [2, 'even'],
      [2, 'even'],
      [4, 'uneven'],
      [4, 'uneven'],
    ]);
  });

  it('counts pods that are gone while they were there', () => {
    const past = history('bytes', {
      'gone-1': [5000, 5000, null, null],
      'gone-2': [5000, 5000, null, null],
      'echo-0': [null, null, 5000, 5000],
      'echo-1': [null, null, 5000, 5000],
    });
    const [load] =
      statusOf({ pods: pods(2), connections: meshed(3, 2), prometheus: { history: [past] } }).prometheus?.history ?? [];
    expect(load?.points.map((point) => [point.pods, point.effectivePods])).toEqual([
      [2, 2],
      [2, 2],
      [2, 2],
      [2, 2],
    ]);
  });

  it('has the course of each pod in even shares of what all pods did, those that are gone included', () => {
    // Twelve minutes of two even pods, one of which goes; then three, of which the oldest does half of all work.
    const [before, after] = [Array<number>(12).fill(2000), Array<number>(12).fill(1000)];
    const none = Array<null>(12).fill(null);
    const past = history('bytes', {
      'gone-1': [...before, ...none],
      'echo-0': [...before, ...before],
      'echo-1': [...none, ...after],
      'echo-2': [...none, ...after],
    });
    const status = statusOf({ pods: pods(3), connections: meshed(3, 3), prometheus: { history: [past] } });
    const course = (name: string) => status.pods.find((one) => one.name === name)?.past;
    const halves = (first: number | null, second: number) => [...Array(6).fill(first), ...Array(6).fill(second)];
    expect(course('echo-0')).toEqual(halves(1, 1.5));
    for (const name of ['echo-1', 'echo-2']) expect(course(name)).toEqual(halves(null, 0.75));
    expect(statusOf({ pods: pods(3) }).pods.every((one) => !('past' in one))).toBe(true);
  });

  it('of a Service that is balanced changes nothing in the night lines', () => {
    const past = history('bytes', { 'echo-0': [9000, 9000, 9000], 'echo-1': [500, 500, 500] });
    const status = statusOf({ pods: pods(2), connections: meshed(3, 2), prometheus: { history: [past] } });
    expect(status.verdict.state).toBe('balanced');
    expect(status.headline.since).toBeNull();
  });
});

describe('probes by Prometheus', () => {
  it('are counted where nobody asked the kubelets', () => {
    const count = {
      pod: 'echo-0',
      podUid: uidOf('echo-0'),
      container: 'server',
      type: 'readiness',
      unknown: 0,
      durations: null,
    } as const;
    const probes = [
      { node: 'n1', sample: 1 as const, lookedAt: ago(65), counts: [{ ...count, successful: 100, failed: 1 }] },
      { node: 'n1', sample: 2 as const, lookedAt: ago(5), counts: [{ ...count, successful: 104, failed: 3 }] },
    ];
    const status = statusOf({ pods: pods(2), connections: meshed(3, 2), prometheus: { probes } });
    // Between the looks 4 succeeded and 2 failed.
    expect(status.probes[0]?.countedBy).toBe('prometheus');
    expect(status.probes[0]?.counted).toMatchObject({ successful: 104, failed: 3, window: { probes: 6, failed: 2 } });
  });
});

describe('a cluster without one', () => {
  it('takes no line of the night, but stands in the list of signals', () => {
    const reason = 'no Prometheus found in the cluster: --prometheus URL names one';
    const status = statusOf({
      pods: pods(2),
      connections: meshed(3, 2),
      signals: { prometheus: { state: 'skipped', reason } },
    });
    expect(status.headline.notSeen).toEqual([]);
    expect(status.signals.find(({ id }) => id === 'prometheus')).toMatchObject({ state: 'skipped', reason });
  });

  it('that refuses is named like other refusals', () => {
    const needs = 'get services/proxy in monitoring';
    const status = statusOf({
      pods: pods(2),
      connections: meshed(3, 2),
      signals: { prometheus: { state: 'forbidden', reason: 'x', needs } },
    });
    expect(status.headline.notSeen).toEqual([
      `prometheus (needs ${needs}): since when the load is uneven, and which pods are throttled`,
    ]);
  });
});

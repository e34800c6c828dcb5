import { describe, expect, test } from 'vitest';
import { collect } from '../../src/collect/collect.ts';
import type { CollectHost, Longer } from '../../src/collect/host.ts';
import { diagnosePorts } from '../../src/diagnose.ts';
import type { SkewEvidence } from '../../src/evidence/schema.ts';
import type { SkewReport } from '../../src/report/schema.ts';
import { type FakePod, fakeCluster } from './fake-cluster.ts';

/** Calls a second that the pods get; over a time that only waits let pass. */
interface World {
  readonly rates: readonly number[];
  /** Their pages count calls; else only their sockets tell. */
  readonly counts?: boolean;
  /** Connections are made anew every so many seconds. */
  readonly connectionSeconds?: number;
  /** Seconds by which each wait ends too soon, as timers may. */
  readonly early?: number;
}

interface Seen {
  readonly evidence: SkewEvidence;
  readonly report: SkewReport;
  readonly longer: readonly Longer[];
  /** Commands and pages for each pod. */
  readonly execs: number;
  readonly pages: number;
  readonly seconds: number;
}

const epoch = Date.parse('2026-03-01T12:00:00Z');
const iso = (seconds: number) => new Date(epoch + seconds * 1000).toISOString();

async function look(
  { rates, counts = false, connectionSeconds = 1e6, early = 0 }: World,
  longest: number | null,
): Promise<Seen> {
  let clock = 0;
  let pages = 0;
  const longer: Longer[] = [];
  const pods: FakePod[] = rates.map((_, index) => ({ name: `echo-${index}`, node: `n${index}` }));
  const callsOf = (pod: string, from: number) => Math.floor((rates[Number(pod.slice(5))] ?? 0) * (clock - from));
  const { kube, runs } = fakeCluster(pods, ({ pod }) => {
    const born = Math.floor(clock / connectionSeconds) * connectionSeconds;
    const calls = callsOf(pod, born) + 3;
    const port = 40_000 + born / connectionSeconds;
    const counters = `bytes_acked:${calls * 60} bytes_received:${calls * 50} data_segs_out:${calls} data_segs_in:${calls}`;
    const stdout = `ESTAB 0 0 10.244.0.10:50051 10.250.0.${pod.slice(5)}:${port}\n\t cubic ${counters}\n`;
    return { stdout: `LISTEN 0 128 0.0.0.0:50051 0.0.0.0:*\n${stdout}`, endedAt: iso(clock) };
  });
  const counted: typeof kube.getText = async (path) => {
    pages++;
    const pod = /pods\/(echo-\d+)/.exec(path)?.[1] ?? '';
    const text = `grpc_server_handled_total{grpc_service="echo.Echo",grpc_method="Say",grpc_type="unary",grpc_code="OK"} ${callsOf(pod, 0) + 900}\n`;
    return { ok: true, serverDate: iso(clock), value: { text, receivedAt: iso(clock) } };
  };
  const host: CollectHost = {
    kube: counts ? { ...kube, getText: counted } : kube,
    now: () => epoch + clock * 1000,
    wait: async (seconds) => {
      clock += Math.max(0, seconds - early);
    },
    progress: () => {},
    beforeExecs: () => {},
    beforeLonger: (one) => longer.push(one),
    enoughSeconds: async (seen) => reportOn(seen).status.verdict.settledInSeconds ?? null,
  };
  const request = {
    ...{ namespace: 'shop', name: 'echo', context: null, port: null, toolVersion: '0.0.0' },
    ...{ exec: true, allPods: false, windowSeconds: 3, longestWindowSeconds: longest },
    ...(counts && { metricsPort: 9090 }),
  };
  let evidence: SkewEvidence | null = null;
  for await (const state of collect(request, host)) evidence = state.evidence;
  if (evidence === null) throw new Error('nothing was collected');
  const each = (all: number) => all / pods.length;
  const seen = { longer, execs: each(runs.length), pages: each(pages), seconds: clock };
  return { evidence, report: reportOn(evidence), ...seen };
}

function reportOn(evidence: SkewEvidence): SkewReport {
  const diagnosis = diagnosePorts(evidence);
  const [report] = diagnosis.ok ? diagnosis.value : [];
  if (report === undefined) throw new Error('no report');
  return report;
}

const ten = (rate: number) => Array<number>(10).fill(rate);

describe('a window that may go on', () => {
  test('ends after 3 s where many calls decide', async () => {
    const seen = await look({ rates: ten(20) }, 20);
    expect(seen.report.status.verdict).toMatchObject({ state: 'balanced', confidence: 'certain' });
    expect(seen).toMatchObject({ seconds: 3, execs: 2, longer: [] });
  });

  test('goes on while few calls do not, by one more exec a pod, and no longer than they need', async () => {
    const fixed = await look({ rates: [2, 2, 2] }, null);
    // Six calls a pod say nothing, and nine on a connection in all make it younger than the CPU of half a minute ago.
    expect(fixed.report.status.verdict).toMatchObject({ state: 'unknown', basis: 'bytes', confidence: 'possible' });
    expect(fixed.report.status.verdict.settledInSeconds).toBeGreaterThan(5);
    expect(fixed).toMatchObject({ seconds: 3, execs: 2 });
    const seen = await look({ rates: [2, 2, 2] }, 20);
    expect(seen.report.status.verdict).toMatchObject({ state: 'balanced', basis: 'bytes', span: 'window' });
    expect(seen.report.status.verdict).toMatchObject({ confidence: 'likely', settledInSeconds: null });
    expect(seen.execs).toBe(3);
    expect(seen.seconds).toBeGreaterThan(5);
    expect(seen.seconds).toBeLessThan(15);
    // What is recorded is what was compared: the first look and the last.
    const looks = seen.evidence.connections?.looks ?? [];
    expect(looks).toHaveLength(6);
    expect(new Set(looks.map(({ sample }) => sample))).toEqual(new Set([1, 2]));
    expect(seen.report.spec.windowSeconds).toBeCloseTo(seen.seconds, 1);
    expect(seen.evidence.spec).toMatchObject({ askedWindowSeconds: 3, longestWindowSeconds: 20 });
  });

  test('reads counters again, and runs no further command for it', async () => {
    const seen = await look({ rates: [2, 2, 2], counts: true }, 20);
    expect(seen.report.status.verdict).toMatchObject({ state: 'balanced', basis: 'calls' });
    expect(seen).toMatchObject({ execs: 2, pages: 3 });
    expect(seen.longer).toMatchObject([{ elapsed: 3, execs: 0 }]);
    expect(seen.evidence.calls?.looks.map(({ sample }) => sample).toSorted()).toEqual([1, 1, 1, 2, 2, 2]);
  });

  test('ends with the longest window, after two further looks at most', async () => {
    const seen = await look({ rates: [0.1, 0.1, 0.1] }, 20);
    // CPU has to do.
    expect(seen.report.status.verdict).toMatchObject({ basis: 'cpu', confidence: 'likely' });
    expect(seen.report.status.verdict.settledInSeconds).toBeGreaterThan(20);
    expect(seen.seconds).toBe(20);
    expect(seen.execs).toBeLessThanOrEqual(4);
    const more = await look({ rates: [0.1, 0.1, 0.1], counts: true }, 60);
    expect([more.seconds, more.execs]).toEqual([60, 2]);
  });

  test('a timer that fires a moment early is no reason for one more look', async () => {
    const [seen, early] = [
      await look({ rates: [0.1, 0.1, 0.1] }, 20),
      await look({ rates: [0.1, 0.1, 0.1], early: 0.001 }, 20),
    ];
    expect([early.execs, early.longer.length]).toEqual([seen.execs, seen.longer.length]);
  });

  test('does not wait for what no window shows: an image without ss', async () => {
    const pods = ['echo-0', 'echo-1'].map((name) => ({ name, node: name }));
    const proc = '  sl  local_address rem_address   st tx_queue rx_queue\n';
    const { kube } = fakeCluster(pods, ({ command }) =>
      command[0] === 'cat' ? { stdout: proc } : { end: { kind: 'no-such-program', message: 'not found' } },
    );
    let waited = 0;
    const host: CollectHost = {
      kube,
      now: () => epoch + waited * 1000,
      wait: async (seconds) => {
        waited += seconds;
      },
      progress: () => {},
      beforeExecs: () => {},
      enoughSeconds: async (seen) => reportOn(seen).status.verdict.settledInSeconds ?? null,
    };
    const request = { namespace: 'shop', name: 'echo', context: null, port: null, toolVersion: '0.0.0' };
    const how = { exec: true, allPods: false, windowSeconds: 3, longestWindowSeconds: 20 };
    for await (const _ of collect({ ...request, ...how }, host));
    expect(waited).toBe(3);
  });

  test('does not outlast the connections: a window of 20 s shows what came and went, not what was carried', async () => {
    // All are made anew between the second look and the third.
    const seen = await look({ rates: [1, 1, 1], connectionSeconds: 4 }, 20);
    const ports = seen.evidence.connections?.looks.flatMap(({ sockets }) => sockets.map(({ peerPort }) => peerPort));
    expect(new Set(ports)).toEqual(new Set([40_000]));
    expect(seen.report.status.distributions.find(({ basis }) => basis === 'bytes')?.seconds).toBe(3);
  });
});

import { describe, expect, it } from 'vitest';
import type { ProbeCount, ProbeLook } from '../../src/evidence/looks.ts';
import type { Container, Happening, Probe } from '../../src/evidence/objects.ts';
import type { SkewEvidence } from '../../src/evidence/schema.ts';
import { buildEvidence, dealt, grpcReadiness, type Plan, type PodPlan, pods } from './build.ts';
import { ago, uidOf } from './build-looks.ts';
import { causesOf, reportOf, type Status, statusOf } from './report.ts';

type Unhealthy = Extract<Happening, { kind: 'unhealthy' }>;

function failed(pod: string, more: Partial<Unhealthy>): Unhealthy {
  return {
    kind: 'unhealthy',
    pod,
    podUid: uidOf(pod),
    container: 'server',
    probe: 'readiness',
    failure: 'timeout',
    times: 12,
    firstAt: ago(600),
    at: ago(5),
    ...more,
  };
}

const readiness = (more: Partial<Probe> = {}): Probe => ({ ...grpcReadiness(), ...more });
const liveness = (more: Partial<Probe> = {}): Probe => readiness({ type: 'liveness', ...more });
const probed = (...probes: Probe[]): Partial<Container> => ({ probes });
const never: Omit<PodPlan, 'name'> = { pod: { ready: false }, readySeconds: 86_400 };

const warned = (status: Status) => status.warnings.map((warning) => warning.id);
const textOf = (status: Status, id: string) => status.causes.find((cause) => cause.id === id)?.text;

/** Looks at the kubelets, ten seconds apart: what a probe of a pod had been counted to at each. */
function counted(
  plan: Plan,
  counts: readonly (Partial<ProbeCount> & { readonly pod: string; readonly before?: Partial<ProbeCount> })[],
): SkewEvidence {
  const looks = ([1, 2] as const).map(
    (sample): ProbeLook => ({
      node: 'n1',
      sample,
      lookedAt: ago(sample === 1 ? 10 : 0),
      counts: counts.map(({ before, ...count }) => ({
        podUid: uidOf(count.pod),
        container: 'server',
        type: 'readiness',
        successful: 0,
        failed: 0,
        unknown: 0,
        durations: null,
        ...count,
        ...(sample === 1 ? before : {}),
      })),
    }),
  );
  return { ...buildEvidence(plan), probeMetrics: { looks } };
}

describe('probe-misconfigured: a service name that the server does not know', () => {
  const asks = { container: probed(readiness({ service: 'shop.Echo' }), liveness()) };
  const plan: Plan = {
    truth: { causes: ['probe-misconfigured', 'pods-not-ready'] },
    pods: [...pods(2), ...pods(1, { ...never, ...asks }, 2)],
    connections: dealt([2, 2]),
  };
  const told = [failed('echo-2', { failure: 'unknown-service' })];

  it('is certain when Events quote NOT_FOUND', () => {
    const status = statusOf({ ...plan, happenings: told });
    expect(causesOf(status)).toEqual({ 'pods-not-ready': 'certain', 'probe-misconfigured': 'certain' });
    expect(textOf(status, 'probe-misconfigured')).toBe(
      'the readiness probe of container server (grpc :50051 "shop.Echo") asks for a service that the server does not know',
    );
    // The reason is known: nobody has to find out why the pod is not Ready.
    expect(status.recommendation.first).toEqual(['correct the probe']);
    expect(status.recommendation.commands).toEqual(['kubectl grpc-skew probes -n shop --context test']);
  });

  it('is likely by counters: it never succeeds, the liveness probe of the same port does', () => {
    const evidence = counted(plan, [
      { pod: 'echo-2', failed: 33 },
      { pod: 'echo-2', type: 'liveness', successful: 15 },
    ]);
    expect(causesOf(reportOf(evidence).status)['probe-misconfigured']).toBe('likely');
  });

  it('is possible by the spec alone: never Ready, never restarted under a liveness probe that asks for another name', () => {
    expect(causesOf(statusOf(plan))['probe-misconfigured']).toBe('possible');
  });

  it('twin: not when both probes ask for the same name', () => {
    const same = { container: probed(readiness({ service: 'shop.Echo' }), liveness({ service: 'shop.Echo' })) };
    const twin = { ...plan, pods: [...pods(2), ...pods(1, { ...never, ...same }, 2)] };
    expect(causesOf(statusOf(twin))).toEqual({ 'pods-not-ready': 'certain' });
  });

  it('trap: silent when the Events are of a time before the probe was put right', () => {
    const fixed = { ...plan, pods: pods(3, asks), connections: dealt([2, 2, 2]), happenings: told };
    expect(causesOf(statusOf(fixed))).toEqual({});
  });

  it('trap: silent when the Events are of a pod of that name which is gone', () => {
    const of = { pods: [...pods(2), ...pods(1, never, 2)], connections: dealt([2, 2]) };
    const happenings = [failed('echo-2', { failure: 'unknown-service', podUid: 'uid-of-before' })];
    expect(causesOf(statusOf({ ...of, happenings }))).toEqual({ 'pods-not-ready': 'certain' });
  });

  it('trap: silent when the counters say that it has succeeded', () => {
    const evidence = counted(plan, [{ pod: 'echo-2', failed: 3, successful: 30 }]);
    expect(causesOf(reportOf(evidence).status)).toEqual({ 'pods-not-ready': 'certain' });
  });
});

describe('probe-misconfigured: a server that speaks TLS only', () => {
  const plan: Plan = {
    truth: { causes: ['probe-misconfigured', 'pods-not-ready', 'unready-but-connected'] },

    pods: [...pods(2), ...pods(1, never, 2)],
    connections: dealt([2, 2, 2], { bytesPerSecond: 500 }),
    happenings: [failed('echo-2', { failure: 'connect-timeout' })],
  };

  it('is likely when kubelet cannot connect, and clients on that very port are served', () => {
    const status = statusOf(plan);
    expect(causesOf(status)['probe-misconfigured']).toBe('likely');
    expect(textOf(status, 'probe-misconfigured')).toMatch(/^the server seems to speak TLS only: the readiness probe/);
  });

  it('is likely when the port is named for TLS', () => {
    const ports = [{ name: 'grpc-tls', port: 50_051, protocol: 'TCP' }];
    const named = { ...plan, pods: pods(2, { ...never, container: { ports } }), connections: [] };
    const happenings = [failed('echo-0', { failure: 'connect-timeout' })];
    expect(causesOf(statusOf({ ...named, happenings }))['probe-misconfigured']).toBe('likely');
  });

  it('is certain when Events name TLS', () => {
    const happenings = [failed('echo-2', { failure: 'tls', times: 1 })];
    expect(causesOf(statusOf({ ...plan, happenings }))['probe-misconfigured']).toBe('certain');
  });

  it('twin: not when nobody is connected: then nobody listens', () => {
    expect(causesOf(statusOf({ ...plan, connections: dealt([2, 2]) }))).toEqual({ 'pods-not-ready': 'certain' });
  });

  it.each([
    ['it has been Ready before', { pods: [...pods(2), ...pods(1, { ...never, readySeconds: 300 }, 2)] }],
    [
      'it was reached since',
      { happenings: [...(plan.happenings ?? []), failed('echo-2', { failure: 'not-serving', times: 2 })] },
    ],
    [
      'it failed as often as in every start',
      { happenings: [failed('echo-2', { failure: 'connect-timeout', times: 2 })] },
    ],
  ])('trap: silent when %s', (_name, more: Partial<Plan>) => {
    // Clients are connected to the pod that is not Ready, so that is said, too.
    const both = { 'unready-but-connected': 'certain', 'pods-not-ready': 'certain' };
    expect(causesOf(statusOf({ ...plan, ...more }))).toEqual(both);
  });
});

describe('probe-misconfigured: no health service', () => {
  const plan: Plan = {
    truth: { causes: ['probe-misconfigured', 'pods-not-ready'] },

    pods: [...pods(2), ...pods(1, never, 2)],
    connections: dealt([2, 2]),
    happenings: [failed('echo-2', { failure: 'unimplemented' })],
  };

  it('is certain when Events quote UNIMPLEMENTED', () => {
    expect(causesOf(statusOf(plan))['probe-misconfigured']).toBe('certain');
  });

  it('twin: not when the pods are Ready by now', () => {
    expect(causesOf(statusOf({ ...plan, pods: pods(3), connections: dealt([2, 2, 2]) }))).toEqual({});
  });
});

describe('probe-misconfigured: a timeout near the time that an answer takes', () => {
  const plan: Plan = {
    truth: { causes: ['probe-misconfigured'] },
    pods: pods(3),
    connections: dealt([2, 2, 2]),
  };
  const slow = { count: 100, sumSeconds: 62, p95Seconds: 1 };

  it('is likely when kubelet has measured it and some fail', () => {
    const evidence = counted(plan, [{ pod: 'echo-1', successful: 100, failed: 9, durations: slow }]);
    const { status } = reportOf(evidence);
    expect(causesOf(status)).toEqual({ 'probe-misconfigured': 'likely' });
    expect(status.causes[0]?.evidence[0]).toBe(
      'probes that succeed take 620 ms in the mean, 95 % of them up to 1000 ms; the timeout is 1 s',
    );
  });

  it('is a warning as long as none fails, and when only Events speak for it', () => {
    const evidence = counted(plan, [{ pod: 'echo-1', successful: 100, durations: slow }]);
    const happenings = [failed('echo-1', {})];
    for (const status of [reportOf(evidence).status, statusOf({ ...plan, happenings })]) {
      expect(causesOf(status)).toEqual({});
      expect(warned(status)).toEqual(['timeout-too-short']);
    }
  });

  it('twin: not when the answers take a tenth of it', () => {
    const fast = { count: 100, sumSeconds: 10, p95Seconds: 0.25 };
    const evidence = counted({ ...plan, happenings: [failed('echo-1', {})] }, [
      { pod: 'echo-1', successful: 100, failed: 9, durations: fast },
    ]);
    const { status } = reportOf(evidence);
    expect([causesOf(status), warned(status)]).toEqual([{}, []]);
  });

  it('trap: silent after one hiccup', () => {
    const status = statusOf({ ...plan, happenings: [failed('echo-1', { times: 2 })] });
    expect([causesOf(status), warned(status)]).toEqual([{}, []]);
  });
});

describe('probe-failing: liveness restarts all pods together', () => {
  const ended = (seconds: number, more: Partial<NonNullable<Container['lastTermination']>> = {}) => ({
    runningSeconds: seconds - 2,
    restarts: 1,
    lastTermination: { reason: 'Error', exitCode: 137, finishedAt: ago(seconds), ...more },
    container: probed(readiness(), liveness()),
  });
  const together = [600, 610, 620].map((seconds, index) => ({ name: `echo-${index}`, ...ended(seconds) }));
  const told = together.map(({ name }) => failed(name, { probe: 'liveness', failure: 'not-serving', at: ago(600) }));
  const plan: Plan = {
    truth: { causes: ['probe-failing'] },
    pods: together,
    connections: dealt([3, 2, 1]),
    happenings: told,
  };

  it('is certain when their liveness is known to have failed', () => {
    const status = statusOf(plan);
    expect(causesOf(status)['probe-failing']).toBe('certain');
    expect(textOf(status, 'probe-failing')).toBe(
      '3 of 3 pods restarted within 20 s by their liveness probe: it may ask for something that they share',
    );
  });

  it('is possible when the Events have expired', () => {
    expect(causesOf(statusOf({ ...plan, happenings: [] }))['probe-failing']).toBe('possible');
  });

  it('twin: one after the other is another thing, as a loop of restarts is', () => {
    const apart = [600, 900, 1200].map((seconds, index) => ({ name: `echo-${index}`, ...ended(seconds) }));
    const status = statusOf({ ...plan, pods: apart });
    expect(textOf(status, 'probe-failing')).toBe('the liveness probe restarts 3 of 3 pods');
    expect(causesOf(statusOf({ ...plan, pods: apart, happenings: [] }))).not.toHaveProperty('probe-failing');
  });

  it.each([
    ['killed for memory', { reason: 'OOMKilled' }],
    ['their node went away', { reason: 'Unknown', exitCode: 255 }],
  ])('trap: silent when they were %s', (_name, more) => {
    const other = [600, 610, 620].map((seconds, index) => ({ name: `echo-${index}`, ...ended(seconds, more) }));
    expect(causesOf(statusOf({ ...plan, pods: other }))).not.toHaveProperty('probe-failing');
  });

  it('trap: silent without a liveness probe', () => {
    const bare = together.map((pod) => ({ ...pod, container: probed(readiness()) }));
    expect(causesOf(statusOf({ ...plan, pods: bare, happenings: [] }))).not.toHaveProperty('probe-failing');
  });
});

describe('probe-failing: the readiness of the hottest pod comes and goes', () => {
  const hot = { name: 'echo-0', cpuMillicores: 950, readySeconds: 40 };
  const plan: Plan = {
    // Seven connections that fell 4, 1, 1, 1 make it the hottest.
    truth: { causes: ['probe-failing', 'few-connections', 'chance'] },

    pods: [hot, ...pods(3, { cpuMillicores: 50 }, 1)],
    connections: dealt([4, 1, 1, 1], { bytesPerSecond: 1000 }),
    happenings: [failed('echo-0', {})],
  };

  it('is likely when it misses the timeout', () => {
    const status = statusOf(plan);
    expect(causesOf(status)['probe-failing']).toBe('likely');
    expect(textOf(status, 'probe-failing')).toBe(
      'the readiness of the hottest pod echo-0 comes and goes: each time its new connections go to the others',
    );
  });

  it('does not come and go where it fails each time', () => {
    // Every 10 s from 115 s ago to 5 s ago are 12 times; that it failed 12 times in 600 s is every fifth.
    const happenings = [failed('echo-0', { firstAt: ago(115), at: ago(5) })];
    expect(textOf(statusOf({ ...plan, happenings }), 'probe-failing')).toBe(
      'the readiness probe of the hottest pod echo-0 fails each time: new connections go to the others',
    );
  });

  it('is possible when it fails on most of the others, too', () => {
    const happenings = [0, 1, 2, 3].map((index) => failed(`echo-${index}`, {}));
    expect(causesOf(statusOf({ ...plan, happenings }))['probe-failing']).toBe('possible');
  });

  it('twin: not when it is no hotter than the others', () => {
    const even = { ...plan, pods: [{ ...hot, cpuMillicores: 50 }, ...pods(3, { cpuMillicores: 50 }, 1)] };
    expect(causesOf(statusOf(even))).not.toHaveProperty('probe-failing');
  });

  it('trap: silent when the failures are those of its start', () => {
    const fresh = { ...plan, pods: [{ ...hot, readySeconds: 86_390 }, ...pods(3, { cpuMillicores: 50 }, 1)] };
    expect(causesOf(statusOf(fresh))).not.toHaveProperty('probe-failing');
  });
});

describe('warnings about probes', () => {
  const plan: Plan = { pods: pods(3), connections: dealt([2, 2, 2]) };
  const of = (...probes: Probe[]) => warned(statusOf({ ...plan, pods: pods(3, { container: probed(...probes) }) }));
  const http = { kind: 'httpGet', service: null } as const;
  const exec = { kind: 'exec', port: null, service: null } as const;

  it('name a gRPC port that no readiness probe asks', () => {
    expect(of()).toEqual(['no-readiness-probe']);
    expect(of(liveness())).toEqual(['no-readiness-probe']);
    expect(of(readiness({ ...http, port: 8080 }))).toEqual(['no-readiness-probe']);
    expect(of(readiness({ kind: 'tcpSocket', service: null }))).toEqual(['no-readiness-probe']);
  });

  it('twin: silent where one asks it, or a command that may ask anything', () => {
    expect(of(readiness())).toEqual([]);
    expect(of(readiness(exec))).toEqual([]);
  });

  it('trap: silent where the port does not look like gRPC', () => {
    const ports = [{ name: 'http', port: 8080, protocol: 'TCP' }];
    const other = pods(3, { port: 8080, container: { probes: [], ports } });
    expect(warned(statusOf({ ...plan, pods: other }))).toEqual([]);
  });

  it('name grpc_health_probe with one second, and no other command or timeout', () => {
    expect(of(readiness({ ...exec, grpcHealthProbe: true }))).toEqual(['probe-one-second']);
    expect(of(readiness({ ...exec, grpcHealthProbe: true, timeoutSeconds: 5 }))).toEqual([]);
  });

  it('name probes that a mesh has rewritten, and do not miss a gRPC probe in their place', () => {
    expect(of(readiness({ ...http, port: 15_020, rewritten: true }))).toEqual(['probe-rewritten']);
  });
});

describe('the counts of a report', () => {
  const plan: Plan = { pods: pods(2), connections: dealt([2, 2]) };

  it('are those of all pods, with what came between the looks', () => {
    const evidence = counted(plan, [
      { pod: 'echo-0', successful: 32, failed: 4, before: { successful: 30, failed: 3 } },
      { pod: 'echo-1', successful: 20, before: { successful: 18 } },
    ]);
    expect(reportOf(evidence).status.probes[0]?.counted).toMatchObject({
      successful: 52,
      failed: 4,
      window: { probes: 5, failed: 1 },
    });
  });

  it('are whole and no less than none, whatever a page says of a counter', () => {
    const evidence = counted(plan, [
      { pod: 'echo-0', successful: 3.5, failed: -7, before: { successful: 1.2, failed: -9 } },
    ]);
    expect(reportOf(evidence).status.probes[0]?.counted).toMatchObject({
      successful: 4,
      failed: 0,
      window: { probes: 3, failed: 0 },
    });
  });

  it('begin anew with a restart of kubelet: what is counted then is all new', () => {
    const evidence = counted(plan, [
      { pod: 'echo-0', successful: 1, failed: 2, before: { successful: 300, failed: 0 } },
    ]);
    expect(reportOf(evidence).status.probes[0]?.counted?.window).toEqual({ probes: 3, failed: 2 });
  });

  it('are null where nobody asked for them', () => {
    expect(statusOf(plan).probes[0]?.counted).toBeNull();
  });
});

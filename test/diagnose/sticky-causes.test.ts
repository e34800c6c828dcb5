import { describe, expect, it } from 'vitest';
import { buildEvidence, dealt, headless, meshed, type Plan, pods } from './build.ts';
import { ago } from './build-looks.ts';
import { causesOf, reportOf, statusOf } from './report.ts';

/** Three old pods, seven that came ten minutes ago, four connections that are eleven hours old. */
const scaledUp: Plan = {
  truth: { causes: ['new-pods-idle', 'few-connections'] },

  pods: [...pods(3), ...pods(7, { ageSeconds: 600 }, 3)],
  connections: dealt([2, 1, 1]),
};

describe('new-pods-idle', () => {
  it('is certain when the connections have lived longer than the idle pods have been Ready', () => {
    expect(causesOf(statusOf(scaledUp))['new-pods-idle']).toBe('certain');
  });

  it('is likely when one sample leaves the age of the connections open: so many empty young pods are no accident', () => {
    expect(causesOf(statusOf({ ...scaledUp, windowSeconds: 0 }))['new-pods-idle']).toBe('likely');
  });

  it('is possible when empty young pods may as well be an accident', () => {
    // One young pod of four, three connections: (1 − 1/4)³ = 0.42.
    const status = statusOf({
      pods: [...pods(3), ...pods(1, { ageSeconds: 600 }, 3)],
      connections: dealt([2, 1, 0]),
      windowSeconds: 0,
    });
    expect(causesOf(status)).toMatchObject({ 'few-connections': 'certain' });
    expect(causesOf(status)['new-pods-idle']).not.toBe('certain');
  });

  it('twin: not when all pods are of one age', () => {
    const status = statusOf({ ...scaledUp, pods: pods(10), truth: { causes: ['few-connections'] } });
    expect(causesOf(status)).toEqual({ 'few-connections': 'certain' });
    expect(status.skew?.ageOrder).toBeNull();
  });

  it('twin: not when every client started after those pods were Ready', () => {
    const clients = [0, 1, 2, 3].map((number) => ({ name: `web-${number}`, startedSeconds: 300 }));
    const connections = dealt([2, 1, 1], { ageSeconds: 290 });
    expect(causesOf(statusOf({ ...scaledUp, clients, connections }))).not.toHaveProperty('new-pods-idle');
  });

  it('is not certain when one of the clients started later', () => {
    const clients = [{ name: 'web-3', startedSeconds: 300 }];
    const connections = [...dealt([2, 1]), { from: 'web-3', to: 'echo-2', ageSeconds: 290 }];
    const status = statusOf({ ...scaledUp, clients, connections });
    expect(causesOf(status)['new-pods-idle']).toBe('possible');
    expect(status.causes.find((cause) => cause.id === 'new-pods-idle')?.against).toContain(
      '1 client of 4 started when those pods were Ready',
    );
  });

  it('trap: silent when the young pods do work', () => {
    const status = statusOf({
      pods: [...pods(3), ...pods(7, { ageSeconds: 600 }, 3)],
      connections: dealt([0, 0, 0, 4, 3, 3, 3, 3, 3, 3]),
    });
    expect(status.verdict.state).toBe('skewed');
    expect(causesOf(status)).not.toHaveProperty('new-pods-idle');
  });

  it('is a part of the reason at most when an old pod is empty, too', () => {
    const status = statusOf({ ...scaledUp, connections: dealt([2, 1, 0]) });
    expect(causesOf(status)['new-pods-idle']).toBe('possible');
    expect(status.causes[0]?.id).toBe('few-connections');
  });

  it('takes pods created within seconds for one age', () => {
    const plan = { pods: [...pods(2), ...pods(1, { ageSeconds: 86_399 }, 2)], connections: dealt([3, 3, 0]) };
    expect(causesOf(statusOf(plan))).not.toHaveProperty('new-pods-idle');
  });
});

describe('restarted-pod', () => {
  const restarted = { restarts: 1, runningSeconds: 600, lastTermination: killed('Error', 602) };
  const plan: Plan = {
    truth: { causes: ['restarted-pod'] },

    pods: [...pods(2), ...pods(1, restarted, 2)],
    connections: dealt([4, 4, 0]),
  };

  /** Without the restart nothing but luck leaves one of three pods empty. */
  const luck = { causes: ['chance'] };

  it('is certain when the connections are older than the restarted container', () => {
    const status = statusOf(plan);
    expect(status.causes[0]).toMatchObject({ id: 'restarted-pod', confidence: 'certain' });
    expect(status.headline.since).toBe('11:49:58, echo-2 restarted (Error)');
  });

  it('twin: not when the idle pod has not restarted', () => {
    expect(causesOf(statusOf({ ...plan, pods: pods(3), truth: luck }))).not.toHaveProperty('restarted-pod');
  });

  it('trap: silent when the restarted pod works', () => {
    const first = [...pods(1, restarted), ...pods(2, {}, 1)];
    expect(causesOf(statusOf({ ...plan, pods: first, truth: luck }))).not.toHaveProperty('restarted-pod');
  });

  it('trap: silent when every client started after the restart', () => {
    const clients = Array.from({ length: 8 }, (_, number) => ({ name: `web-${number}`, startedSeconds: 300 }));
    const connections = dealt([4, 4, 0], { ageSeconds: 290 });
    expect(causesOf(statusOf({ ...plan, clients, connections, truth: luck }))).not.toHaveProperty('restarted-pod');
  });

  it('is possible when a restarted pod works as well as an idle one', () => {
    const mixed = [...pods(1, restarted), ...pods(1, {}, 1), ...pods(1, restarted, 2)];
    expect(causesOf(statusOf({ ...plan, pods: mixed }))['restarted-pod']).toBe('possible');
  });
});

function killed(reason: string, secondsAgo: number) {
  return { reason, exitCode: 137, finishedAt: ago(secondsAgo) };
}

describe('few-connections', () => {
  it('is certain with fewer connections than pods', () => {
    expect(causesOf(statusOf({ pods: pods(5), connections: dealt([2, 1]) }))['few-connections']).toBe('certain');
  });

  it('is likely below 4(P−1)', () => {
    // 15 of the 16 that five pods would want.
    const status = statusOf({ pods: pods(5), connections: dealt([6, 4, 3, 1, 1]) });
    expect(causesOf(status)['few-connections']).toBe('likely');
  });

  it('twin: not from 4(P−1) on', () => {
    const status = statusOf({ pods: pods(5), connections: dealt([7, 5, 2, 1, 1]) });
    expect(status.verdict.state).toBe('skewed');
    expect(causesOf(status)).not.toHaveProperty('few-connections');
  });

  it('trap: silent when few connections are even', () => {
    const status = statusOf({ pods: pods(4), connections: dealt([1, 1, 1, 1]) });
    expect([status.verdict.state, causesOf(status)]).toEqual(['balanced', {}]);
  });

  // Two pods on the node of the clients, three on another one.
  const apart = [...pods(2), ...pods(3, { node: 'n2' }, 2)];
  const local = { internalTrafficPolicy: 'Local' } as const;

  it.each([
    ['sessionAffinity', { sessionAffinity: 'ClientIP' }, pods(5)],
    ['internalTrafficPolicy', local, apart],
    ['a headless Service', headless, pods(5)],
  ])('trap: silent under %s, where no connection is placed at random', (_, service, servers) => {
    const status = statusOf({ pods: servers, connections: dealt([2, 1]), service });
    expect(causesOf(status)).not.toHaveProperty('few-connections');
  });

  it('trap: silent under topology hints', () => {
    const hinted = (zone: string, count: number, first: number) =>
      pods(count, { zone, endpoint: { hintZones: [zone] } }, first);
    const status = statusOf({
      pods: [...hinted('zone-a', 2, 0), ...hinted('zone-b', 3, 2)],
      connections: dealt([2, 1]),
    });
    expect(causesOf(status)).not.toHaveProperty('few-connections');
  });

  it.each([
    ['lets the clients reach all pods alike', pods(5), [2, 1], 'certain'],
    ['lets them reach two, of which a single connection leaves one idle', apart, [1], 'certain'],
  ])('internalTrafficPolicy Local %s: it does not silence it', (_, servers, counts, confidence) => {
    const status = statusOf({ pods: servers, connections: dealt(counts), service: local });
    expect(causesOf(status)['few-connections']).toBe(confidence);
  });

  it('trap: silent where a setting directs clients whose place is not known', () => {
    const evidence = buildEvidence({ pods: pods(5), connections: dealt([2, 1]), service: local });
    const { status } = reportOf({ ...evidence, peers: null });
    expect(causesOf(status)).not.toHaveProperty('few-connections');
  });

  it('trap: silent when a pod was not seen, which may hold many', () => {
    const failures = [{ pod: 'echo-4', reason: 'timeout' as const }];
    const status = statusOf({ pods: pods(5), connections: dealt([2, 1]), failures });
    expect(causesOf(status)).not.toHaveProperty('few-connections');
  });
});

describe('chance', () => {
  it('is possible where random placement gives that easily, and nothing else explains it', () => {
    // Twelve connections are enough for four pods: 4(P−1).
    const status = statusOf({ pods: pods(4), connections: dealt([6, 4, 1, 1]) });
    expect(status.skew?.chance.probability).toBeGreaterThan(0.05);
    expect(causesOf(status)).toEqual({ chance: 'possible' });
  });

  it('is a remark, and rivals no cause that is likely', () => {
    // (10, 4, [5,3,2,0]) → 0.1669, from the table of exact values; ten connections are too few for four pods.
    const status = statusOf({ pods: pods(4), connections: dealt([5, 3, 2, 0]) });
    expect(status.skew?.chance.probability).toBeCloseTo(0.1669, 3);
    expect(causesOf(status)).toEqual({ 'few-connections': 'likely' });
  });

  it('twin: not when luck gives it in fewer than 5 % of draws', () => {
    // (20, 10, [7,7,6]) → 7.83e-6.
    const status = statusOf({ pods: pods(10), connections: dealt([7, 7, 6]) });
    expect(status.skew?.chance.probability).toBeCloseTo(7.83e-6, 7);
    expect(causesOf(status)).not.toHaveProperty('chance');
  });

  it('trap: silent when no placement is more even: that is no bad luck', () => {
    // (3, 10, [1,1,1]) → 1.0.
    const status = statusOf({ pods: pods(10), connections: dealt([1, 1, 1]) });
    expect(status.skew?.chance.probability).toBe(1);
    expect(causesOf(status)).toEqual({ 'few-connections': 'certain' });
  });

  it('trap: does not acquit: the state stays skewed', () => {
    expect(statusOf({ pods: pods(4), connections: dealt([5, 3, 2, 0]) }).verdict.state).toBe('skewed');
  });

  it('trap: silent where placement is not random', () => {
    const status = statusOf({ pods: pods(4), connections: dealt([5, 3, 2, 0]), service: headless });
    expect(status.skew?.chance).toMatchObject({ method: 'not-applicable', probability: null });
    expect(causesOf(status)).not.toHaveProperty('chance');
  });
});

describe('pick-first', () => {
  const plan: Plan = {
    truth: { causes: ['pick-first'] },
    pods: pods(4),
    connections: dealt([3, 0, 0, 0]),
    service: headless,
  };

  it('is likely: headless, one connection per client, several pods Ready before they started', () => {
    const status = statusOf(plan);
    expect(causesOf(status)).toEqual({ 'pick-first': 'likely' });
    expect(status.causes[0]?.settledBy[0]).toContain('dns:///');
  });

  it('is possible when the start of the clients is not known', () => {
    const clients = [0, 1, 2].map((number) => ({ name: `web-${number}`, startedSeconds: null }));
    expect(causesOf(statusOf({ ...plan, clients }))['pick-first']).toBe('possible');
  });

  it('twin: not when clients hold several connections', () => {
    const connections = meshed(3, 2);
    expect(causesOf(statusOf({ ...plan, connections }))).not.toHaveProperty('pick-first');
  });

  it('twin: not on a ClusterIP', () => {
    expect(
      causesOf(statusOf({ ...plan, service: {}, truth: { causes: ['few-connections', 'chance'] } })),
    ).not.toHaveProperty('pick-first');
  });

  it('trap: silent when one pod only was Ready before the clients started', () => {
    const young = { ageSeconds: 600 };
    // They may balance: there was one pod to know.
    const truth = { causes: ['no-re-resolution'] };
    const status = statusOf({ ...plan, pods: [...pods(1), ...pods(3, young, 1)], truth });
    expect(causesOf(status)).not.toHaveProperty('pick-first');
  });
});

describe('no-re-resolution', () => {
  const plan: Plan = {
    truth: { causes: ['no-re-resolution'] },

    pods: [...pods(2), ...pods(4, { ageSeconds: 600 }, 2)],
    connections: meshed(3, 2),
    service: headless,
  };

  it('is certain when every client is on all old pods and its connections are older than the young ones', () => {
    expect(causesOf(statusOf(plan))).toEqual({ 'no-re-resolution': 'certain' });
  });

  it('is likely when the age of the connections is open', () => {
    expect(causesOf(statusOf({ ...plan, windowSeconds: 0 }))).toEqual({ 'no-re-resolution': 'likely' });
  });

  it('twin: not when the clients are on the young pods', () => {
    const status = statusOf({ ...plan, connections: meshed(3, 6) });
    expect([status.verdict.state, causesOf(status)]).toEqual(['balanced', {}]);
  });

  it('twin: not on a ClusterIP', () => {
    expect(
      causesOf(statusOf({ ...plan, service: {}, truth: { causes: ['new-pods-idle', 'few-connections'] } })),
    ).not.toHaveProperty('no-re-resolution');
  });

  it('trap: silent when a client started after the young pods were Ready: it resolved then', () => {
    const clients = [{ name: 'web-0', startedSeconds: 60 }];
    const connections = meshed(3, 2, { ageSeconds: 50 });
    expect(causesOf(statusOf({ ...plan, clients, connections }))).not.toHaveProperty('no-re-resolution');
  });
});

describe('hot-client', () => {
  const quiet = dealt([8, 8, 8, 8], { bytesPerSecond: 20 });
  const plan: Plan = {
    truth: { causes: ['hot-client', 'hot-connection'] },

    pods: pods(4),
    connections: [...quiet, { from: 'hot', to: 'echo-1', bytesPerSecond: 5000 }],
  };

  it('is certain when one of many clients carries most, as measured in a window', () => {
    const status = statusOf(plan);
    expect(status.causes[0]).toMatchObject({ id: 'hot-client', confidence: 'certain' });
    expect(status.causes[0]?.text).toBe('hot carries 89 % of the load, most of it over one connection');
  });

  it('is likely by lifetime counters alone', () => {
    expect(causesOf(statusOf({ ...plan, windowSeconds: 0 }))['hot-client']).toBe('likely');
  });

  it.each([2, 3])('is seen among %i clients, too: it is held against what the others carry on average', (count) => {
    const client = (pod: number, bytesPerSecond: number) => ({ from: `web-${pod}`, to: `echo-${pod}`, bytesPerSecond });
    const others = Array.from({ length: count - 1 }, (_, index) => client(index + 1, 1000));
    const busy = (rate: number) =>
      causesOf(statusOf({ pods: pods(4), connections: [client(0, rate), ...others] }))['hot-client'];
    expect(busy(3100)).toBe('certain');
    expect(busy(2900)).toBeUndefined();
  });

  it('twin: not when that client calls as the others do', () => {
    const status = statusOf({ ...plan, connections: [...quiet, { from: 'hot', to: 'echo-1', bytesPerSecond: 20 }] });
    expect([status.verdict.state, causesOf(status)]).toEqual(['balanced', {}]);
  });

  it('trap: silent when the load comes through a node: that is no single client', () => {
    const connections = [...quiet, { from: '192.168.0.2', to: 'echo-1', bytesPerSecond: 5000 }];
    const status = statusOf({ ...plan, connections });
    expect(causesOf(status)).not.toHaveProperty('hot-client');
    expect(status.warnings.map((warning) => warning.id)).toContain('clients-behind-nodes');
  });

  it('trap: silent when the busy client spreads its calls over many connections', () => {
    const spread = [0, 1, 2, 3].flatMap((pod) =>
      Array.from({ length: 5 }, () => ({ from: 'hot', to: `echo-${pod}`, bytesPerSecond: pod === 0 ? 800 : 250 })),
    );
    expect(causesOf(statusOf({ ...plan, connections: [...quiet, ...spread] }))).not.toHaveProperty('hot-client');
  });

  it('does not call heavy connections too few', () => {
    const because = reportOf(buildEvidence(plan)).status.recommendation.because;
    expect(because[0]).toMatch(/^one connection carries 3\.\d × the fair part of a pod$/);
  });
});

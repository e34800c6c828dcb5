/** Causes that lie in one pod, or in the order in which pods came up. */
import { describe, expect, it } from 'vitest';
import { dealt, meshed, type Plan, pods } from './build.ts';
import { ago } from './build-looks.ts';
import { causesOf, statusOf } from './report.ts';

const causeOf = (plan: Plan, id: string) => statusOf(plan).causes.find((cause) => cause.id === id);

describe('stuck-pod', () => {
  const frozen = (seconds: number) =>
    meshed(3, 4).map((entry) => (entry.to === 'echo-2' ? { ...entry, unreadSeconds: seconds } : entry));
  const plan: Plan = {
    truth: { causes: ['stuck-pod'] },
    pods: pods(4),
    connections: frozen(40),
  };

  it('is certain when nothing was read or sent, and what waits has waited for 10 s or more', () => {
    const status = statusOf(plan);
    // 500 B/s of each of three clients have waited for 40 s.
    expect(causesOf(status)).toEqual({ 'stuck-pod': 'certain' });
    expect(status.causes[0]).toMatchObject({
      text: 'echo-2 has read nothing for 40s, while clients send to it',
      evidence: ['echo-2: 60000 bytes wait on 3 connections for 40s or more; it uses 10 % of its CPU limit'],
    });
    expect(status.verdict).toMatchObject({
      state: 'not-load-balancing',
      kind: 'fault',
      confidence: 'certain',
      summary: '1 pod does not read what clients send; the 3 others share the load evenly',
    });
    expect(status.recommendation).toMatchObject({ rule: 2, action: 'keep' });
    expect(status.impact).toEqual({
      level: 'harm',
      text: 'what clients send to a pod that does not read stays unanswered; hottest pod at 10 % of its CPU limit, no restarts',
    });
    expect(status.warnings).toEqual([]);
  });

  it('is likely when that was for a few seconds: a long pause looks the same', () => {
    const status = statusOf({ ...plan, connections: frozen(8), windowSeconds: 3 });
    expect(causesOf(status)).toEqual({ 'stuck-pod': 'likely' });
    expect(status.verdict).toMatchObject({ state: 'not-load-balancing', confidence: 'likely' });
  });

  it('is possible, and decides nothing, by queues alone or with one look', () => {
    const waiting = meshed(3, 4).map((entry) => (entry.to === 'echo-2' ? { ...entry, receiveQueueBytes: 700 } : entry));
    const byQueues = statusOf({ ...plan, connections: waiting, way: 'proc' });
    expect([byQueues.verdict.state, causesOf(byQueues)]).toEqual(['balanced', { 'stuck-pod': 'possible' }]);
    expect(causesOf(statusOf({ ...plan, windowSeconds: 0 }))).toMatchObject({ 'stuck-pod': 'possible' });
  });

  it('explains a skew: of two pods one stands still, and the other one has the rest', () => {
    // What the kernel of echo-0 receives is half of what echo-1 carries: its answers are missing.
    const connections = dealt([2, 2]).map((entry) => (entry.to === 'echo-0' ? { ...entry, unreadSeconds: 60 } : entry));
    const status = statusOf({ pods: pods(2), connections });
    expect(status.verdict.state).toBe('not-load-balancing');
    expect(status.causes[0]?.id).toBe('stuck-pod');
  });

  it('leaves a skew of the others a skew', () => {
    const connections = [...dealt([6, 1, 1, 0]), { from: 'web-9', to: 'echo-3', unreadSeconds: 60 }];
    const status = statusOf({ pods: pods(4), connections });
    expect(status.verdict.state).toBe('skewed');
    expect(causesOf(status)).toMatchObject({ 'stuck-pod': 'certain', 'few-connections': 'likely' });
  });

  it('tells why a pod is not Ready', () => {
    const unready = [...pods(3), ...pods(1, { pod: { ready: false } }, 3)];
    const connections = meshed(3, 4).map((entry) => (entry.to === 'echo-3' ? { ...entry, unreadSeconds: 60 } : entry));
    expect(causesOf(statusOf({ pods: unready, connections }))).toMatchObject({
      'stuck-pod': 'certain',
      'pods-not-ready': 'certain',
    });
  });

  it('twin: not when the same queue is read and filled again', () => {
    const busy = meshed(3, 4).map((entry) => (entry.to === 'echo-2' ? { ...entry, receiveQueueBytes: 20_000 } : entry));
    expect(causesOf(statusOf({ ...plan, connections: busy }))).toEqual({});
  });

  it('twin: not when the pod counts calls that end', () => {
    const calls = [0, 1, 2, 3].map((index) => ({ pod: `echo-${index}`, perSecond: 30 }));
    expect(causesOf(statusOf({ ...plan, calls }))).not.toHaveProperty('stuck-pod');
  });

  it('trap: silent about a quiet pod to which something comes just as it is looked at', () => {
    const quiet = meshed(3, 4, { bytesPerSecond: 1000 }).map((entry) =>
      entry.to === 'echo-2' ? { ...entry, bytesPerSecond: 0, lifetimeBytes: 500_000 } : entry,
    );
    // In the queue in the second look only: it has waited for no more than the time between the two.
    const late = quiet.map((entry) =>
      entry.to === 'echo-2' ? { ...entry, bytesPerSecond: 100, unreadSeconds: 2 } : entry,
    );
    expect(causesOf(statusOf({ ...plan, connections: late }))).not.toHaveProperty('stuck-pod');
  });

  it('trap: silent when one connection waits and the pod serves the others', () => {
    const one = meshed(3, 4).map((entry) =>
      entry.to === 'echo-2' && entry.from === 'web-0' ? { ...entry, unreadSeconds: 40 } : entry,
    );
    expect(causesOf(statusOf({ ...plan, connections: one }))).not.toHaveProperty('stuck-pod');
  });
});

describe('draining', () => {
  const leaving = pods(1, { pod: { deletedAt: '2026-03-01T12:00:20Z', ready: false } }, 3);
  const calls = (atLeaving: { readonly perSecond: number; readonly inFlight: number }) => [
    ...[0, 1, 2].map((index) => ({ pod: `echo-${index}`, perSecond: 20 })),
    { pod: 'echo-3', ...atLeaving },
  ];
  const plan: Plan = {
    truth: { causes: ['draining'] },

    pods: [...pods(3), ...leaving],
    connections: meshed(3, 4),
    calls: calls({ perSecond: 0, inFlight: 6 }),
  };

  it('is certain when calls are in flight at a leaving pod, and none begins where many should', () => {
    const status = statusOf(plan);
    // 20 calls a second on three connections each: 200 would have begun at echo-3.
    expect(causesOf(status)).toEqual({ draining: 'certain' });
    expect(status.causes[0]).toMatchObject({
      text: 'echo-3 drains: 6 streams keep 3 connections open',
      evidence: [
        'echo-3: 3 connections, none of them new; calls that began: 0, in flight: 6; it is killed at 12:00:20 at the latest',
        'the same clients are connected to ready pods: web-0, web-1, web-2',
      ],
    });
    expect(status.verdict.state).toBe('balanced');
  });

  it('is likely when hardly a call begins anywhere', () => {
    const rare = calls({ perSecond: 0, inFlight: 6 }).map((entry) => ({ ...entry, perSecond: 0 }));
    expect(causeOf({ ...plan, calls: rare }, 'draining')?.confidence).toBe('likely');
  });

  it('is possible, as is that clients go on calling, when the calls are not counted', () => {
    const { calls: _, ...uncounted } = plan;
    const status = statusOf(uncounted);
    expect(causesOf(status)).toEqual({ draining: 'possible', 'unready-but-connected': 'possible' });
    expect(status.causes[0]?.settledBy).toContain(
      status.causes[0]?.id === 'draining'
        ? 'against unready-but-connected: the calls that begin at that pod: none, or as before'
        : 'against draining: the calls that begin at that pod: none, or as before',
    );
  });

  it('is certain at a pod that is not Ready and lets its streams end', () => {
    const unready = pods(1, { pod: { ready: false } }, 3);
    const status = statusOf({
      ...plan,
      pods: [...pods(3), ...unready],
      truth: { causes: ['draining', 'pods-not-ready'] },
    });
    expect(causesOf(status)).toMatchObject({ draining: 'certain', 'pods-not-ready': 'certain' });
    expect(causesOf(status)).not.toHaveProperty('unready-but-connected');
  });

  it('twin: not when calls still begin there: clients go on calling a pod that leaves', () => {
    const status = statusOf({
      ...plan,
      calls: calls({ perSecond: 20, inFlight: 6 }),
      truth: { causes: ['unready-but-connected'] },
    });
    expect(causesOf(status)).toEqual({ 'unready-but-connected': 'certain' });
  });

  it('twin: not when the pod stays and is Ready', () => {
    expect(causesOf(statusOf({ ...plan, pods: pods(4) }))).not.toHaveProperty('draining');
  });

  it('trap: silent about a leaving pod whose connections carry nothing', () => {
    const idle = meshed(3, 4).map((entry) => (entry.to === 'echo-3' ? { ...entry, bytesPerSecond: 0 } : entry));
    const { calls: _, ...uncounted } = plan;
    expect(causesOf(statusOf({ ...uncounted, connections: idle }))).toEqual({});
  });

  it('trap: silent where a new connection comes', () => {
    const coming = [...meshed(3, 4), { from: 'web-9', to: 'echo-3', ageSeconds: 4 }];
    expect(causeOf({ ...plan, connections: coming }, 'draining')).toBeUndefined();
  });
});

describe('rolling-restart-order', () => {
  /** Replaced one after another half an hour ago, 40 s apart; the clients are a day old. */
  const inTurn = (count: number, step = 40) =>
    Array.from({ length: count }, (_, index) => ({ name: `echo-${index}`, ageSeconds: 1800 - step * index }));
  const scaledDown = {
    kind: 'scaled' as const,
    workload: { kind: 'Deployment', name: 'echo' },
    replicaSet: 'echo-old',
    from: 1,
    to: 0,
    at: ago(1750),
  };
  /** Two frontends and twenty workers, all on the one that was up first. */
  const plan: Plan = {
    truth: { causes: ['rolling-restart-order', 'new-pods-idle'] },

    pods: inTurn(2),
    connections: dealt([20, 0], { ageSeconds: 1780 }),
    happenings: [scaledDown],
  };

  it('is certain when the replacement was seen and the connections are older than the empty pods', () => {
    const status = statusOf(plan);
    const cause = status.causes.find(({ id }) => id === 'rolling-restart-order');
    expect(status.causes[0]?.id).toBe('rolling-restart-order');
    expect(cause).toMatchObject({
      confidence: 'certain',
      text: 'the pods came up in turn, and the first ones hold most: echo-0 20 connections of 20',
    });
    // All twenty on the first of two pods: 2⁻²⁰.
    expect(cause?.evidence).toEqual([
      'all 20 clients started before the first of the 2 pods was up',
      'so much on the pods that were up first has probability 9.5e-7 without regard to order',
      'ReplicaSet echo-old was scaled down to 0 meanwhile',
      'the connections have lived about 29m, the empty pods have been up for 29m at most',
    ]);
    expect(status.recommendation).toMatchObject({ rule: 8, strategy: 'max-connection-age' });
  });

  it('is certain for a StatefulSet, whose pods take the names of those that were killed', () => {
    const killed = { kind: 'killed' as const, pod: 'echo-1', podUid: 'uid-before', times: 1, at: ago(1790) };
    expect(causeOf({ ...plan, happenings: [killed] }, 'rolling-restart-order')?.confidence).toBe('certain');
  });

  it('is likely in steps, where each pod holds less than the one before', () => {
    const stepped = { ...plan, pods: inTurn(4), connections: dealt([12, 6, 2, 0], { ageSeconds: 1600 }) };
    expect(causeOf(stepped, 'rolling-restart-order')?.confidence).toBe('likely');
  });

  it('is possible when Events have gone: a scale-up of young pods looks the same', () => {
    expect(causeOf({ ...plan, happenings: [] }, 'rolling-restart-order')?.confidence).toBe('possible');
  });

  it('is possible when the start of the clients is not known', () => {
    const clients = Array.from({ length: 20 }, (_, index) => ({ name: `web-${index}`, startedSeconds: null }));
    expect(causeOf({ ...plan, clients }, 'rolling-restart-order')?.confidence).toBe('possible');
  });

  it('twin: not when all pods came up at once', () => {
    expect(causeOf({ ...plan, pods: inTurn(2, 0) }, 'rolling-restart-order')).toBeUndefined();
  });

  it('twin: not when the clients started after the pods were up', () => {
    const clients = Array.from({ length: 20 }, (_, index) => ({ name: `web-${index}`, startedSeconds: 600 }));
    const connections = dealt([20, 0], { ageSeconds: 590 });
    expect(causeOf({ ...plan, clients, connections }, 'rolling-restart-order')).toBeUndefined();
  });

  it('trap: silent when the last ones up hold most', () => {
    expect(
      causeOf({ ...plan, connections: dealt([0, 20], { ageSeconds: 1740 }) }, 'rolling-restart-order'),
    ).toBeUndefined();
  });

  it('trap: silent about pods that were added later: that is a scale-up', () => {
    const added = [
      ...inTurn(3),
      ...inTurn(7).map(({ name }, index) => ({ name: `new-${name}`, ageSeconds: 600 - index })),
    ];
    const connections = dealt([2, 1, 1], { ageSeconds: 1700 });
    const truth = { causes: ['new-pods-idle', 'few-connections'] };
    const status = statusOf({ ...plan, pods: added, connections, truth });
    expect(causesOf(status)).toMatchObject({ 'new-pods-idle': 'certain' });
    expect(causesOf(status)).not.toHaveProperty('rolling-restart-order');
  });

  it('trap: silent when the order is such as chance gives', () => {
    // 6 and 4 of 10 on two pods: P(≥ 6 on the first) = 0.38; not uneven either.
    expect(causesOf(statusOf({ ...plan, connections: dealt([6, 4], { ageSeconds: 1700 }) }))).toEqual({});
    // 8, 1, 7, 4 on four pods is uneven, in no order.
    const mixed = { ...plan, pods: inTurn(4), connections: dealt([8, 1, 10, 1], { ageSeconds: 1600 }) };
    expect(causeOf(mixed, 'rolling-restart-order')).toBeUndefined();
  });

  it('trap: silent on a headless Service, whose clients choose themselves', () => {
    const service = { clusterIP: 'None', clusterIPs: ['None'] };
    expect(causeOf({ ...plan, service }, 'rolling-restart-order')).toBeUndefined();
  });
});

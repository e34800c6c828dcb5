import { describe, expect, it } from 'vitest';
import { dealt, deploymentOf, type Plan, pods } from './build.ts';
import { ago } from './build-looks.ts';
import { causesOf, statusOf } from './report.ts';

describe('session-affinity', () => {
  /** Two client pods with three connections each, all of them on the pod that the client was given first. */
  const pinned = ['web-0', 'web-1'].flatMap((from, pod) =>
    Array.from({ length: 3 }, () => ({ from, to: `echo-${pod}` })),
  );
  const plan: Plan = {
    truth: { causes: ['session-affinity'] },
    pods: pods(5),
    connections: pinned,
    service: { sessionAffinity: 'ClientIP' },
  };

  it('is certain when every address with several connections has them on one pod', () => {
    const status = statusOf(plan);
    expect(causesOf(status)).toEqual({ 'session-affinity': 'certain' });
    expect(status.causes[0]?.text).toBe('sessionAffinity ClientIP pins 2 client addresses to 2 of 5 pods');
    expect(status.recommendation.first).toEqual([
      'set sessionAffinity: None, unless the pinning is wanted; then restart the clients: connections that exist stay',
    ]);
  });

  it('is possible when each address has one connection', () => {
    expect(causesOf(statusOf({ ...plan, connections: dealt([2, 1]) }))['session-affinity']).toBe('possible');
  });

  it('is likely when an older connection of one address lies elsewhere', () => {
    const connections = [...pinned, { from: 'web-2', to: 'echo-0' }, { from: 'web-2', to: 'echo-1' }];
    expect(causesOf(statusOf({ ...plan, connections }))['session-affinity']).toBe('likely');
  });

  it('twin: not without the setting', () => {
    expect(
      causesOf(statusOf({ ...plan, service: {}, truth: { causes: ['few-connections', 'chance'] } })),
    ).not.toHaveProperty('session-affinity');
  });

  it('trap: silent when every address is on two pods: the setting is not what holds them', () => {
    const connections = ['web-0', 'web-1'].flatMap((from) => [
      { from, to: 'echo-0' },
      { from, to: 'echo-1' },
    ]);
    expect(causesOf(statusOf({ ...plan, connections }))).not.toHaveProperty('session-affinity');
  });

  it('trap: silent on a headless Service, where no kube-proxy pins anything', () => {
    const service = { sessionAffinity: 'ClientIP', clusterIP: 'None' };
    expect(causesOf(statusOf({ ...plan, service }))).not.toHaveProperty('session-affinity');
  });

  it('began when the setting was changed, where the API knows it', () => {
    const change = { manager: 'kubectl-patch', at: ago(900), fields: ['sessionAffinity' as const], alone: true };
    const changed = (more: object, sessionAffinity = 'ClientIP') =>
      statusOf({ ...plan, service: { sessionAffinity, changes: [{ ...change, ...more }] } });
    expect(changed({}).headline.since).toBe('11:45:00, sessionAffinity set by kubectl-patch');
    expect(changed({}).timeline).toEqual([{ time: ago(900), text: 'sessionAffinity set by kubectl-patch' }]);
    // Who sets more may have changed something else then.
    const chart = { manager: 'helm', fields: ['sessionAffinity', 'selector'], alone: false };
    expect(changed(chart).headline.since).toBe('11:45:00, the Service changed by helm, which sets sessionAffinity');
    expect(changed(chart).timeline).toHaveLength(1);
    // With the Service itself, or of another setting: not what began it.
    expect(changed({ at: ago(30 * 86_400 - 5) }).headline.since).toBeNull();
    expect(changed({ at: null }).headline.since).toBeNull();
    expect(changed({ fields: ['selector'] }).headline.since).toBeNull();
  });

  it('says when the setting that it was left by was changed', () => {
    const connections = Array.from({ length: 8 }, () => ({ from: 'web-0', to: 'echo-1' }));
    const changes = [{ manager: 'kubectl-edit', at: ago(600), fields: ['sessionAffinity' as const], alone: true }];
    const status = statusOf({ ...plan, connections, service: { changes } });
    expect(causesOf(status)).toMatchObject({ 'session-affinity': 'likely' });
    const [cause] = status.causes.filter(({ id }) => id === 'session-affinity');
    expect(cause?.evidence).toContain('sessionAffinity set by kubectl-edit at 11:50:00');
    expect(cause?.settledBy.join()).not.toContain('managedFields');
    // It has ended then, and not begun.
    expect(status.headline.since).toBeNull();
  });

  it('trap: silent when the pinned clients lie evenly', () => {
    const status = statusOf({ ...plan, pods: pods(2) });
    expect([status.verdict.state, causesOf(status)]).toEqual(['balanced', {}]);
  });
});

describe('pods-not-ready', () => {
  const unready = { pod: { ready: false }, container: { ready: false } } as const;
  const plan: Plan = {
    truth: { causes: ['pods-not-ready'] },

    pods: [...pods(3), ...pods(1, unready, 3)],
    connections: dealt([4, 4, 4]),
    happenings: [
      {
        kind: 'unhealthy',
        pod: 'echo-3',
        podUid: 'uid-echo-3',
        container: 'server',
        probe: 'readiness',
        failure: 'not-serving',
        times: 40,
        firstAt: ago(400),
        at: ago(5),
      },
    ],
  };

  it('is certain: the state is no load balancing while the others are even', () => {
    const status = statusOf(plan);
    expect(status.verdict).toMatchObject({
      state: 'not-load-balancing',
      summary: '1 pod gets no traffic because it is not Ready; the 3 ready ones share the load evenly',
    });
    expect(causesOf(status)).toEqual({ 'pods-not-ready': 'certain' });
    expect(status.causes[0]?.text).toContain('NOT_SERVING');
    expect(status.timeline[0]?.text).toBe('echo-3: readiness probe failed 40 times since 11:53:20');
  });

  it('says that clients still hold connections there', () => {
    const truth = { causes: ['pods-not-ready', 'unready-but-connected'] };
    const status = statusOf({ ...plan, connections: dealt([4, 4, 4, 4]), truth });
    expect(status.verdict.summary).toBe(
      '1 pod is not Ready, yet clients hold 4 connections there; the 3 ready ones share the load evenly',
    );
  });

  it('counts a pod that is on no node: no slice names it', () => {
    const pending = {
      endpoint: false,
      pod: { ready: false, phase: 'Pending', nodeName: null },
      cpuMillicores: null,
    } as const;
    const status = statusOf({ pods: [...pods(3), ...pods(1, pending, 3)], connections: dealt([4, 4, 4]) });
    expect(status.causes[0]?.text).toBe('1 of 4 pods is not Ready: echo-3 is Pending and on no node');
  });

  it('names what a container waits for', () => {
    const waiting = {
      pod: { ready: false },
      container: { ready: false, waitingReason: 'CrashLoopBackOff' },
      restarts: 7,
    };
    const status = statusOf({ ...plan, pods: [...pods(3), ...pods(1, waiting, 3)] });
    expect(status.causes[0]?.text).toBe('1 of 4 pods is not Ready: echo-3 is in CrashLoopBackOff after 7 restarts');
  });

  it('suspects the node when the containers are ready and the pod is not', () => {
    const lost = { pod: { ready: false } };
    const status = statusOf({ ...plan, pods: [...pods(3), ...pods(1, lost, 3)], happenings: [] });
    expect(status.causes[0]?.text).toContain('is its node n1 lost?');
  });

  it('twin: not when the pod is Ready', () => {
    expect(causesOf(statusOf({ ...plan, pods: pods(4) }))).not.toHaveProperty('pods-not-ready');
  });

  it.each([
    ['leaves', { pod: { ready: false, deletedAt: ago(3) } }],
    ['is still starting', { ...unready, ageSeconds: 10 }],
  ])('trap: silent when it %s', (_, more) => {
    const status = statusOf({ ...plan, pods: [...pods(3), ...pods(1, more, 3)] });
    expect([status.verdict.state, causesOf(status)]).toEqual(['balanced', {}]);
  });
});

describe('endpoints-missing', () => {
  const plan: Plan = {
    truth: { causes: ['endpoints-missing'] },

    pods: [...pods(3), ...pods(2, { endpoint: false }, 3)],
    connections: dealt([4, 4, 4]),
  };

  it('is certain when Ready pods are in no slice', () => {
    const status = statusOf(plan);
    expect(causesOf(status)).toEqual({ 'endpoints-missing': 'certain' });
    expect(status.verdict).toMatchObject({
      state: 'not-load-balancing',
      summary: '2 pods get no traffic: not among the endpoints of the port; the 3 ready ones share the load evenly',
    });
  });

  it('twin: not when the slices name them', () => {
    const connections = dealt([4, 4, 4, 4, 4]);
    expect(causesOf(statusOf({ ...plan, pods: pods(5), connections }))).toEqual({});
  });

  it('trap: silent for a pod that became Ready a moment ago', () => {
    const young = { endpoint: false, readySeconds: 10 } as const;
    expect(causesOf(statusOf({ ...plan, pods: [...pods(3), ...pods(2, young, 3)] }))).toEqual({});
  });

  it('says that nothing matches the selector', () => {
    const status = statusOf({ pods: [] });
    expect(status.verdict.state).toBe('not-load-balancing');
    expect(status.causes[0]).toMatchObject({
      id: 'endpoints-missing',
      text: 'no pod matches the selector app=echo',
    });
  });

  it('does not say so when pods match that are not Ready', () => {
    const pending = { endpoint: false, pod: { ready: false, phase: 'Pending', nodeName: null } } as const;
    expect(causesOf(statusOf({ pods: pods(2, pending) }))).toEqual({ 'pods-not-ready': 'certain' });
  });
});

describe('single-endpoint', () => {
  it('is certain with one ready endpoint', () => {
    const status = statusOf({ pods: pods(1), connections: dealt([4]) });
    expect(status.verdict).toMatchObject({ state: 'not-load-balancing', confidence: 'certain' });
    expect(causesOf(status)).toEqual({ 'single-endpoint': 'certain' });
  });

  it('twin: not with two', () => {
    expect(causesOf(statusOf({ pods: pods(2), connections: dealt([4, 4]) }))).toEqual({});
  });

  it('trap: silent when there is none', () => {
    expect(causesOf(statusOf({ pods: [] }))).not.toHaveProperty('single-endpoint');
  });
});

describe('uneven-work', () => {
  const busy = (millicores: number) => ({ cpuMillicores: millicores });
  const plan: Plan = {
    truth: { causes: ['uneven-work'] },

    pods: [...pods(1, busy(800)), ...pods(3, busy(100), 1)],
    connections: dealt([5, 5, 5, 5]),
  };

  it('is likely when connections and bytes are even and CPU is not', () => {
    const status = statusOf(plan);
    expect(causesOf(status)).toEqual({ 'uneven-work': 'likely' });
    expect(status.verdict.state).toBe('not-load-balancing');
  });

  it('is possible when bytes are not known', () => {
    const status = statusOf({ ...plan, way: 'proc' });
    expect([status.verdict.state, causesOf(status)]).toEqual(['not-load-balancing', { 'uneven-work': 'possible' }]);
    expect(status.verdict.summary).toBe('connections are even, CPU is not; bytes are not known');
  });

  it('twin: not when CPU is even', () => {
    expect(causesOf(statusOf({ ...plan, pods: pods(4) }))).toEqual({});
  });

  it('twin: not by CPU that was measured before the clients started, as after a fix', () => {
    // The metrics API tells of the 15 s until 15 s ago.
    const dealtAgo = (seconds: number): Plan => ({
      ...plan,
      clients: Array.from({ length: 20 }, (_, index) => ({ name: `web-${index}`, startedSeconds: seconds })),
      connections: dealt([5, 5, 5, 5], { ageSeconds: seconds, bytesPerSecond: 9000, segmentsPerSecond: 40 }),
    });
    const fixed = statusOf({ ...dealtAgo(20), truth: { causes: [] } });
    expect([fixed.verdict.state, causesOf(fixed)]).toEqual(['balanced', {}]);
    expect(causesOf(statusOf(dealtAgo(40)))).toEqual({ 'uneven-work': 'likely' });
  });

  it('twin: not by CPU that was measured before the connections were there, as after a break of the network', () => {
    // Twenty clients have run for hours; each has a new connection, and its old one had carried many calls.
    const broken = (seconds: number): Plan => ({
      ...plan,
      clients: Array.from({ length: 20 }, (_, index) => ({ name: `web-${index}`, startedSeconds: 9000 })),
      connections: [
        ...dealt([5, 5, 5, 5], { ageSeconds: seconds, bytesPerSecond: 9000, segmentsPerSecond: 40 }),
        ...dealt([5, 5, 5, 5], { gone: seconds < 10 })
          .map((entry) => ({ ...entry, peerPort: 50_000 }))
          .slice(0, seconds < 10 ? 20 : 0),
      ],
    });
    for (const seconds of [8, 20]) {
      const status = statusOf({ ...broken(seconds), truth: { causes: [] } });
      expect([status.verdict.state, causesOf(status)], `${seconds} s`).toEqual(['balanced', {}]);
    }
    expect(causesOf(statusOf(broken(40)))).toEqual({ 'uneven-work': 'likely' });
  });

  it('trap: silent where the calls since the start account for the CPU, and a window of bursts does not', () => {
    const connections = dealt([5, 5, 5, 5]);
    const bursts = (totals: readonly number[]): Plan => ({
      ...plan,
      connections,
      calls: totals.map((total, pod) => ({ pod: `echo-${pod}`, perSecond: 100, total })),
    });
    const hot = [8, 1, 1, 1].map((part) => part * 1_000_000);
    expect(causesOf(statusOf({ ...bursts(hot), truth: { causes: [] } }))).toEqual({});
    expect(causesOf(statusOf(bursts(Array(4).fill(3_000_000))))).toEqual({ 'uneven-work': 'likely' });
  });

  it('trap: silent where the calls of those pods that count them account for the CPU', () => {
    const uneven = [...pods(1, busy(520)), ...pods(7, busy(130), 1)];
    const calls = uneven.slice(0, 6).map(({ name }, pod) => ({ pod: name, perSecond: pod === 0 ? 200 : 50 }));
    // Connections are even, and what they carry is not known.
    const world: Plan = { ...plan, pods: uneven, connections: dealt(Array(8).fill(5)), way: 'proc', calls };
    expect(causesOf(statusOf({ ...world, truth: { causes: ['hot-client', 'hot-connection'] } }))).not.toHaveProperty(
      'uneven-work',
    );
    const same = calls.map((entry) => ({ ...entry, perSecond: 75 }));
    expect(causesOf(statusOf({ ...world, calls: same }))).toHaveProperty('uneven-work');
  });

  it('trap: silent when the bytes are as uneven as the CPU', () => {
    const connections = [
      ...dealt([5, 5, 5, 5], { bytesPerSecond: 50 }),
      { from: 'hot', to: 'echo-0', bytesPerSecond: 9000 },
    ];
    const truth = { causes: ['hot-client', 'hot-connection'] };
    expect(causesOf(statusOf({ ...plan, connections, truth }))).not.toHaveProperty('uneven-work');
  });

  it('trap: silent when CPU differs by no more than looking costs', () => {
    const tiny = [...pods(1, busy(5)), ...pods(3, busy(1), 1)];
    expect(causesOf(statusOf({ ...plan, pods: tiny }))).toEqual({});
  });
});

describe('too-soon', () => {
  const plan = (readySeconds: number): Plan => ({
    truth: { causes: ['too-soon', 'new-pods-idle', 'few-connections'] },

    pods: [...pods(3), ...pods(7, { ageSeconds: readySeconds + 5, readySeconds, runningSeconds: readySeconds + 1 }, 3)],
    connections: dealt([2, 1, 1]),
  });

  it('is likely while the idle pods are Ready for less than a minute: then nothing is decided yet', () => {
    const status = statusOf(plan(59));
    expect(causesOf(status)['too-soon']).toBe('likely');
    expect(status.verdict.state).toBe('unknown');
    expect(status.verdict.settledBy).toContain('60 s');
    expect(status.recommendation).toMatchObject({ rule: 0, action: 'keep' });
  });

  it('twin: not when they have been Ready for a minute', () => {
    const status = statusOf(plan(60));
    expect(causesOf(status)).not.toHaveProperty('too-soon');
    expect(status.verdict.state).toBe('skewed');
  });

  it('trap: silent when one of the idle pods is an old one', () => {
    const young = { ageSeconds: 45, readySeconds: 40, runningSeconds: 41 };
    const status = statusOf({ pods: [...pods(4), ...pods(6, young, 4)], connections: dealt([2, 1, 1]) });
    expect(causesOf(status)).not.toHaveProperty('too-soon');
  });
});

describe('rollout-in-progress', () => {
  const plan: Plan = {
    truth: { causes: ['rollout-in-progress', 'few-connections', 'chance'] },

    pods: pods(10),
    connections: dealt([2, 1, 1]),
    deployments: [deploymentOf(10, { updatedReplicas: 4, currentReplicas: 12 })],
  };

  it('is certain when the Deployment says so: then nothing is decided yet', () => {
    const status = statusOf(plan);
    expect(causesOf(status)['rollout-in-progress']).toBe('certain');
    expect(status.verdict.state).toBe('unknown');
  });

  it('is likely when only its pods show it', () => {
    const old = { pod: { ready: false, deletedAt: ago(3), labels: { app: 'echo', 'pod-template-hash': 'old' } } };
    const status = statusOf({ ...plan, pods: [...pods(10), ...pods(1, old, 10)], deployments: null });
    expect(causesOf(status)['rollout-in-progress']).toBe('likely');
  });

  it('twin: not when all pods are updated', () => {
    const status = statusOf({ ...plan, deployments: [deploymentOf(10)] });
    expect(causesOf(status)).not.toHaveProperty('rollout-in-progress');
    expect(status.verdict.state).toBe('skewed');
  });

  it('trap: silent for a rollout of another Deployment of the namespace', () => {
    const deployments = [deploymentOf(10), deploymentOf(3, { name: 'web', updatedReplicas: 1 })];
    expect(causesOf(statusOf({ ...plan, deployments }))).not.toHaveProperty('rollout-in-progress');
  });
});

import { describe, expect, it } from 'vitest';
import { dealt, healthyNodes, meshed, type Plan, pods } from './build.ts';
import { ago } from './build-looks.ts';
import { causesOf, expectNear, reading, statusOf } from './report.ts';

describe('pods that were not seen', () => {
  const failures = [{ pod: 'echo-0', reason: 'timeout' as const }];

  it('are unknown, with the look: the hot pod is the one that times out', () => {
    const status = statusOf({ pods: pods(4), connections: dealt([9, 3, 3, 3]), failures, usage: false });
    expect(status.verdict).toMatchObject({ state: 'unknown', confidence: 'possible' });
    expect(status.verdict.summary).toBe('1 pod was not seen, and the load may be there');
    expect(status.verdict.settledBy).toContain('the connections of echo-0');
    expect(status.recommendation).toMatchObject({ rule: 0, action: 'keep', current: 'cluster-ip' });
    expect(status.pods.find((pod) => pod.name === 'echo-0')).toMatchObject({ connections: null, load: null });
  });

  it('do not change a state that holds whatever they carry', () => {
    // Six of nine idle: with the tenth as busy as the busiest, or with all the load, it is uneven all the same.
    const unseen = [{ pod: 'echo-9', reason: 'timeout' as const }];
    const status = statusOf({ pods: pods(10), connections: dealt([2, 1, 1]), failures: unseen, usage: false });
    expect(status.verdict).toMatchObject({ state: 'skewed', confidence: 'likely' });
    expect(status.skew?.effectivePodsRange?.[0]).toBe(1);
    // Chance needs all pods.
    expect(status.skew?.chance.method).toBe('not-applicable');
  });

  it('leave it to CPU where that was seen of all', () => {
    const even = statusOf({ pods: pods(4), connections: dealt([9, 3, 3, 3]), failures });
    expect(even.verdict).toMatchObject({ state: 'balanced', basis: 'cpu', confidence: 'likely' });
  });

  it('can be all of them: no claim is made without another measure', () => {
    const all = pods(4).map(({ name }) => ({ pod: name, reason: 'forbidden' as const }));
    const status = statusOf({
      pods: pods(4),
      failures: all,
      usage: false,
      signals: { connections: { state: 'forbidden', reason: 'no', needs: 'create pods/exec' } },
    });
    expect(status.verdict.state).toBe('unknown');
    expect(status.verdict.settledBy).toBe('the connections: they need the right to create pods/exec');
    expect(status.headline.notSeen[0]).toContain('needs create pods/exec');
  });

  it('names the flag when commands were not wanted', () => {
    const signals = { connections: { state: 'skipped' as const, reason: '--no-exec' } };
    const status = statusOf({ pods: pods(4), exec: false, usage: false, signals });
    expect(status.verdict.settledBy).toContain('without --no-exec');
  });
});

describe('a sample of many pods', () => {
  const plan = (counts: readonly number[]): Plan => ({
    pods: pods(200),
    connections: dealt(counts),
    failures: pods(150, {}, 50).map(({ name }) => ({ pod: name, reason: 'not-sampled' as const })),
  });

  it('is judged by the pods that were looked at, and says so', () => {
    const status = statusOf(plan([...Array(10).fill(5), ...Array(40).fill(0)]));
    expect(status.verdict).toMatchObject({
      state: 'skewed',
      confidence: 'likely',
      summary: '50 of 200 pods looked at do the work of 10: 40 are idle',
    });
    expect(status.skew).toMatchObject({ pods: 200, seenPods: 50 });
    expect(status.pods.filter((pod) => pod.marks.includes('hot'))).toHaveLength(10);
  });

  it('is balanced at most likely', () => {
    const status = statusOf(plan(Array(50).fill(4)));
    expect(status.verdict).toMatchObject({ state: 'balanced', confidence: 'likely' });
    expect(status.pods.some((pod) => pod.marks.includes('hot') || pod.marks.includes('idle'))).toBe(false);
  });
});

describe('missing is not zero', () => {
  it('leaves pods without metrics out of CPU', () => {
    const some = [...pods(3, { cpuMillicores: 100 }), ...pods(1, { cpuMillicores: null }, 3)];
    const status = statusOf({ pods: some, connections: dealt([4, 4, 4, 4]) });
    expect(status.pods.find((pod) => pod.name === 'echo-3')).toMatchObject({
      cpuMillicores: null,
      shares: { cpu: null },
      marks: ['no-metrics'],
    });
    expect(reading(status, 'cpu')).toBe('unknown');
    expect(status.verdict.state).toBe('balanced');
  });

  it('does not make an idle pod of one without metrics', () => {
    const some = [...pods(3, { cpuMillicores: 300 }), ...pods(1, { cpuMillicores: null }, 3)];
    const status = statusOf({ pods: some, exec: false });
    expect(status.verdict.state).toBe('unknown');
    expect(status.skew?.idlePods).toBe(0);
  });

  it.each([
    ['the pod', { ageSeconds: 60, runningSeconds: 55 }],
    ['its container', { ageSeconds: 86_400, runningSeconds: 55, restarts: 1 }],
  ])('leaves metrics out that are older than %s: they are of its predecessor', (_, more) => {
    const replaced = [...pods(3), ...pods(1, { ...more, cpuMillicores: 900, usageSecondsAgo: 90 }, 3)];
    const status = statusOf({ pods: replaced, connections: dealt([4, 4, 4, 4]) });
    expect(status.pods.find((pod) => pod.name === 'echo-3')?.cpuMillicores).toBeNull();
  });

  it('knows no bytes where the way of looking has none', () => {
    const status = statusOf({ pods: pods(4), connections: dealt([4, 4, 4, 4]), way: 'netstat' });
    expect(status.pods[0]).toMatchObject({ connections: 4, bytesPerSecond: null, bytesTotal: null });
    expect(status.clients[0]?.loadShare).toBeNull();
  });

  it('calls a pod without connections idle only if bytes could have been seen', () => {
    const status = statusOf({ pods: pods(3), connections: dealt([4, 4]) });
    expect(status.pods.find((pod) => pod.name === 'echo-2')).toMatchObject({ connections: 0, bytesPerSecond: 0 });
  });
});

describe('what is no client', () => {
  const served = dealt([3, 3, 3, 3]);
  const probes = (more: object) => pods(4).map(({ name }) => ({ from: '10.244.0.1', to: name, ...more }));

  it.each([
    ['has carried next to nothing', { lifetimeBytes: 300, bytesPerSecond: 0 }],
    ['was not there ten seconds ago', { ageSeconds: 4 }],
  ])('a peer at an address of kubelet that %s is a probe: left out and reported', (_, more) => {
    const status = statusOf({ pods: pods(4), connections: [...served, ...probes(more)] });
    expect(status.pods.map((pod) => pod.connections)).toEqual([3, 3, 3, 3]);
    expect(status.leftOut).toEqual([
      {
        what: 'probes',
        connections: 4,
        why: 'from an address that kubelet uses, short-lived or carrying next to nothing',
      },
    ]);
  });

  it('does not make a service without clients busy', () => {
    const status = statusOf({ pods: pods(4), connections: probes({ lifetimeBytes: 300, bytesPerSecond: 0 }) });
    expect(status.verdict.state).toBe('no-traffic');
  });

  it.each(['192.168.0.2', '10.244.0.1'])('a peer at %s that lives and carries bytes is a client', (address) => {
    const connections = [...served, { from: address, to: 'echo-0', bytesPerSecond: 9000 }];
    const status = statusOf({ pods: pods(4), connections });
    expect(status.pods[0]).toMatchObject({ name: 'echo-0', connections: 4 });
    expect(status.clients.find((client) => client.kind === 'node')).toMatchObject({ connections: 1, podsReached: 1 });
    expect(status.leftOut).toEqual([]);
  });

  it('draws no conclusion about single clients where most load comes through nodes', () => {
    const connections = dealt([3, 0, 0, 0]).map((entry) => ({ ...entry, from: '192.168.0.2' }));
    const status = statusOf({ pods: pods(4), connections });
    expect(causesOf(status)).not.toHaveProperty('hot-client');
    expect(status.warnings.map((warning) => warning.id)).toContain('clients-behind-nodes');
    expect(status.recommendation.ownership).toBe('unknown');
  });

  it('takes the first address of the pod network for kubelet where nodes cannot be read', () => {
    const connections = [...served, ...probes({ ageSeconds: 4 })];
    const status = statusOf({ pods: pods(4), connections, nodes: null });
    expect(status.leftOut[0]).toMatchObject({ what: 'probes', connections: 4 });
  });

  it.each([
    ['its node names its pod network', { podCIDRs: ['fd00:10:244::/64'] }],
    ['no node does', { podCIDRs: [] }],
  ])('knows the bridge of an IPv6 pod network, where %s', (_, known) => {
    const sixes = pods(4).map((pod, index) => ({ ...pod, address: `fd00:10:244::${10 + index}` }));
    const probed = sixes.map(({ name }) => ({ from: 'fd00:10:244::1', to: name, ageSeconds: 4 }));
    const nodes = healthyNodes.slice(0, 1).map((node) => ({ ...node, ...known }));
    const status = statusOf({ pods: sixes, connections: [...served, ...probed], nodes });
    expect(status.leftOut[0]).toMatchObject({ what: 'probes', connections: 4 });
    expect(status.pods.map((pod) => pod.connections)).toEqual([3, 3, 3, 3]);
  });

  it('leaves a pod that talks to itself out', () => {
    const self = [
      { from: '127.0.0.1', to: 'echo-0' },
      { from: '10.244.0.10', to: 'echo-0' },
    ];
    const status = statusOf({ pods: pods(4), connections: [...served, ...self] });
    expect(status.pods.map((pod) => pod.connections)).toEqual([3, 3, 3, 3]);
    expect(status.leftOut[0]).toMatchObject({ what: 'loopback', connections: 2 });
  });

  describe('from inside the pod', () => {
    const passedOn = [4, 4, 4, 0].flatMap((count, pod) =>
      Array.from({ length: count }, (_, at) => ({ from: '127.0.0.1', to: `echo-${pod}`, peerPort: 50_000 + at })),
    );

    it('is a proxy in the place of the clients where it carries the bytes of the port: the load counts', () => {
      const status = statusOf({ pods: pods(4), connections: passedOn });
      expect(status.verdict).toMatchObject({ state: 'skewed', basis: 'bytes' });
      expect(status.headline.why).toContain('inside the pod');
      expect(causesOf(status)).toEqual({});
      expect(status.pods.map(({ name, connections }) => [name, connections]).sort()).toEqual([
        ['echo-0', null],
        ['echo-1', null],
        ['echo-2', null],
        ['echo-3', 0],
      ]);
      expect(status.warnings.map(({ id }) => id)).toContain('proxy-inside');
      expect(status.recommendation).toMatchObject({ rule: 0, action: 'keep' });
    });

    it('is none where it carries next to nothing', () => {
      const checks = passedOn.map((entry) => ({ ...entry, lifetimeBytes: 300, bytesPerSecond: 0 }));
      expect(statusOf({ pods: pods(4), connections: checks }).verdict.state).toBe('no-traffic');
    });
  });

  it('counts sockets at the port of the endpoint only', () => {
    const connections = [...served, { from: 'web-0', to: 'echo-0', localPort: 9090 }];
    expect(statusOf({ pods: pods(4), connections }).pods.map((pod) => pod.connections)).toEqual([3, 3, 3, 3]);
  });
});

describe('sidecars', () => {
  it.each([
    ['istio-proxy', 15_006],
    ['kuma-sidecar', 15_006],
    ['linkerd-proxy', 4143],
  ] as const)('counts clients at the inbound port of %s', (sidecar, localPort) => {
    const inbound = dealt([2, 1, 0]).map((entry) => ({ ...entry, localPort }));
    const inside = dealt([2, 1, 0]).map((entry) => ({ from: '127.0.0.6', to: entry.to }));
    const status = statusOf({ pods: pods(3, { sidecar }), connections: [...inbound, ...inside] });
    expect(status.pods.map((pod) => pod.connections)).toEqual([2, 1, 0]);
    expect(status.verdict.state).toBe('skewed');
    expect(status.warnings.map((warning) => warning.id)).toContain('sidecar-port');
    // The clients have no sidecar: nothing chooses a pod for each call.
    expect(status.recommendation.rule).toBe(10);
  });

  it('keeps the application port where the sidecar takes it over without redirection', () => {
    const status = statusOf({ pods: pods(3, { sidecar: 'istio-proxy' }), connections: dealt([2, 1, 0]) });
    expect(status.pods.map((pod) => pod.connections)).toEqual([2, 1, 0]);
    expect(status.warnings).toEqual([]);
  });
});

describe('connections that open and close all the time', () => {
  const moving = [
    ...dealt([1, 0, 0, 0], { ageSeconds: 2 }),
    ...dealt([0, 1, 2, 0], { gone: true, ageSeconds: 12, segmentsPerSecond: 0.3 }).map((entry) => ({
      ...entry,
      from: `gone-${entry.from}`,
    })),
  ];

  it('say nothing about the load: CPU does', () => {
    const status = statusOf({ pods: pods(4), connections: moving });
    expect(status.verdict).toMatchObject({ state: 'balanced', basis: 'cpu', confidence: 'likely' });
    expect(causesOf(status)).toEqual({});
    expect(status.skew?.chance.method).toBe('not-applicable');
  });

  it('are unknown without CPU', () => {
    const status = statusOf({ pods: pods(4), connections: moving, usage: false });
    expect(status.verdict.state).toBe('unknown');
    expect(status.verdict.summary).toContain('open and close all the time');
  });

  it('are traffic even when none is open at the moment', () => {
    const status = statusOf({ pods: pods(4), timeWait: 30, way: 'proc' });
    expect(status.verdict).toMatchObject({ state: 'balanced', basis: 'cpu' });
  });

  it('are not seen in a few that come beside many that stay', () => {
    const connections = [...meshed(3, 4), ...dealt([1, 0, 0, 0], { ageSeconds: 2, bytesPerSecond: 1 })];
    expect(statusOf({ pods: pods(4), connections }).verdict).toMatchObject({ state: 'balanced', basis: 'bytes' });
  });
});

describe('rates', () => {
  it('are by the two times of each pod', () => {
    const status = statusOf({ pods: pods(2), connections: dealt([1, 1], { bytesPerSecond: 700 }), windowSeconds: 17 });
    expectNear(status.pods[0]?.bytesPerSecond, 700, 1);
    expect(status.distributions[0]).toMatchObject({ basis: 'bytes', span: 'window', seconds: 17 });
  });

  it('are not known with one sample', () => {
    const status = statusOf({ pods: pods(2), connections: dealt([1, 1]), windowSeconds: 0 });
    expect(status.pods[0]?.bytesPerSecond).toBeNull();
    expect(status.pods[0]?.bytesTotal).toBe(40_000_000);
  });

  it('show the age of the figures', () => {
    const usage = { lookedAt: ago(47) };
    const status = statusOf({ pods: pods(2), connections: dealt([1, 1]), signals: { usage } });
    expect(status.signals.find((signal) => signal.id === 'usage')?.ageSeconds).toBe(47);
  });
});

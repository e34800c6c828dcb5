import { describe, expect, it } from 'vitest';
import { type FakePod, fakeCluster, gather, missing, type Run } from './fake-cluster.ts';

/** `count` pods, one after the other on each of the nodes. */
function podsOn(count: number, nodes: number, more: Partial<FakePod> = {}): FakePod[] {
  return Array.from({ length: count }, (_, index) => ({
    name: `echo-${String(index).padStart(3, '0')}`,
    node: `n${index % nodes}`,
    ...more,
  }));
}

const most = (runs: readonly Run[], value: (run: Run) => number) => Math.max(...runs.map(value));
const programs = (runs: readonly Run[]) => runs.map((run) => run.target.command[0]);

describe('what is asked', () => {
  it('is a handful of lists, by selector where there is one, and the command in each pod', async () => {
    const { kube, asked, runs } = fakeCluster(podsOn(3, 1));
    await gather(kube);
    expect(asked.map((entry) => entry.path).toSorted()).toEqual([
      '/api/v1/namespaces/kube-system/configmaps/kube-proxy',
      '/api/v1/namespaces/shop/events',
      '/api/v1/namespaces/shop/pods',
      '/api/v1/namespaces/shop/services',
      '/api/v1/namespaces/shop/services/echo',
      '/api/v1/nodes',
      '/api/v1/pods',
      '/apis',
      '/apis/apps/v1/namespaces/shop/deployments',
      '/apis/autoscaling/v2/namespaces/shop/horizontalpodautoscalers',
      '/apis/discovery.k8s.io/v1/namespaces/shop/endpointslices',
      '/apis/metrics.k8s.io/v1beta1/namespaces/shop/pods',
    ]);
    const selectors = asked.flatMap((entry) => entry.selector ?? []).toSorted();
    expect(selectors).toEqual(['app=echo', 'app=echo', 'kubernetes.io/service-name=echo']);
    expect(runs.map((run) => run.target.pod).toSorted()).toEqual(['echo-000', 'echo-001', 'echo-002']);
    expect(runs[0]?.target).toEqual({
      namespace: 'shop',
      pod: 'echo-000',
      container: 'server',
      command: 'ss -tniH state established state listening ( sport = :50051 or sport = :15006 or sport = :4143 )'.split(
        ' ',
      ),
    });
  });

  it('is no command without leave', async () => {
    const { kube, runs } = fakeCluster(podsOn(3, 1));
    const { evidence, announced } = await gather(kube, { exec: false });
    expect([runs.length, evidence.connections, announced]).toEqual([0, null, null]);
    expect(evidence.signals.find((signal) => signal.id === 'connections')?.state).toBe('skipped');
  });

  it('is announced before, with the number of samples', async () => {
    const { kube } = fakeCluster(podsOn(3, 1));
    expect((await gather(kube, { windowSeconds: 3 })).announced).toEqual([3, 2]);
  });
});

describe('the pace', () => {
  it('begins with one pod, alone', async () => {
    const { kube, runs } = fakeCluster(podsOn(6, 6), undefined, 60);
    await gather(kube);
    const [first, ...others] = runs.toSorted((a, b) => a.startedAt - b.startedAt);
    expect(first?.atOnce).toBe(1);
    expect(Math.min(...others.map((run) => run.startedAt))).toBeGreaterThanOrEqual(first?.endedAt ?? Infinity);
  });

  it('is at most 4 commands on a node', async () => {
    const { kube, runs } = fakeCluster(podsOn(12, 1), undefined, 150);
    await gather(kube);
    expect(most(runs, (run) => run.onNode)).toBeGreaterThan(1);
    expect(most(runs, (run) => run.onNode)).toBeLessThanOrEqual(4);
  });

  it('is at most 10 at once', async () => {
    const { kube, runs } = fakeCluster(podsOn(24, 24), undefined, 400);
    await gather(kube);
    expect(most(runs, (run) => run.atOnce)).toBeGreaterThan(4);
    expect(most(runs, (run) => run.atOnce)).toBeLessThanOrEqual(10);
  });

  it('is at most 50 starts a second', async () => {
    const { kube, runs } = fakeCluster(podsOn(16, 16));
    await gather(kube);
    const starts = runs.map((run) => run.startedAt).toSorted((a, b) => a - b);
    // 14 intervals of 20 ms between the 15 that follow the first; timers may be a millisecond early.
    expect((starts.at(-1) ?? 0) - (starts[1] ?? 0)).toBeGreaterThanOrEqual(14 * 19);
  });
});

describe('listening sockets', () => {
  const looked = async (stdout: string) => {
    const { kube } = fakeCluster(podsOn(1, 1), ({ command }) => (command[0] === 'ss' ? { stdout } : missing));
    return (await gather(kube)).evidence.connections?.looks[0]?.listening;
  };

  it('are kept by port, and whether anybody outside the pod reaches them', async () => {
    expect(await looked('LISTEN 0 128 0.0.0.0:50051 0.0.0.0:*\n')).toEqual([{ port: 50_051, loopback: false }]);
    expect(await looked('LISTEN 0 128 127.0.0.1:50051 0.0.0.0:*\n')).toEqual([{ port: 50_051, loopback: true }]);
    const both = 'LISTEN 0 128 127.0.0.1:50051 0.0.0.0:*\nLISTEN 0 128 [::]:50051 [::]:*\n';
    expect(await looked(both)).toEqual([{ port: 50_051, loopback: false }]);
  });

  it('are none where ss shows none, and not known where netstat was asked', async () => {
    expect(await looked('')).toEqual([]);
    // What has a header is an unfiltered ss, as recordings hold it: it never lists listeners.
    expect(await looked('State Recv-Q Send-Q Local Address:Port Peer Address:Port\n')).toBeUndefined();
    expect(await looked('Recv-Q Send-Q Local Address:Port Peer Address:Port Process\n')).toBeUndefined();
    const header = 'Proto Recv-Q Send-Q Local Address Foreign Address State\n';
    const { kube } = fakeCluster(podsOn(1, 1), ({ command }) =>
      command[0] === 'netstat' ? { stdout: header } : missing,
    );
    const look = (await gather(kube)).evidence.connections?.looks[0];
    expect([look?.way, look?.listening]).toEqual(['netstat', undefined]);
  });
});

describe('the way of looking', () => {
  const proc = '  sl  local_address rem_address   st tx_queue rx_queue\n';

  it('is found once for an image, then used for all its pods and in the second sample', async () => {
    const { kube, runs } = fakeCluster(podsOn(5, 5), ({ command }) =>
      command[0] === 'cat' ? { stdout: proc } : missing,
    );
    const { evidence } = await gather(kube, { windowSeconds: 3 });
    expect(programs(runs)).toEqual(['ss', 'ss', 'netstat', ...Array(10).fill('cat')]);
    expect(evidence.connections).toMatchObject({ execs: 13, failures: [] });
    expect(new Set(evidence.connections?.looks.map((look) => look.way))).toEqual(new Set(['proc']));
  });

  it('is found for each image of its own', async () => {
    const two = [...podsOn(2, 2, { image: 'echo:ss' }), ...podsOn(4, 4, { image: 'echo:cat' }).slice(2)];
    const { kube, runs } = fakeCluster(two, ({ pod, command }) => {
      if (pod < 'echo-002') return { stdout: '' };
      return command[0] === 'cat' ? { stdout: proc } : missing;
    });
    await gather(kube);
    expect(programs(runs).filter((program) => program === 'netstat').length).toBeLessThanOrEqual(2);
    expect(runs.filter((run) => run.target.pod < 'echo-002').map((run) => run.target.command[0])).toEqual(['ss', 'ss']);
  });

  it('is none for an image without any tool: no further pod is asked', async () => {
    const { kube, runs } = fakeCluster(podsOn(5, 5), () => missing);
    const { evidence } = await gather(kube);
    expect(runs).toHaveLength(4);
    expect(evidence.connections?.failures.map((failure) => failure.reason)).toEqual(Array(5).fill('no-tool'));
  });
});

describe('a refusal', () => {
  it.each([
    ['forbidden', 'pods "echo-000" is forbidden: User "x" cannot create resource "pods/exec"', 'forbidden'],
    ['refused', 'admission webhook "no-exec.example.com" denied the request', 'refused'],
    ['upgrade', 'the proxy answered 200', 'no-upgrade'],
  ] as const)('of kind %s ends the round after one command', async (kind, message, reason) => {
    const { kube, runs } = fakeCluster(podsOn(6, 6), () => ({ kind, request: 'exec', message }));
    const { evidence } = await gather(kube, { windowSeconds: 3 });
    expect(runs).toHaveLength(1);
    const failures = evidence.connections?.failures ?? [];
    expect(failures.map((failure) => failure.reason)).toEqual(Array(6).fill(reason));
    expect(failures[0]?.message).toBe(message);
  });

  it('by a webhook is quoted, and no Role is asked for', async () => {
    const message = 'admission webhook "no-exec.example.com" denied the request';
    const { kube } = fakeCluster(podsOn(2, 2), () => ({ kind: 'refused', request: 'exec', message }));
    const { evidence } = await gather(kube);
    const signal = evidence.signals.find((entry) => entry.id === 'connections');
    expect(signal).toMatchObject({ state: 'unavailable', reason: message, needs: null });
  });

  it('of one pod, or its silence, does not keep the others from being seen', async () => {
    const { kube } = fakeCluster(podsOn(4, 4), ({ pod }) =>
      pod === 'echo-000' ? { kind: 'timeout', request: 'exec', message: 'no answer' } : { stdout: '' },
    );
    const { evidence } = await gather(kube);
    expect(evidence.connections?.looks).toHaveLength(3);
    expect(evidence.connections?.failures).toMatchObject([{ pod: 'echo-000', reason: 'timeout' }]);
    expect(evidence.signals.find((signal) => signal.id === 'connections')?.state).toBe('partial');
  });
});

describe('many pods', () => {
  it('are sampled: every node, the hottest and idlest, the oldest and youngest', async () => {
    const plain = podsOn(120, 30);
    const special: Readonly<Record<string, Partial<FakePod>>> = {
      'echo-101': { cpu: '900m' },
      'echo-102': { cpu: '1m' },
      'echo-103': { createdAt: '2025-01-01T00:00:00Z' },
      'echo-104': { createdAt: '2026-03-01T11:00:00Z' },
    };
    const { kube, runs } = fakeCluster(plain.map((pod) => ({ ...pod, ...special[pod.name] })));
    const { evidence } = await gather(kube);
    const looked = new Set(runs.map((run) => run.target.pod));
    expect(looked.size).toBe(50);
    expect(new Set(plain.filter((pod) => looked.has(pod.name)).map((pod) => pod.node)).size).toBe(30);
    for (const name of Object.keys(special)) expect(looked).toContain(name);
    const left = evidence.connections?.failures ?? [];
    expect(left.map((failure) => failure.reason)).toEqual(Array(70).fill('not-sampled'));
  });

  it('are chosen for what they are before one of every node: more nodes than pods that may be looked into', async () => {
    const special: Readonly<Record<string, Partial<FakePod>>> = {
      'echo-101': { cpu: '900m' },
      'echo-102': { cpu: '1m' },
      'echo-103': { createdAt: '2025-01-01T00:00:00Z' },
      'echo-104': { createdAt: '2026-03-01T11:00:00Z' },
    };
    const { kube, runs } = fakeCluster(podsOn(120, 120).map((pod) => ({ ...pod, ...special[pod.name] })));
    await gather(kube);
    const looked = new Set(runs.map((run) => run.target.pod));
    expect(looked.size).toBe(50);
    for (const name of Object.keys(special)) expect(looked).toContain(name);
  });

  it('are chosen by the calls that they count, too, which are asked for first', async () => {
    const { kube, runs } = fakeCluster(podsOn(120, 120));
    const calls: Readonly<Record<string, number>> = { 'echo-111': 9_000_000, 'echo-112': 0 };
    let pages = 0;
    const counting: typeof kube.getText = async (path) => {
      expect(runs).toHaveLength(0);
      pages++;
      const pod = /pods\/(echo-\d+)/.exec(path)?.[1] ?? '';
      const labels = 'grpc_service="echo.Echo",grpc_method="Say",grpc_type="unary",grpc_code="OK"';
      const text = `grpc_server_handled_total{${labels}} ${calls[pod] ?? 5000}\n`;
      return { ok: true, serverDate: null, value: { text, receivedAt: '2026-03-01T12:00:00.000Z' } };
    };
    await gather({ ...kube, getText: counting }, { metricsPort: 9090 });
    const looked = new Set(runs.map((run) => run.target.pod));
    expect([looked.size, pages]).toEqual([50, 120]);
    for (const name of Object.keys(calls)) expect(looked).toContain(name);
  });

  it('are all looked at with 50 of them, or when that was asked for', async () => {
    const fifty = fakeCluster(podsOn(50, 50));
    await gather(fifty.kube);
    expect(fifty.runs).toHaveLength(50);
    const more = fakeCluster(podsOn(60, 60));
    await gather(more.kube, { allPods: true });
    expect(more.runs).toHaveLength(60);
  });
});

describe('a container near its memory limit', () => {
  it('gets no command', async () => {
    const full = { memory: { server: '95Mi' } };
    const { kube, runs } = fakeCluster([...podsOn(1, 1, full), ...podsOn(3, 3).slice(1)]);
    const { evidence } = await gather(kube);
    expect(runs.map((run) => run.target.pod)).not.toContain('echo-000');
    expect(evidence.connections?.failures).toMatchObject([{ pod: 'echo-000', reason: 'near-memory-limit' }]);
  });

  it('leaves the look to another container of the pod', async () => {
    const { kube, runs } = fakeCluster(podsOn(1, 1, { memory: { server: '95Mi', helper: '5Mi' } }));
    await gather(kube);
    expect(runs.map((run) => run.target.container)).toEqual(['helper']);
  });

  it('is one above 90 %', async () => {
    const { kube, runs } = fakeCluster(podsOn(1, 1, { memory: { server: '90Mi' } }));
    await gather(kube);
    expect(runs).toHaveLength(1);
  });
});

describe('pods that are not of the Service', () => {
  const limited = (name: string, labels: object, address: string, ports: readonly object[]): unknown => ({
    metadata: { name, namespace: 'shop', uid: `uid-${name}`, labels },
    spec: {
      containers: [{ name: 'main', image: 'other:1', ports, resources: { limits: { memory: '100Mi' } } }],
    },
    status: {
      phase: 'Running',
      podIP: address,
      containerStatuses: [{ name: 'main', state: { running: {} } }],
    },
  });
  // One that has left the Service, and the client behind the sockets of the fake cluster.
  const others = [
    limited('echo-old', { app: 'old' }, '10.244.0.90', [{ containerPort: 50_051 }]),
    limited('web-1', { app: 'web' }, '10.250.0.10', []),
  ];

  /** The fake cluster with these two, which use so much of their 100 Mi. */
  function withOthers(memory: string): ReturnType<typeof fakeCluster> & { readonly usageAsked: () => number } {
    const cluster = fakeCluster(podsOn(1, 1));
    const kube: typeof cluster.kube = {
      ...cluster.kube,
      async list(path, options) {
        const answer = await cluster.kube.list(path, options);
        if (!answer.ok) return answer;
        const more =
          path === '/api/v1/pods'
            ? others
            : path.includes('metrics.k8s.io') && options.query === undefined
              ? ['echo-old', 'web-1'].map((name) => ({
                  metadata: { name },
                  timestamp: '2026-03-01T11:59:45Z',
                  containers: [{ name: 'main', usage: { cpu: '1m', memory } }],
                }))
              : [];
        return { ...answer, value: { ...answer.value, items: [...answer.value.items, ...more] } };
      },
    };
    const usageAsked = () => cluster.asked.filter(({ path }) => path.includes('metrics.k8s.io')).length;
    return { ...cluster, kube, usageAsked };
  }

  it('get no command near their memory limit, and the report can say so', async () => {
    const { kube, runs } = withOthers('91Mi');
    const { evidence } = await gather(kube, { inspectClients: true });
    expect(runs.map((run) => run.target.pod)).toEqual(['echo-000']);
    expect(evidence.connections?.failures).toMatchObject([{ pod: 'echo-old', reason: 'near-memory-limit' }]);
    expect(evidence.clientLooks?.failures).toMatchObject([
      { pod: 'web-1', message: expect.stringContaining('near its memory limit') },
    ]);
  });

  it('are looked into where there is room: one question for the memory of each namespace', async () => {
    const { kube, runs, usageAsked } = withOthers('90Mi');
    await gather(kube, { inspectClients: true });
    // The former pod; then, in the client, its sockets and the name of its first process.
    expect(runs.map((run) => run.target.pod)).toEqual(['echo-000', 'echo-old', 'web-1', 'web-1']);
    expect(usageAsked()).toBeLessThanOrEqual(3);
  });
});

/** The conditions of the state, of its sentences and of what stands beside it: each with a world in which it fails alone. */
import { describe, expect, it } from 'vitest';
import type { Happening } from '../../src/evidence/objects.ts';
import type { SkewEvidence } from '../../src/evidence/schema.ts';
import { limits } from '../../src/facts/limits.ts';
import { buildEvidence, dealt, headless, marks, meshed, type Plan, pods } from '../diagnose/build.ts';
import { ago, uidOf } from '../diagnose/build-looks.ts';
import { reportOf, statusOf } from '../diagnose/report.ts';
import { confidenceOf, firstNumbers, to } from './worlds.ts';

const verdictOf = (plan: Plan) => {
  const { state, confidence, summary } = statusOf(plan).verdict;
  return [state, confidence, summary];
};
const unseen = (...numbers: readonly number[]) =>
  numbers.map((number) => ({ pod: `echo-${number}`, reason: 'timeout' as const }));
const istio = { meshProxies: ['istio-proxy'] };

describe('the state', () => {
  it('is no load balancing without a ready pod, and with one', () => {
    expect(verdictOf({ pods: [] })).toEqual(['not-load-balancing', 'certain', 'no ready pod stands behind this port']);
    expect(verdictOf({ pods: pods(1), connections: dealt([2]) })).toEqual([
      'not-load-balancing',
      'certain',
      'one ready pod: there is nothing to balance',
    ]);
    expect(verdictOf({ pods: pods(2), connections: dealt([2, 2]) })[0]).toBe('balanced');
  });

  it('is no traffic only where every pod was seen, and none waits in TIME-WAIT', () => {
    const idle = { cpuMillicores: 4 * limits.cpuNoiseMillicores - 1 };
    const at = [{ port: 50_051, loopback: false }];
    const listening = { 'echo-0': at, 'echo-1': at };
    const silent: Plan = { pods: pods(2).map((pod) => ({ ...pod, ...idle })), listening };
    expect(verdictOf(silent)).toEqual(['no-traffic', 'certain', 'no client is connected to any of the 2 pods']);
    // A listener that was not looked at, or CPU that was not measured or may be of short calls, leave it likely.
    const { listening: _, ...unproven } = silent;
    const working = pods(2).map((pod) => ({ ...pod, cpuMillicores: 4 * limits.cpuNoiseMillicores }));
    for (const plan of [unproven, { ...silent, usage: false }, { ...silent, pods: working }])
      expect(verdictOf(plan)).toEqual(['no-traffic', 'likely', 'no client is connected to any of the 2 pods']);
    expect(verdictOf({ ...silent, failures: unseen(1) })[0]).toBe('unknown');
    expect(verdictOf({ ...silent, timeWait: 1 })).not.toContain('certain');
    expect(verdictOf({ ...silent, exec: false })[0]).toBe('unknown');
  });

  it('is unknown when the load may be where nobody looked, and names the pods', () => {
    const plan: Plan = { pods: pods(3), connections: dealt([2, 2, 0]), usage: false };
    const one = statusOf({ ...plan, failures: unseen(2) }).verdict;
    expect(one.summary).toBe('1 pod was not seen, and the load may be there');
    expect(one.settledBy).toBe('the connections of echo-2: the test says timeout');
    const two = statusOf({ ...plan, failures: unseen(1, 2) }).verdict;
    expect(two.summary).toBe('2 pods were not seen, and the load may be there');
    expect(two.settledBy).toBe('the connections of echo-1 and 1 more: the test says timeout');
  });

  it('names pods that are idle without being too few effective ones', () => {
    // Eight pods: seven with 8/7 of their part, one with nothing. That is a little uneven beyond the noise, so never certain.
    const connections = firstNumbers(7).flatMap((pod) => to(`web-${pod}`, [pod], 1000));
    expect(verdictOf({ pods: pods(8), connections })).toEqual([
      'balanced',
      'likely',
      '8 pods share the load, 1 of them idle (the busiest has 1.1 × its part)',
    ]);
  });

  it('is certain by the bytes of a window of all pods, likely by those of the lifetime', () => {
    const plan: Plan = { pods: pods(4), connections: dealt([2, 2, 2, 2]) };
    expect(verdictOf(plan)).toEqual(['balanced', 'certain', '4 pods share the load evenly']);
    expect(verdictOf({ ...plan, windowSeconds: 0 })[1]).toBe('likely');
    expect(verdictOf({ ...plan, way: 'netstat', usage: false })[1]).toBe('likely');
  });

  it('is possible by even CPU over uneven connections, likely over even ones', () => {
    const plan: Plan = { pods: pods(4), connections: dealt([6, 1, 1, 0]), way: 'netstat' };
    expect(verdictOf(plan)).toEqual([
      'balanced',
      'possible',
      '4 pods share the CPU use evenly, though not the connections',
    ]);
    expect(verdictOf({ ...plan, connections: dealt([2, 2, 2, 2]) })).toEqual([
      'balanced',
      'likely',
      '4 pods share the CPU use evenly',
    ]);
  });

  it('says how many pods are missing, and whether clients hold on there', () => {
    const unready = (count: number) => pods(count, { pod: { ready: false } }, 2);
    const summary = (count: number, more: Partial<Plan> = {}) =>
      verdictOf({ pods: [...pods(2), ...unready(count)], connections: dealt([2, 2]), ...more })[2];
    const rest = 'the 2 ready ones share the load evenly';
    expect(summary(1)).toBe(`1 pod gets no traffic because it is not Ready; ${rest}`);
    expect(summary(2)).toBe(`2 pods get no traffic because they are not Ready; ${rest}`);
    expect(summary(1, { connections: dealt([2, 2, 2]) })).toBe(
      `1 pod is not Ready, yet clients hold 2 connections there; ${rest}`,
    );
    const unnamed: Plan = { pods: [...pods(2), ...pods(1, { endpoint: false as const }, 2)] };
    expect(verdictOf({ ...unnamed, connections: dealt([2, 2]) })[2]).toBe(
      `1 pod gets no traffic: not among the endpoints of the port; ${rest}`,
    );
  });

  it('is a pod that stands still, where the others share the load evenly', () => {
    const world = (others: readonly number[], seconds = 20): Plan => ({
      pods: pods(1 + others.length),
      connections: [
        ...to('web-0', [0], 100, { unreadSeconds: seconds }),
        ...others.flatMap((rate, index) => to(`web-${index + 1}`, [index + 1], rate)),
      ],
      windowSeconds: 3,
    });
    expect(verdictOf(world([5000, 5000, 5000]))).toEqual([
      'not-load-balancing',
      'certain',
      '1 pod does not read what clients send; the 3 others share the load evenly',
    ]);
    expect(verdictOf(world([5000, 5000, 5000], 5))[1]).toBe('likely');
    expect(verdictOf(world([5000]))[2]).toBe('1 pod does not read what clients send; the other one has the load');
    expect(verdictOf(world([15_000, 100, 100]))[0]).toBe('skewed');
  });

  it('waits for the end of a rollout, and for pods that have only just come', () => {
    const rolling = { pods: pods(3), connections: dealt([6, 1, 1]), deployments: [] };
    expect(verdictOf(rolling)[0]).toBe('skewed');
    const leaving = { labels: { 'pod-template-hash': 'old' }, deletedAt: ago(5), ready: false };
    const plan = { ...rolling, pods: [...pods(3), ...pods(1, { pod: leaving }, 3)] };
    expect(verdictOf(plan)).toEqual(['unknown', 'possible', 'uneven, but a rollout is under way']);
  });

  it('is as directed only when a route is obeyed by half of the load', () => {
    // By the weights echo-0 gets 60 of 100, four others ten each, and the load lies so.
    const world = (obeying: number): Plan => ({
      pods: pods(5),
      clients: [{ name: 'web-0', ...istio }, { name: 'web-1' }],
      connections: ['web-0', 'web-1'].flatMap((name, index) => {
        const rate = index === 0 ? obeying : 1000 - obeying;
        return [...to(name, [0], 60 * rate), ...to(name, [1, 2, 3, 4], 10 * rate)];
      }),
      path: {
        destinationRules: [
          {
            name: 'echo',
            consistentHash: false,
            subsets: [
              { name: 'a', pods: ['echo-0'] },
              { name: 'b', pods: ['echo-1', 'echo-2', 'echo-3', 'echo-4'] },
            ],
          },
        ],
        routes: [
          {
            kind: 'VirtualService',
            name: 'echo',
            backends: [
              { service: 'echo', subset: 'a', weight: 60 },
              { service: 'echo', subset: 'b', weight: 40 },
            ],
          },
        ],
      },
    });
    expect(verdictOf(world(500))[2]).toBe('5 pods share the load as VirtualService echo deals it: one carries 60 %');
    expect(verdictOf(world(499))[0]).toBe('skewed');
  });
});

describe('whether chance could be it', () => {
  const plan: Plan = { pods: pods(4), connections: dealt([5, 3, 2, 0]) };
  const chanceOf = (more: Partial<Plan>) => statusOf({ ...plan, ...more }).skew?.chance;

  it('is asked for a ClusterIP Service', () => {
    expect(chanceOf({})).toMatchObject({ method: 'exact', reason: null });
  });

  it.each<[RegExp, Partial<Plan>]>([
    [/^istio-proxy stand/, { clients: [{ name: 'web-0', ...istio }] }],
    [/ipvs/, { path: { kubeProxyMode: 'ipvs' } }],
    [/sessionAffinity/, { service: { sessionAffinity: 'ClientIP' } }],
    [/internalTrafficPolicy/, { service: { internalTrafficPolicy: 'Local' } }],
    [/externalTrafficPolicy/, { service: { externalTrafficPolicy: 'Local', type: 'LoadBalancer' } }],
    [/topology hints/, { pods: [...pods(1, { endpoint: { hintZones: ['a'] } }), ...pods(3, {}, 1)] }],
    [/topology hints/, { pods: [...pods(1, { endpoint: { hintNodes: ['n1'] } }), ...pods(3, {}, 1)] }],
    [/headless/, { service: headless }],
  ])('is not asked: %s', (reason, more) => {
    expect(chanceOf(more)?.method).toBe('not-applicable');
    expect(chanceOf(more)?.reason).toMatch(reason);
  });

  it('is asked with externalTrafficPolicy Local, as long as the type is ClusterIP', () => {
    expect(chanceOf({ service: { externalTrafficPolicy: 'Local' } })?.reason).toBeNull();
  });

  // Ten connections of 1000 bytes a second and ten of r times that: alike down to 95 % effective ones, r = 1.595.
  it.each([
    [1590, 'exact'],
    [1600, 'monte-carlo'],
  ])('ten connections of 1000 and ten of %s bytes: %s', (rate, method) => {
    const connections = [...to('web-0', Array(10).fill(0), 1000), ...to('web-1', Array(10).fill(0), rate)];
    expect(statusOf({ pods: pods(4), connections }).skew?.chance.method).toBe(method);
  });
});

describe('what stands beside the state', () => {
  const even: Plan = { pods: pods(2), connections: dealt([2, 2]) };
  const strategy = (plan: Plan, id: string) =>
    statusOf(plan).recommendation.strategies.find((entry) => entry.id === id);

  it('the ClusterIP as it is has something against it only while the load is uneven', () => {
    const against = ['the load is uneven now and stays so until clients reconnect'];
    expect(strategy(even, 'cluster-ip')?.against).toEqual([]);
    expect(strategy({ ...even, connections: dealt([6, 1]) }, 'cluster-ip')?.against).toEqual(against);
  });

  it('restarts of the last hour are counted', () => {
    const lastTermination = { reason: 'Error', exitCode: 1, finishedAt: ago(100) };
    const restarted = { pods: [...pods(1, { restarts: 1, lastTermination }), ...pods(1, {}, 1)] };
    expect(statusOf(even).impact.text).toBe('hottest pod at 10 % of its CPU limit, no restarts');
    expect(statusOf({ ...even, ...restarted }).impact.text).toBe(
      'hottest pod at 10 % of its CPU limit, 1 pod restarted in the last hour',
    );
  });

  it('a waypoint that nothing goes through is not known to be used', () => {
    const ambient = pods(4, { pod: { mesh: marks({ redirected: true, dataplaneMode: 'ambient' }) } });
    const path = { service: marks({ useWaypoint: 'way' }), waypoints: ['way'] };
    const proxy = strategy({ pods: ambient, connections: dealt([3, 1]), path }, 'l7-proxy');
    expect(proxy?.preconditions.find(({ text }) => text.startsWith('in an ambient'))?.status).toBe('unknown');
  });

  it('what a port is taken for says from what', () => {
    const world = (name: string, port: number): Plan => ({
      pods: pods(4, { sidecar: 'istio-proxy' }),
      clients: firstNumbers(3).map((number) => ({ name: `web-${number}`, ...istio })),
      connections: dealt([2, 1]),
      service: { ports: [{ name, port, targetPort: 50_051, protocol: 'TCP', appProtocol: null }] },
      path: {},
    });
    const text = (name: string, port: number) =>
      statusOf(world(name, port)).causes.find(({ id }) => id === 'mesh-sees-tcp')?.text;
    expect(text('main', 3306)).toMatch(/^port 3306 is taken for plain TCP where nothing is declared/);
    expect(text('tcp', 50_051)).toMatch(/^the port declares tcp \(by its name\)/);
    expect(text('main', 3307)).toMatch(/^sidecars stand at both ends/);
  });

  it('failures of a probe are those of the pods that have it', () => {
    const failed = (pod: string): Happening => ({
      kind: 'unhealthy',
      pod,
      podUid: uidOf(pod),
      container: 'server',
      probe: 'readiness',
      failure: 'timeout',
      times: 3,
      firstAt: ago(60),
      at: ago(5),
    });
    const probes = (pod: string) => statusOf({ ...even, happenings: [failed(pod)] }).probes;
    expect(probes('echo-0')).toMatchObject([{ failures: 3, failedPods: 1 }]);
    expect(probes('elsewhere-0')).toMatchObject([{ failures: 0, failedPods: 0 }]);
  });

  it('CPU is that of the container that has the port', () => {
    const evidence = buildEvidence(even);
    const helper = { name: 'helper', ports: [{ name: 'admin', port: 9000, protocol: 'TCP' }] };
    const withHelper: SkewEvidence = {
      ...evidence,
      pods:
        evidence.pods?.map((pod) => ({
          ...pod,
          containers: pod.containers.flatMap((server) => [{ ...server, ...helper }, server]),
        })) ?? null,
    };
    expect(reportOf(withHelper).status.distributions.some(({ basis }) => basis === 'cpu')).toBe(true);
  });

  it('the age of connections is held against a cause only where it was measured', () => {
    const world = (more: Partial<Plan>): Plan => ({
      pods: [...pods(1), ...pods(1, { ageSeconds: 600 }, 1)],
      connections: dealt([5], { ageSeconds: 300 }),
      ...more,
    });
    const against = (more: Partial<Plan>) =>
      statusOf(world(more)).causes.find(({ id }) => id === 'new-pods-idle')?.against;
    expect(against({ windowSeconds: 0 })).toEqual([]);
    expect(against({})).toEqual(['at their present rate the connections need only 5m to carry what they did']);
  });

  it('a look tells a cause from its rivals, and from no other', () => {
    const status = statusOf({
      pods: [...pods(3), ...pods(7, { ageSeconds: 600 }, 3)],
      connections: dealt([2, 1, 1]),
      windowSeconds: 0,
    });
    const found = status.causes.find(({ id }) => id === 'new-pods-idle');
    expect(status.causes.map(({ id }) => id)).toContain('few-connections');
    expect(found?.settledBy.filter((look) => look.startsWith('against few-connections'))).toEqual([]);
  });

  it('a client without a controller is not deleted by a command', () => {
    const leak: Plan = {
      pods: pods(2),
      connections: [...to('web-0', Array(1000).fill(0), 0), ...to('web-1', [0, 0], 9000)],
    };
    const evidence = buildEvidence(leak);
    const peers = evidence.peers?.pods.map((pod) => ({ ...pod, owner: null })) ?? [];
    const command = (given: SkewEvidence) =>
      reportOf(given).status.relief.find(({ action }) => action.startsWith('restart web'))?.command;
    expect(command(evidence)).toContain('delete pod web-0');
    expect(command({ ...evidence, peers: { scope: 'cluster', pods: peers } })).toBeNull();
  });
});

describe('what was not seen', () => {
  it('even connections leave it open whether unequal pods get the same load', () => {
    const on = (node: string, millicores: number, first: number) => pods(2, { node, cpuMillicores: millicores }, first);
    const nodes = ['n1', 'n2'].map((name, index) => ({
      name,
      addresses: [`192.168.0.${index + 1}`],
      podCIDRs: [],
      zone: null,
      instanceType: `type-${index}`,
      ready: true,
    }));
    const plan: Plan = { pods: [...on('n1', 100, 0), ...on('n2', 400, 2)], nodes, way: 'netstat' };
    expect(confidenceOf('unequal-pods', { ...plan, connections: dealt([2, 2, 2, 2]) })).toBe('possible');
    expect(confidenceOf('unequal-pods', { ...plan, connections: dealt([1, 1, 4, 4]) })).toBeUndefined();
  });

  it('traffic of the interfaces is not what the connections carry', () => {
    const traffic = firstNumbers(4).map((number) => ({
      pod: `echo-${number}`,
      podUid: uidOf(`echo-${number}`),
      from: ago(65),
      to: ago(5),
      bytes: 6_000_000,
      packets: 30_000,
    }));
    const hot = [...pods(1, { cpuMillicores: 700 }), ...pods(3, { cpuMillicores: 100 }, 1)];
    const plan: Plan = { pods: hot, connections: meshed(2, 4), way: 'netstat' };
    expect(confidenceOf('uneven-work', { ...plan, prometheus: { traffic } })).toBe('possible');
  });

  it('an ALB beside another controller deals by source', () => {
    const ingress = { name: 'echo', grpc: true, virtualAddress: false };
    const ingresses = [
      { ...ingress, controller: 'nginx' as const },
      { ...ingress, controller: 'alb' as const },
    ];
    const connections = ['8.8.8.1', '8.8.8.2', '8.8.8.3'].flatMap((address) => to(address, [0, 0], 1000));
    expect(confidenceOf('lb-source', { pods: pods(4), connections, path: { ingresses } })).toBe('likely');
    expect(confidenceOf('lb-source', { pods: pods(4), connections, path: { ingresses: [] } })).toBeUndefined();
  });
});

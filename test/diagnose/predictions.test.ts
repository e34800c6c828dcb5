import { describe, expect, test } from 'vitest';
import { type Feature, supportOf } from '../../src/fix/support.ts';
import type { StrategyAnswer } from '../../src/report/advice.ts';
import { languages, type StrategyId } from '../../src/report/ids.ts';
import { buildEvidence, dealt, headless, marks, meshed, type Plan, pods } from './build.ts';
import { reportOf, statusOf } from './report.ts';

const strategyOf = (plan: Plan, id: StrategyId, options?: Parameters<typeof statusOf>[1]): StrategyAnswer => {
  const found = statusOf(plan, options).recommendation.strategies.find((entry) => entry.id === id);
  if (found === undefined) throw new Error(id);
  return found;
};
const preconditions = (plan: Plan, id: StrategyId, options?: Parameters<typeof statusOf>[1]) =>
  Object.fromEntries(
    strategyOf(plan, id, options).preconditions.map(({ text, status }) => [text.slice(0, 24), status]),
  );

const few: Plan = { pods: pods(10), connections: dealt([2, 1, 1]) };
const many: Plan = { pods: pods(5), connections: dealt([40, 20, 10, 10, 0]) };

describe('what each strategy would give', () => {
  test('an age over many connections: nearly all pods; the reconnects and the time of a new pod', () => {
    // 80 connections on 5 pods: 5·80/84 = 4.8. Age 5 min: 80/300 reconnects a second, all moved by 330 s.
    const { prediction } = strategyOf(many, 'max-connection-age');
    expect(prediction.effectivePods).toBeCloseTo(4.8, 0);
    expect(prediction.reconnectsPerSecond).toBeCloseTo(80 / 300, 6);
    expect(prediction.newPodSeconds).toBe(330);
    expect(prediction.newPod).toBe('within 5m30s at an age of 5m (20 % of its share after 1m)');
  });

  test('one hot client: an age only moves the hot spot, and says so; balancing by call does not', () => {
    const hot: Plan = {
      pods: pods(10),
      connections: [
        ...dealt(Array(10).fill(4)),
        { from: 'batch', to: 'echo-3', bytesPerSecond: 100_000, segmentsPerSecond: 500 },
      ],
    };
    const age = strategyOf(hot, 'max-connection-age');
    // 100 of 140 kB/s on one connection: 71 %, so at least 7.1 times the mean and at most 1/0.51 = 2 pods, wherever it goes.
    expect(age.prediction.peakToMean).toBeGreaterThan(7);
    expect(age.prediction.effectivePods).toBeLessThan(2.1);
    expect(age.against).toContainEqual(expect.stringMatching(/^one connection carries 71 % of the load/));
    expect(strategyOf(hot, 'headless-round-robin').prediction.effectivePods).toBe(10);
  });

  describe('an age deals connections where they can land', () => {
    const aged = (plan: Plan) => strategyOf(plan, 'max-connection-age');
    const twenty = dealt([10, 10]);

    test('under internalTrafficPolicy Local on the pods of their node', () => {
      // Two of ten pods are on the node of the clients: 2·20 / 21 = 1.9, where ten would give 6.9.
      const apart = [...pods(2), ...pods(8, { node: 'n2' }, 2)];
      const plan: Plan = { pods: apart, connections: twenty, service: { internalTrafficPolicy: 'Local' } };
      const { prediction, against } = aged(plan);
      expect(prediction.effectivePods).toBeCloseTo(1.9, 1);
      expect(prediction.effectivePodsRange?.[1]).toBeLessThanOrEqual(2);
      expect(against).toContain('8 pods get nothing from it: no connection of these clients can land there');
      expect(aged({ ...plan, service: {} }).prediction.effectivePods).toBeCloseTo(6.9, 0);
    });

    test('under externalTrafficPolicy Local each node gets the same, however many pods it has', () => {
      // A node with one pod, and one with four: half of the load on one pod gives 1 / (1/4 + 4/64) = 3.2 at most.
      const from = Array.from({ length: 400 }, (_, index) => ({
        from: `203.0.113.${index % 200}`,
        to: `echo-${index % 5}`,
        peerPort: 20_000 + index,
      }));
      const plan: Plan = {
        pods: [...pods(1), ...pods(4, { node: 'n2' }, 1)],
        connections: from,
        service: { type: 'LoadBalancer', externalTrafficPolicy: 'Local' },
      };
      expect(aged(plan).prediction.effectivePods).toBeCloseTo(3.2, 1);
    });

    test('not on pods in which nobody listens', () => {
      const here = [{ port: 50_051, loopback: false }];
      const listening = { 'echo-0': here, 'echo-1': here, 'echo-2': [], 'echo-3': [] };
      const { prediction } = aged({ pods: pods(4), connections: twenty, listening });
      expect(prediction.effectivePods).toBeCloseTo(1.9, 1);
    });
  });

  test('streams that do not end: each stays where it began, so that their number counts, for every strategy', () => {
    const streams: Plan = {
      ...few,
      calls: pods(10).map(({ name }, at) => ({
        pod: name,
        perSecond: 0,
        messagesPerSecond: at < 3 ? 100 : 0,
        inFlight: at < 3 ? 2 : 0,
      })),
    };
    // 6 streams on 10 pods: 10·6/15 = 4 at random.
    for (const id of ['headless-round-robin', 'l7-proxy'] as const) {
      expect(strategyOf(streams, id).prediction.effectivePods).toBeGreaterThan(3.6);
      expect(strategyOf(streams, id).prediction.effectivePods).toBeLessThan(4.7);
    }
    expect(strategyOf(streams, 'max-connection-age').against).toContainEqual(
      expect.stringMatching(/^the load is in streams/),
    );
    expect(preconditions(streams, 'max-connection-age')).toMatchObject({ 'streams end within the a': 'failed' });
  });

  test('round_robin: connections and DNS queries of a full mesh', () => {
    // 4 clients × 10 pods, an age of 5 min: 40/300 reconnects a second; each ends 10 connections in 300 s: a query every 30 s.
    const { prediction } = strategyOf(few, 'headless-round-robin');
    expect(prediction).toMatchObject({ connections: 40, effectivePods: 10, peakToMean: 1 });
    expect(prediction.reconnectsPerSecond).toBeCloseTo(40 / 300, 6);
    expect(prediction.cost).toEqual(['4 clients × 10 pods = 40 connections', 'about 8 DNS queries per minute in all']);
  });
});

describe('preconditions, by what this Service shows', () => {
  test('headless-round-robin: not yet, and after the second Service and the clients are there', () => {
    const before = preconditions(few, 'headless-round-robin');
    expect(before).toMatchObject({
      'a headless Service over ': 'failed',
      'the target of the client': 'unknown',
      'the service config of th': 'unknown',
      'the clients dial the tar': 'met',
      'a MaxConnectionAge on th': 'unknown',
      'client-side health check': 'unknown',
      'no sidecar proxy on the ': 'met',
      'Java: the JVM keeps DNS ': 'unknown',
      '.NET: DnsResolverFactory': 'unknown',
      'clients × pods are at mo': 'met',
    });
    const after = preconditions(
      { pods: pods(10), connections: meshed(4, 10), service: headless },
      'headless-round-robin',
    );
    expect(after).toMatchObject({
      'a headless Service over ': 'met',
      'the target of the client': 'met',
      'the service config of th': 'met',
    });
  });

  test('the language decides what concerns these clients, and what their library lacks', () => {
    const of = (language: 'go' | 'java' | 'csharp' | 'rust') =>
      preconditions(few, 'headless-round-robin', { clients: 'owned', language });
    expect(Object.keys(of('go'))).not.toContain('Java: the JVM keeps DNS ');
    expect(Object.keys(of('java'))).toContain('Java: the JVM keeps DNS ');
    expect(of('csharp')).toMatchObject({ '.NET: DnsResolverFactory': 'unknown', 'client-side health check': 'failed' });
    expect(of('rust')).toMatchObject({ 'the service config of th': 'failed' });
    const xds = (language: 'go' | 'rust') =>
      preconditions(few, 'proxyless-xds', { clients: 'owned', language })['the client libraries sup'];
    expect([xds('go'), xds('rust')]).toEqual(['met', 'failed']);
  });

  test.each(languages)('what the library of %s can do is said alike by the advice and by the fix', (language) => {
    const failed = (strategy: 'headless-round-robin' | 'proxyless-xds', start: string) =>
      preconditions(few, strategy, { clients: 'owned', language })[start] === 'failed';
    const lacks = (feature: Feature) => !supportOf(language, feature).has;
    expect(failed('headless-round-robin', 'the service config of th')).toBe(lacks('round-robin'));
    expect(failed('headless-round-robin', 'client-side health check')).toBe(lacks('health'));
    expect(failed('proxyless-xds', 'the client libraries sup')).toBe(lacks('xds'));
  });

  test('another port is dialled than the pods serve; a mesh of clients too large', () => {
    const ports = [{ name: 'grpc', port: 80, targetPort: 50_051, protocol: 'TCP', appProtocol: null }];
    expect(preconditions({ ...few, service: { ports } }, 'headless-round-robin')).toMatchObject({
      'the clients dial the tar': 'unknown',
    });
    const crowd: Plan = { pods: pods(60), connections: dealt(Array(60).fill(15)) };
    // 900 clients × 60 pods = 54,000 connections.
    expect(preconditions(crowd, 'headless-round-robin')).toMatchObject({ 'clients × pods are at mo': 'failed' });
  });

  test('a second, headless Service over the same pods and port is there already; not of another port, nor with pods that are not Ready', () => {
    const twin = (targetPort: number, publishNotReadyAddresses = false) => {
      const evidence = buildEvidence(few);
      const { service } = evidence;
      if (service === null) throw new Error('no Service');
      const ports = service.ports.map((port) => ({ ...port, targetPort }));
      const siblings = [{ ...service, ...headless, name: 'echo-headless', ports, publishNotReadyAddresses }];
      const { strategies } = reportOf({ ...evidence, siblings }).status.recommendation;
      return strategies.find(({ id }) => id === 'headless-round-robin')?.preconditions[0]?.status;
    };
    expect([twin(50_051), twin(9090), twin(50_051, true)]).toEqual(['met', 'failed', 'failed']);
  });

  test('the other Services stand in the report, sorted; null where they were not seen', () => {
    const evidence = buildEvidence(few);
    const { service } = evidence;
    if (service === null) throw new Error('no Service');
    const siblings = [
      { ...service, name: 'echo-z' },
      { ...service, ...headless, name: 'echo-headless' },
    ];
    const seen = reportOf({ ...evidence, siblings, namesakes: ['echo-z', 'echo-headless', 'echo-2'] }).status.service;
    expect(seen.siblings?.map(({ name, headless: isHeadless }) => [name, isHeadless])).toEqual([
      ['echo-headless', true],
      ['echo-z', false],
    ]);
    expect(seen.siblings?.[0]).toMatchObject({ selector: service.selector, ports: service.ports });
    expect(seen.namesakes).toEqual(['echo-2', 'echo-headless', 'echo-z']);
    const { service: unseen } = reportOf({ ...evidence, siblings: null }).status;
    expect([unseen.siblings, unseen.namesakes]).toEqual([null, null]);
  });

  test('the age of round_robin clients follows from the connections that they will have, not from those of now', () => {
    // 400 clients × 10 pods = 4,000 connections: at 300 s that is 13.3 reconnects a second, at 600 s 6.7 for 10 pods.
    const plan = { pods: pods(10), connections: dealt(Array(10).fill(40)) };
    const { strategies, connectionAgeSeconds } = reportOf(buildEvidence(plan)).status.recommendation;
    const ageOf = (id: string) => strategies.find((one) => one.id === id)?.prediction.connectionAgeSeconds;
    expect([connectionAgeSeconds, ageOf('max-connection-age'), ageOf('headless-round-robin')]).toEqual([300, 300, 600]);
  });

  test('max-connection-age: enough connections or not, and a proxy between or not', () => {
    expect(preconditions(many, 'max-connection-age')).toMatchObject({
      'at least 4(P−1) effectiv': 'met',
      'kube-proxy, or what stan': 'met',
      'a grace longer than the ': 'unknown',
      'clients retry calls that': 'unknown',
    });
    expect(preconditions(few, 'max-connection-age')).toMatchObject({ 'at least 4(P−1) effectiv': 'failed' });
    expect(preconditions({ ...many, service: headless }, 'max-connection-age')).toMatchObject({
      'kube-proxy, or what stan': 'failed',
    });
  });

  test('l7-proxy: a waypoint is asked for in an ambient mesh only', () => {
    const waypoint = 'in an ambient mesh, a wa';
    expect(preconditions(few, 'l7-proxy')).not.toHaveProperty(waypoint);
    const ambient: Plan = {
      ...few,
      pods: pods(10, { pod: { mesh: marks({ dataplaneMode: 'ambient', redirected: true }) } }),
      path: { namespace: marks({ dataplaneMode: 'ambient' }) },
    };
    expect(preconditions(ambient, 'l7-proxy')).toMatchObject({ [waypoint]: 'failed' });
  });
});

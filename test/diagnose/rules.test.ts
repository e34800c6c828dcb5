import { describe, expect, it } from 'vitest';
import { strategyIds } from '../../src/report/ids.ts';
import { rules } from '../../src/strategies/rules.ts';
import { dealt, deploymentOf, headless, meshed, type Plan, pods } from './build.ts';
import { evidenceOf } from './recorded.ts';
import { expectNear, reportOf, type Status, statusOf } from './report.ts';

const advice = (plan: Plan, clients?: 'owned' | 'third-party' | 'mixed' | 'unknown') => {
  const { rule, strategy, action, alternative, current } = statusOf(
    plan,
    clients === undefined ? undefined : { clients },
  ).recommendation;
  const outcomes = rules
    .find((entry) => entry.row === rule)
    ?.outcomes.map((outcome) => ({
      ...outcome,
      strategy: outcome.strategy === 'current' ? current : outcome.strategy,
    }));
  expect(outcomes).toContainEqual({ strategy, action, ...(alternative !== null && { alternative }) });
  return { rule, strategy, action, alternative };
};

const few: Plan = { pods: pods(10), connections: dealt([2, 1, 1]) };
const meshProxies = ['istio-proxy'];
const inMesh = (count: number) => Array.from({ length: count }, (_, index) => ({ name: `web-${index}`, meshProxies }));
const fromOutside = (plan: Plan): Plan => ({
  ...plan,
  connections: (plan.connections ?? []).map((entry, index) => ({ ...entry, from: `203.0.113.${index + 1}` })),
});

describe('the list of rules', () => {
  it('row 0: unknown, no traffic, or no connection seen: nothing is changed on a guess', () => {
    const unseen = [{ pod: 'echo-9', reason: 'timeout' as const }];
    const keep = { rule: 0, strategy: 'cluster-ip', action: 'keep', alternative: null };
    const unknown: Plan = { pods: pods(10), connections: dealt(Array(9).fill(2)), failures: unseen, usage: false };
    expect(advice(unknown)).toEqual(keep);
    expect(statusOf(unknown).recommendation.first[0]).toMatch(/^see the connections of echo-9/);
    expect(advice({ pods: pods(4) })).toEqual(keep);
    // Skewed by CPU alone: whose connections they are is not known.
    const hot = [...pods(1, { cpuMillicores: 900 }), ...pods(3, { cpuMillicores: 10 }, 1)];
    expect(statusOf({ pods: hot, exec: false }).verdict.state).toBe('skewed');
    expect(advice({ pods: hot, exec: false })).toEqual(keep);
  });

  it('row 1: balanced: keep what is there', () => {
    expect(advice({ pods: pods(4), connections: dealt([2, 2, 2, 2]) })).toMatchObject({
      rule: 1,
      strategy: 'cluster-ip',
    });
    expect(advice({ pods: pods(4), connections: meshed(3, 4), service: headless })).toMatchObject({
      rule: 1,
      strategy: 'headless-round-robin',
      action: 'keep',
    });
    const mesh = { pods: pods(4), connections: dealt([1, 1, 1, 1]), clients: inMesh(4) };
    expect(advice(mesh)).toMatchObject({ rule: 1, strategy: 'l7-proxy', action: 'keep' });
  });

  it('row 2: another fault: keep, and the real fault first', () => {
    const status = statusOf({ pods: [...pods(3), ...pods(1, { endpoint: false }, 3)], connections: dealt([4, 4, 4]) });
    expect(status.recommendation).toMatchObject({ rule: 2, strategy: 'cluster-ip', action: 'keep' });
    expect(status.recommendation.first).toEqual(['make the pods endpoints: selector, named target port and readiness']);
  });

  it('row 2: what is counted is uneven on connections that carry alike: a new deal would give the same', () => {
    // Five connections of as many bytes on each of 10 pods, and two pods end all calls: nothing says why.
    const plan: Plan = {
      pods: pods(10),
      connections: dealt(Array(10).fill(5)),
      calls: pods(10).map(({ name }, index) => ({ pod: name, perSecond: index < 2 ? 50 : 0 })),
    };
    const status = statusOf(plan);
    expect(status.verdict.state).toBe('skewed');
    expect(status.causes).toEqual([]);
    expect(status.recommendation).toMatchObject({ rule: 2, strategy: 'cluster-ip', action: 'keep' });
    expect(status.recommendation.because).toEqual([
      'the connections lie evenly already, and no cause was found of why their calls do not',
    ]);
    // Twin: where the connections of those two carry the bytes, too, a new deal spreads them.
    const heavy = dealt(Array(10).fill(5)).map((connection, index) => ({
      ...connection,
      bytesPerSecond: index < 10 ? 100_000 : 1000,
      segmentsPerSecond: index < 10 ? 500 : 5,
    }));
    expect(statusOf({ ...plan, connections: heavy }).recommendation.rule).not.toBe(2);
  });

  it('row 3: the Service says so: keep, and the setting first', () => {
    // Forty connections of two addresses: without affinity 10 pods would take them well enough.
    const connections = [0, 1].flatMap((pod) =>
      Array.from({ length: 40 }, () => ({ from: `web-${pod}`, to: `echo-${pod}` })),
    );
    const status = statusOf({ pods: pods(5), connections, service: { sessionAffinity: 'ClientIP' } });
    expect(status.recommendation).toMatchObject({ rule: 3, strategy: 'cluster-ip', action: 'keep' });
    expect(status.recommendation.first).toEqual([
      'set sessionAffinity: None, unless the pinning is wanted; then restart the clients: connections that exist stay',
    ]);
  });

  it('row 3 goes on when the prediction without the setting is still uneven', () => {
    const connections = [0, 1].flatMap((pod) =>
      Array.from({ length: 3 }, () => ({ from: `web-${pod}`, to: `echo-${pod}` })),
    );
    const status = statusOf({ pods: pods(5), connections, service: { sessionAffinity: 'ClientIP' } });
    expect(status.recommendation).toMatchObject({ rule: 10, strategy: 'headless-round-robin' });
    expect(status.recommendation.first).toEqual([
      'set sessionAffinity: None, unless the pinning is wanted; then restart the clients: connections that exist stay',
    ]);
  });

  it('row 4: a proxy of the clients stands between: repair it', () => {
    expect(advice({ ...few, clients: inMesh(4) })).toEqual({
      rule: 4,
      strategy: 'l7-proxy',
      action: 'repair',
      alternative: null,
    });
  });

  it('row 5: headless, and every client is connected to every pod: an age would show it no other', () => {
    // Twenty connections, of which one carries as much as all others: by the key of its calls, maybe.
    const one = { from: 'web-0', to: 'echo-3' };
    const connections = meshed(4, 5).map((entry) => ({
      ...entry,
      bytesPerSecond: entry.from === one.from && entry.to === one.to ? 19_000 : 1000,
      segmentsPerSecond: entry.from === one.from && entry.to === one.to ? 190 : 10,
    }));
    const plan: Plan = { pods: pods(5), service: headless, connections };
    expect(advice(plan)).toMatchObject({ rule: 5, strategy: 'headless-round-robin', action: 'keep' });
    expect(statusOf(plan).recommendation.because.join()).toMatch(/connected to every pod already/);
  });

  it('row 5: headless, several connections a client: add a connection age', () => {
    const plan = {
      pods: [...pods(2), ...pods(4, { ageSeconds: 600 }, 2)],
      connections: meshed(3, 2),
      service: headless,
    };
    expect(advice(plan)).toMatchObject({ rule: 5, strategy: 'headless-round-robin', action: 'complete' });
    expect(advice(plan, 'third-party')).toMatchObject({ rule: 5 });
  });

  it('row 6: headless, one connection a client: round_robin is missing, unless the clients are not ours', () => {
    const plan = { ...few, service: headless };
    const complete = { rule: 6, strategy: 'headless-round-robin', action: 'complete', alternative: 'l7-proxy' };
    const adopt = { rule: 6, strategy: 'l7-proxy', action: 'adopt', alternative: null };
    expect(advice(plan)).toEqual(complete);
    expect(advice(plan, 'unknown')).toEqual(complete);
    expect(advice(plan, 'third-party')).toEqual(adopt);
    expect(advice(plan, 'mixed')).toEqual(adopt);
  });

  it('row 7: one connection above twice a fair part bars the connection age', () => {
    // 40 on 10 pods; with 12 times the load of another one it carries 12/51 = 2.4 times a fair part.
    const many = dealt([14, 13, 13]);
    const heavy = many.map((entry, index) => (index === 0 ? { ...entry, bytesPerSecond: 12_000 } : entry));
    expect(advice({ pods: pods(10), connections: many })).toMatchObject({ rule: 8, strategy: 'max-connection-age' });
    const status = statusOf({ pods: pods(10), connections: heavy });
    expect(status.recommendation).toMatchObject({ rule: 10, strategy: 'headless-round-robin' });
    expect(status.recommendation.because[0]).toBe('one connection carries 2.4 × the fair part of a pod');
  });

  it('row 7: one endless stream is no matter of balancing: keep, and split the stream', () => {
    // One of sixteen connections carries 80 % of the load. By the counters one stream is in flight there, or fifty calls.
    const heavy = dealt([4, 4, 4, 4]).map((entry, index) => ({
      ...entry,
      bytesPerSecond: index === 0 ? 60_000 : 1000,
    }));
    const counted = (inFlight: number): Plan => ({
      pods: pods(4),
      connections: heavy,
      calls: [0, 1, 2, 3].map((pod) => ({
        pod: `echo-${pod}`,
        perSecond: 0,
        inFlight: pod === 0 ? inFlight : 1,
        messagesPerSecond: pod === 0 ? 600 : 40,
      })),
    });
    expect(advice(counted(1))).toEqual({ rule: 7, strategy: 'cluster-ip', action: 'keep', alternative: null });
    const { recommendation } = statusOf(counted(1));
    expect(recommendation.because).toEqual(['one endless stream carries it: no way of balancing splits a call']);
    expect(recommendation.first.join()).toContain('split the heavy one');
    expect(advice(counted(50))).toMatchObject({ rule: 10, strategy: 'headless-round-robin' });
    // Without the counters it cannot be told, and the many calls of a hot client are assumed.
    const { calls: _, ...uncounted } = counted(1);
    expect(advice(uncounted)).toMatchObject({ rule: 10 });
    // A proxy that is there chooses once for each stream: nothing to repair.
    const clients = inMesh(16);
    expect(advice({ ...counted(1), clients })).toEqual({
      rule: 4,
      strategy: 'l7-proxy',
      action: 'keep',
      alternative: null,
    });
    expect(advice({ ...counted(50), clients })).toMatchObject({ rule: 4, action: 'repair' });
  });

  it('row 8: from 4(P−1) effective connections on, whoever owns the clients', () => {
    expect(advice({ pods: pods(10), connections: dealt([12, 12, 11]) })).toMatchObject({ rule: 10 });
    const enough = { pods: pods(10), connections: dealt([12, 12, 12]) };
    const age = { rule: 8, strategy: 'max-connection-age', action: 'adopt', alternative: null };
    expect(advice(enough)).toEqual(age);
    expect(advice(enough, 'third-party')).toEqual(age);
    expect(advice(fromOutside(enough))).toEqual(age);
  });

  it('row 9: clients with a bootstrap for xDS complete that', () => {
    const speaksXds = (count: number) =>
      Array.from({ length: count }, (_, index) => ({ name: `web-${index}`, mesh: { xds: 'bootstrap' as const } }));
    const wanted = { rule: 9, strategy: 'proxyless-xds', action: 'complete', alternative: 'l7-proxy' };
    expect(advice({ ...few, clients: speaksXds(4) })).toEqual(wanted);
    expect(statusOf({ ...few, clients: speaksXds(4) }).recommendation.current).toBe('proxyless-xds');
    // One client of four is no control plane for all; a language without xDS bars it.
    expect(advice({ ...few, clients: speaksXds(1) })).toMatchObject({ rule: 10 });
    const dart = statusOf({ ...few, clients: speaksXds(4) }, { clients: null, language: 'dart' });
    expect(dart.recommendation).toMatchObject({ rule: 11 });
  });

  it('row 10: fewer, and the clients ours or pods of this cluster', () => {
    const wanted = { rule: 10, strategy: 'headless-round-robin', action: 'adopt', alternative: 'l7-proxy' };
    expect(advice(few)).toEqual(wanted);
    expect(advice(few, 'unknown')).toEqual(wanted);
    const elsewhere = [0, 1, 2, 3].map((index) => ({ name: `web-${index}`, namespace: 'front' }));
    const status = statusOf({ ...few, clients: elsewhere });
    expect(status.recommendation).toMatchObject({ ...wanted, ownership: 'unknown' });
    expect(status.recommendation.because).toContain('if the clients are not yours to change, take the alternative');
  });

  it('row 10 ends above 50,000 connections of clients × pods', () => {
    const spread = (clients: number) => dealt([clients - 100, 50, 50]);
    expect(advice({ pods: pods(200), connections: spread(250) })).toMatchObject({ rule: 10 });
    const status = statusOf({ pods: pods(200), connections: spread(251) });
    expect(status.recommendation).toMatchObject({ rule: 11, strategy: 'l7-proxy', action: 'adopt' });
    expect(status.recommendation.because).toContain('251 clients × 200 pods are too many connections');
  });

  it('row 11: clients that cannot be changed', () => {
    const wanted = { rule: 11, strategy: 'l7-proxy', action: 'adopt', alternative: null };
    expect(advice(few, 'third-party')).toEqual(wanted);
    expect(advice(few, 'mixed')).toEqual(wanted);
    expect(advice(fromOutside(few))).toEqual(wanted);
    expect(statusOf(few, { clients: null, language: 'dart' }).recommendation).toMatchObject({ rule: 11 });
  });

  it('is in order: the first row that applies wins', () => {
    expect(rules.map(({ row }) => row)).toEqual(rules.map((_, index) => index));
    // A setting of the Service before the mesh, the mesh before headless, headless before the number of connections.
    const pinned = [0, 1].flatMap((pod) =>
      Array.from({ length: 40 }, () => ({ from: `web-${pod}`, to: `echo-${pod}` })),
    );
    const all: Plan = {
      pods: pods(5),
      connections: pinned,
      clients: inMesh(2),
      service: { sessionAffinity: 'ClientIP' },
    };
    expect(advice(all).rule).toBe(3);
    expect(advice({ ...all, service: headless }).rule).toBe(4);
    // Forty connections to one pod and none to another: no channel of theirs balances.
    expect(advice({ ...all, service: headless, clients: [] }).rule).toBe(6);
    expect(advice({ ...all, service: {}, clients: [] }).rule).toBe(8);
  });
});

describe('whose the clients are', () => {
  const ownership = (plan: Plan) => statusOf(plan).recommendation.ownership;
  const clients = (more: object) => [0, 1, 2, 3].map((index) => ({ name: `web-${index}`, ...more }));

  it('is ours in the same namespace, and says from what that is inferred', () => {
    expect(ownership(few)).toBe('owned');
    expect(statusOf(few).recommendation.ownershipBasis).toMatch(/^inferred: deployment\/web/);
  });

  it('is ours with the same release label in another namespace', () => {
    const labels = { 'app.kubernetes.io/part-of': 'shop' };
    const plan = { ...few, clients: clients({ namespace: 'front', labels }), service: { labels } };
    expect(ownership(plan)).toBe('owned');
  });

  it('is unknown in another namespace', () => {
    expect(ownership({ ...few, clients: clients({ namespace: 'front' }) })).toBe('unknown');
  });

  it('is third-party for public addresses, mixed when others come beside', () => {
    expect(ownership(fromOutside(few))).toBe('third-party');
    const both = [...dealt([2, 1, 1]), { from: '203.0.113.9', to: 'echo-0' }];
    expect(ownership({ ...few, connections: both })).toBe('mixed');
  });

  it('is unknown for a private address that is no pod', () => {
    const connections = few.connections?.map((entry) => ({ ...entry, from: '10.99.0.7' })) ?? [];
    expect(ownership({ ...few, connections })).toBe('unknown');
  });

  it('is what the user says', () => {
    const { recommendation } = statusOf(fromOutside(few), { clients: 'owned' });
    expect(recommendation).toMatchObject({
      ownership: 'owned',
      ownershipBasis: 'as you said with --clients',
      rule: 10,
    });
  });
});

describe('the five strategies', () => {
  const statuses = (): readonly Status[] => [
    statusOf(few),
    statusOf({ pods: [] }),
    statusOf({ pods: pods(4) }),
    statusOf({ pods: pods(1), connections: dealt([3]) }),
    statusOf({ ...few, service: headless }),
    statusOf({ ...few, deployments: [deploymentOf(10, { updatedReplicas: 1 })] }),
  ];

  it('are all assessed in every report, and one of them is recommended', () => {
    for (const { recommendation } of statuses()) {
      expect(recommendation.strategies.map((strategy) => strategy.id)).toEqual([...strategyIds]);
      expect(strategyIds).toContain(recommendation.strategy);
    }
  });

  it.each([
    [4, [2, 1, 1], 3.3],
    [40, [14, 13, 13], 8.2],
    [100, [34, 33, 33], 9.2],
  ])('a connection age deals %i connections on 10 pods anew', (_, counts, effective) => {
    const { recommendation } = statusOf({ pods: pods(10), connections: dealt(counts) });
    const age = recommendation.strategies.find((strategy) => strategy.id === 'max-connection-age');
    expectNear(age?.prediction.effectivePods, effective, 0.15);
  });

  it('keeping the ClusterIP predicts what is', () => {
    const status = statusOf(few);
    expectNear(status.recommendation.strategies[0]?.prediction.effectivePods, status.skew?.effectivePods ?? 0, 0.01);
  });

  it('choosing per call predicts all pods and says what it costs', () => {
    const [, , roundRobin, proxy] = statusOf(few).recommendation.strategies;
    expect(roundRobin?.prediction).toMatchObject({ effectivePods: 10, peakToMean: 1 });
    expect(roundRobin?.prediction.cost[0]).toBe('4 clients × 10 pods = 40 connections');
    expect(proxy?.prediction).toMatchObject({ effectivePods: 10, newPod: 'at once' });
  });

  it('a connection age costs reconnects that can be read', () => {
    const cost = (counts: readonly number[]) =>
      statusOf({ pods: pods(10), connections: dealt(counts) }).recommendation.strategies[1]?.prediction.cost[0];
    expect(cost([2, 1, 1])).toBe('0.8 reconnects per minute');
    expect(cost([400, 100, 100])).toBe('2 reconnects per second');
  });

  it('is not a headless Service with round_robin behind a sidecar: the two exclude each other', () => {
    const { recommendation } = statusOf({ ...few, clients: inMesh(4) });
    expect(recommendation.strategies[2]?.against).toContain(
      'a mesh sidecar balances already: the two exclude each other',
    );
  });

  it('keeps its reasons short', async () => {
    const scenarios = ['skew-scaleup', 'hot-client', 'zone-hints', 'headless-scaleup', 'probe-broken', 'two-services'];
    const recorded = await Promise.all(scenarios.map(async (name) => reportOf(await evidenceOf(name)).status));
    for (const { recommendation, avoid } of [...recorded, ...statuses()])
      for (const text of [...recommendation.because, ...avoid]) expect(text.length, text).toBeLessThan(65);
  });
});

import { describe, expect, it } from 'vitest';
import type { CauseId, Confidence, RecommendedAction, State, StrategyId } from '../../src/report/ids.ts';
import { judge, type Truth } from '../cases/judge.ts';
import { scenarios } from '../parsers/recorded.ts';
import { buildEvidence, dealt, pods } from './build.ts';
import { evidenceOf, trueEffectivePods, truthOf } from './recorded.ts';
import { causesOf, expectNear, reportOf, statusOf } from './report.ts';
import { harmfulReliefs } from './served.ts';

interface Expected {
  readonly state: State;
  /** The cause that is named first; null: none is to be named. */
  readonly main: CauseId | null;
  readonly confidence?: Confidence;
  /** Causes that may stand beside it. One that is not listed is a wrong cause. */
  readonly beside?: readonly CauseId[];
  readonly rule: number;
  readonly strategy: StrategyId;
  readonly action: RecommendedAction;
  readonly idle: number;
  /** How far the effective pods may be from those of the server's own call counters. */
  readonly tolerance: number;
  /** The way of looking, or the traffic, does not allow connection counts to be held against the truth. */
  readonly connections?: 'not-seen' | 'short-lived';
}

const sticky = { rule: 10, strategy: 'headless-round-robin', action: 'adopt' } as const;
const even = { state: 'balanced', main: null, rule: 1, action: 'keep', idle: 0 } as const;

/**
 * Within 0.1 effective pods of the servers' counters over a minute; a wider tolerance says why.
 * Reasons of each row: the table of true causes of the recordings, and their counters.
 */
const expected: Readonly<Record<string, Expected>> = {
  // Four connections, older than the seven pods that were added.
  'skew-scaleup': {
    ...sticky,
    state: 'skewed',
    main: 'new-pods-idle',
    confidence: 'certain',
    beside: ['few-connections', 'chance'],
    idle: 7,
    tolerance: 0.1,
  },
  'balanced-headless': { ...even, strategy: 'headless-round-robin', tolerance: 0.1 },
  // 3 → 6 pods; one OLD pod is empty as well, so age alone does not explain it. /proc knows connections, no bytes:
  // 2 and 1 connections of equal clients carry 230 and 114 calls.
  noss: {
    ...sticky,
    state: 'skewed',
    main: 'few-connections',
    confidence: 'certain',
    beside: ['new-pods-idle', 'chance'],
    idle: 4,
    tolerance: 0.1,
  },
  // No command runs in the image: the pods' own counters tell the load, but not whose connections it comes from. So no
  // cause is named, and nothing is changed on a guess.
  distroless: {
    state: 'skewed',
    main: null,
    rule: 0,
    strategy: 'cluster-ip',
    action: 'keep',
    idle: 3,
    tolerance: 0.1,
    connections: 'not-seen',
  },
  // Four of six pods fail their probes; the two endpoints are even.
  'probe-broken': {
    state: 'not-load-balancing',
    main: 'pods-not-ready',
    confidence: 'certain',
    // Two ask for a service that the server does not know; two are restarted by their liveness probe.
    beside: ['probe-misconfigured', 'probe-failing'],
    rule: 2,
    strategy: 'cluster-ip',
    action: 'keep',
    idle: 0,
    tolerance: 0.1,
  },
  // The Service pins two client addresses. Without it twelve connections on five pods would still be uneven (3.8 of
  // them), so the list goes on after its first step.
  'session-affinity': {
    ...sticky,
    state: 'skewed',
    main: 'session-affinity',
    confidence: 'certain',
    idle: 3,
    tolerance: 0.1,
  },
  // 32 connections, even; one of them carries nearly everything.
  'hot-client': {
    ...sticky,
    state: 'skewed',
    main: 'hot-client',
    confidence: 'certain',
    // The hot client holds four connections and uses one.
    beside: ['hot-connection'],
    idle: 0,
    tolerance: 0.1,
  },
  // The clients hold their connections to the pod that is NOT_SERVING, and go on calling it.
  'unready-connected': {
    state: 'not-load-balancing',
    main: 'unready-but-connected',
    confidence: 'certain',
    beside: ['pods-not-ready'],
    rule: 2,
    strategy: 'headless-round-robin',
    action: 'keep',
    idle: 0,
    tolerance: 0.1,
  },
  // Of the three clients client-busy makes most calls, and shares its pod with one of the others: 717 and 59.
  'hpa-blind': {
    ...sticky,
    state: 'skewed',
    main: 'new-pods-idle',
    confidence: 'certain',
    beside: ['hot-client', 'few-connections', 'chance'],
    idle: 4,
    tolerance: 0.1,
  },
  // 172 171 58 56 calls: peak 1.50 and 3.20 of 4 pods, exactly on both limits. By bytes just below: uneven, not skewed.
  'two-services': { ...even, strategy: 'cluster-ip', tolerance: 0.1 },
  'named-port': {
    ...sticky,
    state: 'skewed',
    main: 'few-connections',
    confidence: 'likely',
    beside: ['chance'],
    idle: 0,
    tolerance: 0.1,
  },
  'headless-scaleup': {
    state: 'skewed',
    main: 'no-re-resolution',
    confidence: 'certain',
    rule: 5,
    strategy: 'headless-round-robin',
    action: 'complete',
    idle: 4,
    tolerance: 0.1,
  },
  // A connection per call: the counters of the pods say that it is even, the sockets say nothing.
  'short-lived': {
    ...even,
    strategy: 'cluster-ip',
    tolerance: 0.1,
    connections: 'short-lived',
  },
  busybox: {
    ...sticky,
    state: 'skewed',
    main: 'few-connections',
    confidence: 'certain',
    beside: ['chance'],
    idle: 2,
    tolerance: 0.1,
  },
  // Every pod was Ready before a client started: no pod is new. Six connections fell 3, 3, 0.
  'host-network': {
    ...sticky,
    state: 'skewed',
    main: 'few-connections',
    confidence: 'likely',
    beside: ['chance'],
    idle: 1,
    tolerance: 0.1,
  },
  // The pods have containers named as Istio's proxy, the clients have none.
  'sidecar-redirect': {
    ...sticky,
    state: 'skewed',
    main: 'few-connections',
    confidence: 'likely',
    beside: ['chance', 'client-outside-mesh'],
    idle: 1,
    tolerance: 0.1,
  },
  // nginx chooses a pod for each call; the headless Service is only where it finds their addresses.
  'l7-proxy': { ...even, strategy: 'l7-proxy', tolerance: 0.1 },
  // Three clients may use the one pod of their zone, one client has three. Eight connections would fall on 3.0 of 4
  // pods without the hints: still uneven. The clients' rates vary from minute to minute: in the window of the look itself
  // the counters say 1.72, over the minute 1.67.
  'zone-hints': {
    ...sticky,
    state: 'skewed',
    main: 'traffic-distribution',
    confidence: 'likely',
    idle: 1,
    tolerance: 0.15,
  },
};

/**
 * What was true, by how each scenario was made and by what its servers counted. Two Services over the same pods lie on the
 * limit between two states, and have no other fault.
 */
const truths: Readonly<Record<string, Truth>> = {
  'skew-scaleup': { causes: ['new-pods-idle', 'few-connections'], state: 'skewed' },
  noss: { causes: ['new-pods-idle', 'few-connections', 'chance'], state: 'skewed' },
  distroless: { causes: ['new-pods-idle', 'few-connections'], state: 'skewed' },
  'probe-broken': { causes: ['pods-not-ready', 'probe-misconfigured', 'probe-failing'], state: 'not-load-balancing' },
  'session-affinity': { causes: ['session-affinity'], state: 'skewed' },
  'hot-client': { causes: ['hot-client', 'hot-connection'], state: 'skewed' },
  'unready-connected': { causes: ['unready-but-connected', 'pods-not-ready'], state: 'not-load-balancing' },
  'hpa-blind': { causes: ['new-pods-idle', 'few-connections', 'hot-client'], state: 'skewed' },
  'named-port': { causes: ['few-connections', 'chance'], state: 'skewed' },
  'headless-scaleup': { causes: ['no-re-resolution'], state: 'skewed' },
  'short-lived': { causes: ['connection-churn'], state: 'balanced' },
  busybox: { causes: ['few-connections', 'chance'], state: 'skewed' },
  'host-network': { causes: ['few-connections', 'chance'], state: 'skewed' },
  'sidecar-redirect': { causes: ['few-connections', 'chance'], state: 'skewed' },
  'zone-hints': { causes: ['topology-hints', 'traffic-distribution'] },
  'balanced-headless': { causes: [], state: 'balanced' },
  'l7-proxy': { causes: [], state: 'balanced' },
};

it('expects something of every recording', () => {
  expect(Object.keys(expected).sort()).toEqual(scenarios);
});

describe.each(Object.entries(expected))('%s', (scenario, wanted) => {
  it('gets the right state, cause and advice', async () => {
    const report = reportOf(await evidenceOf(scenario));
    const { status } = report;
    expect(harmfulReliefs(report)).toEqual([]);
    const { recommendation, verdict } = status;
    judge(status, truths[scenario] ?? { causes: [] });
    expect(verdict.state).toBe(wanted.state);
    expect(status.causes[0]?.id ?? null).toBe(wanted.main);
    if (wanted.confidence !== undefined) expect(status.causes[0]?.confidence).toBe(wanted.confidence);
    expect(recommendation).toMatchObject({
      rule: wanted.rule,
      strategy: wanted.strategy,
      action: wanted.action,
    });
    const allowed: readonly (CauseId | null)[] = [wanted.main, ...(wanted.beside ?? [])];
    expect(status.causes.filter((cause) => !allowed.includes(cause.id))).toEqual([]);
  });

  it('measures what the servers counted themselves', async () => {
    const { status } = reportOf(await evidenceOf(scenario));
    const endpoints = new Set(status.pods.filter((pod) => pod.endpoint).map((pod) => pod.name));
    expectNear(status.skew?.effectivePods, trueEffectivePods(scenario, endpoints), wanted.tolerance);
    expect(status.skew?.idlePods).toBe(wanted.idle);
  });

  it('counts the connections of each pod as they were', async () => {
    const { status } = reportOf(await evidenceOf(scenario));
    const counted = new Map(status.pods.map((pod) => [pod.name, pod.connections]));
    for (const pod of truthOf(scenario)) {
      // The image has no tool: nothing was seen, which is not zero.
      if (wanted.connections === 'not-seen') expect(counted.get(pod.pod)).toBeNull();
      // Connections live for one call: the node was not looked at in the same millisecond as the pod.
      else if (wanted.connections === 'short-lived') expect(counted.get(pod.pod)).toBeLessThanOrEqual(4);
      else expect([pod.pod, counted.get(pod.pod)]).toEqual([pod.pod, pod.connections]);
    }
  });
});

describe('the advice for four connections on ten pods', () => {
  it('is not a connection age, which would use 3.3 of them', async () => {
    const { status } = reportOf(await evidenceOf('skew-scaleup'));
    const age = status.recommendation.strategies.find((strategy) => strategy.id === 'max-connection-age');
    expect(status.recommendation.strategy).not.toBe('max-connection-age');
    expectNear(age?.prediction.effectivePods, 3.3, 0.2);
    expect(age?.against).toContainEqual(expect.stringContaining('does not split them'));
  });

  it('is a connection age when it is sixty connections', () => {
    const old = [20, 20, 20];
    const status = statusOf({ pods: [...pods(3), ...pods(7, { ageSeconds: 600 }, 3)], connections: dealt(old) });
    expect(status.recommendation).toMatchObject({ rule: 8, strategy: 'max-connection-age', action: 'adopt' });
    // P·Ce/(Ce+P−1) of 60 on 10.
    const age = status.recommendation.strategies.find((strategy) => strategy.id === 'max-connection-age');
    expectNear(age?.prediction.effectivePods, (10 * 60) / 69, 0.2);
    expect(causesOf(status)).toEqual({ 'new-pods-idle': 'certain' });
  });
});

describe('what few rights or an old cluster leave', () => {
  it('keeps the verdict of skew-scaleup without nodes, Events and Deployments', async () => {
    const evidence = await evidenceOf('skew-scaleup');
    const { status } = reportOf({ ...evidence, nodes: null, happenings: null, deployments: null, usage: null });
    expect(status.verdict.state).toBe('skewed');
    expect(status.causes[0]?.id).toBe('new-pods-idle');
    // Without Events the ages of the pods say when it began.
    expect(status.headline.since).toContain('7 pods added (3 → 10)');
  });

  it('says what it would have to see when nothing but the endpoints was seen', async () => {
    const evidence = await evidenceOf('skew-scaleup');
    const { status } = reportOf({ ...evidence, connections: null, usage: null, calls: null });
    expect(status.verdict).toMatchObject({ state: 'unknown', basis: null, confidence: 'possible' });
    expect(status.verdict.settledBy).toContain('connections');
    expect(status.recommendation).toMatchObject({ rule: 0, action: 'keep' });
  });
});

it('builds evidence that says the same as a recording of the same facts', async () => {
  const recorded = reportOf(await evidenceOf('skew-scaleup')).status;
  const built = reportOf(
    buildEvidence({
      pods: [...pods(3, { ageSeconds: 200 }), ...pods(7, { ageSeconds: 110 }, 3)],
      clients: [0, 1, 2, 3].map((number) => ({ name: `web-${number}`, startedSeconds: 180 })),
      connections: dealt([2, 1, 1], { bytesPerSecond: 680, ageSeconds: 170 }),
    }),
  ).status;
  expect(causesOf(built)).toEqual(causesOf(recorded));
  const { state, confidence, summary } = recorded.verdict;
  expect(built.verdict).toMatchObject({ state, confidence, summary });
  expect(built.recommendation.rule).toBe(recorded.recommendation.rule);
});

import { describe, expect, it } from 'vitest';
import { scenarios } from '../parsers/recorded.ts';
import { buildEvidence, dealt, deploymentOf, headless, meshed, type Plan, pods } from './build.ts';
import { ago } from './build-looks.ts';
import { evidenceOf } from './recorded.ts';
import { reportOf, type Status, statusOf } from './report.ts';

const few: Plan = { pods: [...pods(3), ...pods(7, { ageSeconds: 600 }, 3)], connections: dealt([2, 1, 1]) };
const ended = (reason: string, secondsAgo: number) => ({
  restarts: 1,
  lastTermination: { reason, exitCode: 1, finishedAt: ago(secondsAgo) },
});

describe('impact', () => {
  const impact = (more: Parameters<typeof pods>[1], plan: Partial<Plan> = {}) =>
    statusOf({ pods: [...pods(1, more), ...pods(3, {}, 1)], connections: dealt([3, 3, 3, 3]), ...plan }).impact;

  it('is none with room below the limits', () => {
    expect(impact({})).toEqual({ level: 'none', text: 'hottest pod at 10 % of its CPU limit, no restarts' });
  });

  it('is a risk from 80 % of its own CPU limit on', () => {
    expect(impact({ cpuMillicores: 790 }).level).toBe('none');
    expect(impact({ cpuMillicores: 800 })).toEqual({
      level: 'risk',
      text: 'hottest pod at 80 % of its CPU limit, no restarts',
    });
    // 100 millicores are little, unless the limit is 110.
    expect(impact({ cpuMillicores: 100, cpuLimitMillicores: 110 }).level).toBe('risk');
  });

  it('is a risk from 90 % of its memory limit on', () => {
    const gibibyte = 2 ** 30;
    expect(impact({ memoryBytes: 0.89 * gibibyte }).text).toContain('CPU');
    expect(impact({ memoryBytes: 0.91 * gibibyte })).toMatchObject({
      level: 'risk',
      text: 'hottest pod at 91 % of its memory limit, no restarts',
    });
  });

  it('is harm after a restart or a kill of the last hour', () => {
    expect(impact(ended('Error', 3500))).toMatchObject({ level: 'harm' });
    expect(impact(ended('OOMKilled', 60)).text).toContain('1 pod killed for memory (OOM)');
    expect(impact(ended('Error', 3700))).toMatchObject({ level: 'none' });
  });

  it('is not known without metrics; without limits there is nothing to be near', () => {
    expect(impact({}, { usage: false }).level).toBe('unknown');
    const unlimited = pods(4, { cpuLimitMillicores: null, memoryLimitBytes: null });
    expect(statusOf({ pods: unlimited, connections: dealt([3, 3, 3, 3]) }).impact).toEqual({
      level: 'none',
      text: 'no limits are set, no restarts',
    });
  });
});

describe('since when', () => {
  const scaled = (secondsAgo: number, replicaSet = 'echo-aaa') => ({
    kind: 'scaled' as const,
    workload: { kind: 'Deployment', name: 'echo' },
    replicaSet,
    from: 3,
    to: 10,
    at: ago(secondsAgo),
  });

  it('is the scaling that Events name', () => {
    const status = statusOf({ ...few, happenings: [scaled(601)] });
    expect(status.headline.since).toBe('11:49:59, deployment/echo scaled 3 → 10');
    expect(status.timeline).toEqual([{ time: ago(601), text: 'deployment/echo scaled 3 → 10' }]);
  });

  it('is what the ages of the pods say where the Event has expired', () => {
    expect(statusOf(few).headline.since).toBe('11:50:00, 7 pods added (3 → 10)');
  });

  it('says who set the number of pods last, where the API knows it', () => {
    const scaledBy = (at: string | null) => [
      deploymentOf(10, { changes: [{ manager: 'kubectl', at, fields: ['replicas'], alone: at === null }] }),
    ];
    const since = (at: string | null) =>
      statusOf({ ...few, deployments: scaledBy(at), happenings: [scaled(601)] }).headline.since;
    // The subresource that kubectl and autoscalers scale by has no time.
    expect(since(null)).toBe('11:49:59, deployment/echo scaled 3 → 10 (replicas last set by kubectl)');
    expect(since(ago(602))).toBe('11:49:59, deployment/echo scaled 3 → 10 (replicas last set by kubectl)');
    expect(since(ago(7200))).toBe('11:49:59, deployment/echo scaled 3 → 10');
  });

  it('is not the scaling of another workload, nor a first start', () => {
    const status = statusOf({ ...few, happenings: [scaled(5, 'other-bbb'), { ...scaled(4), from: 0 }] });
    expect(status.headline.since).toContain('7 pods added');
  });

  it('is the newest restart or kill for memory', () => {
    const hit = [...pods(3), ...pods(1, { ...ended('OOMKilled', 300), runningSeconds: 298 }, 3)];
    const status = statusOf({ pods: hit, connections: dealt([9, 1, 1, 0]) });
    expect(status.headline.since).toBe('11:55:00, echo-3 restarted (OOMKilled)');
    expect(status.pods.find((pod) => pod.name === 'echo-3')?.marks).toEqual(['idle', 'restarted', 'oom-killed']);
    expect(status.warnings.map((warning) => warning.id)).toEqual(['oom-victim']);
  });

  it('is a timeline of the newest five, newest first', () => {
    const many = pods(8).map((pod, index) => ({ ...pod, ...ended('Error', 100 * (index + 1)) }));
    const { timeline } = statusOf({ pods: many, connections: dealt(Array(8).fill(2)) });
    expect(timeline.map((entry) => entry.time)).toEqual([100, 200, 300, 400, 500].map(ago));
  });

  it('is not said where nothing is wrong', () => {
    expect(statusOf({ ...few, connections: dealt(Array(10).fill(2)) }).headline.since).toBeNull();
  });
});

describe('impact of pods outside the endpoints', () => {
  it('is an outage where no pod is Ready', () => {
    expect(statusOf({ pods: pods(4, { pod: { ready: false } }), connections: [] }).impact).toEqual({
      level: 'harm',
      text: 'no pod can take a call: none of 4 pods is Ready',
    });
  });

  it('is that of the hottest pod which is called, an endpoint or not', () => {
    // 0.9 of its limit of 1000, against 0.1 of the others.
    const unready = pods(1, { pod: { ready: false }, cpuMillicores: 900 }, 3);
    const status = statusOf({ pods: [...pods(3), ...unready], connections: meshed(3, 4) });
    expect(status.impact).toEqual({
      level: 'risk',
      text: 'hottest pod, echo-3 outside the endpoints, at 90 % of its CPU limit, no restarts',
    });
    expect(status.recommendation.first.join()).not.toMatch(/kubectl describe pod -n/);
  });
});

describe('relief', () => {
  it('restarts the clients, with the command and what it would give', () => {
    // After a single one 3.6 of 10 pods work on average (see relief.test.ts), and fewer calls end: that comes first.
    const [one, relief] = statusOf(few).relief;
    expect(one?.action).toBe('restart one client of the hottest pod at a time');
    expect(relief?.action).toBe('restart the clients');
    expect(relief?.command).toBe('kubectl rollout restart deployment/web -n shop --context test');
    expect(relief?.prediction).toMatch(/^2\.7 → about 3\.\d busy pods of 10 \(2\.\d to 4\)$/);
  });

  it('has no command where the clients are no workload', () => {
    const connections = few.connections?.map((entry) => ({ ...entry, from: '203.0.113.9' })) ?? [];
    expect(statusOf({ ...few, connections }).relief[0]?.command).toBeNull();
  });

  it('says of several workloads that it is all of them', () => {
    const clients = [{ name: 'web-0', workload: 'cart' }];
    const relief = statusOf({ ...few, clients }).relief[1];
    expect(relief?.action).toBe('restart the clients, both workloads');
    expect(relief?.command).toMatch(/^kubectl rollout restart deployment\/\w+ deployment\/\w+ -n shop --context test$/);
  });

  it('makes clients that balance find all pods', () => {
    const plan = {
      pods: [...pods(2), ...pods(4, { ageSeconds: 600 }, 2)],
      connections: meshed(3, 2),
      service: headless,
    };
    expect(statusOf(plan).relief[0]?.prediction).toBe('they resolve the name again and find all pods');
  });

  it('is not to restart clients where that would give the same', () => {
    expect(statusOf({ pods: pods(10), connections: dealt([1, 1, 1]) }).relief).toEqual([]);
  });

  it('raises the limit of a hot pod', () => {
    const hot = [...pods(1, { cpuMillicores: 900 }), ...pods(9, {}, 1)];
    expect(statusOf({ ...few, pods: hot }).relief.map((entry) => entry.action)).toContain(
      'raise the CPU limit of the hot pod',
    );
  });

  it('says what not to do', () => {
    expect(statusOf(few).avoid).toEqual([
      'do not scale up: new pods get nothing until clients reconnect',
      'do not restart all server pods: the first one back gets most',
    ]);
    expect(statusOf(few).headline.now).toMatch(
      /^do not scale up · restart one client of the hottest pod at a time: 2\.7 → about 3\.6 busy pods of 10/,
    );
  });

  it('is not offered where the load is even', () => {
    const status = statusOf({ ...few, connections: dealt(Array(10).fill(2)) });
    expect([status.relief, status.avoid, status.headline.now]).toEqual([[], [], 'nothing to do']);
  });
});

describe('the night header', () => {
  it('reads: why, what to do now, what to fix', () => {
    const { headline } = statusOf(few);
    expect(headline).toMatchObject({
      why: 'the 4 connections are older than the 7 idle pods',
      whyConfidence: 'certain',
      fix: 'headless + round_robin; L7 proxy / mesh if clients cannot change',
      notSeen: [],
    });
  });

  it('says that a mechanism is not known', () => {
    const hot = [...pods(1, { cpuMillicores: 900 }), ...pods(3, { cpuMillicores: 10 }, 1)];
    const { headline } = statusOf({ pods: hot, exec: false });
    expect([headline.why, headline.whyConfidence]).toEqual([
      'the connections could not be seen, so the mechanism is not known',
      null,
    ]);
  });

  it('says what was not seen, and which right would show it', () => {
    const signals = { usage: { state: 'forbidden' as const, reason: 'no', needs: 'list pods.metrics.k8s.io' } };
    expect(statusOf({ ...few, usage: false, signals }).headline.notSeen).toEqual([
      'usage (needs list pods.metrics.k8s.io): which pods are busy and how near their limits they are',
    ]);
  });
});

describe('the words of a report', () => {
  const plans: Readonly<Record<string, Plan>> = {
    'one of everything': {
      pods: [...pods(1), ...pods(1, { ageSeconds: 600 }, 1)],
      connections: dealt([1]),
    },
    'one client, headless': { pods: pods(2), connections: dealt([1]), service: headless },
    'one client that balances': {
      pods: [...pods(1), ...pods(1, { ageSeconds: 600 }, 1)],
      connections: dealt([1]),
      service: headless,
    },
    'one client on two of three': {
      pods: [...pods(2), ...pods(1, { ageSeconds: 600 }, 2)],
      connections: meshed(1, 2),
      service: headless,
    },
    'one idle pod, Ready just now': {
      pods: [...pods(1), ...pods(1, { ageSeconds: 40 }, 1)],
      connections: dealt([4]),
    },
    'one restarted pod': {
      pods: [...pods(1), ...pods(1, { restarts: 1, runningSeconds: 600 }, 1)],
      connections: dealt([1]),
    },
    'one pinned address': {
      pods: pods(2),
      connections: [0, 1].map(() => ({ from: 'web-0', to: 'echo-0' })),
      service: { sessionAffinity: 'ClientIP' },
    },
    'one hot of two': {
      pods: pods(2),
      connections: dealt([1, 1]).map((entry, i) => ({ ...entry, bytesPerSecond: i * 9e3 })),
    },
    'one pod by CPU': {
      pods: [...pods(1, { cpuMillicores: 900 }), ...pods(1, { cpuMillicores: 5, ageSeconds: 600 }, 1)],
      exec: false,
    },
    'one pod not ready': {
      pods: [...pods(2), ...pods(1, { pod: { ready: false } }, 2)],
      connections: dealt([1, 1, 1]),
    },
    'one endpoint': { pods: pods(1), connections: dealt([1]) },
    'nothing at all': { pods: [] },
  };
  const wrong =
    /\b1 (?:pods|connections|clients|addresses|endpoints|others|restarts|messages)\b|\bthe 1 \w|\b0 (?:pods|clients|connections|reconnects)\b|undefined|NaN|Infinity|\bnull\b|\[object| {2}|\s,|: $/;

  /** Every text that people read; names are no words. */
  const textsOf = (status: Status): string[] => [
    status.verdict.summary,
    status.impact.text,
    ...[status.headline.why, status.headline.now, status.headline.fix, ...status.headline.notSeen],
    ...status.causes.flatMap((cause) => [cause.text, ...cause.evidence, ...cause.against, ...cause.settledBy]),
    ...[status.recommendation.text, ...status.recommendation.because, ...status.recommendation.first],
    status.recommendation.ownershipBasis,
    ...status.recommendation.strategies.flatMap((strategy) => [
      ...strategy.fits,
      ...strategy.against,
      ...strategy.prediction.cost,
      strategy.prediction.newPod,
    ]),
    ...status.relief.flatMap((relief) => [relief.action, relief.prediction, relief.risk]),
    ...status.avoid,
    ...status.warnings.map((warning) => warning.text),
    ...status.timeline.map((entry) => entry.text),
  ];

  it.each(Object.entries(plans))('fit %s', (_, plan) => {
    for (const text of textsOf(reportOf(buildEvidence(plan)).status)) expect(text).not.toMatch(wrong);
  });

  it.each(scenarios)('fit recording %s', async (scenario) => {
    for (const text of textsOf(reportOf(await evidenceOf(scenario)).status)) expect(text).not.toMatch(wrong);
  });
});

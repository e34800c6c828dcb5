/** No advice makes an outage: what works is not restarted while nothing else would take its calls. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SkewReport } from '../../src/report/schema.ts';
import { buildEvidence, dealt, headless, meshed, type Plan, type PodPlan, pods } from './build.ts';
import { ago } from './build-looks.ts';
import { reportOf, statusOf } from './report.ts';
import { harmfulReliefs, type World } from './served.ts';

const unready = (count: number, first = 0): PodPlan[] => pods(count, { pod: { ready: false } }, first);
const busy = { bytesPerSecond: 3000 };

describe('no pod is Ready, and old connections carry the calls', () => {
  const plan: Plan = { pods: unready(4), connections: meshed(3, 4, busy) };
  const status = statusOf(plan);

  it('readiness comes first, and is the first line', () => {
    expect(status.recommendation.first[0]).toBe(
      'make the 4 pods Ready again that are not: calls rest on connections of before, and new ones find none of them',
    );
    expect(status.recommendation.commands?.[0]).toBe(
      'kubectl describe pod echo-0 echo-1 echo-2 echo-3 -n shop --context test',
    );
    expect(status.headline.now).toMatch(/^make the 4 pods Ready again that are not.* · do not restart the clients$/);
  });

  it('nothing is restarted, and the report says so', () => {
    expect(status.relief).toEqual([]);
    expect(status.recommendation.first.join()).not.toMatch(/restart of the clients|let go/);
    expect(status.avoid.join('\n')).toMatch(/^do not restart the clients: .*\n^do not delete a pod/m);
  });

  it('nobody is told that no pod can take a call', () => {
    expect(status.impact).toEqual({
      level: 'harm',
      text: 'none of 4 pods is Ready: calls go on over connections of before, new connections find no pod',
    });
    // Counted calls are calls, too, where the connections could not be seen.
    const calls = [0, 1, 2, 3].map((index) => ({ pod: `echo-${index}`, perSecond: 18 }));
    expect(statusOf({ ...plan, exec: false, calls }).impact.text).toMatch(/^none of 4 pods is Ready: calls go on/);
    expect(statusOf({ ...plan, exec: false }).impact.text).toBe('none of 4 pods is Ready: new connections find no pod');
  });

  it('of one whose probe is wrong the probe comes first', () => {
    const failing = {
      kind: 'unhealthy' as const,
      container: 'server',
      probe: 'readiness' as const,
      failure: 'unknown-service' as const,
      times: 9,
      firstAt: ago(300),
      at: ago(5),
    };
    const happenings = [0, 1, 2, 3].map((index) => ({ ...failing, pod: `echo-${index}`, podUid: `uid-echo-${index}` }));
    const probes = [
      {
        ...{ type: 'readiness' as const, kind: 'grpc' as const, port: 50_051, service: 'shop.Echo' },
        ...{ grpcHealthProbe: false, timeoutSeconds: 1, periodSeconds: 10, failureThreshold: 3 },
      },
    ];
    const probed = statusOf({ ...plan, happenings, pods: plan.pods.map((pod) => ({ ...pod, container: { probes } })) });
    expect(probed.recommendation.first[0]).toBe('correct the probe');
    expect(probed.relief).toEqual([]);
  });
});

describe('pods that are not Ready carry calls, and others are Ready', () => {
  const lines = (status: SkewReport['status']) => [
    status.relief.map(({ action }) => action),
    status.recommendation.first,
    status.avoid,
  ];
  const cpu = (cpuMillicores: number | null, cpuLimitMillicores: number | null) => ({
    cpuMillicores,
    cpuLimitMillicores,
  });
  const oneByOne = [
    ['restart the clients that hold on, one at a time'],
    [
      expect.stringMatching(/^make the \d pods? Ready again/),
      expect.stringMatching(/^let the clients move over one at a time/),
    ],
    expect.arrayContaining([
      expect.stringMatching(/^do not restart all clients at once: .*1 ready pod may be too few/),
      expect.stringMatching(/^do not delete a pod that is no endpoint/),
    ]),
  ];

  it.each([
    // 5 × 100 m are half of what one pod may use: nothing is left for an uneven deal.
    ['half of the CPU of the one that is Ready', cpu(100, 1000)],
    ['more than it may use', cpu(300, 1000)],
    // Its request of 100 m is all that is kept for it.
    ['more than is kept for it, without a limit', cpu(100, null)],
    // Five times what any pod carries now.
    ['an unknown part of its CPU', cpu(null, null)],
  ])('four of five, and their calls need %s: the clients move one at a time', (_, use) => {
    const [relief, first, avoid] = lines(
      statusOf({
        pods: [...unready(4).map((pod) => ({ ...pod, ...use })), ...pods(1, use, 4)],
        connections: meshed(3, 5, busy),
      }),
    );
    expect([relief, (first as string[]).slice(0, 2), avoid]).toEqual(oneByOne);
  });

  it.each([
    // 5 × 90 m of 1000 m.
    ['less than half of the CPU of the one that is Ready', cpu(90, 1000)],
    ['next to nothing of its CPU', cpu(2, 1000)],
  ])('four of five, and their calls need %s: all may move', (_, use) => {
    const status = statusOf({
      pods: [...unready(4).map((pod) => ({ ...pod, ...use })), ...pods(1, use, 4)],
      connections: meshed(3, 5, busy),
    });
    expect(status.relief.map(({ action }) => action)).toContain('restart the clients that hold on');
    expect(status.avoid.join()).not.toMatch(/clients/);
  });

  it('says the same in each look where the part that moves is near a half', () => {
    // One of two busy pods is left with three that are Ready: 48 to 52 % of the bytes are there.
    const said = [2700, 2900, 3000, 3100, 3300].map((bytesPerSecond) => {
      const connections = [
        ...dealt([1, 1, 0], busy),
        { from: 'web-8', to: 'echo-3', bytesPerSecond },
        { from: 'web-9', to: 'echo-3', bytesPerSecond },
      ];
      return [cpu(null, null), cpu(40, 500)].map((use) =>
        lines(statusOf({ pods: [...pods(3, use), ...unready(1, 3).map((pod) => ({ ...pod, ...use }))], connections })),
      );
    });
    expect(new Set(said.flat().map((entry) => JSON.stringify(entry))).size).toBe(1);
    expect(said[0]?.[0]?.[0]).toContain('restart the clients that hold on');
  });
});

describe('a pod that has left the Service goes on serving its clients', () => {
  const moved = (former: readonly string[], ready: number): Plan => ({
    pods: pods(ready),
    former: former.map((name) => ({ name })),
    connections: former.map((to, index) => ({ from: `web-${index}`, to, ...busy })),
  });

  it('the clients are moved over, and the pod is named', () => {
    const status = statusOf(moved(['blue-0'], 2));
    expect(status.verdict.state).toBe('not-load-balancing');
    expect(status.headline.now).toMatch(
      /^restart the clients that hold on: .* · restart deployment\/web, or delete blue-0 when nobody needs it any more/,
    );
    expect(status.relief.map(({ action, risk }) => [action, risk])).toEqual([
      ['restart the clients that hold on', 'calls in flight end with the client pods'],
      ['delete blue-0', 'its calls in flight end; the pod that takes its place is no endpoint either'],
    ]);
    expect(status.avoid.join()).not.toMatch(/clients/);
  });

  it('one at a time where one green pod would take the calls of six', () => {
    // Six times 100 m, of 1000 m.
    const status = statusOf(moved(['b-0', 'b-1', 'b-2', 'b-3', 'b-4', 'b-5'], 1));
    expect(status.relief.map(({ action, command }) => [action, command])).toEqual([
      ['restart the clients that hold on, one at a time', 'kubectl delete pod web-0 -n shop --context test'],
    ]);
    expect(status.headline.now).toMatch(/one at a time/);
  });
});

it('a leak, with nobody to take the connections: its client is not restarted', () => {
  const leaking = Array.from({ length: 60 }, (_, index) => ({
    from: 'web-0',
    to: `echo-${index % 3}`,
    bytesPerSecond: 1,
  }));
  expect(statusOf({ pods: unready(3), connections: [...leaking, ...dealt([1, 1, 1], busy)] }).relief).toEqual([]);
});

interface Drawn {
  readonly pods: readonly {
    readonly standing: 'ready' | 'unready' | 'leaving' | 'gone';
    readonly health: 'ok' | 'deaf' | 'stuck';
  }[];
  readonly connections: readonly { readonly client: number; readonly pod: number; readonly bytes: number }[];
  readonly windowSeconds: 0 | 10;
  readonly headless: boolean;
  readonly calls: boolean;
}

const drawn: fc.Arbitrary<Drawn> = fc.record({
  pods: fc.array(
    fc.record({
      standing: fc.constantFrom('ready', 'ready', 'ready', 'unready', 'leaving', 'gone'),
      health: fc.constantFrom('ok', 'ok', 'ok', 'ok', 'deaf', 'stuck'),
    }),
    { minLength: 1, maxLength: 7 },
  ),
  connections: fc.array(
    fc.record({ client: fc.nat(5), pod: fc.nat(6), bytes: fc.constantFrom(1000, 2000, 9000, 60_000) }),
    { maxLength: 14 },
  ),
  windowSeconds: fc.constantFrom(0, 10, 10),
  headless: fc.boolean(),
  calls: fc.boolean(),
});

/** The same as a plan, and as it is in truth. */
function built(draw: Drawn): { readonly plan: Plan; readonly world: World } {
  const of = (index: number) => draw.pods[index % draw.pods.length];
  // Nobody is connected where nobody listens.
  const lines = draw.connections.filter(({ pod }) => of(pod)?.health !== 'deaf');
  const nameOf = (index: number) => `echo-${index % draw.pods.length}`;
  const clientOf = (client: number) => ({ name: `web-${client}`, workload: client % 2 === 0 ? 'web' : 'jobs' });
  const plans = draw.pods.map(({ standing }, index) => ({
    standing,
    plan: {
      name: nameOf(index),
      ...(standing === 'unready' && { pod: { ready: false } }),
      ...(standing === 'leaving' && { pod: { ready: false, deletedAt: ago(-20) } }),
    },
  }));
  const listening = [{ port: 50_051, loopback: false }];
  const plan: Plan = {
    pods: plans.filter(({ standing }) => standing !== 'gone').map((entry) => entry.plan),
    former: plans.filter(({ standing }) => standing === 'gone').map((entry) => entry.plan),
    clients: [0, 1, 2, 3, 4, 5].map(clientOf),
    connections: lines.map(({ client, pod, bytes }) => ({
      from: clientOf(client).name,
      to: nameOf(pod),
      bytesPerSecond: bytes,
      ...(of(pod)?.health === 'stuck' && { unreadSeconds: 40 }),
    })),
    listening: Object.fromEntries(
      draw.pods.map(({ health }, index) => [nameOf(index), health === 'deaf' ? [] : listening]),
    ),
    windowSeconds: draw.windowSeconds,
    ...(draw.headless && { service: headless }),
    ...(draw.calls && {
      calls: draw.pods.map(({ health }, index) => ({
        pod: nameOf(index),
        perSecond: health === 'ok' ? lines.filter(({ pod }) => nameOf(pod) === nameOf(index)).length : 0,
      })),
    }),
  };
  const world: World = {
    edges: lines.map(({ client, pod, bytes }) => ({
      client: clientOf(client).name,
      workload: `deployment/${clientOf(client).workload}`,
      server: nameOf(pod),
      weight: bytes,
    })),
    ready: new Set(plans.filter(({ standing }) => standing === 'ready').map((entry) => entry.plan.name)),
    // A pod that stands still without a connection looks as any other.
    answers: (name) => {
      const index = Number(name.slice('echo-'.length));
      const health = of(index)?.health;
      return health === 'ok' || (health === 'stuck' && !lines.some(({ pod }) => nameOf(pod) === name));
    },
  };
  return { plan, world };
}

it('no relief lowers the calls that are served, whatever stands where', () => {
  let offered = 0;
  fc.assert(
    fc.property(drawn, (draw) => {
      const { plan, world } = built(draw);
      const report = reportOf(buildEvidence(plan));
      offered += report.status.relief.filter(({ command }) => command !== null).length;
      expect(harmfulReliefs(report, world)).toEqual([]);
      expectTrueImpact(report, world);
    }),
    { numRuns: 400 },
  );
  // Where nothing is ever offered nothing can do harm.
  expect(offered).toBeGreaterThan(60);
});

/** "no pod can take a call" never stands beside calls that are served. */
function expectTrueImpact({ status }: SkewReport, { edges, answers }: World): void {
  if (edges.some(({ server }) => answers(server))) expect(status.impact.text).not.toMatch(/no pod can take a call/);
}

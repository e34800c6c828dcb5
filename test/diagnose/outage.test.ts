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

it('most calls rest on pods that are not Ready: one ready pod could not take them at once', () => {
  const status = statusOf({ pods: [...unready(4), ...pods(1, {}, 4)], connections: meshed(3, 5, busy) });
  expect(status.relief).toEqual([]);
  expect(status.recommendation.first[0]).toMatch(/^make the 4 pods Ready again/);
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

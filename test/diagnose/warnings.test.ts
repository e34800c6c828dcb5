/** Warnings that stand beside the causes: where each appears, and its twin with the decisive fact undone. */
import { describe, expect, it } from 'vitest';
import { dealt, headless, meshed, type Plan, pods } from './build.ts';
import { ago } from './build-looks.ts';
import { statusOf } from './report.ts';

const idsOf = (plan: Plan) => statusOf(plan).warnings.map(({ id }) => id);
const textOf = (plan: Plan, id: string) => statusOf(plan).warnings.find((warning) => warning.id === id)?.text;

describe('uneven-proxies', () => {
  const gateways = (count: number) =>
    Array.from({ length: count }, (_, index) => ({
      name: `web-${index}`,
      workload: 'envoy',
      role: 'gateway' as const,
    }));
  /** Each gateway pod is connected to each of four pods, and passes on so much. */
  const passing = (...rates: readonly number[]): Plan => ({
    pods: pods(4),
    clients: gateways(3),
    connections: rates.flatMap((bytesPerSecond, client) =>
      meshed(1, 4, { bytesPerSecond }).map((entry) => ({ ...entry, from: `web-${client}` })),
    ),
  });

  it('tells that one pod of the proxy passes on nearly all, while the pods behind are even', () => {
    const plan = passing(9000, 500, 500);
    expect(statusOf(plan).verdict.state).toBe('balanced');
    expect(textOf(plan, 'uneven-proxies')).toBe(
      'the skew may be one hop before: one of 3 pods of deployment/envoy passes on 90 % of its calls; look at the Service before it',
    );
  });

  it('counts a pod of the proxy that is not connected at all', () => {
    // 50, 50 and 0 %: a peak of 1.5 and an idle one.
    expect(idsOf(passing(1000, 1000))).toContain('uneven-proxies');
  });

  it('twin: not when they pass on about the same', () => {
    expect(idsOf(passing(1000, 1100, 900))).not.toContain('uneven-proxies');
  });

  it('trap: silent about applications, about a lone proxy, and where bytes are not known', () => {
    expect(idsOf({ ...passing(9000, 500, 500), clients: [] })).not.toContain('uneven-proxies');
    expect(idsOf({ ...passing(9000), clients: gateways(1) })).not.toContain('uneven-proxies');
    expect(idsOf({ ...passing(9000, 500, 500), way: 'netstat' })).not.toContain('uneven-proxies');
  });
});

describe('hints-absent', () => {
  const plan: Plan = { pods: pods(3), connections: dealt([4, 4, 4]), service: { topologyMode: 'Auto' } };

  it('tells that hints were asked for, by annotation or by field, and no endpoint has one', () => {
    expect(textOf(plan, 'hints-absent')).toContain('topology-mode Auto');
    expect(textOf({ ...plan, service: { trafficDistribution: 'PreferClose' } }, 'hints-absent')).toContain(
      'trafficDistribution PreferClose',
    );
  });

  it('twin: not when they are there, or were not asked for', () => {
    const hinted = pods(3, { endpoint: { hintZones: ['zone-a'] } });
    expect(idsOf({ ...plan, pods: hinted })).not.toContain('hints-absent');
    expect(idsOf({ ...plan, service: {} })).not.toContain('hints-absent');
  });

  it('trap: silent for a headless Service, to which they do not apply', () => {
    expect(idsOf({ ...plan, service: { ...headless, topologyMode: 'Auto' } })).not.toContain('hints-absent');
  });
});

describe('grpclb-port', () => {
  const ports = (name: string) => [{ name, port: 50_051, targetPort: 50_051, protocol: 'TCP', appProtocol: null }];
  const plan = (name: string, more: NonNullable<Plan['service']>): Plan => ({
    pods: pods(2),
    connections: meshed(2, 2),
    service: { ...more, ports: ports(name) },
  });

  it('tells of a port with that name on a headless Service alone', () => {
    expect(idsOf(plan('grpclb', headless))).toContain('grpclb-port');
    expect(idsOf(plan('grpc', headless))).not.toContain('grpclb-port');
    expect(idsOf(plan('grpclb', {}))).not.toContain('grpclb-port');
  });
});

describe('scaling-flaps', () => {
  const scaled = (from: number | null, to: number, times: number, replicaSet = 'echo-aaa') => ({
    kind: 'scaled' as const,
    workload: { kind: 'Deployment', name: 'echo' },
    replicaSet,
    from,
    to,
    times,
    at: ago(100),
  });
  const plan = (...happenings: NonNullable<Plan['happenings']>): Plan => ({
    pods: pods(4),
    connections: dealt([4, 4, 4, 4]),
    happenings,
  });

  it('tells of the same step up and down, again and again', () => {
    expect(textOf(plan(scaled(4, 2, 3), scaled(2, 4, 2)), 'scaling-flaps')).toBe(
      'echo went from 2 to 4 pods 2 times and down again 3 times: who sets them? Each time new pods come without connections',
    );
  });

  it('twin: not when each step was taken once, or only one of them again', () => {
    expect(idsOf(plan(scaled(4, 2, 1), scaled(2, 4, 1)))).not.toContain('scaling-flaps');
    expect(idsOf(plan(scaled(4, 2, 1), scaled(2, 4, 3)))).not.toContain('scaling-flaps');
  });

  it('trap: silent about a rollout and its undoing', () => {
    const steps = [4, 3, 2].map((size) => scaled(size, size - 1, 1));
    const back = [1, 2, 3].map((size) => scaled(size, size + 1, 1));
    expect(idsOf(plan(...steps, ...back))).not.toContain('scaling-flaps');
    expect(idsOf(plan(scaled(4, 2, 2), scaled(2, 4, 2, 'echo-bbb')))).not.toContain('scaling-flaps');
  });

  it('trap: silent where old Events do not say from how many', () => {
    expect(idsOf(plan(scaled(null, 2, 3), scaled(null, 4, 3)))).not.toContain('scaling-flaps');
  });
});

/** Pods that are no endpoints and hold connections all the same. */
import { describe, expect, it } from 'vitest';
import { meshed, type Plan, pods } from './build.ts';
import { causesOf, statusOf } from './report.ts';

const unready = pods(1, { pod: { ready: false } }, 3);
const [fourth] = pods(1, {}, 3);
const relabelled: NonNullable<Plan['former']> = [{ name: 'echo-3', pod: { owner: null } }];

describe('unready-but-connected', () => {
  const plan: Plan = {
    truth: { causes: ['unready-but-connected', 'pods-not-ready'] },
    pods: [...pods(3), ...unready],
    connections: meshed(3, 4),
  };

  it('is certain when calls go on at a pod that is not Ready', () => {
    const status = statusOf(plan);
    expect(causesOf(status)).toEqual({ 'unready-but-connected': 'certain', 'pods-not-ready': 'certain' });
    expect(status.causes[0]?.text).toBe('echo-3 is not Ready, yet clients hold 3 connections there');
    expect(status.causes[0]?.evidence).toContain('it carries 25 % of all bytes');
    expect(status.recommendation).toMatchObject({ rule: 2, action: 'keep' });
    expect(status.recommendation.first.join()).toContain('healthCheckConfig');
    expect(status.pods.at(-1)).toMatchObject({ name: 'echo-3', endpoint: false, connections: 3, marks: ['not-ready'] });
  });

  it('is likely when bytes are not known', () => {
    expect(causesOf(statusOf({ ...plan, way: 'netstat' }))['unready-but-connected']).toBe('likely');
  });

  it('is certain at a pod that was relabelled and keeps its clients', () => {
    const status = statusOf({ pods: pods(3), former: relabelled, connections: meshed(3, 4) });
    expect(causesOf(status)).toEqual({ 'unready-but-connected': 'certain' });
    expect(status.verdict).toMatchObject({ state: 'not-load-balancing' });
    expect(status.verdict.summary).toBe(
      'clients hold 3 connections at 1 pod that is no endpoint; the 3 ready ones share the rest evenly',
    );
    // Ready as before, but no endpoint: not marked as if its probe failed.
    expect(status.pods.at(-1)).toMatchObject({
      name: 'echo-3',
      endpoint: false,
      connections: 3,
      marks: ['no-metrics'],
    });
  });

  it('explains a Service that seems to have no traffic at all', () => {
    const connections = meshed(3, 1).map((entry) => ({ ...entry, to: 'echo-3' }));
    const status = statusOf({ pods: pods(3), former: relabelled, connections });
    expect(status.verdict.state).toBe('not-load-balancing');
    expect(status.verdict.summary).toContain('the 3 ready ones get nothing');
    expect(causesOf(status)).toEqual({ 'unready-but-connected': 'certain' });
  });

  it('is possible at a Terminating pod: it may be draining', () => {
    const leaving = pods(1, { pod: { deletedAt: '2026-03-01T12:00:20Z', ready: false } }, 3);
    const status = statusOf({
      ...plan,
      pods: [...pods(3), ...leaving],
      truth: { causes: ['draining', 'unready-but-connected'] },
    });
    // Without the counters of its calls the two cannot be told apart, so neither is likely.
    expect(causesOf(status)).toEqual({ 'unready-but-connected': 'possible', draining: 'possible' });
    expect(status.causes.find(({ id }) => id === 'unready-but-connected')?.against[0]).toContain('draining');
    expect(status.verdict.state).toBe('balanced');
  });

  it('twin: not when the same pod is Ready, or holds nothing', () => {
    expect(causesOf(statusOf({ ...plan, pods: pods(4) }))).toEqual({});
    expect(causesOf(statusOf({ ...plan, connections: meshed(3, 3) }))).toEqual({ 'pods-not-ready': 'certain' });
  });

  it('trap: silent about probes and idle connections at such a pod', () => {
    const probed = [...meshed(3, 3), { from: '10.244.0.1', to: 'echo-3', lifetimeBytes: 900, bytesPerSecond: 1 }];
    expect(causesOf(statusOf({ ...plan, connections: probed }))).toEqual({ 'pods-not-ready': 'certain' });
    const idle = meshed(3, 4).map((entry) => (entry.to === 'echo-3' ? { ...entry, bytesPerSecond: 5 } : entry));
    expect(causesOf(statusOf({ ...plan, connections: idle }))).toEqual({ 'pods-not-ready': 'certain' });
  });

  it('trap: silent about a pod of something else that listens at the same port', () => {
    const other = [{ ...fourth, name: 'other-0', pod: { owner: null, labels: { app: 'other' } } }];
    const connections = [...meshed(3, 3), { from: 'cron-0', to: 'other-0' }];
    const clients = [{ name: 'cron-0', workload: 'cron' }];
    const status = statusOf({ pods: pods(3), former: other, connections, clients });
    expect([status.verdict.state, causesOf(status)]).toEqual(['balanced', {}]);
    expect(status.pods.map((pod) => pod.name)).not.toContain('other-0');
  });
});

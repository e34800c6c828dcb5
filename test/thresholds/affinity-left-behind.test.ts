/** What a sessionAffinity left behind that is gone: both sides of each clause. */
import { describe, expect, it } from 'vitest';
import { headless, type Plan, pods } from '../diagnose/build.ts';
import type { ConnectionPlan } from '../diagnose/build-looks.ts';
import { statusOf } from '../diagnose/report.ts';
import { confidenceOf, firstNumbers, type Outcome, to } from './worlds.ts';

describe('session-affinity that was', () => {
  const world = (connections: readonly ConnectionPlan[], more: Partial<Plan> = {}): Plan => ({
    pods: pods(4),
    connections,
    ...more,
  });

  // That n connections of one address meet on one of four pods: ¼ⁿ⁻¹. A setting that is gone is believed below 0.001.
  it.each<[number, Outcome]>([
    [5, undefined],
    [6, 'likely'],
  ])('%s connections of one address on one pod: %s', (count, wanted) => {
    expect(confidenceOf('session-affinity', world(to('web-0', Array(count).fill(0), 1000)))).toBe(wanted);
  });

  it('is as rare for several addresses together', () => {
    const four = firstNumbers(4).flatMap((number) => to(`web-${number}`, [number % 2, number % 2], 1000));
    expect(confidenceOf('session-affinity', world(four))).toBeUndefined();
    expect(confidenceOf('session-affinity', world([...four, ...to('web-9', [0, 0], 1000)]))).toBe('likely');
  });

  const six = to('web-0', Array(6).fill(0), 1000);

  it('is not so when another address is on two pods, many stand behind one, or a pod was not seen', () => {
    expect(confidenceOf('session-affinity', world([...six, ...to('web-1', [1], 1000)]))).toBe('likely');
    expect(confidenceOf('session-affinity', world([...six, ...to('web-1', [0, 1], 1000)]))).toBeUndefined();
    expect(confidenceOf('session-affinity', world(to('192.168.0.1', Array(6).fill(0), 1000)))).toBeUndefined();
    const failures = [{ pod: 'echo-3', reason: 'timeout' as const }];
    expect(confidenceOf('session-affinity', world(six, { failures }))).toBeUndefined();
  });

  it('directs nothing any more, so that balancing by call is advised', () => {
    // Row 3 would keep what is in place for a setting in force; six connections of one client are too few for an age.
    expect(statusOf(world(six)).recommendation).toMatchObject({ rule: 10, strategy: 'headless-round-robin' });
  });

  it('needs a virtual address, and no proxy before the pods', () => {
    const clients = [{ name: 'web-0', meshProxies: ['istio-proxy'] }];
    expect(confidenceOf('session-affinity', world(six, { clients }))).toBeUndefined();

    expect(confidenceOf('session-affinity', world(six, { service: headless }))).toBeUndefined();
  });
});

/** Healthy Services that look sick: none may be called skewed, or blamed on gRPC. */
import { describe, expect, it } from 'vitest';
import type { CauseId } from '../../src/report/ids.ts';
import { dealt, deploymentOf, meshed, type Plan, pods } from './build.ts';
import { causesOf, reading, type Status, statusOf } from './report.ts';

/** Causes whose cure is another way of balancing. */
const ofGrpc: readonly CauseId[] = [
  'new-pods-idle',
  'restarted-pod',
  'rolling-restart-order',
  'few-connections',
  'chance',
  'pick-first',
  'no-re-resolution',
  'hot-client',
  'hot-connection',
  'long-streams',
];

function expectNoBlame(status: Status, state: Status['verdict']['state'] = 'balanced'): void {
  expect(status.verdict.state).toBe(state);
  expect(status.recommendation.action).toBe('keep');
  expect(status.relief).toEqual([]);
  expect(status.causes.filter(({ id, confidence }) => confidence === 'certain' && ofGrpc.includes(id))).toEqual([]);
}

describe('trap', () => {
  it('ten calls a second, fairly spread, seen for 3 s', () => {
    // 30 calls as they fell on ten pods in one fair draw: peak-to-mean 2.0, 7.8 effective pods.
    const calls = [6, 1, 3, 4, 0, 2, 5, 3, 2, 4];
    const connections = calls.map((count, pod) => ({
      from: `web-${pod}`,
      to: `echo-${pod}`,
      ageSeconds: 3,
      bytesPerSecond: 110 * count,
      segmentsPerSecond: count / 3,
    }));
    const status = statusOf({ pods: pods(10), connections, windowSeconds: 3, usage: false });
    expectNoBlame(status, 'unknown');
    expect(status.verdict.settledBy).toContain('--window');
  });

  it('scaled up 20 s ago', () => {
    const young = { ageSeconds: 25, readySeconds: 20, runningSeconds: 22, cpuMillicores: null };
    const status = statusOf({ pods: [...pods(3), ...pods(7, young, 3)], connections: dealt([2, 1, 1]) });
    expect(status.verdict.state).toBe('unknown');
    expect(status.causes.find(({ id }) => id === 'too-soon')?.confidence).toBe('likely');
    expect(status.recommendation).toMatchObject({ rule: 0, action: 'keep' });
    expect(status.relief).toEqual([]);
  });

  it('a rollout half way', () => {
    const hash = (name: string) => ({
      labels: { app: 'echo', 'pod-template-hash': name },
      owner: { kind: 'ReplicaSet', name: `echo-${name}` },
    });
    const half: Plan = {
      pods: [...pods(5, { pod: hash('old') }), ...pods(5, { ageSeconds: 200, pod: hash('new') }, 5)],
      connections: dealt([8, 8, 8, 8, 8, 1, 0, 1, 0, 0]),
      deployments: [deploymentOf(10, { updatedReplicas: 5, currentReplicas: 10 })],
    };
    const status = statusOf(half);
    expect(status.verdict.state).toBe('unknown');
    expect(status.verdict.settledBy).toBe('the same again when the rollout is done');
    expect(causesOf(status)).toMatchObject({ 'rollout-in-progress': 'certain' });
    expect(status.recommendation).toMatchObject({ rule: 0, action: 'keep' });
    expect(status.relief).toEqual([]);
  });

  it('a hundred idle connections of a pool on one pod, while the load is even', () => {
    const idle = Array.from({ length: 100 }, (_, index) => ({
      from: 'pool-0',
      to: 'echo-0',
      bytesPerSecond: 0,
      segmentsPerSecond: 0,
      lifetimeBytes: 400,
      peerPort: 20_000 + index,
    }));
    const status = statusOf({ pods: pods(4), connections: [...meshed(3, 4), ...idle] });
    expect(reading(status, 'connections')).toBe('uneven');
    expectNoBlame(status);
    // A pool is no leak.
    expect(causesOf(status)).toEqual({});
  });

  it('all peers at addresses of nodes, and an even load', () => {
    const behind = meshed(2, 4).map((entry, index) => ({ ...entry, from: `192.168.0.${1 + (index % 2)}` }));
    const status = statusOf({ pods: pods(4), connections: behind });
    expectNoBlame(status);
    expect(causesOf(status)).toEqual({});
    // They live and carry bytes: clients, not probes.
    expect(status.leftOut).toEqual([]);
  });

  it('all peers at addresses of nodes, and an uneven load: no single client is blamed', () => {
    const behind = dealt([30, 4, 3, 3]).map((entry) => ({ ...entry, from: '192.168.0.1' }));
    const { causes, recommendation } = statusOf({ pods: pods(4), connections: behind });
    expect(causes.map(({ id }) => id)).not.toContain('hot-client');
    expect(causes.map(({ id }) => id)).not.toContain('connection-leak');
    expect(recommendation.ownership).toBe('unknown');
  });

  it('the hot pod did not answer exec', () => {
    const failures = [{ pod: 'echo-0', reason: 'timeout' as const }];
    // What was seen of the others is uneven, but echo-0 may have as much as all of them.
    const status = statusOf({ pods: pods(4), connections: dealt([9, 3, 3, 3]), failures, usage: false });
    expectNoBlame(status, 'unknown');
    expect(status.verdict.settledBy).toContain('the connections of echo-0');
    expect(causesOf(status)).toEqual({});
  });

  it('metrics that are older than the pod', () => {
    // 900 millicores are of the predecessor, which was stuck; its successor of the same name is as busy as the others.
    const [first] = pods(1, { ageSeconds: 60, runningSeconds: 55, cpuMillicores: 900, usageSecondsAgo: 90 });
    const status = statusOf({ pods: [...(first ? [first] : []), ...pods(3, {}, 1)], exec: false });
    expect(status.verdict.state).not.toBe('skewed');
    expect(status.pods.find(({ name }) => name === 'echo-0')?.marks).toContain('no-metrics');
    expect(causesOf(status)).toEqual({});
  });

  it('session affinity with five hundred client addresses, which lie evenly', () => {
    const connections = dealt([101, 99, 102, 98, 100]).map((entry) => ({ ...entry, bytesPerSecond: 200 }));
    const status = statusOf({ pods: pods(5), connections, service: { sessionAffinity: 'ClientIP' } });
    expectNoBlame(status);
    expect(causesOf(status)).toEqual({});
  });
});

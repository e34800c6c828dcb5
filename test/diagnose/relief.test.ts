/** What helps in minutes, cause by cause, and what not to do. */
import { describe, expect, it } from 'vitest';
import { buildEvidence, dealt, headless, meshed, type Plan, pods } from './build.ts';
import { ago } from './build-looks.ts';
import { reportOf, statusOf } from './report.ts';

const actions = (plan: Plan) => statusOf(plan).relief.map(({ action }) => action);
const few: Plan = { pods: pods(10), connections: dealt([2, 1, 1]) };

describe('commands', () => {
  it('name the context that was looked at, quoted where a shell would read it', () => {
    const inContext = (context: string | null) => {
      const evidence = buildEvidence(few);
      const { relief } = reportOf({ ...evidence, metadata: { ...evidence.metadata, context } }).status;
      return relief.find(({ action }) => action === 'restart the clients')?.command;
    };
    expect(inContext('prod-eu')).toBe('kubectl rollout restart deployment/web -n shop --context prod-eu');
    expect(inContext("arn:x; rm -rf ~ 'a'")).toBe(
      `kubectl rollout restart deployment/web -n shop --context 'arn:x; rm -rf ~ '\\''a'\\'''`,
    );
    // A name that no kubeconfig has: without one the command would act on the current context.
    expect(inContext(null)).toBe('kubectl rollout restart deployment/web -n shop --context CONTEXT');
    expect(inContext('prod\nrm -rf ~')).toBeNull();
  });

  it('are for the namespace of the client', () => {
    const clients = [0, 1, 2, 3].map((index) => ({ name: `web-${index}`, namespace: 'front' }));
    expect(statusOf({ ...few, clients }).relief.map(({ command }) => command)).toEqual([
      'kubectl delete pod web-0 -n front --context test',
      'kubectl rollout restart deployment/web -n front --context test',
    ]);
  });

  it('are one for each namespace of the clients', () => {
    const clients = [
      { name: 'web-0', namespace: 'front' },
      { name: 'web-1', namespace: 'back', workload: 'jobs' },
    ];
    const { relief } = statusOf({ pods: pods(4), connections: dealt([2, 0, 0, 0]), clients });
    const all = relief.find(({ action }) => action.startsWith('restart the clients'));
    expect(all?.command?.split(' && ').sort()).toEqual([
      'kubectl rollout restart deployment/jobs -n back --context test',
      'kubectl rollout restart deployment/web -n front --context test',
    ]);
  });
});

describe('clients that somebody else runs', () => {
  const commands = (plan: Plan, clients: 'owned' | 'third-party' | 'mixed') => {
    const { relief } = reportOf(buildEvidence(plan), { clients }).status;
    return relief.map(({ command }) => command?.split(' ').slice(1, 3).join(' ') ?? null);
  };
  const unready = pods(1, { pod: { ready: false } }, 3);
  const held: Plan = { pods: [...pods(3), ...unready], connections: meshed(3, 4) };
  const stuck: Plan = {
    pods: pods(4),
    connections: meshed(3, 4).map((entry) => (entry.to === 'echo-2' ? { ...entry, unreadSeconds: 40 } : entry)),
  };

  it('get no command, whatever the fault; the server pods do', () => {
    expect(commands(few, 'owned')).toEqual(['delete pod', 'rollout restart']);
    expect(commands(few, 'third-party')).toEqual([null, null]);
    expect(commands(held, 'owned')).toEqual(['delete pod', 'rollout restart']);
    expect(commands(held, 'third-party')).toEqual(['delete pod', null]);
    expect(commands(stuck, 'third-party')).toEqual(['delete pod']);
  });

  it('some of which are yours keep theirs: the commands name what they act on', () => {
    expect(commands(few, 'mixed')).toEqual(['delete pod', 'rollout restart']);
  });

  it('are restarted by those who run them, and the line says so', () => {
    const { relief, headline } = reportOf(buildEvidence(few), { clients: 'third-party' }).status;
    expect(relief.map(({ action }) => action)).toEqual([
      'restart one client of the hottest pod at a time, through those who run the clients',
      'restart the clients, through those who run the clients',
    ]);
    expect(headline.now).toContain('through those who run the clients');
  });
});

describe('one client at a time', () => {
  it('is offered where it is likely to help, with what it gives on average', () => {
    // Of four connections two meet. Dealt anew, one of them is alone in seven of ten draws: 0.7 × 4 + 0.3 × 2.7 = 3.6.
    expect(statusOf(few).relief[0]).toEqual({
      action: 'restart one client of the hottest pod at a time',
      command: 'kubectl delete pod web-0 -n shop --context test',
      // Two, one and one of four: 1 / (1/4 + 1/16 + 1/16) = 2.7.
      prediction: '2.7 → about 3.6 busy pods of 10; in 70 % of draws its connection meets an idle pod',
      risk: 'its calls in flight end; its 1 connection may land as badly, and is as heavy there',
    });
  });

  it('takes the hot client away from what else is on its pod', () => {
    // The hot client has half of the load, and shares a pod with a quarter.
    const connections = [
      { from: 'hot', to: 'echo-0', bytesPerSecond: 8000 },
      ...dealt([4, 4, 4, 4]).map((entry) => ({ ...entry, bytesPerSecond: entry.to === 'echo-0' ? 1000 : 330 })),
    ];
    const { relief } = statusOf({ pods: pods(4), connections });
    expect(relief.map(({ command }) => command)).toEqual(['kubectl delete pod hot -n shop --context test']);
  });

  it('is not offered where the pod has nothing else: the hot spot would move and not shrink', () => {
    const connections = [
      { from: 'hot', to: 'echo-0', bytesPerSecond: 20_000 },
      ...dealt([0, 4, 4, 4], { bytesPerSecond: 100 }),
    ];
    expect(actions({ pods: pods(4), connections })).toEqual([]);
  });

  it('is not offered for a client that no controller makes anew, nor on a headless Service', () => {
    const evidence = buildEvidence(few);
    const bare = evidence.peers?.pods.map((pod) => ({ ...pod, owner: null })) ?? [];
    const { relief } = reportOf({ ...evidence, peers: { scope: 'cluster', pods: bare } }).status;
    expect(relief.map(({ action }) => action)).toEqual(['restart the clients']);
    expect(relief[0]?.command).toBeNull();
    expect(actions({ ...few, service: headless })).toEqual(['restart the clients']);
  });
});

describe('a stuck pod', () => {
  const plan: Plan = {
    pods: pods(4),
    connections: meshed(3, 4).map((entry) => (entry.to === 'echo-2' ? { ...entry, unreadSeconds: 40 } : entry)),
  };

  it('is deleted, after a dump of its threads, and the others are left alone', () => {
    const status = statusOf(plan);
    expect(status.relief).toEqual([
      {
        action: 'delete echo-2',
        command: 'kubectl delete pod echo-2 -n shop --context test',
        prediction: 'its 3 connections end and go to the 3 other pods',
        risk: 'its calls in flight end, and what shows the reason is lost',
      },
    ]);
    expect(status.avoid).toEqual(['do not restart all pods: the others serve their clients']);
    expect(status.headline.now).toContain('delete echo-2');
  });

  it('is not deleted on a guess', () => {
    expect(actions({ ...plan, windowSeconds: 0 })).toEqual([]);
  });

  it('is not deleted where no controller makes it anew', () => {
    const bare = pods(4).map((pod) => (pod.name === 'echo-2' ? { ...pod, pod: { owner: null } } : pod));
    expect(statusOf({ ...plan, pods: bare }).relief[0]?.command).toBeNull();
  });
});

it('restarts all clients first where one alone gives less', () => {
  // All four on one pod: one gone, two pods work at most; all dealt anew, 3.3 on average.
  expect(actions({ pods: pods(10), connections: dealt([4]) })).toEqual([
    'restart the clients',
    'restart one client of the hottest pod at a time',
  ]);
});

it('pods outside the endpoints that are called: the clients let go when they start anew', () => {
  const unready = pods(1, { pod: { ready: false } }, 3);
  const status = statusOf({ pods: [...pods(3), ...unready], connections: meshed(3, 4) });
  expect(status.relief).toEqual([
    {
      action: 'delete echo-3',
      command: 'kubectl delete pod echo-3 -n shop --context test',
      prediction: 'its 3 connections end and go to 3 ready pods',
      risk: 'its calls in flight end; the pod that takes its place may fail in the same way',
    },
    {
      action: 'restart the clients that hold on',
      command: 'kubectl rollout restart deployment/web -n shop --context test',
      prediction: '3 connections go to ready pods',
      risk: 'calls in flight end with the client pods',
    },
  ]);
});

it('a draining pod: leave it alone', () => {
  const leaving = pods(1, { pod: { deletedAt: ago(-20), ready: false } }, 3);
  const calls = [0, 1, 2, 3].map((index) => ({ pod: `echo-${index}`, perSecond: index < 3 ? 20 : 0, inFlight: 2 }));
  const status = statusOf({ pods: [...pods(3), ...leaving], connections: meshed(3, 4), calls });
  expect(status.relief).toEqual([]);
  expect(status.avoid).toEqual(['do not delete a draining pod by force: that ends its streams']);
});

it('pods restarted in turn: the clients are dealt anew, the pods are not', () => {
  const inTurn = [1800, 1740].map((ageSeconds, index) => ({ name: `echo-${index}`, ageSeconds }));
  const status = statusOf({ pods: inTurn, connections: dealt([20, 0], { ageSeconds: 1760 }) });
  expect(status.relief[0]?.action).toBe('restart the clients');
  // Twenty on two pods at random: 2·20 / (20 + 1) = 1.9.
  expect(status.relief[0]?.prediction).toMatch(/^1 → about 1\.9 busy pods of 2 \(/);
  expect(status.avoid).toContain('do not restart all server pods: the first one back gets most');
});

it('connections that open and close all the time: nothing to restart, and scaling would help', () => {
  const moving = dealt([1, 0, 0, 0], { ageSeconds: 2 });
  const calls = [40, 2, 2, 2].map((perSecond, index) => ({ pod: `echo-${index}`, perSecond }));
  const status = statusOf({ pods: pods(4), connections: moving, calls });
  expect([status.verdict.state, status.relief, status.avoid]).toEqual(['skewed', [], []]);
});

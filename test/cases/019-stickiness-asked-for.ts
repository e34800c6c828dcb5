/**
 * One application is even, the next one behind it gets everything on one pod. Its Service pins by client address, and the
 * only clients are the two pods of the first application. Working as configured. Without the setting 12 connections on
 * three pods would lie about evenly, so nothing else is to be changed.
 */
import { pods } from '../diagnose/build.ts';
import { type PublicCase, webClients } from './case.ts';

export const publicCase: PublicCase = {
  title: 'Stickiness was asked for, and two client addresses are all there is',
  source: 'https://github.com/kubernetes/ingress-nginx/issues/6517',
  mark: 'E',
  plan: {
    service: { sessionAffinity: 'ClientIP', sessionAffinityTimeoutSeconds: 10_800 },
    pods: pods(3),
    clients: webClients(2, { workload: 'app1' }),
    connections: ['web-0', 'web-1'].flatMap((from) => Array.from({ length: 6 }, () => ({ from, to: 'echo-0' }))),
  },
  expected: {
    state: 'skewed',
    first: 'session-affinity',
    not: ['few-connections', 'chance'],
    strategy: 'cluster-ip',
    action: 'keep',
    says: [/sessionAffinity: None/],
  },
};

/**
 * Inputs on which a wrong thing was said once, each with what a right report says of it, as it was reasoned before it
 * was run. Files are records, folders are raw answers.
 */
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import type { SkewReport } from '../../src/report/schema.ts';
import { runHere } from '../cli/in-process.ts';
import { causesOf, expectNear } from '../diagnose/report.ts';

const fixtures = fileURLToPath(new URL('fixtures', import.meta.url));

type Status = SkewReport['status'];
type Right = (status: Status, report: SkewReport) => void;

const stateOf = ({ verdict }: Status) => verdict.state;
const says = (status: Status) => JSON.stringify(status);
const pod = (status: Status, name: string) => status.pods.find((entry) => entry.name.includes(name));

const right: Readonly<Record<string, Right>> = {
  // 40 s after the fix: every pod holds 4 connections and gets 2.4 calls/s; the counters since the start are history.
  'after-the-fix.json': (status) => {
    expect(stateOf(status)).toBe('balanced');
    expect(status.comparison?.result).toBe('improved');
    expectNear(status.comparison?.before.effectivePods, 2.7, 0.3);
    expectNear(status.comparison?.after.effectivePods, 10, 1.5);
  },
  // One call cannot be anything but on one pod; the counters of the lifetime are even.
  'one-call.json': (status) => expect(stateOf(status)).not.toBe('skewed'),
  'one-segment.json': (status) => {
    expect(stateOf(status)).not.toBe('skewed');
    expect(causesOf(status)).not.toHaveProperty('hot-client');
  },
  // 4 segments in the window.
  'hot-client-few-events.json': (status) => expect(causesOf(status)['hot-client']).not.toBe('certain'),
  // Every connection carries the same 1 kB/s; those of the young pods are only younger.
  'lifetime-bytes.json': (status) => expect(['balanced', 'unknown']).toContain(stateOf(status)),
  // 6 calls of 700 kB fell 3, 1, 1, 1.
  'big-payloads.json': (status) => expect(status.verdict.confidence).not.toBe('certain'),
  // 40, 33, 18 and 9 % of the CPU where 40, 33, 18 and 9 % of the load are.
  'cpu-follows-load.json': (status) => {
    expect(causesOf(status)).not.toHaveProperty('unequal-pods');
    expect(causesOf(status)).not.toHaveProperty('uneven-work');
  },
  // The pod with half of the connections uses half of the CPU.
  'static-between.json': (status) => expect(causesOf(status)).not.toHaveProperty('uneven-work'),
  // The counters show 5 calls a second on each pod.
  'no-traffic.json': (status) => expect(stateOf(status)).not.toBe('no-traffic'),
  // A wave of reconnects: a MaxConnectionAge, or a network that broke.
  'age-wave.json': (status) => {
    expect(causesOf(status)['connection-churn']).not.toBe('certain');
    expect(says({ ...status, pods: [] })).not.toMatch(/one channel/i);
    // They reconnect by themselves: nothing waits for it, and nobody has to make them.
    expect([status.relief, status.avoid]).toEqual([[], []]);
  },
  // One of two connections was made anew once, and two are too few for three pods at any time.
  'two-connections.json': (status) => {
    expect(causesOf(status)).not.toHaveProperty('connection-churn');
    expect(causesOf(status)['few-connections']).toBe('certain');
    expect(status.recommendation).toMatchObject({ strategy: 'headless-round-robin', action: 'adopt' });
    expect(status.headline.fix).not.toMatch(/nothing yet/);
  },
  // Clients dial echo-0 … echo-2 by name; echo-3 and echo-4 hold no shard yet.
  'shards.json': (status) => {
    expect(causesOf(status)).toHaveProperty('addressed-by-name');
    expect(causesOf(status)['no-re-resolution']).not.toBe('certain');
  },
  // Two clients dial the leader by name: round_robin would call the others.
  'leader.json': (status) => {
    const { recommendation } = status;
    expect(recommendation).not.toMatchObject({ strategy: 'headless-round-robin', action: 'complete' });
    // Two of three pods would agree by chance, too: both readings are named, and what tells them apart.
    expect(causesOf(status)).toMatchObject({ 'addressed-by-name': 'possible', 'pick-first': 'possible' });
    expect(recommendation.because.join()).toMatch(/by their names on purpose.*target/);
    expect(recommendation.because.join()).not.toMatch(/no cause was found/);
  },
  // 2 connections reach 2 of 3 pods, all on the node of the client: Local directs nothing there.
  'local-even.json': (status) => expect(status.causes.map(({ id }) => id)).toEqual(['few-connections']),
  // Under ClientIP the address stays pinned, however often its connections are made anew.
  'affinity-prediction.json': ({ recommendation, skew }) => {
    const aged = recommendation.strategies.find(({ id }) => id === 'max-connection-age');
    expectNear(aged?.prediction.effectivePods, skew?.effectivePods ?? 0, 0.1 * (skew?.effectivePods ?? 0));
  },
  // Neither connections nor counters: 3 m of CPU on each pod is what a process costs.
  'idle-cpu.json': (status) => expect(stateOf(status)).toBe('unknown'),
  // No connection could land on the deaf pod.
  'chance-with-deaf-pod.json': (status) => expect(causesOf(status)).not.toHaveProperty('chance'),
  // The new pods are on a node without clients: no age of connections gives them anything.
  'new-pods-barred-by-local.json': (status) =>
    expect(Object.keys(causesOf(status))).toEqual(['internal-traffic-policy-local']),
  // The pod that was not seen may carry most.
  'hot-client-unseen-pod.json': (status) => expect(causesOf(status)['hot-client']).not.toBe('certain'),
  // 4 clients with 3 pick_first channels each sit on few pods: an age deals them anew, no more.
  'headless-pools.json': (status) => {
    expect(causesOf(status)).toHaveProperty('pick-first');
    expect(status.recommendation).toMatchObject({ strategy: 'headless-round-robin', action: 'complete' });
    expect(status.recommendation.text).toMatch(/^add round_robin in the clients/);
    expect(status.recommendation.because.join()).not.toMatch(/balance already/);
  },
  // 4 -> 8 pods an hour ago; a third of the clients has started since.
  'scaleup-partly-filled.json': (status) => expect(causesOf(status)).toHaveProperty('new-pods-idle'),
  // One pod has 4.4 times its part.
  'one-hot-of-50.json': (status) => expect(stateOf(status)).toBe('skewed'),
  // 1,000 calls in 10 s on one pod, none on the other, and a table without any socket.
  'empty-ss-against-calls': (status) => expect(['skewed', 'unknown']).toContain(stateOf(status)),
  // 1.5 MB in 10 s at the port, all from 127.0.0.1: a proxy in the pod.
  'loopback-peers-carry-bytes': (status) => {
    expect(['skewed', 'unknown']).toContain(stateOf(status));
    expect(status.headline.now).not.toBe('nothing to do');
    expect(says(status)).toMatch(/inside the pod/);
  },
  // The other pod counts its calls under another name: as many, if the name is known; else how many is not known.
  'unknown-page-counts-as-zero': (status) => {
    expect([stateOf(status), status.verdict.confidence]).not.toEqual(['skewed', 'certain']);
    expect(pod(status, 'b1xyz')?.callsPerSecond).not.toBe(0);
  },
  // 150 kB/s on each pod; one of them counts calls. The bytes speak against "0 calls" at the other.
  'empty-page-counts-as-zero': (status) => {
    expect(['balanced', 'unknown']).toContain(stateOf(status));
    expect(pod(status, 'b1xyz')?.callsPerSecond).toBeNull();
  },
  // 300 calls in a minute and none at the port; the rest is of another port and of probes.
  'linkerd-other-port-and-probe': (status) => {
    expect(stateOf(status)).toBe('skewed');
    expect(status.skew).toMatchObject({ pods: 2, idlePods: 1, effectivePods: 1 });
    expect([pod(status, 'a1xyz')?.callsPerSecond, pod(status, 'b1xyz')?.callsPerSecond]).toEqual([5, 0]);
  },
  // The client stays on the pod of the colour before, which is in no Service any more.
  'selector-moved-to-green': (status) => {
    expect(stateOf(status)).toBe('not-load-balancing');
    expect(causesOf(status)).toHaveProperty('unready-but-connected');
    expect(status.headline.now).toMatch(/^restart the clients that hold on/);
    expect(status.avoid.join()).not.toMatch(/restart the clients/);
  },
  // A slice names, as ready, a pod that is not there; the two others share the load evenly.
  'endpoint-of-a-gone-pod': (status) => {
    expect(['balanced', 'not-load-balancing']).toContain(stateOf(status));
    expect(status.warnings.map(({ text }) => text).join()).toMatch(/stale.*x9old|x9old.*stale/);
    expect(status.verdict.settledBy ?? '').not.toMatch(/x9old/);
  },
  // Messages alone are counted: of calls nothing is known.
  'messages-without-calls': (status) => {
    expect(status.verdict).toMatchObject({ state: 'skewed', basis: 'messages' });
    expect(status.pods.map(({ callsPerSecond }) => callsPerSecond)).toEqual([null, null]);
  },
  // Two names for one target port are one: one document, not a list of two.
  'two-ports-one-target-by-name': (_status, report) => expect(report.kind).toBe('SkewReport'),
};

async function reportOf(input: string): Promise<SkewReport> {
  const before = input === 'after-the-fix.json' ? ['--baseline', `${fixtures}/before-the-fix.json`] : [];
  const run = await runHere(['--from', `${fixtures}/${input}`, '-o', 'json', ...before]);
  expect(run.stderr).not.toMatch(/^error:/m);
  return JSON.parse(run.stdout);
}

describe('inputs on which a wrong thing was said', () => {
  test.each(Object.entries(right))('%s', async (input, holds) => {
    const report = await reportOf(input);
    // Of a list, which is wrong where one report is right, the first stands for it.
    const status = report.status ?? (report as unknown as { items: SkewReport[] }).items[0]?.status;
    holds(status, report);
  });
});

import { describe, expect, it } from 'vitest';
import { buildEvidence, dealt, meshed, type Plan, pods } from './build.ts';
import type { CallsPlan } from './build-looks.ts';
import { causesOf, expectNear, reading, reportOf, statusOf } from './report.ts';

const each = (rates: readonly number[], more: Partial<CallsPlan> = {}) =>
  rates.map((perSecond, index) => ({ pod: `echo-${index}`, perSecond, ...more }));
const even: Plan = { pods: pods(4), connections: meshed(3, 4) };

describe('the counters of the pods', () => {
  it('are the load, before bytes', () => {
    const status = statusOf({ ...even, calls: each([30, 2, 2, 2]) });
    expect(reading(status, 'bytes')).toBe('even');
    // The two measures of one window contradict each other: neither is certain.
    expect(status.verdict).toMatchObject({ state: 'skewed', basis: 'calls', confidence: 'likely' });
    expectNear(status.skew?.peakToMean, (4 * 30) / 36, 0.02);
  });

  it('make connections of one call each no riddle', () => {
    const moving = dealt([1, 1, 1, 1], { ageSeconds: 2 });
    const status = statusOf({ pods: pods(4), connections: moving, calls: each([10, 10, 10, 10]), usage: false });
    expect(status.verdict).toMatchObject({ state: 'balanced', basis: 'calls', confidence: 'certain' });
  });

  const oneWithout = [...each([10, 10, 10]), { pod: 'echo-3', counted: false }];

  it('say nothing of a pod whose page has no such series, while clients are connected to it', () => {
    const status = statusOf({ ...even, calls: oneWithout });
    expect(status.distributions.find((entry) => entry.basis === 'calls')).toMatchObject({ pods: 3 });
    expect(status.pods.find(({ name }) => name === 'echo-3')?.callsPerSecond).toBeNull();
    expect(status.verdict).toMatchObject({ state: 'balanced', basis: 'bytes' });
  });

  it('say zero where the page has no series and no client holds a connection: a pod that was never called', () => {
    const status = statusOf({ pods: pods(4), connections: meshed(3, 3), calls: oneWithout });
    expect(status.distributions.find((entry) => entry.basis === 'calls')).toMatchObject({ pods: 4, idlePods: 1 });
    expect(status.pods.find(({ name }) => name === 'echo-3')?.callsPerSecond).toBe(0);
  });

  it('of two families are compared, each by its own', () => {
    const evidence = buildEvidence({ ...even, calls: each([10, 10, 10, 10]) });
    const looks = (evidence.calls?.looks ?? []).map((look) =>
      look.pod === 'echo-3'
        ? { ...look, family: 'another', methods: look.methods.map((method) => ({ ...method, started: null })) }
        : look,
    );
    const { status } = reportOf({ ...evidence, calls: { looks, failures: [] } });
    expect(status.distributions.find((entry) => entry.basis === 'calls')).toMatchObject({ pods: 4, reading: 'even' });
  });

  it('at another port of the pod are not those of this one', () => {
    const evidence = buildEvidence({ ...even, calls: each([10, 10, 10, 10]) });
    const looks = (evidence.calls?.looks ?? []).map((look) => ({
      ...look,
      methods: look.methods.flatMap((method) => [
        ...(look.pod === 'echo-3' ? [] : [{ ...method, port: evidence.endpointSlices?.[0]?.ports[0]?.port ?? 0 }]),
        { ...method, port: 4191 },
      ]),
    }));
    const { status } = reportOf({ ...evidence, calls: { looks, failures: [] } });
    expect(status.pods.map(({ name, callsPerSecond }) => [name, callsPerSecond]).sort()).toEqual([
      ['echo-0', 10],
      ['echo-1', 10],
      ['echo-2', 10],
      ['echo-3', 0],
    ]);
  });

  it('say nothing where no page counts calls', () => {
    const calls = [0, 1, 2, 3].map((index) => ({ pod: `echo-${index}`, counted: false }));
    expect(statusOf({ ...even, calls }).verdict).toMatchObject({ state: 'balanced', basis: 'bytes' });
  });

  it('count messages where calls are long', () => {
    const calls = [400, 20, 20, 20].map((messagesPerSecond, index) => ({
      pod: `echo-${index}`,
      perSecond: 1,
      inFlight: 50,
      messagesPerSecond,
    }));
    expect(statusOf({ ...even, calls }).verdict).toMatchObject({ state: 'skewed', basis: 'messages' });
  });

  it('that began anew with their process count from there', () => {
    const evidence = buildEvidence({ ...even, calls: each([10, 10, 10, 10]) });
    const looks = evidence.calls?.looks.map((look) =>
      look.pod === 'echo-0' && look.sample === 2
        ? { ...look, methods: look.methods.map((method) => ({ ...method, started: 90, handled: 90 })) }
        : look,
    );
    const { status } = reportOf({ ...evidence, calls: { looks: looks ?? [], failures: [] } });
    expect(status.verdict).toMatchObject({ state: 'balanced', basis: 'calls' });
  });

  it('since the start of the pods do not outvote a window of few calls that is uneven far beyond its noise', () => {
    // 108 calls in 3 s are fewer than 20 a pod; fair traffic gives 42, 24, 24, 6, 6, 6 of them in one of 10^11 windows.
    const calls = each([14, 8, 8, 2, 2, 2], { total: 100_000 });
    const status = statusOf({ pods: pods(6), exec: false, usage: false, windowSeconds: 3, calls });
    expect(status.verdict).toMatchObject({ state: 'skewed', basis: 'calls', span: 'window', confidence: 'likely' });
  });

  it('since the start of the pods decide where the window tells nothing', () => {
    const calls = each([0.4, 0.3, 0.3, 0.3], { total: 100_000 });
    const status = statusOf({ pods: pods(4), exec: false, usage: false, windowSeconds: 3, calls });
    expect(status.verdict).toMatchObject({ state: 'balanced', basis: 'calls', span: 'lifetime' });
  });

  it('since the start of the pods do not outvote what is measured now', () => {
    // Even for a day, and now four connections of which one pod has three; too few calls end in the window.
    const calls = each([0.3, 0.1, 0.1, 0], { total: 100_000 });
    const status = statusOf({ pods: pods(4), connections: dealt([3, 1, 0, 0]), calls });
    expect(status.verdict).toMatchObject({ state: 'skewed', basis: 'bytes' });
    const since = status.distributions.find((entry) => entry.basis === 'calls' && entry.span === 'lifetime');
    expect(since?.reading).toBe('even');
  });

  it('since the start compare pods of different ages by their rates', () => {
    const mixed = [...pods(2), ...pods(2, { ageSeconds: 8640 }, 2)];
    const calls = [100_000, 100_000, 10_000, 10_000].map((total, index) => ({ pod: `echo-${index}`, total }));
    const status = statusOf({ pods: mixed, calls, exec: false, windowSeconds: 0, usage: false });
    expect(status.verdict).toMatchObject({ state: 'balanced', basis: 'calls', confidence: 'likely' });
  });

  it('tell the state where no command may run, but not the mechanism', () => {
    const status = statusOf({ pods: pods(4), calls: each([40, 1, 1, 1]), exec: false });
    expect(status.verdict).toMatchObject({ state: 'skewed', basis: 'calls' });
    expect(causesOf(status)).toEqual({});
    expect(status.recommendation).toMatchObject({ rule: 0, action: 'keep' });
  });
});

import { describe, expect, it } from 'vitest';
import type { KubeClient, KubeError, KubeResult } from '../../src/kube/types.ts';
import type { PrometheusClient, PrometheusRequest } from '../../src/prometheus/types.ts';
import { forbidden as forbiddenError } from '../kube/forbidden.ts';
import { type FakePod, fakeCluster, gather } from './fake-cluster.ts';

const echo: readonly FakePod[] = [0, 1].map((index) => ({ name: `echo-${index}`, node: 'n1' }));
const at = Date.parse('2026-03-01T12:00:00Z') / 1000;

/** Samples of two minutes for both pods, of all that is asked for the present. */
const present = (perSecond: number) =>
  echo.map((pod, index) => ({
    metric: { __name__: 'container_network_receive_bytes_total', namespace: 'shop', pod: pod.name, interface: 'eth0' },
    values: [120, 60, 0].map((ago) => [at - ago, String(perSecond * (index + 1) * (120 - ago))]),
  }));
const success = (result: readonly unknown[]): KubeResult<unknown> => ({
  ok: true,
  serverDate: null,
  value: { status: 'success', data: { resultType: 'matrix', result } },
});
const failing = (error: Partial<KubeError>): KubeResult<unknown> => ({
  ok: false,
  error: { kind: 'server', request: 'ask', message: 'HTTP 503', ...error },
});

function client(answer: (asked: PrometheusRequest) => KubeResult<unknown>, way: PrometheusClient['way'] = 'url') {
  const questions: string[] = [];
  const prometheus: PrometheusClient = {
    name: 'http://prom',
    way,
    async ask(asked) {
      questions.push(asked.question);
      return answer(asked);
    },
    close: async () => {},
  };
  return { prometheus, questions };
}

const ofPods = ({ question }: PrometheusRequest) => success(question === 'pods' ? present(2000) : []);
const signalOf = (evidence: Awaited<ReturnType<typeof gather>>['evidence']) =>
  evidence.signals.find(({ id }) => id === 'prometheus');

describe('the look at a Prometheus that was named', () => {
  it('asks three questions about now, and one about the last hour of what it knows', async () => {
    const { prometheus, questions } = client(ofPods);
    const { evidence } = await gather(fakeCluster(echo).kube, { prometheus });
    expect(questions).toEqual(['pods', 'calls', 'probes', 'history-bytes']);
    expect(evidence.prometheus).toMatchObject({ source: 'http://prom', way: 'url' });
    expect(evidence.prometheus?.traffic.map(({ pod, bytes }) => [pod, bytes])).toEqual([
      ['echo-0', 120_000],
      ['echo-1', 240_000],
    ]);
    expect(signalOf(evidence)).toMatchObject({ state: 'complete', lookedAt: '2026-03-01T12:00:00.000Z' });
  });

  it.each([
    ['nothing of these pods', () => success([]), 'unavailable', 'http://prom: it answers no such series of these pods'],
    ['HTTP 503', () => failing({}), 'unavailable', 'http://prom: HTTP 503'],
    [
      'a refusal',
      () => failing({ kind: 'refused', message: 'HTTP 401: it wants a credential' }),
      'unavailable',
      'http://prom: HTTP 401: it wants a credential',
    ],
    [
      'a scalar',
      () =>
        ({
          ok: true,
          serverDate: null,
          value: { status: 'success', data: { resultType: 'scalar', result: [1, '1'] } },
        }) as const,
      'unavailable',
      'http://prom: the answer is a scalar, not series',
    ],
    [
      'an address that is wrong, and what to do',
      () =>
        failing({ kind: 'unreachable', message: 'no connection to http://prom: refused', hint: 'Check the address.' }),
      'unavailable',
      'no connection to http://prom: refused. Check the address',
    ],
  ])('says why it gave nothing: %s', async (_name, answer, state, reason) => {
    const { evidence } = await gather(fakeCluster(echo).kube, { prometheus: client(answer).prometheus });
    expect(evidence.prometheus ?? null).toBeNull();
    expect(signalOf(evidence)).toMatchObject({ state, reason });
  });

  it('says what is missing where a part came', async () => {
    const { prometheus } = client((asked) => (asked.question === 'calls' ? failing({}) : ofPods(asked)));
    const { evidence } = await gather(fakeCluster(echo).kube, { prometheus });
    expect(signalOf(evidence)).toMatchObject({ state: 'partial', reason: 'http://prom: HTTP 503' });
    expect(evidence.prometheus?.traffic).toHaveLength(2);
  });

  it('says why it gave nothing where the one question failed that would have given something', async () => {
    const { prometheus } = client((asked) => (asked.question === 'pods' ? failing({}) : success([])));
    const { evidence } = await gather(fakeCluster(echo).kube, { prometheus });
    expect(signalOf(evidence)).toMatchObject({ state: 'unavailable', reason: 'http://prom: HTTP 503' });
  });

  it.each([
    ['a minute of difference between clocks does no harm', 59, 'complete', null],
    [
      'samples from the future make nothing old',
      61,
      'unavailable',
      'http://prom: its clock is ahead of that of the API server',
    ],
  ])('%s', async (_name, ahead, state, reason) => {
    const later = present(2000).map((one) => ({
      ...one,
      values: one.values.map(([seconds, value]) => [Number(seconds) + ahead, value]),
    }));
    const { prometheus } = client(({ question }) => success(question === 'pods' ? later : []));
    const { evidence } = await gather(fakeCluster(echo).kube, { prometheus });
    expect(signalOf(evidence)).toMatchObject({ state, reason });
    expect(Date.parse(evidence.metadata.now) / 1000).toBe(at + (state === 'complete' ? ahead : 0));
  });

  it('says that it warns, without its words: an answer of Thanos may be a part', async () => {
    const { prometheus } = client(() => ({
      ok: true,
      serverDate: null,
      value: {
        status: 'success',
        warnings: ['a store did not answer'],
        data: { resultType: 'matrix', result: present(9) },
      },
    }));
    const { evidence } = await gather(fakeCluster(echo).kube, { prometheus });
    expect(signalOf(evidence)).toMatchObject({
      state: 'partial',
      reason: 'http://prom: it warns that its answers may be partial (warnings: 3)',
    });
  });

  it('of a recording without its answers says nothing at all', async () => {
    const { prometheus } = client(
      () => failing({ kind: 'not-found', message: 'the recording holds no file' }),
      'recording',
    );
    const { evidence } = await gather(fakeCluster(echo).kube, { prometheus });
    expect(signalOf(evidence)).toBeUndefined();
  });

  it('is left out where none is wanted', async () => {
    const { evidence } = await gather(fakeCluster(echo).kube, { prometheus: 'none' });
    expect(signalOf(evidence)).toMatchObject({ state: 'skipped', reason: '--prometheus none' });
  });
});

/** The fake cluster with a Prometheus in the namespace monitoring, of which `refuses` is forbidden. */
function withPrometheus(refuses: RegExp | null): { readonly kube: KubeClient; readonly paths: string[] } {
  const paths: string[] = [];
  const { kube } = fakeCluster(echo);
  const labels = { 'app.kubernetes.io/name': 'prometheus' };
  const pod = {
    metadata: { name: 'p-0', namespace: 'monitoring', uid: 'p', labels },
    status: { phase: 'Running', podIP: '10.244.9.9' },
  };
  const service = {
    metadata: { name: 'prometheus', namespace: 'monitoring' },
    spec: { selector: labels, ports: [{ name: 'web', port: 9090 }] },
  };
  const forbidden = (resource: string, verb: string): KubeResult<never> => {
    const message = `services is forbidden: User "jo" cannot ${verb} resource "${resource}" in API group "" in the namespace "monitoring"`;
    return { ok: false, error: forbiddenError(message) };
  };
  return {
    paths,
    kube: {
      ...kube,
      async list(path, options) {
        if (path === '/api/v1/pods') return { ok: true, serverDate: null, value: { items: [pod], pages: 1 } };
        if (path !== '/api/v1/namespaces/monitoring/services') return kube.list(path, options);
        paths.push(path);
        if (refuses?.test(path) === true) return forbidden('services', 'list');
        return { ok: true, serverDate: null, value: { items: [service], pages: 1 } };
      },
      async getText(path, options) {
        if (!path.includes('/services/')) return kube.getText(path, options);
        paths.push(path);
        if (refuses?.test(path) === true) return forbidden('services/proxy', 'get');
        const text = JSON.stringify({ status: 'success', data: { resultType: 'matrix', result: present(2000) } });
        return { ok: true, serverDate: null, value: { text, receivedAt: '' } };
      },
    },
  };
}

describe('the Prometheus of the cluster', () => {
  it('is asked through the proxy to its Service', async () => {
    const { kube, paths } = withPrometheus(null);
    const { evidence } = await gather(kube, { prometheus: 'find' });
    const proxy = '/api/v1/namespaces/monitoring/services/prometheus:9090/proxy/api/v1';
    expect([...new Set(paths)]).toEqual([
      '/api/v1/namespaces/monitoring/services',
      `${proxy}/query`,
      `${proxy}/query_range`,
    ]);
    expect(evidence.prometheus).toMatchObject({ source: 'monitoring/prometheus:9090', way: 'service' });
  });

  it.each([
    ['the list of Services', /\/services$/, 'list services in monitoring'],
    ['the proxy', /\/proxy\//, 'get services/proxy in monitoring'],
  ])('where %s is refused, the right is named with its namespace', async (_name, refuses, needs) => {
    const { evidence } = await gather(withPrometheus(refuses).kube, { prometheus: 'find' });
    expect(signalOf(evidence)).toMatchObject({ state: 'forbidden', needs });
  });

  it('that is not there costs no request: the pods were listed for the clients', async () => {
    const cluster = fakeCluster(echo);
    const { evidence } = await gather(cluster.kube, { prometheus: 'find' });
    expect(signalOf(evidence)).toMatchObject({ state: 'skipped' });
    const plain = fakeCluster(echo);
    await gather(plain.kube);
    expect(cluster.asked.length).toBe(plain.asked.length);
  });
});

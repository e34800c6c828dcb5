import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Lab, startLab } from '../../src/lab/lab.ts';
import { evaluate, parseQuery } from '../../src/lab/prometheus/promql.ts';
import { clientOf } from './lab-client.ts';

type Json = {
  readonly status: string;
  readonly errorType?: string;
  readonly data: {
    readonly resultType: string;
    readonly result: readonly {
      readonly metric: Readonly<Record<string, string>>;
      readonly value?: readonly [number, string];
      readonly values?: readonly (readonly [number, string])[];
    }[];
  };
};

let lab: Lab;
beforeAll(async () => {
  lab = await startLab({ scenario: 'scale-up' });
  await lab.ready;
});
afterAll(() => lab.stop());

async function ask(query: string, path = 'query', more = ''): Promise<Json> {
  const response = await fetch(`${lab.prometheusUrl}/api/v1/${path}?query=${encodeURIComponent(query)}${more}`);
  return (await response.json()) as Json;
}
const byPod = ({ data }: Json) => data.result.map(({ metric, value }) => [metric['pod'], Number(value?.[1])] as const);

describe('the Prometheus of the lab', () => {
  test('knows the rates of the placed connections: 2, 1 and 1 clients at six calls a second, and the others were never called', async () => {
    const rates = byPod(await ask('sum by (pod) (rate(grpc_server_handled_total{namespace="shop"}[2m]))'));
    const sorted = rates.map(([, rate]) => rate).sort((a, b) => b - a);
    expect(sorted).toHaveLength(3);
    // A machine that is busy with other things calls less often in the last seconds, but not by a sixth of two minutes.
    for (const [index, rate] of [12, 6, 6].entries())
      expect(Math.abs((sorted[index] ?? 0) - rate)).toBeLessThan(rate / 6);
    expect(byPod(await ask('up{namespace="shop"}'))).toHaveLength(10);
  });

  test('answers the question that people ask of probes', async () => {
    const query = 'sum by (probe_type, result) (prober_probe_total{namespace="shop", container="server"})';
    // The first probes come within seconds; whatever is counted by now has just these labels.
    const { data } = await ask(query);
    for (const { metric } of data.result) expect(Object.keys(metric).sort()).toEqual(['probe_type', 'result']);
  });

  test('has a past: three pods before the scaling, ten after it', async () => {
    const end = Math.floor(Date.now() / 1000);
    const query = 'sum by (namespace, pod) (rate(container_network_receive_bytes_total{namespace="shop"}[1m]))';
    const { data } = await ask(query, 'query_range', `&start=${end - 150}&end=${end}&step=150`);
    const at = (index: number) =>
      data.result.filter(({ values }) => values?.some(([seconds]) => seconds === end - 150 + 150 * index)).length;
    expect([at(0), at(1)]).toEqual([3, 10]);
  });

  test('is reached through the API, too, and not without the right', async () => {
    const path = '/api/v1/namespaces/monitoring/services/prometheus-operated:9090/proxy/api/v1/query?query=up';
    const admin = clientOf(lab, 'admin');
    expect((await admin.json(path)) as unknown).toMatchObject({ status: 'success' });
    const viewer = clientOf(lab, 'viewer');
    const refused = await viewer.get(path);
    expect(refused.status).toBe(403);
    expect(refused.body).toContain(
      'cannot get resource \\"services/proxy\\" in API group \\"\\" in the namespace \\"monitoring\\"',
    );
  });

  test.each(['', 'up{', 'up[5m', 'rate(up)', 'sum by pod (up)', 'topk(3, up)', '{}'])(
    'refuses %s as Prometheus does',
    async (query) => {
      expect(await ask(query)).toMatchObject({ status: 'error', errorType: 'bad_data' });
    },
  );
});

describe('its PromQL', () => {
  const series = [
    {
      labels: { __name__: 'x_total', pod: 'a', code: 'OK' },
      samples: [
        [0, 10],
        [60_000, 70],
        [120_000, 130],
      ] as [number, number][],
    },
    {
      labels: { __name__: 'x_total', pod: 'a', code: 'NO' },
      samples: [
        [0, 4],
        [60_000, 6],
        [120_000, 2],
      ] as [number, number][],
    },
    { labels: { __name__: 'x_total', pod: 'b' }, samples: [[0, 0]] as [number, number][] },
  ];
  const at = (query: string, seconds: number) => evaluate(parseQuery(query), series, seconds * 1000);

  test('a range is open at its start, and gives raw samples', () => {
    const value = at('x_total{code=~"O.", pod!="b"}[60s]', 120);
    expect(value).toEqual({ type: 'matrix', series: [{ labels: series[0]?.labels, samples: [[120_000, 130]] }] });
  });

  test('a rate counts from 0 after a reset: 4 → 6, then 2 of a new process', () => {
    // One a second, and (2 + 2) in 120 s.
    const value = at('sum by (pod) (rate(x_total[3m]))', 120);
    expect(value).toEqual({ type: 'vector', series: [{ labels: { pod: 'a' }, value: 1 + 4 / 120 }] });
  });

  test('patterns fit the whole value, and a missing label is empty', () => {
    expect(at('x_total{code!~".+"}', 60)).toMatchObject({ series: [{ labels: { pod: 'b' } }] });
    expect(at('x_total{pod=~"A|"}', 60)).toMatchObject({ series: [] });
  });
});

import { describe, expect, test } from 'vitest';
import type { Pod } from '../../src/evidence/objects.ts';
import type { KubeClient } from '../../src/kube/types.ts';
import { prometheusByService } from '../../src/prometheus/by-service.ts';
import { askMetrics, unreachedPort } from '../../src/signals/calls/ask.ts';
import { readMetricsEndpoint } from '../../src/signals/read/metrics-endpoint.ts';

const tried = 'error trying to reach service: ';

test.each([
  // As Go words it in kube-apiserver, and as Node.js does in the lab.
  ['read tcp 10.0.0.1:40112->10.8.0.7:9090: read: connection reset by peer', 'the metrics port resets connections'],
  ['connect ECONNRESET 127.1.2.3:9090', 'the metrics port resets connections'],
  ['dial tcp 10.8.0.7:9090: connect: connection refused', 'nothing listens at the metrics port'],
  ['dial tcp 10.8.0.7:9090: i/o timeout', 'the metrics port cannot be reached from the API server'],
])('%s', (words, said) => {
  expect(unreachedPort(tried + words, false)).toBe(said);
});

test('in a mesh a reset is what strict mutual TLS answers to those outside; a refusal is not', () => {
  expect(unreachedPort(`${tried}EOF`, true)).toBe(
    'the metrics port resets connections from outside the mesh (strict mutual TLS?)',
  );
  expect(unreachedPort(`${tried}connection refused`, true)).toBe('nothing listens at the metrics port');
});

test('what is of another kind keeps its words', () => {
  expect(unreachedPort('no answer from https://api within 5 s', true)).toBeNull();
  expect(unreachedPort(`${tried}teapot`, true)).toBeNull();
});

describe('what a pod or a Service says of itself chooses no other path', () => {
  const asked: string[] = [];
  const kube = { getText: async (path: string) => void asked.push(path) } as unknown as KubeClient;
  const hostile = '../../secrets/x:1?watch#';
  const encoded = '..%2F..%2Fsecrets%2Fx%3A1%3Fwatch%23';

  test('names are one segment each', async () => {
    const endpoint = { port: 9090, path: '/metrics', https: true };
    await askMetrics(kube, { name: hostile, namespace: hostile } as Pod, endpoint);
    const service = { name: hostile, namespace: hostile, port: 9090, https: false, prefix: '' };
    await prometheusByService(kube, service)
      .ask({ question: 'pods', query: 'up', range: null })
      .catch(() => {});
    expect(asked).toEqual([
      `/api/v1/namespaces/${encoded}/pods/https:${encoded}:9090/proxy/metrics`,
      expect.stringMatching(`^/api/v1/namespaces/${encoded}/services/${encoded}:9090/proxy/api/v1/`),
    ]);
  });

  test.each(['/../../../secrets/x', '/a/..', '/.', '/%2e%2E/x', '/a/.%2e/b'])('the annotation %s is none', (path) => {
    const annotations = { 'prometheus.io/port': '9090', 'prometheus.io/path': path };
    expect(readMetricsEndpoint({ metadata: { annotations } })).toMatchObject({ port: 9090, path: '/metrics' });
  });

  test('dots within a name are part of it', () => {
    const annotations = { 'prometheus.io/port': '9090', 'prometheus.io/path': '/a..b/v1.0/..c' };
    expect(readMetricsEndpoint({ metadata: { annotations } })?.path).toBe('/a..b/v1.0/..c');
  });
});

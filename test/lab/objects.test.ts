import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Lab, startLab } from '../../src/lab/lab.ts';
import { clientOf, fixture, type LabClient } from './lab-client.ts';
import { type Exception, shapeDifference } from './shape.ts';

const applied: Exception = [
  /last-applied-configuration/,
  'kubectl apply leaves this behind; the lab makes its objects itself',
];
const noAnnotations: Exception = [/\.metadata\.annotations: object$/, 'nothing is left in it without kubectl apply'];

let lab: Lab;
let headless: Lab;
let admin: LabClient;

beforeAll(async () => {
  [lab, headless] = await Promise.all([startLab({ scenario: 'scale-up' }), startLab({ scenario: 'balanced' })]);
  admin = clientOf(lab, 'admin');
  await lab.ready;
});

afterAll(async () => {
  await Promise.all([lab.stop(), headless.stop()]);
});

describe('objects have the shape of those of a real cluster', () => {
  const paths: readonly [fixture: string, path: string, ...exceptions: Exception[]][] = [
    ['service', '/api/v1/namespaces/shop/services/echo', applied, noAnnotations],
    ['endpointslices', '/apis/discovery.k8s.io/v1/namespaces/shop/endpointslices'],
    ['pods', '/api/v1/namespaces/shop/pods'],
    ['deployments', '/apis/apps/v1/namespaces/shop/deployments', applied],
    ['replicasets', '/apis/apps/v1/namespaces/shop/replicasets'],
    ['daemonsets', '/apis/apps/v1/namespaces/shop/daemonsets'],
    ['statefulsets', '/apis/apps/v1/namespaces/shop/statefulsets'],
    ['events', '/api/v1/namespaces/shop/events'],
    ['nodes', '/api/v1/nodes'],
    ['metrics-pods', '/apis/metrics.k8s.io/v1beta1/namespaces/shop/pods'],
    ['metrics-nodes', '/apis/metrics.k8s.io/v1beta1/nodes'],
    ['metrics-resources', '/apis/metrics.k8s.io/v1beta1'],
    ['version', '/version'],
    ['api', '/api'],
    ['apis', '/apis'],
    ['pods-chunk-limit2', '/api/v1/namespaces/shop/pods?limit=2', [/^\.items/, 'held to `pods` above']],
  ];

  test.each(paths)('%s', async (name, path, ...exceptions) => {
    const served = await admin.json(path);
    expect(shapeDifference(fixture(`objects/${name}.json`), served, exceptions)).toEqual({ missing: [], surplus: [] });
  });

  test.each([
    ['service-headless', '/api/v1/namespaces/shop/services/echo', applied, noAnnotations],
    ['endpointslices-headless', '/apis/discovery.k8s.io/v1/namespaces/shop/endpointslices'],
  ] as [string, string, ...Exception[]][])('%s', async (name, path, ...exceptions) => {
    const served = await clientOf(headless, 'admin').json(path);
    expect(shapeDifference(fixture(`objects/${name}.json`), served, exceptions)).toEqual({ missing: [], surplus: [] });
  });

  test.each(['ssar-pods-list', 'ssar-pods-exec-create', 'ssar-metrics-pods-list'])('%s', async (name) => {
    const recorded = fixture<{ spec: { resourceAttributes: Record<string, string> }; status: unknown }>(
      `objects/${name}.json`,
    );
    const spec = { resourceAttributes: { ...recorded.spec.resourceAttributes, namespace: 'shop' } };
    const path = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews';
    const reply = await clientOf(lab, 'viewer').send('POST', path, {}, JSON.stringify({ spec }));
    expect(reply.status).toBe(201);
    expect(JSON.parse(reply.body)).toEqual(JSON.parse(JSON.stringify(recorded).replaceAll('skew-scaleup', 'shop')));
  });
});

describe('what the objects say is consistent', () => {
  test('times: created, started, ready; the scale-up after the clients', async () => {
    const { items } = (await admin.json('/api/v1/namespaces/shop/pods')) as unknown as {
      items: {
        metadata: { creationTimestamp: string; labels: { app: string } };
        status: {
          conditions: { type: string; lastTransitionTime: string }[];
          containerStatuses: [{ state: { running: { startedAt: string } } }];
        };
      }[];
    };
    for (const { metadata, status } of items) {
      const readyAt = status.conditions.find(({ type }) => type === 'Ready')?.lastTransitionTime ?? '';
      const times = [metadata.creationTimestamp, status.containerStatuses[0].state.running.startedAt, readyAt];
      expect(times.toSorted()).toEqual(times);
    }
    const created = (app: string) =>
      items.filter(({ metadata }) => metadata.labels.app === app).map(({ metadata }) => metadata.creationTimestamp);
    const [firstClient = ''] = created('client').toSorted();
    expect(created('echo').filter((at) => at < firstClient)).toHaveLength(3);
    expect(created('echo').filter((at) => at > firstClient)).toHaveLength(7);
  });

  test('events tell of the scale-up', async () => {
    const query = 'fieldSelector=involvedObject.kind%3DDeployment%2CinvolvedObject.name%3Decho';
    const { items } = await admin.json(`/api/v1/namespaces/shop/events?${query}`);
    const messages = (items as { message: string }[]).map(({ message }) => message.replace(/echo-\w+/, 'RS'));
    expect(messages.toSorted()).toEqual([
      'Scaled up replica set RS from 0 to 3',
      'Scaled up replica set RS from 3 to 10',
    ]);
  });

  test('two nodes in two zones carry the pods', async () => {
    const { items } = await admin.json('/apis/discovery.k8s.io/v1/namespaces/shop/endpointslices');
    const [slice] = items as [{ endpoints: { zone: string; nodeName: string }[] }];
    expect(new Set(slice.endpoints.map(({ zone, nodeName }) => `${nodeName} ${zone}`))).toEqual(
      new Set(['lab-1 zone-a', 'lab-2 zone-b']),
    );
  });
});

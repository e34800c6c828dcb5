import { expect, it } from 'vitest';
import type { Service } from '../../src/evidence/objects.ts';
import type { KubeClient } from '../../src/kube/types.ts';
import { readFormerPods } from '../../src/signals/former-pods/read.ts';
import { readPods } from '../../src/signals/read/pods.ts';
import { readService } from '../../src/signals/service/read.ts';
import { type FakePod, fakeCluster, gather } from './fake-cluster.ts';

const owner = [{ kind: 'ReplicaSet', name: 'echo-aaa', controller: true }];

function pod(name: string, labels: Record<string, string>, more: object = {}, port = 50_051): unknown {
  return {
    metadata: { name, namespace: 'shop', uid: `uid-${name}`, labels, ...more },
    spec: { containers: [{ name: 'server', image: 'echo:1', ports: [{ containerPort: port }] }] },
    status: { phase: 'Running', podIP: '10.244.0.90', containerStatuses: [{ name: 'server', state: { running: {} } }] },
  };
}

const service = readService({
  kind: 'Service',
  metadata: { name: 'echo', namespace: 'shop' },
  spec: { selector: { app: 'echo' }, ports: [{ port: 50_051 }] },
}) as Service;
const present = pod('echo-1', { app: 'echo', 'pod-template-hash': 'aaa' }, { ownerReferences: owner });

function former(
  items: readonly unknown[],
  selectors: readonly Record<string, string>[] | null = [{ app: 'echo' }],
): string[] {
  const pods = readPods([present], service.selector);
  return readFormerPods([present, ...items], { service, pods, targetPorts: [50_051], selectors }).map(
    ({ name }) => name,
  );
}

it.each([
  ['of the same owner', pod('x', { app: 'old' }, { ownerReferences: owner }, 1)],
  ['that its ReplicaSet let go when it was relabelled', pod('x', { app: 'old', 'pod-template-hash': 'aaa' }, {}, 1)],
  ['that declares the port and belongs to no Service', pod('x', { app: 'old' })],
])('a pod %s may hold connections', (_, item) => {
  expect(former([item])).toEqual(['x']);
});

it.each([
  ['still in the Service', pod('x', { app: 'echo' })],
  ['in another namespace', pod('x', { app: 'old' }, { namespace: 'bank' })],
  ['of another Service with the same port', pod('x', { app: 'other' })],
  ['that listens elsewhere', pod('x', { app: 'old' }, {}, 9090)],
  [
    'without labels, of a Deployment of its own',
    pod('x', {}, { ownerReferences: [{ kind: 'ReplicaSet', name: 'z' }] }, 1),
  ],
])('a pod %s is none', (_, item) => {
  expect(former([item], [{ app: 'echo' }, { app: 'other' }])).toEqual([]);
});

it('by its port alone is none where the Services could not be listed', () => {
  expect(former([pod('x', { app: 'old' })], null)).toEqual([]);
});

it('are five at most', () => {
  const many = Array.from({ length: 9 }, (_, index) => pod(`x${index}`, { app: 'old', 'pod-template-hash': 'aaa' }));
  expect(former(many)).toEqual(['x0', 'x1', 'x2', 'x3', 'x4']);
});

it('are looked into twice, as the others are, with no request more', async () => {
  const pods: FakePod[] = [{ name: 'echo-000', node: 'n0' }];
  const { kube, runs, asked } = fakeCluster(pods);
  const relabelled = pod('echo-old', { app: 'old' });
  const withOld: KubeClient = {
    ...kube,
    async list(path, options) {
      const answer = await kube.list(path, options);
      if (!answer.ok || path !== '/api/v1/pods') return answer;
      return { ...answer, value: { ...answer.value, items: [...answer.value.items, relabelled] } };
    },
  };
  const { evidence } = await gather(withOld, { windowSeconds: 3 });
  expect(runs.map((run) => run.target.pod)).toEqual(['echo-000', 'echo-old', 'echo-000', 'echo-old']);
  expect(evidence.formerPods?.map(({ name }) => name)).toEqual(['echo-old']);
  expect(evidence.connections?.looks.map((look) => `${look.pod} ${look.sample}`)).toContain('echo-old 2');
  expect(asked.length).toBeLessThanOrEqual(12);
  const quiet = await gather(withOld, { exec: false });
  expect(quiet.evidence.connections).toBeNull();
});

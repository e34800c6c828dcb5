import { join } from 'node:path';
import { expect, it } from 'vitest';
import { collect } from '../../src/collect/collect.ts';
import type { SkewEvidence } from '../../src/evidence/schema.ts';
import { openRecorded } from '../../src/kube/recorded.ts';
import { dialledCommand } from '../../src/signals/inspect-clients/ask.ts';
import { readRuntime } from '../../src/signals/inspect-clients/read.ts';
import { languageOfClients } from '../../src/strategies/languages.ts';
import { reportOf } from '../diagnose/report.ts';

async function inspected(scenario: string): Promise<SkewEvidence> {
  const recorded = await openRecorded(join(import.meta.dirname, '../recordings', scenario));
  if (!recorded.ok) throw new Error(recorded.error.message);
  const kube = recorded.value;
  const request = {
    namespace: kube.namespace,
    name: kube.service,
    context: null,
    port: null,
    windowSeconds: 0,
    exec: true,
    allPods: false,
    inspectClients: true,
    toolVersion: '0.0.0',
  };
  const host = { kube, now: () => 0, wait: async () => {}, beforeExecs: () => {}, progress: () => {} };
  let evidence: SkewEvidence | null = null;
  for await (const state of collect(request, host)) evidence = state.evidence;
  if (evidence === null) throw new Error('nothing was collected');
  return evidence;
}

it('tells of two Services over the same pods which client dials which', async () => {
  const evidence = await inspected('two-services');
  const { status } = reportOf(evidence);
  const dials = Object.fromEntries(status.clients.map((client) => [client.workload, client.dials]));
  expect(dials).toEqual({
    'deployment/client': [{ what: 'virtual-address', service: 'echo', connections: 2 }],
    'deployment/client-headless': [{ what: 'pod', service: 'echo-headless', connections: 8 }],
  });
  const warning = status.warnings.find(({ id }) => id === 'sibling-services');
  expect(warning?.text).toMatch(/deployment\/client dials echo(;|$)/);
  expect(warning?.text).toContain('deployment/client-headless dials echo-headless (pod addresses)');
});

it('tells that clients of a headless Service dial its pods, and nothing where destinations are rewritten', async () => {
  const evidence = await inspected('balanced-headless');
  const [client] = reportOf(evidence).status.clients;
  expect(client?.dials).toEqual([{ what: 'pod', service: 'echo', connections: 12 }]);
  const path = evidence.path == null ? null : { ...evidence.path, socketLoadBalancing: 'all' as const };
  const [rewritten] = reportOf({ ...evidence, path }).status.clients;
  expect(rewritten?.dials).toEqual([{ what: 'not-known', service: null, connections: 12 }]);
});

it('looks into five pods at most, one of each workload first, and counts the commands', async () => {
  const evidence = await inspected('hot-client');
  const looks = evidence.clientLooks?.looks ?? [];
  expect(looks).toHaveLength(5);
  expect(looks.map(({ pod }) => pod).filter((pod) => pod.startsWith('client-hot'))).toHaveLength(1);
  expect(evidence.connections?.execs).toBe(4 + 2 * 5);
  expect(evidence.connections?.elsewhere).toEqual([{ where: 'clients', execs: 2 * 5, pods: 5 }]);
});

it('filters by the far port, and asks for no arguments of any process', () => {
  expect(dialledCommand('ss', [50_051, 80])).toEqual(
    'ss -tnH state established ( dport = :50051 or dport = :80 )'.split(' '),
  );
});

it.each([
  ['java\n', 'java'],
  ['node\n', 'node'],
  ['python3.12\n', 'python'],
  ['dotnet\n', 'dotnet'],
  ['checkout\n', 'other'],
  ['tini\n', null],
  ['pause\n', null],
  ['', null],
])('reads the runtime of %j as %s', (comm, runtime) => {
  expect(readRuntime(comm)).toBe(runtime);
});

it('takes a language from what runs in all of them', () => {
  const look = { pod: '', namespace: '', container: '', lookedAt: '', dialled: [] };
  const of = (...runtimes: NonNullable<SkewEvidence['clientLooks']>['looks'][number]['runtime'][]) =>
    languageOfClients(runtimes.map((runtime) => ({ ...look, runtime })));
  expect([of('java', 'java'), of('java', 'dotnet'), of('java', 'other'), of(null), of()]).toEqual([
    'java',
    'mixed',
    null,
    null,
    null,
  ]);
});

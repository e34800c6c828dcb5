import { describe, expect, test } from 'vitest';
import { failureStatus } from '../../src/lab/api/answer.ts';
import { answerWith, type Cluster, type Json, startCluster } from './cluster.ts';
import { expectError } from './program.ts';

const once = ['--window', '0', '-o', 'json', '--no-exec'];
const pod = (cluster: Cluster, app: string): string =>
  cluster.objects['pods'].items.find((one: Json) => one.metadata.labels.app === app).metadata.name;
const statefulSet = (name: string, labels: Record<string, string>): Json => ({
  kind: 'List',
  metadata: {},
  items: [{ metadata: { name }, spec: { template: { metadata: { labels } } } }],
});

describe('a workload stands for the one Service that selects its pods', () => {
  test.concurrent.each([
    [['deploy/echo'], 'deployment echo'],
    [['deployment', 'echo'], 'deployment echo'],
    [['Deployments/echo'], 'deployment echo'],
    [['deployment.apps/echo'], 'deployment echo'],
    [['sts/db'], 'statefulset db'],
    [['statefulsets', 'db'], 'statefulset db'],
    [['ds/agent'], 'daemonset agent'],
    [['pod/POD'], 'pod POD'],
    [['po', 'POD'], 'pod POD'],
  ])('%j', async (args, words) => {
    const clean: (() => void | Promise<void>)[] = [];
    const cluster = await startCluster((one) => clean.push(one));
    cluster.objects['statefulsets'] = statefulSet('db', { app: 'echo', more: 'yes' });
    cluster.objects['daemonsets'] = statefulSet('agent', { app: 'echo' });
    const name = pod(cluster, 'echo');
    const run = await cluster.run([...args.map((one) => one.replace('POD', name)), ...once]);
    for (const one of clean) await one();
    const said = `${words.replace('POD', name)} is behind service echo: diagnosing that\n`;
    expect([run.code, run.stderr]).toEqual([0, said]);
    expect(JSON.parse(run.stdout).metadata.name).toBe('echo');
  });

  test.concurrent('several Services: asks which', async ({ onTestFinished }) => {
    const cluster = await startCluster(onTestFinished);
    const [echo] = cluster.objects['services'].items.filter((one: Json) => one.metadata.name === 'echo');
    cluster.objects['services'].items.push(
      { ...echo, metadata: { name: 'echo-headless' } },
      { metadata: { name: 'all' }, spec: {} },
      { metadata: { name: 'empty' }, spec: { selector: {} } },
      { metadata: { name: 'gone' }, spec: { type: 'ExternalName', selector: { app: 'echo' } } },
      { metadata: { name: 'narrow' }, spec: { selector: { app: 'echo', track: 'canary' } } },
    );
    const run = await cluster.run(['deploy/echo', ...once]);
    expectError(
      run,
      2,
      /^error: 2 services select the pods of deployment echo; choose one: svc\/echo, svc\/echo-headless$/,
    );
  });

  test.concurrent('no Service', async ({ onTestFinished }) => {
    const cluster = await startCluster(onTestFinished);
    const run = await cluster.run([`pod/${pod(cluster, 'client')}`, ...once]);
    expectError(
      run,
      1,
      /^error: no service in namespace skew-scaleup selects the pods of pod client-.*; compare its labels/,
    );
  });

  test.concurrent('no such workload, no such namespace', async ({ onTestFinished }) => {
    const cluster = await startCluster(onTestFinished);
    expectError(
      await cluster.run(['deploy/nope']),
      1,
      /^error: deployment nope not found in namespace skew-scaleup \(context test\); deployments there: client, echo$/,
    );
    expectError(
      await cluster.run(['sts/nope']),
      1,
      /^error: statefulset nope not found .*; there are no statefulsets in it/,
    );
    expectError(await cluster.run(['ds/nope', '-n', 'nowhere']), 1, /^error: namespace nowhere does not exist/);
  }, 20_000);

  test.concurrent('no right to read it, or the Services', async ({ onTestFinished }) => {
    const cluster = await startCluster(onTestFinished);
    const denied = (what: string) =>
      answerWith(
        failureStatus(
          403,
          'Forbidden',
          `${what} is forbidden: User "jo" cannot get resource "${what}" in API group "apps" in the namespace "n"`,
        ),
      );
    cluster.on(/deployments\/echo/, denied('deployments'));
    cluster.on(/\/services\?/, denied('services'));
    expectError(
      await cluster.run(['deploy/echo']),
      1,
      /^error: could not get deployment skew-scaleup\/echo: .*forbidden.*; needs a Role with get on deployments\.apps/,
    );
    expectError(
      await cluster.run([`pod/${pod(cluster, 'echo')}`]),
      1,
      /^error: could not list services in namespace skew-scaleup: .*forbidden.*; needs a Role/,
    );
  });
});

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { failureStatus } from '../../src/lab/api/answer.ts';
import { fixture } from '../kube/api-server.ts';
import { frame, refuse, webSocket } from '../kube/exec-server.ts';
import { base64 } from '../kube/open-client.ts';
import { answerWith, type Cluster, type Json, startCluster } from './cluster.ts';
import { expectError, expectNoTrace, type Run } from './program.ts';

/** Clears the screen, sets the title, breaks the line, turns the text around, hides, and rings. */
const evil = 'x\u001b[2J\u001b]0;owned\u0007\r\nINJECTED\u202eabc\u200b\u2066\u0085\u009b31m\u2028\u0000';
/** Nothing but line ends may reach a terminal, nothing that it obeys or that turns text around. */
const raw = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]/;

function expectClean(run: Run): void {
  expect(run.stdout).not.toMatch(raw);
  expect(run.stderr).not.toMatch(raw);
  expect(run.stdout + run.stderr).not.toMatch(/^INJECTED/m);
  expectNoTrace(run);
}

/** Every text of an object, made hostile, but for those that decide what the object is. */
function spoil(value: Json, keep: ReadonlySet<string>, key = ''): Json {
  if (typeof value === 'string') return keep.has(key) ? value : `${value}${evil}`;
  if (Array.isArray(value)) return value.map((one) => spoil(one, keep, key));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, spoil(inner, keep, name)]));
}

const formats = [['table'], ['wide'], ['json'], ['yaml'], ['chat'], ['html']] as const;

describe('hostile texts from the cluster never reach the terminal as they are', () => {
  const structure = new Set([
    'kind',
    'apiVersion',
    'protocol',
    'addressType',
    'creationTimestamp',
    'startedAt',
    'cpu',
    'memory',
    'clusterIP',
    'ip',
    'podIP',
    'addresses',
    'uid',
    'timestamp',
    'window',
    'app',
    'namespace',
    'reason',
    'type',
    'status',
  ]);
  const spoilAll = (cluster: Cluster, keep: ReadonlySet<string>): void => {
    for (const name of Object.keys(cluster.objects)) cluster.objects[name] = spoil(cluster.objects[name], keep);
    cluster.objects['service'].metadata.name = 'echo';
  };

  test.concurrent.each(formats)('all names and texts, -o %s', async (format) => {
    const clean: (() => void | Promise<void>)[] = [];
    const cluster = await startCluster((one) => clean.push(one));
    spoilAll(cluster, structure);
    const run = await cluster.run(['echo', '--window', '0', '-v', '9', '-o', format]);
    for (const one of clean) await one();
    expect(run.code).toBe(0);
    expectClean(run);
    if (format === 'json') expect(JSON.parse(run.stdout).spec.port.name).toBe(`grpc${evil}`);
  });

  test.concurrent.each(formats)('names that may be: port, node, client, with commands run; -o %s', async (format) => {
    const clean: (() => void | Promise<void>)[] = [];
    const cluster = await startCluster((one) => clean.push(one));
    spoilAll(cluster, new Set([...structure, 'name', 'containerPort', 'image']));
    cluster.objects['service'].spec.ports[0].name = evil;
    cluster.objects['endpointslices'].items[0].ports[0].name = evil;
    for (const pod of cluster.objects['pods'].items)
      if (pod.metadata.name.startsWith('client')) pod.metadata.name += evil;
    const run = await cluster.run(['echo', '--window', '0', '-v', '9', '-o', format]);
    for (const one of clean) await one();
    expect(run.code).toBe(0);
    expectClean(run);
  });

  test.concurrent('messages of the server', async ({ onTestFinished }) => {
    const cluster = await startCluster(onTestFinished);
    cluster.on(/services\/echo/, answerWith(failureStatus(500, 'InternalError', evil)));
    const run = await cluster.run(['echo', '-v', '9']);
    expectError(run, 1, /^error: could not get service .*INJECTED/);
    expectClean(run);
    const missing = await cluster.run(['nope', '-v', '9']);
    expectClean(missing);
  });

  test.concurrent('plain text and HTML of a proxy', async ({ onTestFinished }) => {
    const cluster = await startCluster(onTestFinished);
    cluster.on(
      /services\/echo/,
      (_, response) => void response.writeHead(502, { 'Content-Type': 'text/plain' }).end(evil),
    );
    const run = await cluster.run(['echo']);
    expectError(run, 1, /INJECTED/);
    expectClean(run);
  });

  test.concurrent('refusals and output of commands in pods', async ({ onTestFinished }) => {
    const cluster = await startCluster(onTestFinished);
    cluster.exec = () => (_request, socket) =>
      refuse(socket, 'HTTP/1.1 500 Internal Server Error', `container not found ("${evil}")`);
    expectClean(await cluster.run(['echo', '--window', '0', '-v', '9']));
    cluster.exec = () =>
      webSocket((client) => {
        client.send(frame(1, `State Recv-Q\nESTAB 0 0 [::ffff:10.0.0.1]:50051 [::ffff:10.0.0.2]:1 ${evil}\n`));
        client.send(frame(2, evil));
        client.send(frame(3, JSON.stringify({ status: 'Failure', message: evil })));
        client.close(1000);
      });
    expectClean(await cluster.run(['echo', '--window', '0', '-v', '9']));
  });

  test.concurrent('names in a kubeconfig', async ({ onTestFinished }) => {
    const cluster = await startCluster(onTestFinished);
    const run = await cluster.run(['echo', '--context', evil.replaceAll('\u0000', '')]);
    expectError(run, 1, /^error: context "x.*" does not exist; /);
    expectClean(run);
  });

  test.concurrent('the names that a workload is resolved to', async ({ onTestFinished }) => {
    const cluster = await startCluster(onTestFinished);
    const [service] = cluster.objects['services'].items.filter((one: Json) => one.spec.selector?.app === 'echo');
    cluster.objects['services'].items = [{ ...service, metadata: { ...service.metadata, name: evil } }];
    expectClean(await cluster.run(['deploy/echo']));
  });
});

describe('secrets stay where they are', () => {
  const secrets = ['tok-5ecret-1', 'env-5ecret-2', 'note-5ecret-3', 'arg-5ecret-4', 'label-5ecret-5', 'event-5ecret-6'];
  const [token = '', env = '', note = '', argument = '', label = '', event = ''] = secrets;
  const fill = (cluster: Cluster): void => {
    for (const pod of cluster.objects['pods'].items) {
      pod.metadata.annotations = { note };
      pod.metadata.labels['api-key'] = label;
      for (const container of pod.spec.containers) {
        container.env = [{ name: 'PASSWORD', value: env }];
        container.args = [argument];
      }
    }
    cluster.objects['service'].metadata.annotations = { 'kubectl.kubernetes.io/last-applied-configuration': note };
    for (const one of cluster.objects['events'].items) one.message = `${one.message} ${event}`;
  };

  test.concurrent('in output, log, record and report', async ({ onTestFinished }) => {
    const key = fixture('client.key');
    const user = { token, 'client-certificate-data': base64(fixture('client.pem')), 'client-key-data': base64(key) };
    const cluster = await startCluster(onTestFinished, { http: false, user });
    fill(cluster);
    const texts: string[] = [];
    for (const format of ['json', 'wide']) {
      const run = await cluster.run(['echo', '--window', '0', '-v', '9', '-o', format, '--record', 'seen.json']);
      expect(run.code).toBe(0);
      texts.push(run.stdout, run.stderr, readFileSync(join(cluster.folder, 'seen.json'), 'utf8'));
    }
    const keyLines = key.split('\n').filter((line) => line.length > 20 && !line.startsWith('-'));
    for (const secret of [...secrets, ...keyLines, base64(key).slice(0, 40)])
      for (const text of texts) expect(text.includes(secret)).toBe(false);
  });

  test.concurrent('when the server throws them back', async ({ onTestFinished }) => {
    const cluster = await startCluster(onTestFinished, { user: { token } });
    cluster.on(/./, answerWith(failureStatus(500, 'InternalError', `bad header Authorization: Bearer ${token}`)));
    const run = await cluster.run(['echo', '-v', '9', '--record', 'seen.json']);
    expectError(run, 1, /bad header/);
    expect(run.stderr + readFileSync(join(cluster.folder, 'seen.json'), 'utf8')).not.toContain(token);
  });

  test.concurrent('given as flags', async ({ onTestFinished }) => {
    const cluster = await startCluster(onTestFinished);
    for (const args of [
      ['--token', token],
      ['--token', token, '--nope'],
      [`--token=${token}`, '--server', 'http://127.0.0.1:9'],
    ]) {
      const run = await cluster.run(['echo', '--window', '0', '-v', '9', ...args]);
      expect(run.stdout + run.stderr).not.toContain(token);
    }
  });
});

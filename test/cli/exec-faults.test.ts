import { describe, expect, test } from 'vitest';
import { frame, refuse, webSocket } from '../kube/exec-server.ts';
import { type Cluster, type ExecAnswer, type Json, plainText, startCluster } from './cluster.ts';
import { expectNoTrace } from './program.ts';

const json = { 'Content-Type': 'application/json' };
const statusBody = (message: string, code = 403, reason = 'Forbidden'): string =>
  JSON.stringify({ kind: 'Status', apiVersion: 'v1', status: 'Failure', message, reason, code });
const refused =
  (statusLine: string, body: string, headers: Record<string, string> = json): ExecAnswer =>
  () =>
  (_request, socket) =>
    refuse(socket, `HTTP/1.1 ${statusLine}`, body, headers);
const failing = (message: string, more: object = {}): ExecAnswer =>
  answering((client) => {
    client.send(frame(1, ''));
    client.send(frame(3, JSON.stringify({ status: 'Failure', message, ...more })));
    client.close(1000);
  });
const answering =
  (serve: Parameters<typeof webSocket>[0]): ExecAnswer =>
  () =>
    webSocket(serve);

const noProgram =
  'Internal error occurred: error executing command in container: exec: "ss": executable file not found in $PATH';

async function diagnose(
  exec: ExecAnswer | null,
  more: readonly string[] = [],
  change: (cluster: Cluster) => void = () => {},
) {
  const clean: (() => void | Promise<void>)[] = [];
  const cluster = await startCluster((one) => clean.push(one));
  if (exec !== null) cluster.exec = exec;
  change(cluster);
  // What the pods' own counters say would settle it.
  cluster.on(/\/proxy\/metrics/, (_, response) => plainText(response, 404, '404 page not found\n'));
  const run = await cluster.run(['echo', '--window', '0', '-o', 'json', ...more]);
  for (const one of clean) await one();
  expectNoTrace(run);
  expect([run.code, run.stderr]).toEqual([0, '']);
  const report = JSON.parse(run.stdout) as Json;
  const connections = report.status.signals.find((one: Json) => one.id === 'connections');
  return { report, connections, execs: cluster.requests.filter((line) => line.includes('/exec')).length };
}

describe('every pod refuses alike: asked once, said, and judged by what is left', () => {
  test.concurrent.each<readonly [string, ExecAnswer, object]>([
    [
      'get is missing',
      refused(
        '403 Forbidden',
        statusBody(
          'pods "x" is forbidden: User "jo" cannot get resource "pods/exec" in API group "" in the namespace "n"',
        ),
      ),
      { state: 'forbidden', needs: 'get and create pods/exec' },
    ],
    [
      'create is missing',
      refused('403 Forbidden', statusBody('pods "x" is forbidden: ')),
      { state: 'forbidden', needs: 'create pods/exec' },
    ],
    [
      'an admission webhook refuses',
      refused(
        '403 Forbidden',
        statusBody('admission webhook "no-exec.corp" denied the request: exec is for the break-glass role'),
      ),
      { state: 'unavailable', needs: null, reason: expect.stringMatching(/no-exec\.corp.*break-glass/) },
    ],
    [
      'a proxy does not let the upgrade pass',
      refused('200 OK', '<html>hello</html>', { 'Content-Type': 'text/html' }),
      { state: 'unavailable', needs: null, reason: expect.stringMatching(/WebSocket upgrade/) },
    ],
    [
      'the Upgrade header got lost on the way',
      refused('400 Bad Request', statusBody('Upgrade request required', 400, 'BadRequest')),
      { state: 'unavailable', reason: expect.stringMatching(/WebSocket upgrade/) },
    ],
  ])('%s', async (_name, exec, expected) => {
    const { report, connections, execs } = await diagnose(exec);
    expect(execs).toBe(1);
    expect(connections).toMatchObject(expected);
    expect(connections.reason).toMatch(/\S/);
    expect(report.status.pods).toHaveLength(10);
    expect(report.status.verdict.basis).toBe('cpu');
    expect(report.status.verdict.confidence).not.toBe('certain');
  });
});

describe('what pods answer', () => {
  test.concurrent('no tool in any container: each way tried once per image', async () => {
    const { connections, execs } = await diagnose(failing(noProgram, { reason: 'InternalError', code: 500 }));
    expect(connections).toMatchObject({
      state: 'unavailable',
      reason: expect.stringMatching(/no container has ss, netstat or cat/),
    });
    expect(execs).toBeLessThanOrEqual(4);
  });

  test.concurrent('a shell that does not find ss, but cat works', async () => {
    const header = '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n';
    // Without the listener at 50051 (C383) the table of a Ready pod could not be right.
    const listener = '   0: 00000000:C383 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 1\n';
    const { connections, report } = await diagnose(({ command }) =>
      command[0] === 'cat'
        ? header + listener
        : failing('command terminated', {
            reason: 'NonZeroExitCode',
            details: { causes: [{ reason: 'ExitCode', message: '127' }] },
          })({ pod: '', container: '', command }),
    );
    expect(connections.state).toBe('complete');
    expect(report.status.pods[0].connections).toBe(0);
  });

  test.concurrent('one container is not running', async () => {
    let first = '';
    const { connections, report } = await diagnose(null, [], (cluster) => {
      const usual = cluster.exec;
      first = cluster.objects['endpointslices'].items[0].endpoints[1].targetRef.name;
      cluster.exec = (call) =>
        call.pod === first
          ? refused('500 Internal Server Error', 'container not found ("server")', { 'Content-Type': 'text/plain' })(
              call,
            )
          : usual(call);
    });
    expect(connections).toMatchObject({
      state: 'partial',
      reason: expect.stringMatching(/1 of 10 pods not seen.*container not found/),
    });
    const pod = report.status.pods.find((one: Json) => one.name === first);
    expect(pod.connections).toBeNull();
    expect(pod.marks).toContain('not-seen');
  });

  test.concurrent('no container runs at all: no exec is tried', async () => {
    const { connections, execs } = await diagnose(null, [], (cluster) => {
      for (const pod of cluster.objects['pods'].items)
        for (const container of pod.status.containerStatuses)
          container.state = { waiting: { reason: 'CrashLoopBackOff' } };
    });
    expect(execs).toBe(0);
    expect(connections.state).not.toBe('complete');
    expect(connections.reason).toMatch(/no container is running/);
  });

  test.concurrent('one never answers: its time is limited, the others count', async () => {
    const { connections } = await diagnose(null, ['--request-timeout', '4'], (cluster) => {
      const usual = cluster.exec;
      const hung = cluster.objects['endpointslices'].items[0].endpoints[0].targetRef.name;
      cluster.exec = (call) => (call.pod === hung ? webSocket((client) => client.send(frame(1, ''))) : usual(call));
    });
    expect(connections).toMatchObject({
      state: 'partial',
      reason: expect.stringMatching(/1 of 10 pods not seen: .*within 4 s/),
    });
  });

  test.concurrent('the upgrade itself is never answered: not all are waited for', async () => {
    const { connections, execs } = await diagnose(() => () => {}, ['--request-timeout', '4']);
    expect(execs).toBeLessThanOrEqual(5); // the first one alone, then what a node may have at once
    expect(connections).toMatchObject({
      state: 'unavailable',
      reason: expect.stringMatching(/no answer .*within 4 s/),
    });
  });

  test.concurrent('closes without a status', async () => {
    const { connections, execs } = await diagnose(answering((client) => client.close(1000)));
    expect(execs).toBe(10);
    expect(connections).toMatchObject({
      state: 'unavailable',
      reason: expect.stringMatching(/closed before ss had ended/),
    });
  });

  test.concurrent('cut in the middle of a row, frames for unknown streams, empty frames', async () => {
    const { connections, report } = await diagnose(
      answering((client) => {
        client.send(Buffer.alloc(0));
        client.send(frame(9, 'what'));
        client.send(frame(1, 'ESTAB 0 0 [::ffff:10.0.0.1]:50051 [::ffff:10.0'));
        client.terminate();
      }),
    );
    expect(connections.state).not.toBe('complete');
    expect(report.status.verdict.state).not.toBe('balanced');
  });

  test.concurrent('rubbish instead of ss output', async () => {
    const { connections, report } = await diagnose(() => `${'\u0000\u001b[2J'.repeat(500)}\nESTAB x y z\n`);
    expect(connections).toMatchObject({ state: 'unavailable', reason: 'the output of cat could not be read' });
    expect(report.status.verdict).toMatchObject({ state: 'skewed', basis: 'cpu' });
    expect(report.status.verdict.confidence).not.toBe('certain');
  });

  test.concurrent('the kubelet is gone', async () => {
    const { connections } = await diagnose(
      refused(
        '500 Internal Server Error',
        statusBody('error dialing backend: dial tcp 10.0.0.9:10250: connect: no route to host', 500, 'InternalError'),
      ),
    );
    expect(connections).toMatchObject({ state: 'unavailable', reason: expect.stringMatching(/error dialing backend/) });
  });

  test.concurrent('--no-exec', async () => {
    const { connections, execs } = await diagnose(null, ['--no-exec']);
    expect([connections.state, execs]).toEqual(['skipped', 0]);
  });
});

describe('metrics', () => {
  const usage = (report: Json): Json => report.status.signals.find((one: Json) => one.id === 'usage');

  test.concurrent('absent', async () => {
    const { report } = await diagnose(null, [], (cluster) =>
      cluster.on(/metrics\.k8s\.io/, (_, response) => void response.writeHead(404).end('404 page not found\n')),
    );
    expect(usage(report)).toMatchObject({
      state: 'unavailable',
      reason: 'this cluster has no metrics API (metrics.k8s.io)',
    });
    for (const pod of report.status.pods) expect(pod.cpuMillicores).toBeNull();
    expect(report.status.verdict).toMatchObject({ state: 'skewed', basis: 'bytes' });
  });

  test.concurrent('down', async () => {
    const { report } = await diagnose(null, [], (cluster) =>
      cluster.on(/metrics\.k8s\.io/, (_, response) => void response.writeHead(503).end('service unavailable\n')),
    );
    expect(usage(report).reason).toBe('the metrics API is registered but not answering (503)');
  });

  test.concurrent('empty', async () => {
    const { report } = await diagnose(null, [], (cluster) => {
      cluster.objects['metrics-pods'].items = [];
    });
    expect(usage(report)).toMatchObject({
      state: 'unavailable',
      reason: 'the metrics API has no data for these pods yet',
    });
  });

  test.concurrent('without some pods', async () => {
    let missing = '';
    const { report } = await diagnose(null, [], (cluster) => {
      const { items } = cluster.objects['metrics-pods'];
      missing = cluster.objects['endpointslices'].items[0].endpoints[0].targetRef.name;
      cluster.objects['metrics-pods'].items = items.filter((one: Json) => one.metadata.name !== missing);
    });
    expect(usage(report)).toMatchObject({ state: 'partial', reason: 'no data for 1 of 10 pods' });
    expect(report.status.pods.find((one: Json) => one.name === missing)).toMatchObject({ cpuMillicores: null });
  });
});

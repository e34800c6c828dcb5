import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Lab, startLab } from '../../src/lab/lab.ts';
import { clientOf, podNames } from './lab-client.ts';

const hasKubectl = (() => {
  try {
    execFileSync('kubectl', ['version', '--client'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

describe.skipIf(!hasKubectl)('plain kubectl works on the lab', () => {
  let lab: Lab;
  let home: string;
  let pod: string;

  beforeAll(async () => {
    home = mkdtempSync(join(tmpdir(), 'lab-home-'));
    lab = await startLab({ scenario: 'scale-up' });
    await lab.ready;
    [pod = ''] = await podNames(clientOf(lab, 'admin'), lab, 'echo');
  });

  afterAll(async () => {
    await lab.stop();
    rmSync(home, { recursive: true });
  });

  /** stdout and stderr of a kubectl call, whatever its exit code. */
  function kubectl(...args: readonly string[]): Promise<string> {
    const env = { PATH: process.env['PATH'], HOME: home, KUBECONFIG: lab.kubeconfigPath };
    return new Promise((resolve) => {
      execFile('kubectl', args, { env }, (_error, stdout, stderr) => resolve(stdout + stderr));
    });
  }

  const asViewer = ['--context', 'grpc-skew-lab-viewer'];
  const lines = (text: string) => text.trimEnd().split('\n');

  test('get endpointslices', async () => {
    const [header = '', row = ''] = lines(await kubectl('get', 'endpointslices'));
    expect(header.split(/ {2,}/)).toEqual(['NAME', 'ADDRESSTYPE', 'PORTS', 'ENDPOINTS', 'AGE']);
    expect(row).toMatch(
      /^echo-\w{5} +IPv4 +50051 +10\.244\.\d+\.\d+,10\.244\.\d+\.\d+,10\.244\.\d+\.\d+ \+ 7 more\.\.\. +30m$/,
    );
  });

  test('get svc', async () => {
    const [header = '', row = ''] = lines(await kubectl('get', 'svc'));
    expect(header.split(/ {2,}/)).toEqual(['NAME', 'TYPE', 'CLUSTER-IP', 'EXTERNAL-IP', 'PORT(S)', 'AGE']);
    expect(row).toMatch(/^echo +ClusterIP +10\.96\.\d+\.\d+ +<none> +50051\/TCP +30m$/);
  });

  test('get pods -o wide, by label', async () => {
    const [header = '', ...rows] = lines(await kubectl('get', 'pods', '-o', 'wide', '-l', 'app=echo'));
    expect(header.split(/ {2,}/)).toEqual(
      'NAME,READY,STATUS,RESTARTS,AGE,IP,NODE,NOMINATED NODE,READINESS GATES'.split(','),
    );
    expect(rows).toHaveLength(10);
    for (const row of rows) {
      expect(row).toMatch(/^echo-\w{10}-\w{5} +1\/1 +Running +0 +\w+ +10\.244\.\d+\.\d+ +lab-[12] +<none> +<none>$/);
    }
  });

  test('get deployments, replicasets, nodes and events', async () => {
    expect(await kubectl('get', 'deploy', 'echo')).toMatch(/\necho +10\/10 +10 +10 +3m\d*s?\n/);
    expect(await kubectl('get', 'rs', '-o', 'wide')).toMatch(
      /\necho-\w{10} +10 +10 +10 +\S+ +server +lab.local\S+ +app=echo/,
    );
    expect(await kubectl('get', 'nodes')).toMatch(/\nlab-1 +Ready +<none> +3d +v1.36.2\n/);
    expect(await kubectl('get', 'events')).toMatch(
      /Normal +ScalingReplicaSet +deployment\/echo +Scaled up replica set/,
    );
    expect(await kubectl('get', 'hpa')).toContain('No resources found in shop namespace.');
  });

  test('describe pod', async () => {
    const text = await kubectl('describe', 'pod', pod);
    expect(text).toMatch(/Readiness: +grpc <pod>:50051/);
    expect(text).toContain('Container started');
  });

  test('top pods: the busy ones stand out', async () => {
    const [header = '', ...rows] = lines(await kubectl('top', 'pods', '-l', 'app=echo'));
    expect(header.trim().split(/ {2,}/)).toEqual(['NAME', 'CPU(cores)', 'MEMORY(bytes)']);
    const millicores = rows.map((row) => Number(/(\d+)m /.exec(row)?.[1]));
    expect(millicores.filter((cpu) => cpu > 15)).toHaveLength(3);
    expect(millicores.filter((cpu) => cpu <= 3)).toHaveLength(7);
  });

  test('get --raw of a pod’s metrics', async () => {
    const text = await kubectl('get', '--raw', `/api/v1/namespaces/shop/pods/${pod}:9090/proxy/metrics`);
    expect(text).toMatch(/grpc_server_handled_total\{.*grpc_method="Whoami".*\} \d+/);
  });

  test('exec ss', async () => {
    const [header = '', ...rows] = lines(await kubectl('exec', pod, '--', 'ss', '-tn', 'state', 'established'));
    expect(header).toMatch(/^Recv-Q Send-Q +Local Address:Port +Peer Address:Port ?Process/);
    expect(rows.length).toBeGreaterThan(0);
    for (const row of rows) {
      expect(row).toMatch(/^\d+ +\d+ +\[::ffff:10\.244\.\d+\.\d+\]:(50051|9090) +\[::ffff:10\.244\.\d+\.\d+\]:\d+ *$/);
    }
  });

  test('exec of what the image lacks', async () => {
    expect(await kubectl('exec', pod, '--', 'netstat', '-tn')).toMatch(
      /^error: Internal error occurred: Internal error occurred: error executing command in container: failed to exec in container: failed to start exec "[0-9a-f]{64}": OCI runtime exec failed: exec failed: unable to start container process: exec: "netstat": executable file not found in \$PATH\n$/,
    );
  });

  test('auth can-i', async () => {
    const exec = ['auth', 'can-i', 'create', 'pods', '--subresource=exec'];
    expect(await kubectl(...exec)).toMatch(/^yes\n/);
    expect(await kubectl(...asViewer, ...exec)).toMatch(/^no\n/);
    expect(await kubectl(...asViewer, 'auth', 'can-i', 'list', 'endpointslices.discovery.k8s.io')).toMatch(/^yes/);
  });

  test('the viewer sees what it may, and is told what it may not', async () => {
    expect(lines(await kubectl(...asViewer, 'get', 'pods'))).toHaveLength(15);
    expect(await kubectl(...asViewer, 'top', 'pods')).toContain(
      'pods.metrics.k8s.io is forbidden: User "viewer" cannot list resource "pods" in API group "metrics.k8s.io" in the namespace "shop"',
    );
    expect(await kubectl(...asViewer, 'get', 'deployments')).toContain(
      'deployments.apps is forbidden: User "viewer" cannot list resource "deployments" in API group "apps" in the namespace "shop"',
    );
    // In the words of the request that kubectl tries last: create for SPDY, get for WebSocket.
    expect(await kubectl(...asViewer, 'exec', pod, '--', 'ss')).toMatch(
      /pods "echo-\w+-\w+" is forbidden: User "viewer" cannot (create|get) resource "pods\/exec" in API group "" in the namespace "shop"/,
    );
  });
});

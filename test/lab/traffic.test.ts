import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { claimAddressBlock, grpcPort, realAddress } from '../../src/lab/addresses.ts';
import { planCluster, podsOf } from '../../src/lab/cluster.ts';
import { type Lab, type LabOptions, startLab } from '../../src/lab/lab.ts';
import { seededRandom } from '../../src/lab/random.ts';
import { parametersOf, scenarioOf } from '../../src/lab/scenarios.ts';
import { startEchoClient } from '../../src/lab/traffic/echo-client.ts';
import { startEchoServer } from '../../src/lab/traffic/echo-server.ts';
import { clientOf, fixtureText, type LabClient, podNames, stdoutOf } from './lab-client.ts';

const listSockets = ['ss', '-tnH', 'state', 'established', '(', 'sport', '=', ':50051', ')'];

/** The clients connected to a server pod as exec shows them: address and port of each. */
async function peersOf(admin: LabClient, lab: Lab, pod: string): Promise<readonly string[]> {
  const rows = (await stdoutOf(admin, lab, pod, listSockets)).split('\n').filter((row) => row !== '');
  const peers = rows.map((row) => /\[::ffff:(10\.244\.\d+\.\d+)\]:(\d+) *$/.exec(row));
  return peers.filter((match) => !match?.[1]?.endsWith('.1')).map((match) => `${match?.[1]}:${match?.[2]}`);
}

/** Calls by server pod, summed over what the client pods themselves have counted. */
async function callsByServer(admin: LabClient, lab: Lab): Promise<ReadonlyMap<string, number[]>> {
  const counts = new Map<string, number[]>();
  for (const client of await podNames(admin, lab, 'client')) {
    const page = await admin.get(`/api/v1/namespaces/shop/pods/${client}:9090/proxy/metrics`);
    for (const [, server = '', count] of page.body.matchAll(/lab_client_calls_total\{server="(.*)"\} (\d+)/g)) {
      counts.set(server, [...(counts.get(server) ?? []), Number(count)]);
    }
  }
  return counts;
}

async function connectionsByPod(admin: LabClient, lab: Lab): Promise<Readonly<Record<string, number>>> {
  const entries = (await podNames(admin, lab, 'echo')).map(
    async (pod) => [pod, (await peersOf(admin, lab, pod)).length] as const,
  );
  return Object.fromEntries(await Promise.all(entries));
}

async function withLab<T>(options: LabOptions, use: (admin: LabClient, lab: Lab) => Promise<T>): Promise<T> {
  const lab = await startLab(options);
  try {
    return await use(clientOf(lab, 'admin'), lab);
  } finally {
    await lab.stop();
  }
}

describe('scale-up with its default parameters', () => {
  let lab: Lab;
  let admin: LabClient;
  let connections: Readonly<Record<string, number>>;

  beforeAll(async () => {
    lab = await startLab({ scenario: 'scale-up' });
    admin = clientOf(lab, 'admin');
    await lab.ready;
    connections = await connectionsByPod(admin, lab);
  });
  afterAll(() => lab.stop());

  test('places 2, 1 and 1 connections on the three first pods, and says so', () => {
    expect(Object.values(connections).toSorted()).toEqual([0, 0, 0, 0, 0, 0, 0, 1, 1, 2]);
    expect(lab.description).toContain('placed');
  });

  test('sockets seen by exec are those that the clients count calls on', async () => {
    const busy = Object.entries(connections).filter(([, count]) => count > 0);
    const counted = [...(await callsByServer(admin, lab))].map(([server, counts]) => [server, counts.length]);
    expect(counted.toSorted()).toEqual(busy.toSorted());
  });

  test('a server sees the client pod’s own address and port, as behind DNAT', async () => {
    const { items } = await admin.json('/api/v1/namespaces/shop/pods?labelSelector=app%3Dclient');
    const seen = (
      await Promise.all((await podNames(admin, lab, 'echo')).map((pod) => peersOf(admin, lab, pod)))
    ).flat();
    const dialled = await Promise.all(
      (items as { metadata: { name: string } }[]).map(async ({ metadata }) => {
        const text = await stdoutOf(admin, lab, metadata.name, ['ss', '-tnH', 'state', 'established']);
        const [row = '', ...others] = text.split('\n').filter((line) => line.includes(':50051'));
        expect(others).toEqual([]);
        expect(row).toMatch(/ 10\.96\.\d+\.\d+:50051 *$/);
        return /(10\.244\.\d+\.\d+:\d+) /.exec(row)?.[1];
      }),
    );
    expect(seen.toSorted()).toEqual(dialled.toSorted());
  });

  test('/proc/net/tcp6 shows the same connections', async () => {
    const [busy = ''] = Object.entries(connections).find(([, count]) => count === 2) ?? [];
    const text = await stdoutOf(admin, lab, busy, ['cat', '/proc/net/tcp', '/proc/net/tcp6']);
    const rows = [
      ...text.matchAll(/^ +\d+: 0{16}FFFF0000([0-9A-F]{8}):C383 0{16}FFFF0000([0-9A-F]{8}):([0-9A-F]{4}) 01/gm),
    ];
    const peers = rows.map(([, , address = '', port = '']) => {
      const bytes = (address.match(/../g) ?? []).reverse().map((byte) => Number.parseInt(byte, 16));
      return `${bytes.join('.')}:${Number.parseInt(port, 16)}`;
    });
    expect(peers.filter((peer) => !/\.1:/.test(peer)).toSorted()).toEqual((await peersOf(admin, lab, busy)).toSorted());
    expect(text).toMatch(/^ +\d+: 0{32}:C383 0{32}:0000 0A /m);
  });

  test('each connection carries the bytes of its age', async () => {
    for (const pod of await podNames(admin, lab, 'echo')) {
      const text = await stdoutOf(admin, lab, pod, ['ss', '-tniH', 'state', 'established', '( sport = :50051 )']);
      for (const block of text.split(/\n(?!\t)/).filter((one) => one.includes('bytes_received'))) {
        if (/10\.244\.\d+\.1\]:/.test(block)) continue;
        const received = Number(/bytes_received:(\d+)/.exec(block)?.[1]);
        const secondsAtSixCalls = received / (50 * 6);
        expect(secondsAtSixCalls).toBeGreaterThan(150);
        expect(secondsAtSixCalls).toBeLessThan(300);
      }
    }
  });

  test('metrics pages have the recorded series', async () => {
    const series = (page: string) => page.split('\n').map((line) => line.replace(/ [\d.]+$/, ' N'));
    const pods = await podNames(admin, lab, 'echo');
    const counts = await callsByServer(admin, lab);
    const page = async (pod: string) =>
      series((await admin.get(`/api/v1/namespaces/shop/pods/${pod}:9090/proxy/metrics`)).body);
    const busy = await page(pods.find((pod) => counts.has(pod)) ?? '');
    const probed = /Check/;
    const without = (lines: readonly string[]) => lines.filter((line) => !probed.test(line));
    expect(without(busy)).toEqual(without(series(fixtureText('text/metrics-busy.txt'))));
    const idle = await page(pods.find((pod) => !counts.has(pod)) ?? '');
    expect(without(idle)).toEqual(without(series(fixtureText('text/metrics-idle.txt'))));
  });

  test('kubelets probe, and count their probes', async () => {
    const form = (page: string) =>
      new Set(
        page
          .split('\n')
          .filter((line) => line !== '' && !line.includes('failed') && !line.includes('Liveness'))
          .map((line) => line.replace(/namespace="[^"]*"/, 'namespace=""').replace(/pod(_uid)?="[^"]*"/g, 'pod$1=""'))
          .map((line) => line.replace(/ [\d.e-]+$/, ' N')),
      );
    await vi.waitFor(
      async () => {
        const page = await admin.get('/api/v1/nodes/lab-1/proxy/metrics/probes');
        expect(form(page.body)).toEqual(form(fixtureText('text/probes.txt')));
      },
      { timeout: 8000, interval: 100 },
    );
  });
});

describe('placement', () => {
  test('with a seed it is left to chance, and can be had again', async () => {
    const options = { scenario: 'scale-up', seed: 11, clients: 9, to: 4 };
    const [first, second, other] = await Promise.all([
      withLab(options, connectionsByPod),
      withLab(options, (admin, lab) => {
        expect(lab.description).toContain('not placed');
        return connectionsByPod(admin, lab);
      }),
      withLab({ ...options, seed: 12 }, connectionsByPod),
    ]);
    expect(second).toEqual(first);
    expect(Object.values(other)).not.toEqual(Object.values(first));
    expect(Object.values(first).reduce((sum, count) => sum + count, 0)).toBe(9);
    expect(Object.values(first).filter((count) => count > 0).length).toBeLessThanOrEqual(3);
  });

  test('three connections, 3 to 10 pods: seven stay at 0', async () => {
    await withLab({ scenario: 'scale-up', clients: 3 }, async (admin, lab) => {
      await lab.ready;
      const pages = await Promise.all(
        (await podNames(admin, lab, 'echo')).map((pod) =>
          admin.get(`/api/v1/namespaces/shop/pods/${pod}:9090/proxy/metrics`),
        ),
      );
      expect(pages.filter(({ body }) => !body.includes('Whoami'))).toHaveLength(7);
    });
  });

  test('balanced: every client has one connection to each pod', async () => {
    await withLab({ scenario: 'balanced' }, async (admin, lab) => {
      await lab.ready;
      expect(Object.values(await connectionsByPod(admin, lab))).toEqual([3, 3, 3, 3]);
    });
  });

  test('pick-first: one connection a client', async () => {
    await withLab({ scenario: 'pick-first' }, async (admin, lab) => {
      const counts = Object.values(await connectionsByPod(admin, lab));
      expect(counts.reduce((sum, count) => sum + count, 0)).toBe(3);
    });
  });

  test('no-ss: the socket tables remain', async () => {
    await withLab({ scenario: 'no-ss' }, async (admin, lab) => {
      const [pod = ''] = await podNames(admin, lab, 'echo');
      expect(await stdoutOf(admin, lab, pod, listSockets)).toBe('');
      expect(await stdoutOf(admin, lab, pod, ['cat', '/proc/net/tcp6'])).toContain(':C383');
    });
  });

  test('no-rights: the current context may not exec', async () => {
    await withLab({ scenario: 'no-rights' }, async (_admin, lab) => {
      expect(lab.contextName).toBe('grpc-skew-lab-viewer');
      expect((await clientOf(lab, 'viewer').get('/api/v1/namespaces/shop/events')).status).toBe(403);
    });
  });
});

describe('60 calls to 3 addresses', () => {
  test.each([
    ['pick_first', (counts: readonly number[]) => expect(counts.toSorted()).toEqual([0, 0, 60])],
    [
      'round_robin',
      (counts: readonly number[]) => {
        for (const count of counts) expect(count).toBeGreaterThanOrEqual(18);
        for (const count of counts) expect(count).toBeLessThanOrEqual(22);
      },
    ],
  ] as const)('%s', async (policy, check) => {
    const block = await claimAddressBlock();
    const scenario = scenarioOf('balanced');
    const parameters = parametersOf(scenario, { from: 3, clients: 1 });
    const cluster = planCluster(scenario, parameters, block.number, Date.now(), seededRandom(1));
    const servers = await Promise.all(podsOf(cluster.server).map((pod) => startEchoServer(pod)));
    const [pod] = podsOf(cluster.client);
    if (!pod) throw new Error('no client pod');
    const addresses = servers.map(({ pod: { ip } }) => ({
      host: realAddress(ip),
      port: grpcPort,
      localAddress: realAddress(pod.ip),
    }));
    const lookup = vi.fn(() => addresses);
    const client = await startEchoClient({
      pod,
      target: 'echo.shop:50051',
      policy,
      channels: [{ lookup, weight: 1, backends: 1 }],
    });
    const connected = policy === 'pick_first' ? 1 : 3;
    await vi.waitFor(async () => {
      await client.call();
      expect(client.callsByServer.size).toBe(connected);
    });
    const before = servers.map((server) => server.calls());
    for (let call = 0; call < 60; call += 1) await client.call();
    check(servers.map((server, index) => server.calls() - (before[index] ?? 0)));
    expect(servers.flatMap((server) => [...server.callsByPeer.keys()])).toHaveLength(connected);
    expect(lookup).toHaveBeenCalledTimes(1); // asked again only when a connection breaks
    await client.close();
    await Promise.all(servers.map((server) => server.close()));
    await block.release();
  });
});

import { describe, expect, it } from 'vitest';
import { exitCodeForAll } from '../../src/cli/exit-codes.ts';
import { takeScan } from '../../src/commands/scan.ts';
import { renderScan } from '../../src/render/scan.ts';
import type { ScanOrder } from '../../src/report/ids.ts';
import type { ScanItem, SkewScan } from '../../src/report/scan.ts';
import { sortedBy } from '../../src/scan/rank.ts';
import { forbidden } from '../kube/forbidden.ts';
import { apiPod, type FakePages, fakePages } from '../probes/cluster.ts';

const pipe = { env: { LANG: 'C.UTF-8' }, stdoutIsTerminal: false, columns: null };

interface Made {
  readonly name: string;
  readonly namespace?: string;
  /** Millicores of each pod, of a limit of a core. */
  readonly cpu: readonly number[];
  /** Restarts of the first pod, just now. */
  readonly restarts?: number;
  readonly port?: object;
}

const serverTime = '2026-03-01T11:59:50Z';

/** Services as the API lists them, with their pods, slices and usage. */
function cluster(services: readonly Made[]): FakePages {
  const of = <T>(make: (one: Made, namespace: string) => readonly T[]) =>
    services.flatMap((one) => make(one, one.namespace ?? 'shop'));
  const podsOf = ({ name, cpu }: Made) => cpu.map((_, index) => `${name}-${index}`);
  return {
    lists: {
      services: () =>
        of((one, namespace) => [
          {
            metadata: { name: one.name, namespace },
            spec: {
              type: 'ClusterIP',
              clusterIP: '10.96.0.7',
              selector: { app: one.name },
              ports: [{ name: 'grpc', port: 80, targetPort: 50_051, protocol: 'TCP', ...one.port }],
            },
          },
        ]),
      pods: () =>
        of((one, namespace) =>
          podsOf(one).map((name, index) => {
            const pod = apiPod(name, {}, { namespace, workload: one.name }) as unknown as {
              metadata: object;
              spec: { containers: [object] };
              status: { containerStatuses: [object] };
            };
            const [container] = pod.spec.containers;
            const [status] = pod.status.containerStatuses;
            const lastState = { terminated: { reason: 'Error', exitCode: 1, finishedAt: '2026-03-01T11:55:00Z' } };
            const restarted = index === 0 && one.restarts ? { restartCount: one.restarts, lastState } : {};
            return {
              metadata: { ...pod.metadata, labels: { app: one.name, 'pod-template-hash': 'abc' } },
              spec: {
                ...pod.spec,
                containers: [{ ...container, ports: [{ containerPort: 50_051 }], resources: { limits: { cpu: '1' } } }],
              },
              status: { ...pod.status, containerStatuses: [{ ...status, ...restarted }] },
            };
          }),
        ),
      endpointslices: () =>
        of((one, namespace) => [
          {
            metadata: { name: `${one.name}-x`, namespace, labels: { 'kubernetes.io/service-name': one.name } },
            addressType: 'IPv4',
            ports: [{ name: 'grpc', port: 50_051, protocol: 'TCP', ...one.port }],
            endpoints: podsOf(one).map((name, index) => ({
              addresses: [`10.244.0.${index + 1}`],
              conditions: { ready: true },
              targetRef: { kind: 'Pod', name, namespace, uid: `uid-${name}` },
            })),
          },
        ]),
      'metrics-pods': () =>
        of((one, namespace) =>
          podsOf(one).map((name, index) => ({
            metadata: { name, namespace },
            timestamp: serverTime,
            window: '15s',
            containers: [{ name: one.name, usage: { cpu: `${one.cpu[index]}m`, memory: '10Mi' } }],
          })),
        ),
    },
  };
}

async function scanOf(
  pages: FakePages,
  namespace: string | null = null,
): Promise<{ readonly scan: SkewScan; readonly asked: readonly string[]; readonly said: readonly string[] }> {
  const { kube, asked } = fakePages(pages);
  const said: string[] = [];
  const { signal } = new AbortController();
  const taken = await takeScan({
    kube,
    signal,
    namespace,
    connections: null,
    now: () => 0,
    wait: async () => {},
    say: (text) => said.push(text),
  });
  if (!taken.ok) throw new Error(taken.error.message);
  return { scan: taken.value, asked, said };
}

const services: readonly Made[] = [
  { name: 'even', cpu: [100, 101, 99, 100] },
  { name: 'skewed', cpu: [200, 5, 5, 5] },
  { name: 'near', namespace: 'bank', cpu: [900, 20, 20, 20] },
  { name: 'restarting', namespace: 'bank', cpu: [900, 20, 20, 20], restarts: 3 },
  { name: 'single', cpu: [50] },
  { name: 'web', cpu: [200, 5], port: { name: 'http', targetPort: 8080 } },
];

describe('a scan', () => {
  it('ranks by harm × skew: restarts, then limits, then unevenness, then what is well', async () => {
    const { scan } = await scanOf(cluster(services));
    expect(scan.status).toMatchObject({ services: 6, looksLikeGrpc: 5, skipped: [] });
    expect(scan.status.items.map(({ name, state, basis, impact }) => [name, state, basis, impact.level])).toEqual([
      ['restarting', 'skewed', 'cpu', 'harm'],
      ['near', 'skewed', 'cpu', 'risk'],
      ['skewed', 'skewed', 'cpu', 'none'],
      ['single', 'not-load-balancing', 'cpu', 'none'],
      ['even', 'balanced', 'cpu', 'none'],
    ]);
    expect(scan.status.items[0]).toMatchObject({
      namespace: 'bank',
      port: { name: 'grpc', port: 80 },
      sign: 'port-name',
      confidence: 'likely',
      pods: 4,
      hottest: { pod: 'restarting-0', cpuMillicores: 900, cpuPart: 0.9 },
      restarts: 3,
      execs: 0,
    });
    // 960² / (900² + 3 × 20²) = 1.136 of 4 pods: three times 1 − 0.284.
    expect(scan.status.items[0]?.effectivePods).toBe(1.14);
    expect(scan.status.items[0]?.score).toBe(2.145);
  });

  it('costs one list of each kind, and runs nothing in any pod', async () => {
    const { asked } = await scanOf(cluster(services));
    expect(asked).toEqual([
      '/api/v1/services',
      '/api/v1/pods',
      '/apis/discovery.k8s.io/v1/endpointslices',
      '/apis/metrics.k8s.io/v1beta1/pods',
    ]);
    const inOne = await scanOf(cluster(services), 'shop');
    expect(inOne.asked).toHaveLength(4);
    expect(inOne.asked.every((path) => path.includes('/namespaces/shop/'))).toBe(true);
  });

  it('tells pods of one name in two namespaces apart', async () => {
    const twice = ['a', 'b'].map((namespace, index) => ({
      name: 'echo',
      namespace,
      cpu: index === 0 ? [200, 5, 5, 5] : [100, 100, 100, 100],
    }));
    const { scan } = await scanOf(cluster(twice));
    expect(scan.status.items.map(({ namespace, state }) => [namespace, state])).toEqual([
      ['a', 'skewed'],
      ['b', 'balanced'],
    ]);
  });

  it('says how many were looked at, while it runs and in the end', async () => {
    const { scan, said } = await scanOf(cluster(services.slice(0, 2)));
    expect(said).toEqual(['2 services, 2 look like gRPC']);
    expect(renderScan(scan, { output: 'table', color: 'never' }, pipe)).toMatchInlineSnapshot(`
      "made-up / all namespaces  2026-03-01 12:00:00 UTC
      2 services looked at, 2 of them look like gRPC

      SERVICE         STATE     BY   PODS-USED  HOTTEST  RESTARTS  HARM  SURE
      shop/skewed:80  skewed    cpu      1.2/4     20 %         0  none  likely
      shop/even:80    balanced  cpu        4/4     10 %         0  none  likely

      worst       shop/skewed: 4 pods do the work of 1.2: 3 are idle; hottest pod at
                  20 % of its CPU limit, no restarts
                  kubectl grpc-skew svc/skewed -n shop --context made-up --port 80

      not seen    connections: a scan runs no command in any pod; --connections does
      "
    `);
    // Wide: what had no room goes on below, with the name again.
    expect(renderScan(scan, { output: 'wide', color: 'never' }, pipe)).toMatch(
      /^SERVICE +LOOKS-GRPC\nshop\/skewed:80 +\S+\nshop\/even:80 +\S+$/m,
    );
  });

  it('is unknown without the metrics API, and says what is missing', async () => {
    const error = forbidden(
      'User "jo" cannot list resource "pods" in API group "metrics.k8s.io" in the namespace "shop"',
    );
    const pages = cluster(services.slice(0, 1));
    const { scan } = await scanOf({ ...pages, lists: { ...pages.lists, 'metrics-pods': () => error } });
    expect(scan.status.items[0]).toMatchObject({
      state: 'unknown',
      basis: null,
      effectivePods: null,
      hottest: null,
      score: 0,
    });
    expect(scan.status.signals[0]).toMatchObject({
      id: 'usage',
      state: 'forbidden',
      needs: 'list pods.metrics.k8s.io',
    });
  });

  it('calls nothing the worst where nothing is known to be uneven, and names what would settle it', async () => {
    const { scan } = await scanOf(cluster(services.slice(0, 1)));
    const [one] = scan.status.items;
    const render = (...items: readonly object[]) =>
      renderScan(
        { ...scan, status: { ...scan.status, items: items.map((item) => ({ ...(one as ScanItem), ...item })) } },
        { output: 'table', color: 'never' },
        { ...pipe, columns: 200 },
      );
    const open = { state: 'unknown', summary: 'not enough was seen' };
    const ports = [80, 81].map((port) => ({ ...open, port: { name: null, port } }));
    const shared = render(...ports);
    expect(shared).not.toContain('worst');
    expect(shared).toMatch(/not known +shop\/even: its 2 ports share the CPU of the pods/);
    expect(shared).toMatch(/^ +kubectl grpc-skew scan -n shop --context made-up --connections$/m);
    // One port alone shares with none, and without CPU that is not the reason.
    expect(render(open)).toMatch(/not known +shop\/even: not enough was seen;/);
    expect(render(...ports.map((port) => ({ ...port, hottest: null })))).not.toContain('share the CPU');
    // What was looked into already is worth a look of its own.
    expect(render({ ...open, execs: 4 })).toMatch(
      /^ +kubectl grpc-skew svc\/even -n shop --context made-up --port 80$/m,
    );
    expect(render({ state: 'balanced' })).not.toMatch(/worst|not known/);
    expect(render({ state: 'balanced' }, { state: 'skewed' })).toContain('worst');
  });

  it('is an empty list where nothing looks like gRPC', async () => {
    const { scan } = await scanOf(cluster([]));
    expect(scan.status).toMatchObject({ services: 0, looksLikeGrpc: 0, items: [] });
    expect(renderScan(scan, { output: 'table', color: 'never' }, pipe)).toContain(
      '0 services looked at, 0 of them look',
    );
  });

  it('reaches no terminal as an escape sequence', async () => {
    const hostile = cluster([{ name: 'a\u001b[2Jb', cpu: [200, 5, 5, 5] }]);
    const { scan } = await scanOf(hostile);
    for (const output of ['table', 'json', 'yaml', 'name'])
      expect(renderScan(scan, { output, color: 'never' }, pipe)).not.toContain('\u001b');
  });
});

describe('the order that is asked for', () => {
  it.each<[ScanOrder, string[]]>([
    ['harm', ['restarting', 'near', 'skewed', 'single', 'even']],
    // 900 of 960 millicores on one of four is 1.1 pods, 200 of 215 a little more; the other two use all they have.
    ['pods-used', ['restarting', 'near', 'skewed', 'single', 'even']],
    // Of a core: 0.9, 0.9, 0.2, 0.1, 0.05.
    ['hottest', ['restarting', 'near', 'skewed', 'even', 'single']],
    ['restarts', ['restarting', 'near', 'skewed', 'single', 'even']],
    // balanced, single-pod, skewed.
    ['state', ['even', 'single', 'restarting', 'near', 'skewed']],
    // Those of bank first.
    ['name', ['near', 'restarting', 'even', 'single', 'skewed']],
  ])('%s', async (order, names) => {
    const { items } = (await scanOf(cluster(services))).scan.status;
    expect(sortedBy(items.toReversed(), order).map(({ name }) => name)).toEqual(names);
  });

  it('has what is not known last', async () => {
    const [skewed, even] = (await scanOf(cluster([...services.slice(0, 2)]))).scan.status.items;
    if (skewed === undefined || even === undefined) throw new Error('both look like gRPC');
    const open = { ...skewed, name: 'open', effectivePods: null, hottest: null, score: 0 };
    for (const order of ['pods-used', 'hottest'] as const)
      expect(sortedBy([open, even, skewed], order).map(({ name }) => name)).toEqual(['skewed', 'even', 'open']);
  });
});

describe('as scripts read it', () => {
  const render = (scan: SkewScan, output: string, headers: boolean) =>
    renderScan(scan, { output, color: 'never', headers }, { ...pipe, columns: 60 });

  it('--no-headers: a row for each with every column, however narrow the terminal', async () => {
    const long = 'a-service-whose-name-is-as-long-as-those-of-charts-that-repeat-it';
    const { scan } = await scanOf(cluster([...services, { name: long, cpu: [100, 100] }]));
    for (const output of ['table', 'wide']) {
      const rows = render(scan, output, false).trimEnd().split('\n');
      expect(rows.map((row) => row.split(/ {2,}/).length)).toEqual(Array(6).fill(9));
      expect(rows[0]).toMatch(
        /^bank\/restarting:80 {2,}skewed {2,}cpu {2,}1\.\d\/4 {2,}90 % {2,}3 {2,}harm {2,}likely/,
      );
      expect(rows.some((row) => row.startsWith(`shop/${long}:80 `))).toBe(true);
    }
    expect(render({ ...scan, status: { ...scan.status, items: [] } }, 'table', false)).toBe('');
  });

  it('-o name: each Service once, as other commands take it', async () => {
    const { scan } = await scanOf(cluster(services));
    const twice = { ...scan, status: { ...scan.status, items: [...scan.status.items, ...scan.status.items] } };
    for (const headers of [true, false])
      expect(render(twice, 'name', headers)).toBe(
        ['restarting', 'near', 'skewed', 'single', 'even'].map((name) => `service/${name}\n`).join(''),
      );
  });
});

describe('the exit code of several states', () => {
  it.each([
    [['balanced', 'skewed', 'unknown'], ['skewed'], 3],
    [['balanced', 'unknown'], ['skewed'], 4],
    [['balanced', 'no-traffic'], ['skewed'], 0],
    [['no-traffic'], ['skewed', 'no-traffic'], 3],
    [['skewed', 'unknown'], null, 0],
    [[], ['skewed'], 0],
  ] as const)('%j with --fail-on %j: %i', (found, failOn, code) => {
    expect(
      exitCodeForAll(
        found.map((state) => ({ state })),
        failOn,
      ),
    ).toBe(code);
  });
});

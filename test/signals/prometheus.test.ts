import { describe, expect, it } from 'vitest';
import type { Pod } from '../../src/evidence/objects.ts';
import { podPattern, podsQuery } from '../../src/signals/prometheus/ask.ts';
import { readHistory, readPodMetrics, readPromCalls, readPromProbes } from '../../src/signals/prometheus/read.ts';
import { readPrometheusPods, readPrometheusServices } from '../../src/signals/prometheus/services.ts';
import type { Series } from '../../src/signals/read/prometheus-answer.ts';
import { buildEvidence, type PodPlan, pods } from '../diagnose/build.ts';
import { nowMs } from '../diagnose/build-looks.ts';

const now = nowMs / 1000;
const podsOf = (plans: readonly PodPlan[]): Pod[] => buildEvidence({ pods: plans }).pods ?? [];

/** A series with a sample every 15 s of the last two minutes, growing by `perSecond`. */
function grows(labels: Readonly<Record<string, string>>, perSecond: number, start = 1000): Series {
  const samples = [120, 105, 90, 75, 60, 45, 30, 15, 0].map(
    (ago) => [now - ago, start + perSecond * (120 - ago)] as const,
  );
  return { name: labels['__name__'] ?? '', labels: new Map(Object.entries(labels)), samples };
}
const bytes = (pod: string, perSecond: number, more: Readonly<Record<string, string>> = {}) =>
  grows(
    { __name__: 'container_network_receive_bytes_total', namespace: 'shop', pod, interface: 'eth0', ...more },
    perSecond,
  );
const handled = (pod: string, perSecond: number, more: Readonly<Record<string, string>> = {}) =>
  grows(
    {
      __name__: 'grpc_server_handled_total',
      namespace: 'shop',
      pod,
      grpc_service: 'shop.Echo',
      grpc_method: 'Say',
      job: 'echo',
      ...more,
    },
    perSecond,
  );
const up = (pod: string, more: Readonly<Record<string, string>> = {}): Series => {
  const of = grows({ __name__: 'up', namespace: 'shop', pod, job: 'echo', ...more }, 0, 1);
  return of;
};

describe('which series are of which pod', () => {
  const [echo0, echo1] = podsOf(pods(2));
  const both = [echo0, echo1].flatMap((pod) => pod ?? []);
  const rates = (series: readonly Series[], of: readonly Pod[] = both) =>
    readPodMetrics(series, of).traffic.map((entry) => [
      entry.pod,
      entry.bytes / ((Date.parse(entry.to) - Date.parse(entry.from)) / 1000),
    ]);

  it('is told by namespace and name', () => {
    expect(
      rates([bytes('echo-0', 500), bytes('echo-1', 70), bytes('echo-0', 9, { namespace: 'other' }), bytes('web-0', 3)]),
    ).toEqual([
      ['echo-0', 500],
      ['echo-1', 70],
    ]);
  });

  it('all interfaces but loopback count together', () => {
    expect(
      rates([
        bytes('echo-0', 500),
        bytes('echo-0', 20, { interface: 'net1' }),
        bytes('echo-0', 900, { interface: 'lo' }),
      ]),
    ).toEqual([['echo-0', 520]]);
  });

  it('samples from before the pod was created do not count: they are of one with its name', () => {
    // Created 40 s ago: of the samples every 15 s those 30, 15 and 0 s ago are its own.
    const young = podsOf([{ name: 'echo-0', ageSeconds: 40 }]);
    const [traffic] = readPodMetrics([bytes('echo-0', 100)], young).traffic;
    expect(traffic).toMatchObject({ bytes: 3000, from: new Date(nowMs - 30_000).toISOString() });
  });

  it('a series that ended two minutes before the newest one is of a pod that is not scraped any more', () => {
    const ended = {
      ...bytes('echo-0', 100),
      samples: [
        [now - 290, 1],
        [now - 150, 9],
      ] as const,
    };
    expect(rates([ended, bytes('echo-1', 70)])).toEqual([['echo-1', 70]]);
  });

  it('a uid in a label or in the path of the control group must be the pod’s', () => {
    const uid = '1a2b3c4d-0000-4000-8000-000000000001';
    const own = { ...(echo0 as Pod), uid };
    const path = (of: string) =>
      `/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod${of.replaceAll('-', '_')}.slice`;
    expect(rates([bytes('echo-0', 5, { id: path(uid) })], [own])).toEqual([['echo-0', 5]]);
    expect(rates([bytes('echo-0', 5, { id: path(uid.replace('1a', '9f')) })], [own])).toEqual([]);
    expect(rates([bytes('echo-0', 5, { uid: 'another' })], [own])).toEqual([]);
  });

  it('a pod that is scraped twice counts once, by the way that knows most pods', () => {
    const twice = [
      bytes('echo-0', 500, { job: 'kubelet' }),
      bytes('echo-1', 70, { job: 'kubelet' }),
      bytes('echo-0', 498, { job: 'cadvisor' }),
    ];
    expect(rates(twice)).toEqual([
      ['echo-0', 500],
      ['echo-1', 70],
    ]);
  });

  it('as many series as an answer can hold are read to the end: of a way each, or of one pod', () => {
    const many = (count: number, pod: (index: number) => string, more: (index: number) => Record<string, string>) =>
      Array.from({ length: count }, (_, index) => ({
        ...bytes(pod(index), 1, more(index)),
        samples: [
          [now - 60, 1],
          [now, 61],
        ] as const,
      }));
    const pod = (index: number) => `echo-${index % 2}`;
    expect(rates(many(40_000, pod, (index) => ({ job: `${index % 2}-${index}` })))).toEqual([
      ['echo-0', 1],
      ['echo-1', 1],
    ]);
    const interfaces = many(
      150_000,
      () => 'echo-0',
      (index) => ({ interface: `eth${index}` }),
    );
    expect(rates(interfaces)).toEqual([['echo-0', 150_000]]);
  });

  it('sums and rates are no more than a record can hold', () => {
    const [pod] = both;
    const jumps = (labels: Readonly<Record<string, string>>) => ({
      ...bytes('echo-0', 1, labels),
      name: labels['__name__'] ?? '',
      samples: [
        [now - 60, -1e20],
        [now, 1e20],
      ] as const,
    });
    const read = readPodMetrics(
      [
        jumps({ __name__: 'container_network_receive_bytes_total', interface: 'a' }),
        jumps({ __name__: 'container_network_receive_bytes_total', interface: 'b' }),
        jumps({ __name__: 'container_cpu_usage_seconds_total', container: pod?.containers[0]?.name ?? '' }),
      ],
      both,
    );
    expect([read.traffic[0]?.bytes, read.usage[0]?.containers[0]?.cpuMillicores]).toEqual([1e20, 1e20]);
  });

  it('of several clusters it is the one that knows most of these pods', () => {
    const series = [
      bytes('echo-0', 5, { cluster: 'a' }),
      bytes('echo-1', 7, { cluster: 'a' }),
      bytes('echo-0', 900, { cluster: 'b' }),
    ];
    expect(rates(series)).toEqual([
      ['echo-0', 5],
      ['echo-1', 7],
    ]);
  });

  it('where two clusters know all of them nothing is taken, and that is said', () => {
    const series = ['a', 'b'].flatMap((cluster) => [bytes('echo-0', 5, { cluster }), bytes('echo-1', 7, { cluster })]);
    expect(readPodMetrics(series, both)).toMatchObject({
      traffic: [],
      problem: 'it knows pods of these names in several clusters',
    });
  });

  it('a pod on the network of its node shows the node: its traffic does not count, its CPU does', () => {
    const host = podsOf([{ name: 'echo-0', pod: { hostNetwork: true } }]);
    const cpu = grows(
      { __name__: 'container_cpu_usage_seconds_total', namespace: 'shop', pod: 'echo-0', container: 'server' },
      0.25,
    );
    const read = readPodMetrics([bytes('echo-0', 5000), cpu], host);
    expect(read.traffic).toEqual([]);
    expect(read.usage[0]?.containers).toMatchObject([{ name: 'server', cpuMillicores: 250 }]);
  });
});

describe('CPU and throttling', () => {
  const of = (name: string, perSecond: number) =>
    grows({ __name__: name, namespace: 'shop', pod: 'echo-0', container: 'server' }, perSecond);

  it('are rates of the container', () => {
    // 10 periods a second, in 4 of them it was held back: 40 %.
    const read = readPodMetrics(
      [
        of('container_cpu_usage_seconds_total', 0.9),
        of('container_cpu_cfs_periods_total', 10),
        of('container_cpu_cfs_throttled_periods_total', 4),
        { ...of('container_memory_working_set_bytes', 0), samples: [[now, 64 * 2 ** 20]] },
      ],
      podsOf([{ name: 'echo-0' }]),
    );
    const [server] = read.usage[0]?.containers ?? [];
    expect(server?.cpuMillicores).toBeCloseTo(900, 6);
    expect(server?.throttledShare).toBeCloseTo(0.4, 6);
    expect(server?.memoryBytes).toBe(64 * 2 ** 20);
    expect(read.usage[0]?.windowSeconds).toBe(60);
  });

  it('are not known without a limit: there are no periods then', () => {
    const read = readPodMetrics([of('container_cpu_usage_seconds_total', 0.9)], podsOf([{ name: 'echo-0' }]));
    expect(read.usage[0]?.containers[0]?.throttledShare).toBeNull();
  });

  it('of a container that began anew are counted from its start', () => {
    // Running for 40 s: samples 30 s and 0 s ago are of this process.
    const [usage] = readPodMetrics(
      [of('container_cpu_usage_seconds_total', 0.5)],
      podsOf([{ name: 'echo-0', runningSeconds: 40 }]),
    ).usage;
    expect(usage?.windowSeconds).toBe(30);
    expect(usage?.containers[0]?.cpuMillicores).toBeCloseTo(500, 6);
  });
});

describe('calls', () => {
  const three = podsOf(pods(3));
  const grown = (series: readonly Series[]) => {
    const { looks } = readPromCalls(series, three);
    return three.map(({ name }) => {
      const count = (sample: 1 | 2) => {
        const look = looks.find((entry) => entry.pod === name && entry.sample === sample);
        return look === undefined ? null : look.methods.reduce((sum, method) => sum + (method.handled ?? 0), 0);
      };
      const [first, second] = [count(1), count(2)];
      return first === null || second === null ? null : second - first;
    });
  };

  it('are two looks at each pod, a minute apart, of a scraped pod without a counter, too; of one not scraped there is none', () => {
    const series = [handled('echo-0', 5), up('echo-0'), up('echo-1')];
    expect(grown(series)).toEqual([300, 0, null]);
    // Whether its page would count calls is not known: no family.
    const families = readPromCalls(series, three).looks.map(({ pod, family }) => `${pod} ${family}`);
    expect([...new Set(families)]).toEqual(['echo-0 go-grpc-middleware', 'echo-1 null']);
  });

  it('of pods that count by different families are each read by its own', () => {
    const other = grows(
      {
        __name__: 'grpc_server_seconds_count',
        namespace: 'shop',
        pod: 'echo-1',
        job: 'echo',
        rpc_service: 'lab.Echo',
        rpc_method: 'Whoami',
      },
      2,
      0,
    );
    expect(grown([handled('echo-0', 5), up('echo-0'), other, up('echo-1')]).slice(0, 2)).toEqual([300, 120]);
  });

  it('are not those of health checks', () => {
    const health = handled('echo-0', 2, { grpc_service: 'grpc.health.v1.Health', grpc_method: 'Check' });
    expect(grown([handled('echo-0', 5), health, up('echo-0')])[0]).toBe(300);
  });

  it('a pod that is scraped by another job only is not known to have got none', () => {
    expect(grown([handled('echo-0', 5), up('echo-0'), up('echo-1', { job: 'node-exporter' })])).toEqual([
      300,
      null,
      null,
    ]);
  });

  it('a pod that did not answer the scrape is not known to have got none', () => {
    const down = { ...up('echo-1'), samples: up('echo-1').samples.map(([at]) => [at, 0] as const) };
    expect(grown([handled('echo-0', 5), up('echo-0'), down])[1]).toBeNull();
  });

  it('a counter that began within the minute counts from 0', () => {
    const began = handled('echo-1', 3, {});
    const late = { ...began, samples: began.samples.slice(-2).map(([at], index) => [at, 20 + 10 * index] as const) };
    expect(grown([handled('echo-0', 5), up('echo-0'), late, up('echo-1')])[1]).toBe(30);
  });

  it('behind two Services count once', () => {
    const series = ['echo', 'echo-headless'].flatMap((service) => [
      handled('echo-0', 5, { service, job: service }),
      up('echo-0', { service, job: service }),
    ]);
    expect(grown(series)[0]).toBe(300);
  });
});

it('probes are those of the pods, as two looks at their kubelet', () => {
  const of = (result: string, perSecond: number) =>
    grows(
      {
        __name__: 'prober_probe_total',
        namespace: 'shop',
        pod: 'echo-0',
        container: 'server',
        probe_type: 'Readiness',
        result,
      },
      perSecond,
      0,
    );
  const looks = readPromProbes(
    [of('successful', 0.2), of('failed', 0.1), of('failure', 9)],
    podsOf([{ name: 'echo-0' }]),
  );
  // Over the last minute of two: 12 of 24 that succeeded and 6 of 12 that failed.
  expect(
    looks.map(({ node, sample, counts }) => [node, sample, counts[0]?.successful, counts[0]?.failed].map(String)),
  ).toEqual([
    ['n1', '1', '12', '6'],
    ['n1', '2', '24', '12'],
  ]);
});

describe('the pattern of pod names', () => {
  const matches = (of: readonly Pod[], name: string) => new RegExp(`^(?:${podPattern(of)})$`).test(name);
  const named = (name: string, owner: Pod['owner'], labels: Pod['labels'] = {}) => ({
    ...(podsOf(pods(1))[0] as Pod),
    name,
    owner,
    labels,
  });

  it('fits all pods of a Deployment, the gone ones too, and none of another whose name begins alike', () => {
    const pod = named(
      'echo-6b9cc657d4-5gvzx',
      { kind: 'ReplicaSet', name: 'echo-6b9cc657d4' },
      { 'pod-template-hash': '6b9cc657d4' },
    );
    expect(matches([pod], 'echo-6b9cc657d4-5gvzx')).toBe(true);
    expect(matches([pod], 'echo-7f4dcf9b58-tqk2x')).toBe(true);
    expect(matches([pod], 'echo-canary-6b9cc657d4-5gvzx')).toBe(false);
    expect(matches([pod], 'echo-0')).toBe(false);
  });

  it('names a pod whose name is unlike that of its workload, and takes a dot for a dot', () => {
    const pod = named('my.echo', null);
    expect([matches([pod], 'my.echo'), matches([pod], 'my-echo')]).toEqual([true, false]);
  });

  it('stays short for a thousand pods', () => {
    const many = Array.from({ length: 1000 }, (_, index) => named(`db-${index}`, { kind: 'StatefulSet', name: 'db' }));
    expect(podsQuery({ namespace: 'shop', pattern: podPattern(many) }).length).toBeLessThan(500);
  });
});

describe('the last hour', () => {
  const frame = { basis: 'bytes', start: now - 120, end: now, stepSeconds: 60, rateSeconds: 60, cluster: '' } as const;
  const rate = (pod: string, values: readonly number[], more: Readonly<Record<string, string>> = {}): Series => ({
    name: '',
    labels: new Map(Object.entries({ namespace: 'shop', pod, ...more })),
    samples: values.map((value, index) => [now - 120 + 60 * index, value] as const),
  });

  it('keeps pods that are gone, and of another cluster none', () => {
    const read = readHistory(
      [rate('echo-0', [1, 2, 3]), rate('echo-9', [7, 8]), rate('echo-0', [9, 9, 9], { cluster: 'b' })],
      podsOf(pods(1)),
      frame,
    );
    expect(read?.pods).toEqual([
      { pod: 'echo-0', podUid: 'uid-echo-0', values: [1, 2, 3] },
      { pod: 'echo-9', podUid: null, values: [7, 8, null] },
    ]);
  });

  it('does not reach back beyond the start of a pod: that was another of its name', () => {
    const read = readHistory([rate('echo-0', [1, 2, 3])], podsOf([{ name: 'echo-0', ageSeconds: 70 }]), frame);
    expect(read?.pods[0]?.values).toEqual([null, 2, 3]);
  });
});

describe('the Prometheus of the cluster', () => {
  const pod = (namespace: string, labels: object, phase = 'Running') => ({
    metadata: { name: 'p-0', namespace, labels },
    status: { phase },
  });
  const service = (
    namespace: string,
    name: string,
    selector: object,
    ports: readonly object[],
    labels: object = {},
  ) => ({
    metadata: { namespace, name, labels },
    spec: { selector, ports },
  });
  const operated = { 'app.kubernetes.io/name': 'prometheus', prometheus: 'k8s' };
  const web = [
    { name: 'http-web', port: 9090 },
    { name: 'reloader-web', port: 8080 },
  ];

  it('is found by its pods and the Service that selects them', () => {
    const found = readPrometheusPods([
      pod('shop', { app: 'echo' }),
      pod('monitoring', operated),
      pod('old', operated, 'Failed'),
    ]);
    expect(found.map(({ namespace }) => namespace)).toEqual(['monitoring']);
    const services = [
      service('monitoring', 'alertmanager', { app: 'alertmanager' }, [{ name: 'web', port: 9093 }]),
      service('monitoring', 'thanos-sidecar', { prometheus: 'k8s' }, [{ name: 'grpc', port: 10901 }]),
      service('monitoring', 'prometheus-operated', { prometheus: 'k8s' }, web),
      service('elsewhere', 'prometheus', { prometheus: 'k8s' }, web),
    ];
    expect(readPrometheusServices(services, found)).toEqual([
      { namespace: 'monitoring', name: 'prometheus-operated', port: 9090, https: false, prefix: '' },
    ]);
  });

  it('comes before Thanos and VictoriaMetrics, which may know several clusters', () => {
    const found = readPrometheusPods([
      pod('vm', { 'app.kubernetes.io/name': 'vmselect', 'app.kubernetes.io/component': 'monitoring' }),
      pod('thanos', { 'app.kubernetes.io/name': 'thanos-query' }),
      pod('monitoring', operated),
    ]);
    const services = [
      service('vm', 'vmselect', { 'app.kubernetes.io/name': 'vmselect' }, [{ name: 'http', port: 8481 }]),
      service('thanos', 'thanos-query', { 'app.kubernetes.io/name': 'thanos-query' }, [{ name: 'http', port: 10902 }]),
      service('monitoring', 'prometheus-k8s', operated, [{ name: 'web', port: 9090 }]),
    ];
    expect(readPrometheusServices(services, found).map(({ name, prefix }) => name + prefix)).toEqual([
      'prometheus-k8s',
      'thanos-query',
      'vmselect/select/0/prometheus',
    ]);
  });

  it('is known by the labels of its Service where pods may not be listed', () => {
    const services = [
      service('shop', 'prometheus-operated', { any: 'thing' }, web, { 'operated-prometheus': 'true' }),
      service('shop', 'echo', { app: 'echo' }, [{ name: 'http', port: 80 }]),
    ];
    expect(readPrometheusServices(services, []).map(({ name }) => name)).toEqual(['prometheus-operated']);
  });

  it('is not a store of Thanos, which answers no queries', () => {
    expect(
      readPrometheusPods([pod('a', { 'app.kubernetes.io/name': 'thanos', 'app.kubernetes.io/component': 'store' })]),
    ).toEqual([]);
  });
});

import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readCallCounters } from '../../src/signals/read/call-counters.ts';
import { readExposition } from '../../src/signals/read/exposition.ts';
import { readMetricsEndpoint } from '../../src/signals/read/metrics-endpoint.ts';

const all = () => true;

test('sums are no more than a record can hold', () => {
  const line = (code: string) =>
    `grpc_server_handled_total{grpc_service="a.B",grpc_method="C",grpc_code="${code}"} 1e20\n`;
  expect(readCallCounters(line('OK') + line('UNKNOWN')).methods[0]?.handled).toBe(1e20);
});

describe('the exposition format', () => {
  test('samples with and without labels, timestamps, exemplars and escapes', () => {
    const page = [
      '# HELP calls_total Calls.',
      '# TYPE calls_total counter',
      'calls_total{method="a\\"b\\\\c\\nd",code="OK",} 12 1395066363000',
      'calls_total { method = "x" } 3.5e2 # {trace_id="1"} 0.5',
      'up 1',
      'weird +Inf',
      'nothing NaN',
      '# EOF',
    ].join('\n');
    expect(
      readExposition(page, all).map(({ name, labels, value }) => [name, Object.fromEntries(labels), value]),
    ).toEqual([
      ['calls_total', { method: 'a"b\\c\nd', code: 'OK' }, 12],
      ['calls_total', { method: 'x' }, 350],
      ['up', {}, 1],
    ]);
  });

  test('torn and foreign lines are passed over', () => {
    const page =
      'calls_total{method="a\ncalls_total{method=a} 1\n<html>\ncalls_total{method="b"}\ncalls_total{method="c"} 2';
    expect(readExposition(page, all).map((sample) => sample.labels.get('method'))).toEqual(['c']);
  });

  test('any text is read without a throw', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) =>
        readExposition(text, all).every((sample) => Number.isFinite(sample.value)),
      ),
    );
    fc.assert(
      fc.property(fc.array(fc.constantFrom('a', '{', '}', '"', '\\', '=', ',', ' ', '1', '\n', '#')), (parts) => {
        readCallCounters(parts.join(''));
      }),
    );
  });

  test('label values come back as they were written', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (a, b) => {
        const escaped = (text: string) => text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
        const [sample] = readExposition(`m{a="${escaped(a)}",b="${escaped(b)}"} 1`, all);
        expect([sample?.labels.get('a'), sample?.labels.get('b')]).toEqual([a, b]);
      }),
    );
  });
});

describe('the families that count calls', () => {
  const count = (page: string) => {
    const { family, methods } = readCallCounters(page);
    return {
      family,
      methods: methods.map(({ service, method, streaming, started, handled, messages }) => [
        `${service}/${method}`,
        streaming,
        started,
        handled,
        messages,
      ]),
    };
  };

  test('go-grpc-middleware, codes added up, health left out', () => {
    const page = [
      'grpc_server_started_total{grpc_method="Get",grpc_service="shop.Cart",grpc_type="unary"} 12',
      'grpc_server_handled_total{grpc_code="OK",grpc_method="Get",grpc_service="shop.Cart",grpc_type="unary"} 9',
      'grpc_server_handled_total{grpc_code="Unavailable",grpc_method="Get",grpc_service="shop.Cart",grpc_type="unary"} 2',
      'grpc_server_started_total{grpc_method="Watch",grpc_service="shop.Cart",grpc_type="server_stream"} 4',
      'grpc_server_msg_sent_total{grpc_method="Watch",grpc_service="shop.Cart",grpc_type="server_stream"} 4000',
      'grpc_server_msg_received_total{grpc_method="Watch",grpc_service="shop.Cart",grpc_type="server_stream"} 4',
      'grpc_server_handled_total{grpc_code="OK",grpc_method="Check",grpc_service="grpc.health.v1.Health",grpc_type="unary"} 999',
      'grpc_server_handled_total{grpc_code="OK",grpc_method="ServerReflectionInfo",grpc_service="grpc.reflection.v1.ServerReflection",grpc_type="bidi_stream"} 5',
    ].join('\n');
    expect(count(page)).toEqual({
      family: 'go-grpc-middleware',
      methods: [
        ['shop.Cart/Get', false, 12, 11, null],
        ['shop.Cart/Watch', true, 4, null, 4004],
      ],
    });
  });

  test('gRFC A66', () => {
    const page =
      'grpc_server_call_started_total{grpc_method="shop.Cart/Get"} 7\ngrpc_server_call_duration_seconds_count{grpc_method="shop.Cart/Get",grpc_status="OK"} 6';
    expect(count(page)).toEqual({ family: 'grpc (A66)', methods: [['shop.Cart/Get', null, 7, 6, null]] });
  });

  test('OpenTelemetry, today’s names and older ones', () => {
    expect(count('rpc_server_call_duration_seconds_count{rpc_method="shop.Cart/Get"} 3').methods).toEqual([
      ['shop.Cart/Get', null, null, 3, null],
    ]);
    expect(count('rpc_server_duration_milliseconds_count{rpc_service="shop.Cart",rpc_method="Get"} 3').methods).toEqual(
      [['shop.Cart/Get', null, null, 3, null]],
    );
  });

  test('a proxy’s counters only where the application has none, and only its inbound side', () => {
    const istio =
      'istio_requests_total{reporter="destination",request_protocol="grpc",destination_service_name="echo"} 5\nistio_requests_total{reporter="source",request_protocol="grpc",destination_service_name="other"} 50';
    expect(count(istio).methods).toEqual([['echo/', null, null, 5, null]]);
    const both = `${istio}\ngrpc_server_handled_total{grpc_code="OK",grpc_method="Get",grpc_service="shop.Cart"} 4`;
    expect(count(both)).toMatchObject({
      family: 'go-grpc-middleware',
      methods: [['shop.Cart/Get', null, null, 4, null]],
    });
  });

  describe('by their shape', () => {
    const one = (page: string) => count(page).methods.map(([name, , , handled]) => [name, handled]);
    test.each([
      ['Spring', 'grpc_server_seconds_count{rpc_service="shop.Cart",rpc_method="Get",rpc_type="UNARY"} 7'],
      ['prometheus-net', 'grpc_requests_received_total{service="shop.Cart",method="Get"} 7'],
      [
        'ASP.NET Core',
        'http_server_request_duration_seconds_count{http_request_method="POST",http_route="/shop.Cart/Get"} 7',
      ],
      ['OpenTelemetry with a prefix', 'app_rpc_server_duration_ms_count{rpc_service="shop.Cart",rpc_method="Get"} 7'],
      ['OpenCensus', 'grpc_io_server_completed_rpcs{grpc_server_method="shop.Cart/Get",grpc_server_status="OK"} 7'],
      ['RoadRunner', 'rr_grpc_request_total{grpc_method="/shop.Cart/Get",status_code="OK"} 7'],
      ['a counter of one’s own', 'requests_total{method="/shop.Cart/Get",code="0"} 7'],
      ['a package without a dot', 'my_grpc_requests_total{method="/Cart/Get"} 7'],
      ['an address in Spring’s words', 'calls_seconds_count{uri="/shop.Cart/Get"} 7'],
    ])('%s', (_name, page) => {
      expect(one(page).map(([name, handled]) => [String(name).replace(/^(shop\.)?/, ''), handled])).toEqual([
        ['Cart/Get', 7],
      ]);
    });

    test.each([
      'grpc_client_seconds_count{rpc_service="shop.Cart",rpc_method="Get"} 7',
      'grpc_io_client_completed_rpcs{grpc_client_method="shop.Cart/Get"} 7',
      'calls_total{span_kind="SPAN_KIND_CLIENT",rpc_service="shop.Cart",rpc_method="Get"} 7',
      'http_client_request_duration_seconds_count{http_route="/shop.Cart/Get"} 7',
      // Messages, bytes, failures, what has only begun, and what is open.
      'grpc_io_server_received_messages_per_rpc_count{grpc_server_method="shop.Cart/Get"} 7',
      'rpc_server_request_size_bytes_count{rpc_service="shop.Cart",rpc_method="Get"} 7',
      'grpc_server_errors_total{grpc_service="shop.Cart",grpc_method="Get"} 7',
      'grpc_io_server_started_rpcs{grpc_server_method="shop.Cart/Get"} 7',
      'grpc_server_active_seconds_count{rpc_service="shop.Cart",rpc_method="Get"} 7',
      // HTTP.
      'http_requests_total{service="web",method="GET"} 7',
      'http_requests_total{method="POST",path="/api/users"} 7',
      'http_server_request_duration_seconds_count{http_route="/Home/Index"} 7',
      'cache_hits_total{service="shop.Cart",method="Get"} 7',
    ])('no call of a client of ours: %s', (page) => {
      expect(readCallCounters(page)).toEqual({ family: null, methods: [] });
    });

    test('of several the one that counts the ends, and once; health apart', () => {
      const page = [
        'rr_grpc_request_total{grpc_method="/shop.Cart/Get",status_code="OK"} 9',
        'rr_grpc_request_duration_seconds_count{grpc_method="/shop.Cart/Get"} 8',
        'rr_grpc_request_duration_seconds_count{grpc_method="/grpc.health.v1.Health/Check"} 500',
        'rr_grpc_request_duration_seconds_bucket{grpc_method="/shop.Cart/Get",le="1"} 8',
      ].join('\n');
      expect(count(page)).toEqual({
        family: 'rr_grpc_request_duration_seconds_count',
        methods: [['shop.Cart/Get', null, null, 8, null]],
      });
    });

    test('before those of a proxy, after those that are known by name', () => {
      const proxy = 'request_total{direction="inbound",target_port="50051"} 99';
      const own = 'grpc_server_seconds_count{rpc_service="shop.Cart",rpc_method="Get"} 7';
      const known = 'grpc_server_handled_total{grpc_service="shop.Cart",grpc_method="Get"} 6';
      expect(one(`${proxy}\n${own}`)).toEqual([['shop.Cart/Get', 7]]);
      expect(one(`${own}\n${proxy}\n${known}`)).toEqual([['shop.Cart/Get', 6]]);
    });
  });

  test('Linkerd’s proxy, each port by itself, probes left out', () => {
    const page = [
      'request_total{direction="inbound",target_port="7000",route_name="default"} 30',
      'request_total{direction="inbound",target_port="7000",route_name="probe"} 500',
      'request_total{direction="inbound",target_port="4191",route_name="default"} 900',
      'request_total{direction="outbound",target_port="7000"} 8',
    ].join('\n');
    expect(readCallCounters(page).methods.map(({ port, handled }) => [port, handled])).toEqual([
      [7000, 30],
      [4191, 900],
    ]);
  });

  test('a page that declares a counter and has no series of it got no call yet', () => {
    const page = '# HELP grpc_server_handled_total Calls.\n# TYPE grpc_server_handled_total counter\nup 1\n';
    expect(readCallCounters(page)).toEqual({ family: 'go-grpc-middleware', methods: [] });
  });

  test('a page of something else counts nothing', () => {
    expect(readCallCounters('process_cpu_seconds_total 12\n')).toEqual({ family: null, methods: [] });
  });
});

describe('the recordings', () => {
  interface GroundTruth {
    readonly pods: readonly {
      readonly pod: string;
      readonly handled_1?: Record<string, number> | null;
      readonly handled_2?: Record<string, number> | null;
    }[];
  }
  const scenarios = readdirSync('test/recordings');

  test.each(scenarios)('%s: the calls are those that the servers counted', (scenario) => {
    const truth = JSON.parse(readFileSync(`test/recordings/${scenario}/ground-truth.json`, 'utf8')) as GroundTruth;
    let compared = 0;
    for (const pod of truth.pods) {
      for (const [handled, file] of [
        [pod.handled_1, 'metrics.txt'],
        [pod.handled_2, 'metrics.2.txt'],
      ] as const) {
        if (handled == null) continue;
        const page = readFileSync(`test/recordings/${scenario}/pod/${pod.pod}/${file}`, 'utf8');
        const expected = Object.entries(handled)
          .filter(([name]) => !name.includes('grpc.health'))
          .reduce((sum, [, calls]) => sum + calls, 0);
        const found = readCallCounters(page).methods.reduce((sum, method) => sum + (method.handled ?? 0), 0);
        expect(found, `${pod.pod} ${file}`).toBe(expected);
        compared++;
      }
    }
    expect(compared).toBeGreaterThan(0);
  });
});

describe('where a pod serves its metrics', () => {
  const pod = (
    annotations: Record<string, string>,
    ports: readonly { name: string; containerPort: number }[] = [],
  ) => ({ metadata: { annotations }, spec: { containers: [{ ports }] } });

  test('annotations, then a port named for it', () => {
    expect(
      readMetricsEndpoint(
        pod({
          'prometheus.io/port': '9102',
          'prometheus.io/path': '/prom?token=s3cret',
          'prometheus.io/scheme': 'https',
        }),
      ),
    ).toEqual({ port: 9102, path: '/prom', https: true });
    expect(
      readMetricsEndpoint(
        pod({}, [
          { name: 'grpc', containerPort: 50051 },
          { name: 'metrics', containerPort: 9090 },
        ]),
      ),
    ).toEqual({ port: 9090, path: '/metrics', https: false });
    expect(
      readMetricsEndpoint(pod({ 'prometheus.io/scrape': 'false' }, [{ name: 'metrics', containerPort: 9090 }])),
    ).toBeNull();
    expect(
      readMetricsEndpoint(pod({ 'prometheus.io/port': 'many', 'prometheus.io/path': '/../../secrets' })),
    ).toBeNull();
    expect(readMetricsEndpoint({})).toBeNull();
  });
});

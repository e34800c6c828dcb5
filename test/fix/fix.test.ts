import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as kubernetes from '@kubernetes/client-node';
import { describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { readArguments } from '../../src/cli/arguments.ts';
import { commands } from '../../src/cli/flags.ts';
import { type Fix, planFix } from '../../src/fix/fix.ts';
import { meshes } from '../../src/fix/meshes.ts';
import { renderFix, renderManifests } from '../../src/render/fix.ts';
import { languages, strategyIds } from '../../src/report/ids.ts';
import type { SkewReport } from '../../src/report/schema.ts';
import { balanced, scaleUp } from '../render/reports.ts';

type Service = SkewReport['status']['service'];
type Hop = SkewReport['status']['path']['hops'][number];

function changed(service: Partial<Service>, given: Partial<SkewReport> = {}): SkewReport {
  return { ...scaleUp, ...given, status: { ...scaleUp.status, service: { ...scaleUp.status.service, ...service } } };
}

function along(hops: readonly Hop[]): SkewReport {
  const { path } = scaleUp.status;
  return { ...scaleUp, status: { ...scaleUp.status, path: { ...path, hops: [...hops] } } };
}
const hop = (kind: Hop['kind'], name: string): Hop => ({ kind, name, layer: null, text: '' });

const longName = `a${'b'.repeat(61)}c`;
const port = { name: 'grpc', port: 80, targetPort: 'api', protocol: 'TCP', appProtocol: null };
const reports: Readonly<Record<string, SkewReport>> = {
  'a Service of two ports, the target by name': changed(
    { ports: [port, { ...port, name: 'web', port: 8080 }], labels: { app: 'echo', 'helm.sh/chart': 'echo-1.2.3' } },
    { spec: { ...scaleUp.spec, port: { name: 'grpc', port: 80, targetPort: 50051 } } },
  ),
  'the longest name': { ...scaleUp, metadata: { ...scaleUp.metadata, name: longName } },
  headless: changed({ headless: true }),
  'in Istio': changed({ proxies: ['istio-proxy'] }),
  'in Linkerd': changed({ proxies: ['linkerd-proxy'] }),
  'in ambient mode': along([hop('ambient', 'ztunnel')]),
  'in ambient mode, with a waypoint': along([hop('waypoint', 'shop/waypoint'), hop('ambient', 'ztunnel')]),
  'in ambient mode, with all that it takes': {
    ...scaleUp,
    status: {
      ...scaleUp.status,
      clients: [],
      service: { ...scaleUp.status.service, ports: [{ ...port, port: 50051, appProtocol: 'grpc' }] },
      path: {
        ...scaleUp.status.path,
        hops: [hop('waypoint', 'shop/waypoint'), hop('ambient', 'ztunnel'), hop('destination-rule', 'sticky')],
      },
    },
  },
  'with a DestinationRule': along([hop('client-sidecar', 'istio-proxy'), hop('destination-rule', 'sticky')]),
  'in Cilium': along([hop('cilium', 'Envoy')]),
  'without a selector': changed({ selector: {} }),
  'a port that declares its protocol': changed({ ports: [{ ...port, port: 50051, appProtocol: 'kubernetes.io/h2c' }] }),
  'with clients of all kinds': {
    ...scaleUp,
    status: {
      ...scaleUp.status,
      clients: ['statefulset/a', 'daemonset/b', 'deployment/c.d', 'pod/e', '10.0.0.7'].map((workload, at) => ({
        workload,
        kind: 'workload',
        namespace: at === 1 ? 'other' : 'shop',
        team: null,
        pods: 1,
        connections: 1,
        podsReached: 1,
        loadShare: null,
        perPod: [],
        bytesPerSecond: null,
        startedSeconds: null,
        podsSince: null,
        dials: [],
        runtime: null,
      })),
    },
  },
};

const all = Object.entries({ usual: scaleUp, ...reports }).flatMap(([name, report]) =>
  strategyIds.flatMap((strategy) =>
    (strategy === 'l7-proxy' ? meshes : ([null] as const)).map((mesh) => [name, strategy, mesh, report] as const),
  ),
);

function fixOf(report: SkewReport, wish: Partial<Parameters<typeof planFix>[1]> = {}): Fix {
  const answer = planFix(report, { strategy: null, language: null, mesh: null, ...wish });
  if (!answer.ok) throw new Error(answer.error.message);
  return answer.value;
}

/** Fields that an object may have here, by its kind: with a dot, below another. Source: the APIs' reference pages. */
const known: Readonly<Record<string, RegExp>> = {
  'v1 Service':
    /^(metadata\.annotations|spec(\.(clusterIP|selector|ports(\.(name|port|targetPort|protocol|appProtocol))?))?)$/,
  'apps/v1 (Deployment|StatefulSet|DaemonSet)': /^spec(\.template(\.metadata(\.(labels|annotations))?)?)?$/,
  'networking.istio.io/v1 DestinationRule': /^spec(\.(host|trafficPolicy(\.loadBalancer(\.simple)?)?))?$/,
  'gateway.networking.k8s.io/v1 Gateway':
    /^spec(\.(gatewayClassName|listeners(\.(name|port|protocol|allowedRoutes(\.namespaces(\.from)?)?))?))?$/,
  'gateway.networking.k8s.io/v1 GRPCRoute': /^spec(\.(parentRefs(\.name)?|rules(\.backendRefs(\.(name|port))?)?))?$/,
};
/** Fields of the built-in kinds as the client library was generated from Kubernetes' OpenAPI. */
const models: Readonly<Record<string, { getAttributeTypeMap(): readonly { baseName: string; type: string }[] }>> = {
  ...Object.fromEntries(
    Object.entries(kubernetes).filter(([, model]) => Object.hasOwn(Object(model), 'getAttributeTypeMap')),
  ),
} as never;

function misfits(object: Json, type: string, path = type): string[] {
  const list = /^Array<(.*)>$/.exec(type)?.[1];
  if (list !== undefined)
    return Array.isArray(object) ? object.flatMap((entry) => misfits(entry, list, path)) : [`${path} is no list`];
  if (type.startsWith('{ [key: string]: string'))
    return Object.values(object).every((entry) => typeof entry === 'string') ? [] : [path];
  const model = models[type];
  if (model === undefined) {
    const isRight = type === 'IntOrString' ? /number|string/.test(typeof object) : typeof object === type;
    return isRight ? [] : [`${path} is no ${type}`];
  }
  return Object.entries(object).flatMap(([name, inner]) => {
    const attribute = model.getAttributeTypeMap().find(({ baseName }) => baseName === name);
    return attribute === undefined
      ? [`${path}.${name} is not known`]
      : misfits(inner, attribute.type, `${path}.${name}`);
  });
}

test('the models know what is no field', () => {
  expect(misfits({ spec: { clusterIp: 'None', ports: [{ port: '80' }] } }, 'V1Service')).toEqual([
    'V1Service.spec.clusterIp is not known',
    'V1Service.spec.ports.port is no number',
  ]);
});

const maps = [
  'metadata.labels',
  'metadata.annotations',
  'spec.selector',
  'spec.template.metadata.labels',
  'spec.template.metadata.annotations',
];
const usual = /^(apiVersion|kind|metadata(\.(name|namespace|labels))?)$/;

// biome-ignore lint/suspicious/noExplicitAny: parsed YAML
type Json = any;

function fieldsOf(value: Json, path = ''): string[] {
  if (Array.isArray(value)) return value.flatMap((entry) => fieldsOf(entry, path));
  if (value === null || typeof value !== 'object' || maps.includes(path)) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    const here = path === '' ? key : `${path}.${key}`;
    return [here, ...fieldsOf(inner, here)];
  });
}

const dnsLabel = /^[a-z]([-a-z0-9]{0,61}[a-z0-9])?$/;
const key = /^([a-z0-9]([-a-z0-9.]*[a-z0-9])?\/)?[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/;
const value = /^([A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?)?$/;

test.each(all)('%s: %s %s has manifests that an API server takes', (_name, strategy, mesh, report) => {
  const fix = fixOf(report, { strategy, mesh });
  const documents = parseAllDocuments(renderManifests(fix)).filter((document) => document.contents !== null);
  expect(documents.map((document) => document.errors)).toEqual(documents.map(() => []));
  const objects: Json[] = documents.map((document) => document.toJS());
  expect(objects).toEqual(fix.manifests);
  for (const object of objects) {
    const id = `${object.apiVersion} ${object.kind}`;
    const fields = Object.entries(known).find(([pattern]) => new RegExp(`^${pattern}$`).test(id))?.[1];
    expect(fields, id).toBeDefined();
    for (const field of fieldsOf(object)) if (!usual.test(field)) expect(field, id).toMatch(fields ?? /^$/);
    if (!object.kind.endsWith('Set') && object.kind !== 'Deployment') expect(object.metadata.name).toMatch(dnsLabel);
    expect(object.metadata.namespace).toMatch(dnsLabel);
    const labels = { ...object.metadata.labels, ...object.spec?.selector, ...object.spec?.template?.metadata.labels };
    for (const [label, text] of Object.entries<string>(labels)) {
      expect(label).toMatch(key);
      expect(text).toMatch(value);
    }
    if (/^(apps\/)?v1$/.test(object.apiVersion)) expect(misfits(object, `V1${object.kind}`)).toEqual([]);
    const annotations = { ...object.metadata.annotations, ...object.spec?.template?.metadata.annotations };
    for (const text of Object.values(annotations)) expect(text).toBeTypeOf('string');
    for (const entry of object.spec?.ports ?? []) {
      expect(entry.port).toBeGreaterThan(0);
      expect(entry.protocol).toBe('TCP');
      if (entry.name !== undefined) expect(entry.name).toMatch(dnsLabel);
    }
  }
  const ids = objects.map((object) => `${object.kind} ${object.metadata.namespace} ${object.metadata.name}`);
  expect(new Set(ids).size).toBe(ids.length);
});

test('the second Service stands beside the first: same pods, the target port, no claim of Helm', () => {
  const fix = fixOf(reports['a Service of two ports, the target by name'] ?? scaleUp, { language: 'java' });
  expect(fix.manifests).toEqual([
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'echo-headless', namespace: 'shop', labels: { app: 'echo' } },
      spec: {
        clusterIP: 'None',
        selector: { app: 'echo' },
        ports: [{ name: 'grpc', port: 50051, targetPort: 'api', protocol: 'TCP', appProtocol: 'grpc' }],
      },
    },
  ]);
  expect(fix.code.map(({ text }) => text).join()).toContain('dns:///echo-headless.shop.svc.cluster.local:50051');
  expect(fix.steps[0]?.command).toBe(
    'kubectl grpc-skew svc/echo -n shop --context prod-eu --port 80 --record before.json',
  );
});

test('a headless Service needs no second one', () => {
  const fix = fixOf(reports['headless'] ?? scaleUp, { language: 'go', strategy: 'headless-round-robin' });
  expect(fix.manifests).toEqual([]);
  expect(fix.code.at(-1)?.text).toContain('dns:///echo.shop.svc.cluster.local:50051');
  expect(JSON.stringify(fix)).not.toMatch(/delete service/);
});

const sibling: NonNullable<Service['siblings']>[number] = {
  name: 'echo-headless',
  type: 'ClusterIP',
  headless: true,
  publishNotReadyAddresses: false,
  selector: { app: 'echo' },
  ports: [{ ...port, name: 'grpc', port: 50051, targetPort: 50051 }],
};
const besides = (...siblings: readonly Partial<typeof sibling>[]) =>
  changed({
    siblings: siblings.map((one) => ({ ...sibling, ...one })),
    namesakes: siblings.map(({ name }) => name ?? sibling.name),
  });
const commandsOf = (steps: Fix['steps']) => steps.map(({ command }) => command ?? '').join('\n');

describe('a headless Service beside this one', () => {
  const wish = { strategy: 'headless-round-robin', language: 'node' } as const;

  test.each<readonly [string, Partial<typeof sibling>]>([
    ['of the usual name', {}],
    ['of another name', { name: 'echo-pods' }],
    ['that names the target port', { ports: [{ ...port, targetPort: 50051, port: 1 }] }],
  ])('%s is dialled: nothing is created, nothing deleted', (_, given) => {
    const fix = fixOf(besides(given), wish);
    const name = given.name ?? 'echo-headless';
    expect(fix.manifests).toEqual([]);
    expect(fix.notes[0]).toBe(`${name} is there already, headless and over the same pods: point the clients at it`);
    expect(fix.code.map(({ text }) => text).join()).toContain(`dns:///${name}.shop.svc.cluster.local:50051`);
    expect(commandsOf([...fix.steps, ...fix.undo])).not.toMatch(/apply|delete/);
    expect(fix.undo.map(({ text }) => text)).toContain(`${name} stays: it was there before`);
  });

  test.each<readonly [string, Partial<typeof sibling>, RegExp]>([
    ['selects by other labels', { selector: { app: 'echo', track: 'canary' } }, /selects by other labels/],
    ['has another port', { ports: [{ ...port, targetPort: 9090 }] }, /no port that leads to 50051/],
    ['has a virtual address', { headless: false }, /virtual address/],
    ['names pods that are not Ready', { publishNotReadyAddresses: true }, /not Ready, too/],
    [
      'sends to a balancer',
      { ports: [...sibling.ports, { ...port, name: 'grpclb', port: 4711 }] },
      /port named grpclb/,
    ],
  ])('that %s stays as it is: the new one gets another name', (_, given, why) => {
    const fix = fixOf(besides(given), wish);
    expect(fix.manifests.map(({ metadata }) => metadata.name)).toEqual(['echo-headless-2']);
    expect(fix.notes.join('\n')).toMatch(why);
    expect(commandsOf(fix.undo)).toMatch(/^kubectl delete service echo-headless-2 -n shop/m);
  });

  test('a name that others have is not taken, whatever those select; of a long name it is the end that goes', () => {
    const taken = changed({ siblings: [], namesakes: ['echo-headless', 'echo-headless-2'] });
    expect(fixOf(taken, wish).manifests[0]?.metadata.name).toBe('echo-headless-3');
    const report = { ...taken, metadata: { ...taken.metadata, name: longName } };
    const cut = `${longName.slice(0, 54)}-headless`;
    const long = {
      ...report,
      status: { ...report.status, service: { ...report.status.service, namesakes: [cut] } },
    };
    expect(fixOf(long, wish).manifests[0]?.metadata.name).toBe(`${longName.slice(0, 52)}-headless-2`);
  });

  test('where the Services were not seen, the first step after the record is to look for that name', () => {
    const looks = (report: SkewReport) => fixOf(report, wish).steps[1]?.command;
    expect(looks(changed({ siblings: null, namesakes: null }))).toMatch(/^kubectl get service\/echo-headless -n shop/);
    expect(looks(changed({ siblings: [], namesakes: [] }))).toMatch(/^kubectl grpc-skew fix echo /);
  });

  test('without a selector nothing is applied: -o yaml has nothing to apply', () => {
    const fix = fixOf(reports['without a selector'] ?? scaleUp, wish);
    expect(fix.manifests).toEqual([]);
    expect(commandsOf(fix.steps)).not.toMatch(/apply/);
  });
});

/** What a manifest changes of what is there, or makes: words that the way back has for each. */
function changesOf(object: Json, report: SkewReport): string[] {
  const { metadata, spec } = object;
  const isThere = ['Deployment', 'StatefulSet', 'DaemonSet'].includes(object.kind);
  const isOwn = object.kind === 'Service' && metadata.name === report.metadata.name;
  if (!isThere && !isOwn) return [metadata.name];
  return [
    ...Object.keys(metadata.labels ?? {}),
    ...Object.keys(metadata.annotations ?? {}),
    ...Object.keys(spec?.template?.metadata.labels ?? {}),
    ...Object.keys(spec?.template?.metadata.annotations ?? {}),
    ...(spec?.ports === undefined ? [] : ['appProtocol']),
  ];
}

test.each(all)('%s: %s %s names a way back for all that it changes', (_name, strategy, mesh, report) => {
  const { manifests, undo, steps } = fixOf(report, { strategy, mesh });
  for (const manifest of manifests)
    for (const change of changesOf(manifest, report)) expect(commandsOf(undo), change).toContain(change);
  if (manifests.length === 0) expect(commandsOf(steps)).not.toMatch(/kubectl apply/);
  // Objects of two APIs may share their short names: Istio has a Gateway, too.
  expect(commandsOf([...steps, ...undo])).not.toMatch(
    / (gateway|grpcroute|destinationrule)\/|(get|wait|delete) (gateway|grpcroute|destinationrule) /,
  );
});

test('what stays after the way back is said: the age of the server, retries', () => {
  const texts = (steps: Fix['steps']) => steps.map(({ text }) => text).join('\n');
  const tcp = changed({ ports: [{ ...port, port: 50051, appProtocol: 'tcp' }] });
  expect(commandsOf(fixOf(tcp, { strategy: 'l7-proxy', mesh: 'gateway' }).undo)).toContain('"appProtocol": "tcp"');
  expect(texts(fixOf(scaleUp, { strategy: 'headless-round-robin' }).undo)).toMatch(/the age may stay/);
  expect(texts(fixOf(scaleUp, { strategy: 'max-connection-age' }).undo)).toMatch(/the retries may stay/);
});

describe('sidecars', () => {
  const wish = { strategy: 'l7-proxy', mesh: 'istio' } as const;
  const [web] = scaleUp.status.clients;
  const clients = web === undefined ? [] : [{ ...web, namespace: 'front' }];
  const outside = (service: Partial<Service>) => {
    const report = changed({ workloads: ['statefulset/echo', 'pod/debug'], ...service });
    return { ...report, status: { ...report.status, clients } };
  };
  const templates = ({ manifests }: Fix) =>
    manifests.flatMap(({ kind, metadata, spec }) =>
      spec?.['template'] === undefined ? [] : [[kind, metadata['namespace'], metadata.name, spec['template']]],
    );
  const marked = { metadata: { labels: { 'sidecar.istio.io/inject': 'true' } } };

  test('are for the pods of the clients and of the Service: no namespace is labelled', () => {
    const fix = fixOf(outside({}), wish);
    expect(templates(fix)).toEqual([
      ['Deployment', 'front', 'web', marked],
      ['StatefulSet', 'shop', 'echo', marked],
    ]);
    expect(fix.manifests.map(({ kind }) => kind)).not.toContain('Namespace');
    expect(commandsOf([...fix.steps, ...fix.undo])).not.toMatch(/namespace /);
    // The change of the template replaces the pods: nothing else has to.
    expect(commandsOf(fix.steps)).not.toMatch(/rollout restart/);
    expect(commandsOf(fix.undo)).toContain('kubectl patch deployment web -n front --context prod-eu --type=merge');
    expect(commandsOf(fix.undo)).toContain('kubectl patch statefulset echo -n shop --context prod-eu --type=merge');
  });

  test('of the Service that are there already stay as they are', () => {
    const report = outside({ proxies: ['istio-proxy'] });
    const cause = { id: 'client-outside-mesh' as const, title: '', confidence: 'certain' as const, text: '' };
    const causes = [{ ...cause, evidence: [], against: [], settledBy: [] }];
    const fix = fixOf({ ...report, status: { ...report.status, causes } }, wish);
    expect(templates(fix)).toEqual([['Deployment', 'front', 'web', marked]]);
  });

  test('of clients that are not known are for their people', () => {
    const report = outside({ workloads: [] });
    const fix = fixOf({ ...report, status: { ...report.status, clients: [] } }, wish);
    expect(templates(fix)).toEqual([]);
    expect(fix.steps.map(({ text }) => text).join()).toMatch(/label the pods of the clients by hand/);
  });
});

test('a second Service takes no name of a port and no label by which clients, meshes or deployers act', () => {
  const labels = {
    app: 'echo',
    team: 'shop',
    'app.kubernetes.io/part-of': 'shop',
    'example.com/cost-centre': '12',
    'istio.io/use-waypoint': 'waypoint',
    'argocd.argoproj.io/instance': 'shop',
    'service.kubernetes.io/service-proxy-name': 'other',
  };
  const ports = [
    { ...port, name: 'grpclb', port: 50051, targetPort: 'grpclb' },
    { ...port, name: 'metrics', port: 9090 },
  ];
  const report = changed(
    { ports, labels },
    { spec: { ...scaleUp.spec, port: { name: 'grpclb', port: 50051, targetPort: 50051 } } },
  );
  const [service] = fixOf(report, { strategy: 'headless-round-robin' }).manifests;
  expect(service?.spec?.['ports']).toEqual([
    { name: 'grpc', port: 50051, targetPort: 'grpclb', protocol: 'TCP', appProtocol: 'grpc' },
  ]);
  expect(Object.keys(service?.metadata['labels'] ?? {})).toEqual([
    'app',
    'team',
    'app.kubernetes.io/part-of',
    'example.com/cost-centre',
  ]);
});

test('a rollout of the server says where connections go for a while; with round_robin it comes after the clients', () => {
  for (const strategy of ['max-connection-age', 'headless-round-robin'] as const) {
    const { steps } = fixOf(scaleUp, { strategy });
    const server = steps.findIndex(({ text }) => text.startsWith('server:'));
    expect(steps[server]?.text).toMatch(/first pods up.*until/);
    expect(steps.findIndex(({ text }) => text.startsWith('clients:'))).toBeLessThan(server);
  }
  const text = renderFix(fixOf(scaleUp), 'never', { env: {}, stdoutIsTerminal: false, columns: 80 });
  expect(text).not.toMatch(/drops no call/);
});

test('proxyless-xds: one client by itself, then the agent for all, then the target of the others', () => {
  const { steps } = fixOf(reports['with clients of all kinds'] ?? scaleUp, { strategy: 'proxyless-xds' });
  const at = (pattern: RegExp) => steps.findIndex(({ text }) => pattern.test(text));
  const order = [at(/^build/), at(/^one client first/), at(/^annotate/), at(/^the others/)];
  expect(order).toEqual([...order].sort((a, b) => a - b));
  expect(order).not.toContain(-1);
});

test.each([
  ['rust', 'headless-round-robin', /balance_list/],
  ['dart', 'headless-round-robin', /no balancing policy/],
  ['csharp', 'proxyless-xds', /speaks no xDS/],
] as const)('%s, %s: nothing is left of it, so there is one line and no fix', (language, strategy, why) => {
  const answer = planFix(scaleUp, { strategy, language, mesh: null });
  expect(answer).toMatchObject({
    ok: false,
    error: { message: expect.stringMatching(why), hint: /^instead: an L7 proxy/ },
  });
});

test.each([
  ['csharp', false, /PooledConnectionLifetime to 5m.*add the retry policy/],
  ['dart', false, /connectionTimeout to 5m.*retry calls that met UNAVAILABLE in the program/],
  ['rust', true, /^clients: retry calls that met UNAVAILABLE in the program/],
  ['go', true, /^clients: add the retry policy/],
] as const)('max-connection-age, %s: only steps that its library can do', (language, hasServer, clients) => {
  const { steps, undo } = fixOf(scaleUp, { strategy: 'max-connection-age', language });
  const texts = steps.map(({ text }) => text);
  expect(texts.some((text) => text.startsWith('server:'))).toBe(hasServer);
  expect(undo.some(({ text }) => text.startsWith('server:'))).toBe(hasServer);
  expect(texts.find((text) => text.startsWith('clients:'))).toMatch(clients);
});

test('without a language: the age and why, who can do it, and no more than fits', () => {
  const fix = fixOf(scaleUp, { strategy: 'headless-round-robin' });
  expect(fix.notes.join('\n')).toMatch(/^age 5m: the shortest of .* at most one reconnect a second and pod/m);
  expect(fix.notes.join('\n')).toContain(languages.join(', '));
  // By the sources in support.ts: ASP.NET Core and grpc-dart have no age; tonic and grpc-dart no policy for names.
  expect(fix.options.map(({ texts }) => texts.join())).toEqual([
    'a connection age: in Go, Java, Python, Node.js, C++, Rust (tonic); not in C#, Dart',
    'round_robin: in Go, Java, Python, Node.js, C#, C++; not in Rust (tonic), Dart',
  ]);
});

test('the age of round_robin is that of its own prediction', () => {
  const { recommendation } = scaleUp.status;
  const strategies = recommendation.strategies.map((entry) =>
    entry.id === 'headless-round-robin'
      ? { ...entry, prediction: { ...entry.prediction, connectionAgeSeconds: 600 } }
      : entry,
  );
  const report = { ...scaleUp, status: { ...scaleUp.status, recommendation: { ...recommendation, strategies } } };
  const codeOf = (strategy: 'headless-round-robin' | 'max-connection-age') =>
    fixOf(report, { strategy, language: 'node' }).code[0]?.text;
  expect(codeOf('headless-round-robin')).toContain("max_connection_age_ms': 600000");
  expect(codeOf('max-connection-age')).toContain("max_connection_age_ms': 300000");
});

test.each([
  ['csharp', 'max-connection-age', /PooledConnectionLifetime/],
  ['node', 'headless-round-robin', /reads no healthCheckConfig/],
  ['cpp', 'max-connection-age', /GRPC_ARG_MAX_CONNECTION_AGE_MS/],
  ['rust', 'max-connection-age', /adds no jitter/],
  ['mixed', 'max-connection-age', /in Go, Java, .*; not in C#, Dart/],
] as const)('%s, %s: what does not exist, and what to do instead', (language, strategy, text) => {
  const fix = fixOf(scaleUp, { language, strategy });
  expect([...fix.options.flatMap(({ texts }) => texts), ...fix.code.map((code) => code.text)].join('\n')).toMatch(text);
});

test('the age of the report is the one in the code', () => {
  const { recommendation } = scaleUp.status;
  const slow = {
    ...scaleUp,
    status: { ...scaleUp.status, recommendation: { ...recommendation, connectionAgeSeconds: 900 } },
  };
  const fix = fixOf(slow, { strategy: 'max-connection-age', language: 'node' });
  expect(fix.code[0]?.text).toContain("'grpc.max_connection_age_ms': 900000");
  expect(fix.notes[0]).toMatch(/^age 15m/);
});

test('the mesh that was seen is taken', () => {
  const wish = { strategy: 'l7-proxy' } as const;
  const kinds = (report: SkewReport) => fixOf(report, wish).manifests.map(({ kind }) => kind);
  expect(kinds(reports['in Istio'] ?? scaleUp)).toEqual(['Service', 'DestinationRule']);
  expect(kinds(reports['in Linkerd'] ?? scaleUp)).toEqual([]);
  expect(kinds(scaleUp)).toEqual(['Service', 'Gateway', 'GRPCRoute']);
  expect(kinds(reports['in ambient mode'] ?? scaleUp)).toEqual(['Gateway', 'Service', 'DestinationRule']);
  expect(kinds(reports['in ambient mode, with a waypoint'] ?? scaleUp)).toEqual(['Service', 'DestinationRule']);
  expect(kinds(reports['in Cilium'] ?? scaleUp)).toEqual(['Service']);
  expect(kinds(reports['with a DestinationRule'] ?? scaleUp)).toEqual(['Service', 'Deployment']);
  expect(kinds(reports['a port that declares its protocol'] ?? scaleUp)).toEqual(['Gateway', 'GRPCRoute']);
});

test('what is to be kept has no change, unless one is asked for', () => {
  const kept = fixOf(balanced);
  expect([kept.manifests, kept.code, kept.steps, kept.proof]).toEqual([[], [], [], []]);
  expect(renderManifests(kept)).toMatch(/^# headless-round-robin .*: no manifest to apply\n$/);
  expect(fixOf(balanced, { strategy: 'max-connection-age' }).steps.length).toBeGreaterThan(2);
});

const require = createRequire(import.meta.url);
const { Language, Parser }: typeof import('@vscode/tree-sitter-wasm') = require('@vscode/tree-sitter-wasm');
const wasm = fileURLToPath(new URL('../../node_modules/@vscode/tree-sitter-wasm/wasm/', import.meta.url));

test('every printed command is one that a shell reads', async () => {
  await Parser.init({ locateFile: (name: string) => join(wasm, name) });
  const bash = new Parser();
  bash.setLanguage(await Language.load(join(wasm, 'tree-sitter-bash.wasm')));
  for (const [, strategy, mesh, report] of all) {
    const fix = fixOf(report, { strategy, mesh });
    for (const { command } of [...fix.steps, ...fix.undo, ...fix.proof]) {
      if (command === null) continue;
      expect(bash.parse(command)?.rootNode.hasError, command).toBe(false);
      expect(command).toMatch(/^kubectl /);
      // Its namespace must not contradict those of the objects in the pipe.
      if (command.includes('| kubectl apply')) expect(command.split('kubectl apply')[1]).not.toMatch(/ -n /);
      const own = /^kubectl grpc-skew (?!fix )([^|>]*)/.exec(command)?.[1];
      if (own !== undefined)
        expect(readArguments(own.trim().split(/\s+/), commands.diagnose), command).toMatchObject({ ok: true });
    }
  }
});

test('a quoted command is indented and broken as the others, and a shell reads the same words from it', () => {
  const fix = fixOf(reports['with clients of all kinds'] ?? scaleUp, { strategy: 'proxyless-xds' });
  const lines = renderFix(fix, 'never', { env: {}, stdoutIsTerminal: false, columns: 80 }).split('\n');
  const from = lines.findIndex((line) => line.includes('kubectl patch statefulset a'));
  const length = lines.slice(from).findIndex((line) => line.endsWith("'")) + 1;
  const printed = lines.slice(from, from + length);
  for (const line of printed) {
    expect(line).toMatch(/^ {12}/);
    expect(line.length).toBeLessThanOrEqual(80);
  }
  expect(printed.length).toBeGreaterThan(2);
  const words = execFileSync('sh', ['-c', `kubectl() { printf '%s\\0' "$@"; }\n${printed.join('\n')}`]).toString();
  const patch = words.split('\0').find((word) => word.startsWith('{'));
  expect(JSON.parse(patch ?? '')).toEqual({
    spec: {
      template: { metadata: { annotations: { 'inject.istio.io/templates': null, 'proxy.istio.io/config': null } } },
    },
  });
});

test('hostile names get into no code, no command and no terminal', () => {
  const evil = '$(reboot)"`\u001b[2J\u202e';
  for (const metadata of [{ name: evil }, { namespace: evil }, { name: 'a.b' }, { name: '' }]) {
    const answer = planFix(
      { ...scaleUp, metadata: { ...scaleUp.metadata, ...metadata } },
      { strategy: null, language: 'go', mesh: null },
    );
    expect(answer.ok).toBe(false);
  }
  const hostile = changed(
    {
      type: evil,
      proxies: [evil],
      siblings: [{ ...sibling, name: evil, selector: { app: evil } }],
      namesakes: [evil],
      selector: { app: evil },
      labels: { app: evil },
      ports: [{ ...port, port: 50051, name: evil, targetPort: evil, appProtocol: evil }],
    },
    {
      metadata: { ...scaleUp.metadata, context: evil },
      spec: { ...scaleUp.spec, port: { name: evil, port: 50051, targetPort: 50051 } },
    },
  );
  const [client] = scaleUp.status.clients;
  const { recommendation } = hostile.status;
  const report: SkewReport = {
    ...hostile,
    status: {
      ...hostile.status,
      clients: client === undefined ? [] : [{ ...client, workload: `deployment/${evil}` }],
      recommendation: { ...recommendation, because: [evil], first: [evil] },
    },
  };
  for (const strategy of strategyIds) {
    const fix = fixOf(report, { strategy, language: 'python', mesh: 'istio' });
    const text = renderFix(fix, 'never', { env: {}, stdoutIsTerminal: false, columns: 80 }) + renderManifests(fix);
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
    expect(JSON.stringify([fix.code, fix.steps, fix.undo, fix.proof])).not.toContain('reboot');
    // Without its context a command would act on another cluster.
    expect(commandsOf([...fix.steps, ...fix.undo, ...fix.proof].filter(({ command }) => command !== null))).toBe(
      fix.proof.length === 0 ? '' : 'kubectl grpc-skew --from before.json',
    );
  }
  const documents = parseAllDocuments(renderManifests(fixOf(report, { strategy: 'headless-round-robin' })));
  expect(documents[0]?.toJS().spec.selector).toEqual({ app: evil });
});

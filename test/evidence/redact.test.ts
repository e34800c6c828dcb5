import { readdirSync } from 'node:fs';
import Value from 'typebox/value';
import { describe, expect, test } from 'vitest';
import { diagnose, diagnosePorts } from '../../src/diagnose.ts';
import { openRedactor } from '../../src/evidence/redact.ts';
import { SkewEvidence } from '../../src/evidence/schema.ts';
import { evidenceShape, isChoice, walk } from '../../src/evidence/shape.ts';
import { signalIds } from '../../src/evidence/signal-ids.ts';
import { renderReports } from '../../src/render/report.ts';
import type { SkewReport } from '../../src/report/schema.ts';
import { buildEvidence } from '../diagnose/build.ts';
import { evidenceOf } from '../diagnose/recorded.ts';
import { collectSentences } from '../words/collect.ts';

const scenarios = readdirSync(new URL('../recordings/', import.meta.url));

function reportOf(evidence: SkewEvidence): SkewReport {
  const diagnosis = diagnose(evidence);
  if (!diagnosis.ok) throw new Error(diagnosis.error.message);
  return diagnosis.value;
}

/** All texts of a value, keys of records too. */
function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return [...(Array.isArray(value) ? [] : Object.keys(value)), ...Object.values(value).flatMap(textsOf)];
}

/** What a diagnosis says, without a name in it. */
function judgement({ status }: SkewReport) {
  const { verdict, skew, causes, recommendation, impact } = status;
  return {
    state: [verdict.state, verdict.basis, verdict.confidence],
    // The reason of a chance that does not apply may name a workload.
    figures: skew && { ...skew, chance: { ...skew.chance, reason: null } },
    impact: impact.level,
    causes: causes.map(({ id, confidence }) => [id, confidence]),
    strategy: [recommendation.strategy, recommendation.action, recommendation.current, recommendation.rule],
    ownership: recommendation.ownership,
    clients: status.clients.map(({ kind, connections, podsReached }) => [kind, connections, podsReached]),
    leftOut: status.leftOut.map(({ what, connections }) => [what, connections]),
  };
}

describe.each(scenarios)('%s', (scenario) => {
  test('the diagnosis is the same, and no name or address of the cluster is left', async () => {
    const evidence = await evidenceOf(scenario);
    const redacted = openRedactor().evidence(evidence);
    expect(Value.Check(SkewEvidence, redacted)).toBe(true);
    const report = reportOf(redacted);
    const sorted = (entries: unknown[]) => entries.map((entry) => JSON.stringify(entry)).toSorted();
    const [before, after] = [judgement(reportOf(evidence)), judgement(report)];
    // Of the same number of connections, clients come by name.
    expect({ ...after, clients: sorted(after.clients) }).toEqual({ ...before, clients: sorted(before.clients) });
    const names = [
      evidence.metadata.name,
      evidence.metadata.namespace,
      ...(evidence.pods ?? []).flatMap((pod) => [pod.name, pod.nodeName ?? '', ...pod.addresses, pod.hostAddress ?? '']),
      ...(evidence.peers?.pods ?? []).flatMap((pod) => [pod.name, pod.namespace, ...pod.addresses]),
      ...(evidence.nodes ?? []).flatMap((node) => [node.name, ...node.addresses]),
      ...(evidence.deployments ?? []).map((deployment) => deployment.name),
      ...(evidence.pods ?? []).flatMap((pod) => pod.containers.map((container) => container.image)),
      // A name of three letters may be part of a word, and some are of every cluster.
    ].filter((name) => name.length > 3 && !/^(default|kube-system|linkerd|monitoring)$/.test(name));
    const word = (name: string) => new RegExp(`(?<![\\w-])${name.replaceAll('.', '\\.')}(?![\\w-])`);
    const left = (name: string, texts: readonly string[]) => texts.some((text) => word(name).test(text));
    expect(names.filter((name) => left(name, textsOf(redacted)))).toEqual([]);
    // Words of the report itself may be names here: client, hot-client.
    expect(names.filter((name) => /\d/.test(name) && name !== scenario && left(name, textsOf(report)))).toEqual([]);
  });
});

test('a text that no rule knows is hidden: of all fields only those listed keep theirs', async () => {
  const marker = 'acme-payments-eu';
  // Every text is the marker, but for choices from a list, which the schema refuses otherwise.
  const mark = (value: unknown, path: readonly (string | number)[], all: SkewEvidence): void => {
    if (typeof value === 'string') {
      const marked = structuredClone(all);
      Value.Pointer.Set(marked, `/${path.map((part) => String(part).replaceAll('/', '~1')).join('/')}`, marker);
      if (!Value.Check(SkewEvidence, marked)) return;
      const field = path.filter((part) => typeof part === 'string').join('.');
      if (JSON.stringify(openRedactor().evidence(marked)).includes(marker)) kept.add(field);
      else hidden.add(field);
    } else if (typeof value === 'object' && value !== null)
      for (const [key, entry] of Object.entries(value))
        mark(entry, [...path, Array.isArray(value) ? Number(key) : key], all);
  };
  const kept = new Set<string>();
  const hidden = new Set<string>();
  const plan = { pods: [{ name: 'echo-1' }], clients: [{ name: 'web-1' }], connections: [{ from: 'web-1', to: 'echo-1' }] };
  const evidence = buildEvidence(plan);
  mark(evidence, [], evidence);
  // What is no word of Kubernetes is hidden in the fields that hold such words, too; so are ids.
  expect([...kept].toSorted()).toEqual([]);
  for (const field of ['metadata.name', 'metadata.context', 'pods.name', 'pods.nodeName', 'pods.containers.image'])
    expect([...hidden]).toContain(field);
  // The vocabulary itself stays: the diagnosis goes by it.
  const redacted = openRedactor().evidence(evidence);
  expect(redacted.service).toMatchObject({ type: 'ClusterIP', sessionAffinity: 'None', ports: [{ name: 'grpc', protocol: 'TCP' }] });
  expect(redacted.pods?.[0]).toMatchObject({ phase: 'Running', owner: { kind: 'ReplicaSet' } });
});

/** Evidence in which every text from outside is a mark, the same for the same text; with the words that held it around. */
function marked(evidence: SkewEvidence): SkewEvidence {
  const marks = new Map<string, string>();
  const mark = (text: string) => {
    const known = marks.get(text) ?? `mk${marks.size}zq`;
    marks.set(text, known);
    return known;
  };
  const isWords = (path: readonly string[]) => path.at(-1) === 'message' || path.slice(-2).join('.') === 'signals.reason';
  return walk(evidenceShape, evidence, [], {
    text: (value, shape, path) => {
      if (isChoice(shape, value) || /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value) || path.at(-1) === 'toolVersion') return value;
      if (path.at(-1) === 'needs') return `list pods in ${mark(value)}`;
      if (isWords(path)) return `could not list pods at ${mark(value)}, host ${mark(`${value}!`)}-x: "${mark(`${value}?`)}" is gone; http://${mark(value)}/a jo@${mark(value)}`;
      if (path.slice(-2).join('.') === 'ports.name') return `grpc-${mark(value)}`;
      return mark(value);
    },
    entry: (key, value) => [mark(key), mark(String(value))],
  }) as SkewEvidence;
}

const rich = buildEvidence({
  pods: [{ name: 'echo-1', restarts: 2, lastTermination: { reason: 'OOMKilled', exitCode: 137, finishedAt: '2026-11-29T10:00:00Z' } }],
  clients: [{ name: 'web-1' }],
  connections: [{ from: 'web-1', to: 'echo-1' }],
  failures: [{ pod: 'echo-1', reason: 'failed' }],
  happenings: [
    { kind: 'killed', pod: 'echo-1', podUid: null, times: 1, at: '2026-11-29T10:00:00Z' },
    { kind: 'scaled', workload: { kind: 'Deployment', name: 'echo' }, replicaSet: 'echo-aaa', from: 2, to: 5, at: '2026-11-29T10:00:00Z' },
  ],
});
const failing: SkewEvidence = {
  ...rich,
  signals: signalIds.map((id) => ({ id, state: 'forbidden', reason: `why ${id}`, needs: `list ${id}`, lookedAt: null })),
  calls: { looks: [], failures: [{ pod: 'echo-1', podUid: 'u', reason: 'failed', message: 'words of it' }] },
  clientLooks: { looks: [], failures: [{ pod: 'web-1', namespace: 'shop', message: 'no such thing' }] },
};

describe('nothing from outside is left in a redacted record, nor in what is printed from it', () => {
  test.each([...scenarios.filter((name) => /^(skew-scaleup|l7-proxy|probe-broken|zone-hints|hpa-blind)$/.test(name)), 'all signals forbidden'])('%s', async (scenario) => {
    const evidence = marked(scenarios.includes(scenario) ? await evidenceOf(scenario) : failing);
    expect(JSON.stringify(evidence)).toMatch(/mk\d+zq/);
    const redacted = openRedactor().evidence(evidence);
    expect(Value.Check(SkewEvidence, redacted)).toBe(true);
    expect(JSON.stringify(redacted).match(/[^"]{0,30}mk\d+zq/g)).toBeNull();
    const diagnosis = diagnosePorts(redacted, { clients: null, language: null });
    if (!diagnosis.ok) expect(JSON.stringify(diagnosis)).not.toMatch(/mk\d+zq/);
    else
      for (const output of ['table', 'wide', 'json', 'yaml', 'markdown', 'chat', 'html'] as const)
        expect(renderReports(diagnosis.value, { output, color: 'never' }, { env: {}, stdoutIsTerminal: false, columns: null })).not.toMatch(/mk\d+zq/);
  });

  test('words: hosts without dots, secrets and words of a webhook go, figures and our own words stay', () => {
    const words = (text: string) => openRedactor().words(text);
    expect(words('getaddrinfo ENOTFOUND acmedb')).toBe('… ENOTFOUND …');
    expect(words('dial tcp: lookup acme-db on 10.96.0.10:53: no such host')).toBe('dial tcp: lookup … on 10.0.0.10:53: no such host');
    expect(words('denied by policy: DB_PASSWORD=hunter2 token:Zm9v')).toBe('denied by policy: …=… token:…');
    expect(words('HTTP 500 with a body of 1234 bytes')).toBe('HTTP 500 with a body of 1234 bytes');
    expect(words('fe80::1%eth-acme 10.0.0.1/acme ::1]:80/[acme')).not.toMatch(/acme/);
  });

  test('the words of our own sentences about looks are known', async () => {
    const own = (await collectSentences()).filter(({ file }) => /^src\/(collect|signals|prometheus)\//.test(file));
    const texts = own.map(({ text }) => text.replaceAll('{}', ' 7 ').replaceAll(/"[^"]*"|https?:\S+|\S*@\S*/g, ''));
    expect(texts.length).toBeGreaterThan(50);
    const torn = texts.filter((text) => openRedactor().words(text) !== text && !text.includes('…'));
    expect(torn).toEqual([]);
  });
});

test('the time for words grows as their length does', () => {
  const redactor = openRedactor();
  redactor.evidence(buildEvidence({ pods: Array.from({ length: 500 }, (_, at) => ({ name: `echo-${at}` })) }));
  const best = (text: string) => {
    const runs = Array.from({ length: 5 }, () => {
      // Of this process alone: others may keep the machine busy.
      const before = process.cpuUsage();
      redactor.words(text);
      return process.cpuUsage(before).user / 1000;
    });
    return runs.reduce((least, one) => Math.min(least, one), Number.POSITIVE_INFINITY);
  };
  for (const part of ['echo-1 is gone ', 'a', '-a', 'a.', ':', '"', 'http://', '1.', 'a/', '::1 ', '@', '. ']) {
    const [short, long] = [25_000, 400_000].map((length) => best(part.repeat(length / part.length)));
    // Sixteen times the text: what is quadratic takes 256 times as long.
    expect((long ?? 0) / Math.max(short ?? 0, 0.5), part).toBeLessThan(128);
  }
});

describe('pseudonyms', () => {
  const base = buildEvidence({ pods: [{ name: 'echo-1' }] });
  const failing = (message: string): SkewEvidence => ({
    ...base,
    connections: {
      looks: [],
      failures: [{ pod: 'echo-1', podUid: 'u', sample: 1, reason: 'failed', message }],
      execs: 1,
    },
  });
  const messageOf = (message: string) =>
    openRedactor().evidence(failing(message)).connections?.failures[0]?.message;

  test('words lose names that were met, quotes, hosts, mail and IP addresses', () => {
    expect(messageOf('exec in echo-1 (10.244.1.9): webhook "guard.acme.io" says: ask ops@acme.io or guard.acme.io')).toMatch(
      /^exec in \S+ \(10\.\d+\.1\.9\): webhook "…" says: ask … or …$/,
    );
    expect(messageOf('needs get nodes.metrics.k8s.io, took 3.5 s at 12:30:01')).toBe(
      'needs get nodes.metrics.k8s.io, took 3.5 s at 12:30:01',
    );
  });

  test.each([
    ['acme-obs/acme-prom:9090: HTTP 503', '…: HTTP 503'],
    ['the name of http://acme-prom:9090/acme cannot be resolved', 'the name of … cannot be resolved'],
    ['no connection to http://10.1.2.3:9090. Check it.', 'no connection to …. Check it.'],
    ['error trying to reach service: dial tcp 10.1.2.3:15014', 'error trying to reach service: dial tcp 10.0.2.3:15014'],
  ])('words lose the place where something answers: %s', (text, expected) => {
    expect(openRedactor().words(text)).toBe(expected);
  });

  test('a right that is missing loses its namespace, but not what every cluster has', () => {
    const evidence = buildEvidence({ pods: [] });
    const needs = [
      'get services/proxy in acme-obs',
      'list services in acme-obs',
      'list pods in all namespaces',
      'get configmaps/kube-proxy in kube-system, list nodes',
    ];
    const signals = needs.map((right) => ({
      id: 'prometheus' as const,
      state: 'forbidden' as const,
      reason: 'no',
      needs: right,
      lookedAt: null,
    }));
    const [one, ...others] = openRedactor()
      .evidence({ ...evidence, signals })
      .signals.map((signal) => signal.needs);
    expect(one).toMatch(/^get services\/proxy in namespace-\d+$/);
    expect(others).toEqual([one?.replace('get services/proxy', 'list services'), needs[2], needs[3]]);
  });

  test('stay the same over looks, and do not depend on what else is there', () => {
    const redactor = openRedactor();
    const first = redactor.evidence(base);
    const second = redactor.evidence({ ...failing('echo-1 is gone'), pods: [...(base.pods ?? [])] });
    expect(second.pods).toEqual(first.pods);
    expect(second.connections?.failures[0]?.message).toBe(`${first.pods?.[0]?.name} is gone`);
    expect(openRedactor().evidence(base)).toEqual(first);
  });

  test('addresses of one network stay in one network; those of every machine stay', () => {
    const withAddresses = (...addresses: string[]): string[] => {
      const [pod] = base.pods ?? [];
      if (pod === undefined) throw new Error('a pod');
      return openRedactor().evidence({ ...base, pods: [{ ...pod, addresses }] }).pods?.[0]?.addresses ?? [];
    };
    const [a, b, c, loopback, linkLocal] = withAddresses('172.20.3.4', '172.20.9.1', '8.8.4.4', '127.0.0.6', '169.254.20.10');
    expect(a?.split('.').slice(0, 2)).toEqual(b?.split('.').slice(0, 2));
    expect([a, b].map((text) => text?.split('.').slice(2).join('.'))).toEqual(['3.4', '9.1']);
    expect(c?.split('.').slice(0, 2)).not.toEqual(a?.split('.').slice(0, 2));
    expect([loopback, linkLocal]).toEqual(['127.0.0.6', '169.254.20.10']);
    const [x, y, z] = withAddresses('2001:db8:1:2::a', '2001:db8:1:2::b', '2001:db8:9::21f:5bff:feb1:2');
    expect([x, y].map((text) => text?.replace(/^fd00:0:0:\w+::/, ''))).toEqual(['a', 'b']);
    expect(x?.slice(0, -1)).toBe(y?.slice(0, -1));
    expect(z).toMatch(/^fd00:0:0:\w+::/);
    expect(z).not.toContain('5bff');
  });
});

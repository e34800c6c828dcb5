import fc from 'fast-check';
import Value from 'typebox/value';
import { describe, expect, it } from 'vitest';
import { diagnose } from '../../src/diagnose.ts';
import { readEvidence } from '../../src/evidence/file.ts';
import { SkewEvidence } from '../../src/evidence/schema.ts';
import { writeEvidence } from '../../src/evidence/write.ts';
import { SkewReport } from '../../src/report/schema.ts';
import { buildEvidence, dealt, headless, meshed, pods } from './build.ts';
import { ago, callLooks, uidOf } from './build-looks.ts';
import { evidenceOf } from './recorded.ts';
import { reportOf } from './report.ts';

const rich = buildEvidence({
  pods: [
    ...pods(2, { sidecar: 'istio-proxy' }),
    ...pods(
      3,
      { ageSeconds: 600, restarts: 1, lastTermination: { reason: 'OOMKilled', exitCode: 137, finishedAt: ago(500) } },
      2,
    ),
    ...pods(1, { pod: { ready: false }, container: { waitingReason: 'CrashLoopBackOff' } }, 5),
    ...pods(1, { endpoint: false, cpuMillicores: null }, 6),
  ],
  connections: [...dealt([5, 2, 1]), { from: '192.168.0.2', to: 'echo-0' }, { from: '203.0.113.4', to: 'echo-1' }],
  failures: [{ pod: 'echo-4', reason: 'timeout' }],
  calls: [0, 1, 2].map((index) => ({ pod: `echo-${index}`, perSecond: 9 * index, messagesPerSecond: 50, inFlight: 3 })),
  happenings: [
    {
      kind: 'scaled',
      workload: { kind: 'Deployment', name: 'echo' },
      replicaSet: 'echo-aaa',
      from: 2,
      to: 5,
      at: ago(601),
    },
    {
      kind: 'unhealthy',
      pod: 'echo-5',
      podUid: 'uid-echo-5',
      container: 'server',
      probe: 'readiness',
      failure: 'timeout',
      times: 7,
      firstAt: ago(300),
      at: ago(5),
    },
    { kind: 'killed', pod: 'echo-2', podUid: null, times: 1, at: ago(500) },
  ],
});
const samples: readonly SkewEvidence[] = [
  rich,
  buildEvidence({ pods: [...pods(3), ...pods(7, { ageSeconds: 600 }, 3)], connections: dealt([2, 1, 1]) }),
  buildEvidence({ pods: pods(4), connections: meshed(2, 3), service: headless }),
  buildEvidence({ pods: pods(3), connections: dealt([3, 1, 0]), way: 'proc', usage: false }),
  buildEvidence({
    pods: pods(3),
    exec: false,
    usage: false,
    prometheus: {
      calls: [0, 1, 2].flatMap((index) => callLooks({ pod: `echo-${index}`, perSecond: 40 / (1 + index) }, [1, 2], 60)),
      traffic: [0, 1, 2].map((index) => ({
        pod: `echo-${index}`,
        podUid: uidOf(`echo-${index}`),
        from: ago(65),
        to: ago(5),
        bytes: 900_000 / (1 + index),
        packets: 4000,
      })),
      usage: [
        {
          pod: 'echo-0',
          podUid: uidOf('echo-0'),
          measuredAt: ago(5),
          windowSeconds: 60,
          containers: [{ name: 'server', cpuMillicores: 900, memoryBytes: 2 ** 26, throttledShare: 0.4 }],
        },
      ],
      history: (['calls', 'bytes'] as const).map((basis) => ({
        basis,
        from: ago(180),
        stepSeconds: 60,
        rateSeconds: 60,
        pods: [0, 1, 2].map((index) => ({
          pod: `echo-${index}`,
          podUid: index === 2 ? null : uidOf(`echo-${index}`),
          values: [3000, 3000, index === 0 ? 30_000 : 3000, index === 0 ? 30_000 : null],
        })),
      })),
    },
  }),
  buildEvidence({ pods: [] }),
];

describe('diagnose', () => {
  it('mutates nothing', () => {
    for (const evidence of samples) {
      const before = JSON.stringify(evidence);
      reportOf(frozen(structuredClone(evidence)));
      expect(JSON.stringify(evidence)).toBe(before);
    }
  });

  it('gives the same bytes for the same evidence', () => {
    for (const evidence of samples) {
      expect(JSON.stringify(reportOf(structuredClone(evidence)))).toBe(JSON.stringify(reportOf(evidence)));
    }
  });

  it('does not depend on the order in which the API named things', () => {
    const turned: SkewEvidence = {
      ...rich,
      pods: rich.pods?.toReversed() ?? null,
      usage: rich.usage?.toReversed() ?? null,
      endpointSlices:
        rich.endpointSlices?.map((slice) => ({ ...slice, endpoints: slice.endpoints.toReversed() })).toReversed() ??
        null,
      happenings: rich.happenings?.toReversed() ?? null,
      nodes: rich.nodes?.toReversed() ?? null,
    };
    expect(JSON.stringify(reportOf(turned))).toBe(JSON.stringify(reportOf(rich)));
  });

  it('gives the report of a record that it gave before recording, byte for byte', async () => {
    for (const evidence of [...samples, await evidenceOf('skew-scaleup'), await evidenceOf('probe-broken')]) {
      const read = readEvidence(writeEvidence(evidence), 'record.json');
      if (!read.ok) throw new Error(read.error.message);
      expect(JSON.stringify(reportOf(read.value))).toBe(JSON.stringify(reportOf(evidence)));
    }
  });

  it('gives a report that fits its schema', () => {
    for (const evidence of samples) expectFits(reportOf(evidence));
  });

  it('gives a reason in the place of a report where the Service, its endpoints or its port are missing', () => {
    const reason = (evidence: SkewEvidence) => {
      const diagnosis = diagnose(evidence);
      return diagnosis.ok ? 'a report' : diagnosis.error.message;
    };
    expect(reason({ ...rich, service: null })).toBe('the evidence has no Service');
    expect(reason({ ...rich, pods: null })).toBe('the evidence has no endpoints and pods');
    expect(reason({ ...rich, endpointSlices: null })).toBe('the evidence has no endpoints and pods');
    expect(reason({ ...rich, spec: { port: '99', windowSeconds: 3 } })).toBe('service echo has no TCP port 99');
  });

  it('never throws on odd evidence, and what it gives fits the schema', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...samples),
        fc.array(oddity, { minLength: 1, maxLength: 12 }),
        (evidence, oddities) => {
          const diagnosis = diagnose(frozen(oddities.reduce(distort, evidence)));
          if (diagnosis.ok) expectFits(diagnosis.value);
          else expect(diagnosis.error.message).not.toBe('');
        },
      ),
      { numRuns: 120 },
    );
  });

  it('never throws with whole parts missing', () => {
    const parts = ['usage', 'connections', 'peers', 'nodes', 'deployments', 'happenings'] as const;
    fc.assert(
      fc.property(fc.constantFrom(...samples), fc.subarray([...parts]), (evidence, missing) => {
        const without = { ...evidence, ...Object.fromEntries(missing.map((part) => [part, null])) };
        expectFits(reportOf(without));
      }),
      { numRuns: 60 },
    );
  });
});

interface Oddity {
  /** Chooses a leaf or list of the evidence. */
  readonly at: number;
  readonly text: string;
  readonly number: number;
  readonly kind: 'replace' | 'empty' | 'null' | 'double' | 'shorten';
}

const oddity: fc.Arbitrary<Oddity> = fc.record({
  at: fc.nat(),
  text: fc.oneof(
    fc.constantFrom(
      '',
      ' ',
      'not a date',
      '2026-13-45T99:99:99Z',
      '+275760-09-13T00:00:00Z',
      '::',
      '10.244.0.1',
      'None',
    ),
    fc.constantFrom('1970-01-01T00:00:00Z', '2026-03-01T11:59:59.999Z', '2099-01-01T00:00:00Z', '127.0.0.1'),
    fc.string(),
  ),
  number: fc.oneof(
    fc.constantFrom(0, 1, 2, -1, 0.5, 50_051, 65_535, 2 ** 31, Number.MAX_SAFE_INTEGER, 1e300, Number.MIN_VALUE),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.nat(),
  ),
  kind: fc.constantFrom('replace', 'replace', 'empty', 'null', 'double', 'shorten'),
});

/** The evidence with one place made odd; the same where the schema does not allow that. */
function distort(evidence: SkewEvidence, odd: Oddity): SkewEvidence {
  const copy: unknown = structuredClone(evidence);
  const places = placesOf(copy);
  const place = places[odd.at % places.length];
  if (place === undefined) return evidence;
  const { holder, key } = place;
  const value = holder[key];
  holder[key] = oddValue(value, odd);
  return Value.Check(SkewEvidence, copy) ? copy : evidence;
}

function oddValue(value: unknown, odd: Oddity): unknown {
  if (odd.kind === 'null') return null;
  if (Array.isArray(value)) {
    if (odd.kind === 'double') return [...value, ...value];
    return odd.kind === 'empty' ? [] : value.toSpliced(odd.at % Math.max(1, value.length), 1);
  }
  if (typeof value === 'string') return odd.text;
  if (typeof value === 'number') return odd.number;
  return typeof value === 'boolean' ? !value : value;
}

type Holder = Record<string, unknown>;

function placesOf(value: unknown): { holder: Holder; key: string }[] {
  if (typeof value !== 'object' || value === null) return [];
  const holder = value as Holder;
  return Object.keys(holder).flatMap((key) => [{ holder, key }, ...placesOf(holder[key])]);
}

function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const inner of Object.values(value)) frozen(inner);
  }
  return value;
}

function expectFits(report: SkewReport): void {
  expect([...Value.Errors(SkewReport, report)].map((error) => `${error.instancePath}: ${error.message}`)).toEqual([]);
  // Nothing in it is lost on its way through JSON: no NaN, no undefined. JSON.stringify writes -0 as 0.
  expect(JSON.parse(JSON.stringify(report))).toEqual(withOneZero(report));
}

function withOneZero(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withOneZero);
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withOneZero(inner)]));
  return Object.is(value, -0) ? 0 : value;
}

/** The Evidence that the simulator writes: valid by the published schema, the same for the same seed, made by nothing of the program. */
import { globSync, readFileSync } from 'node:fs';
import Value from 'typebox/value';
import { describe, expect, it } from 'vitest';
import { evidenceOf } from '../../bench/truth/evidence.ts';
import { families } from '../../bench/truth/families/all.ts';
import type { Family } from '../../bench/truth/family.ts';
import { listedPods } from '../../bench/truth/objects.ts';
import { pairKinds, pairOf } from '../../bench/truth/pairs.ts';
import { runOf } from '../../bench/truth/score.ts';

const schemaOf = (name: string) => JSON.parse(readFileSync(new URL(`../../schemas/${name}`, import.meta.url), 'utf8'));
const published = schemaOf('skewevidence-v1alpha1.json');

const made = (family: Family, hardness: number, seed = `evidence/${family.id}`) => {
  const observation = runOf({ family, seed, hardness });
  return { observation, evidence: evidenceOf(observation, seed) };
};

describe.each(families.map((family) => [family.id, family] as const))('%s', (_, family) => {
  it.each([0, 1])('is Evidence by the published schema at hardness %d', (hardness) => {
    const { evidence } = made(family, hardness);
    const [fault] = Value.Errors(published, evidence);
    expect(fault?.instancePath ?? null).toBeNull();
    expect(JSON.parse(JSON.stringify(evidence))).toEqual(evidence);
  });

  it('is the same for the same seed, and another for another', () => {
    expect(made(family, 0.5).evidence).toEqual(made(family, 0.5).evidence);
    expect(made(family, 0.5, 'other').evidence).not.toEqual(made(family, 0.5).evidence);
  });

  it('never counts backwards from the first sample to the second', () => {
    const { evidence } = made(family, 0.3);
    const first = new Map(
      (evidence.connections?.looks ?? [])
        .filter(({ sample }) => sample === 1)
        .flatMap(({ podUid, sockets }) =>
          sockets.map((socket) => [`${podUid} ${socket.localPort} ${socket.peerAddress} ${socket.peerPort}`, socket]),
        ),
    );
    for (const { podUid, sample, sockets } of evidence.connections?.looks ?? []) {
      for (const socket of sample === 2 ? sockets : []) {
        const before = first.get(`${podUid} ${socket.localPort} ${socket.peerAddress} ${socket.peerPort}`);
        expect(socket.bytesReceived ?? 0).toBeGreaterThanOrEqual(before?.bytesReceived ?? 0);
        expect(socket.segmentsOut ?? 0).toBeGreaterThanOrEqual(before?.segmentsOut ?? 0);
      }
    }
    const started = (sample: number) =>
      new Map(
        evidence.calls?.looks
          .filter((look) => look.sample === sample)
          .map(({ podUid, methods }) => [podUid, methods[0]?.started ?? 0]),
      );
    for (const [podUid, count] of started(2)) expect(count).toBeGreaterThanOrEqual(started(1).get(podUid) ?? 0);
  });
});

it('leaves out what is not seen, and says so', () => {
  const hidden = families.flatMap((family) => [0.4, 0.7, 1].map((hardness) => made(family, hardness)));
  for (const { observation, evidence } of hidden) {
    const { plan } = observation;
    const names = listedPods(plan).map(({ name }) => name);
    const looked = new Set(evidence.connections?.looks.map(({ pod }) => pod));
    const failed = new Set(evidence.connections?.failures.map(({ pod }) => pod));
    expect([...looked, ...failed].sort()).toEqual([...names].sort());
    for (const name of plan.sees.socketsMissing) expect(looked.has(name)).toBe(false);
    for (const name of plan.sees.callsMissing)
      expect(evidence.calls?.looks.some(({ pod }) => pod === name)).toBe(false);
    if (plan.sees.sockets === 'proc') {
      expect(
        evidence.connections?.looks
          .flatMap(({ sockets }) => sockets)
          .every(({ bytesReceived }) => bytesReceived === undefined),
      ).toBe(true);
    }
    const state = (id: string) => evidence.signals.find((signal) => signal.id === id)?.state;
    expect(state('usage') === 'unavailable').toBe((evidence.usage?.length ?? 0) === 0);
    expect(state('connections') === 'complete').toBe(failed.size === 0);
  }
  // Hard runs do hide: else nothing above was held.
  expect(hidden.some(({ observation }) => observation.plan.sees.socketsMissing.length > 0)).toBe(true);
  expect(hidden.some(({ observation }) => observation.plan.sees.sockets === 'proc')).toBe(true);
});

describe('the same truth shown otherwise', () => {
  const family = families[0] as Family;
  const { evidence } = made(family, 0.2);
  const sorted = (value: unknown): unknown =>
    Array.isArray(value)
      ? value.map(sorted).sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
      : typeof value === 'object' && value !== null
        ? Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, sorted(entry)]))
        : value;

  it.each(pairKinds)('%s gives Evidence by the published schema and leaves the first alone', (kind) => {
    const before = structuredClone(evidence);
    expect(Value.Check(published, pairOf(kind, evidence, 'pair').evidence)).toBe(true);
    expect(evidence).toEqual(before);
  });

  it('permute changes the order and nothing else', () => {
    const { evidence: other } = pairOf('permute', evidence, 'pair');
    expect(other).not.toEqual(evidence);
    expect(sorted(other)).toEqual(sorted(evidence));
  });

  it('rename changes every name of a pod, everywhere in the same way', () => {
    const { evidence: other } = pairOf('rename', evidence, 'pair');
    const text = JSON.stringify(other);
    for (const { name } of evidence.pods ?? []) expect(text).not.toContain(name);
    expect(other.pods?.map(({ uid }) => uid)).toEqual(evidence.pods?.map(({ uid }) => uid));
    expect(new Set(other.connections?.looks.map(({ pod }) => pod)).size).toBe(
      new Set(evidence.connections?.looks.map(({ pod }) => pod)).size,
    );
  });

  it('split keeps the endpoints, hide takes all of one pod away', () => {
    const split = pairOf('split', evidence, 'pair').evidence.endpointSlices ?? [];
    expect(split.length).toBe(2);
    expect(split.flatMap(({ endpoints }) => endpoints)).toEqual(
      evidence.endpointSlices?.flatMap(({ endpoints }) => endpoints),
    );
    const hidden = pairOf('hide', evidence, 'pair').evidence;
    const lost = hidden.connections?.failures.map(({ pod }) => pod) ?? [];
    expect(lost.length).toBe(1);
    for (const part of [hidden.connections?.looks, hidden.calls?.looks, hidden.usage]) {
      expect(part?.some(({ pod }) => pod === lost[0])).toBe(false);
    }
  });
});

describe('the instrument is a second opinion', () => {
  const importsOf = (file: string) => {
    const text = readFileSync(file, 'utf8');
    return [...text.matchAll(/^(import|export)\s+(type\s+)?[^'"]*?from\s+'([^']+)'|import\('([^']+)'\)/gm)].map(
      (match) => ({
        from: match[3] ?? match[4] ?? '',
        isType: match[2] !== undefined,
      }),
    );
  };
  const files = globSync('bench/truth/**/*.ts');

  it('and imports nothing of the program but the type of Evidence, and the program itself in one place', () => {
    expect(files.length).toBeGreaterThan(20);
    for (const file of files) {
      for (const { from, isType } of importsOf(file)) {
        if (from.startsWith('node:') || /^\.\.?\/(?!.*(src|test|schemas)\/)/.test(from)) continue;
        const isEvidence = isType && /\/src\/evidence\/schema\.ts$/.test(from);
        const isProgram =
          file.endsWith('truth/program.ts') &&
          (/\/src\/diagnose\.ts$/.test(from) || (isType && /schemas\/types\.d\.ts$/.test(from)));
        expect(isEvidence || isProgram, `${file} imports ${from}`).toBe(true);
      }
    }
  });

  it('and only the file that scores and the one that prints know that place', () => {
    const users = files.filter((file) =>
      importsOf(file).some(({ from, isType }) => !isType && from === './program.ts'),
    );
    expect(users).toEqual(['bench/truth/run.ts']);
  });

  it('speaks of causes, states and strategies by their published ids', () => {
    // What follows a server that ends connections is not named by any report yet.
    const known = new Set(
      [
        ...JSON.stringify(schemaOf('skewreport-v1alpha1.json')).matchAll(
          /"([a-z0-9]+(?:-[a-z0-9]+)+|skewed|balanced|unknown|chance|draining)"/g,
        ),
      ].map(([, id]) => id),
    );
    known.add('re-dealt');
    const used = families.flatMap(({ causes, defensible, states, alsoStates, never }) => [
      ...causes,
      ...Object.keys(defensible ?? {}),
      ...(states ?? []),
      ...(alsoStates ?? []),
      ...(never ?? []),
    ]);
    expect([...new Set(used)].filter((id) => !known.has(id))).toEqual([]);
  });
});

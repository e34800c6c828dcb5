/** The causes as units: what each says of itself. */
import { describe, expect, it } from 'vitest';
import { causeUnits, rivalsOf } from '../../src/causes/all.ts';
import type { ReliefId } from '../../src/causes/consequences.ts';
import { signalIds } from '../../src/evidence/signal-ids.ts';
import type { IntendedSkew } from '../../src/facts/intended-skew.ts';
import { causeIds, strategyIds } from '../../src/report/ids.ts';
import { dealt, headless, type Plan, pods } from './build.ts';
import { statusOf } from './report.ts';

it('has a unit for each cause, once', () => {
  expect(causeUnits.map(({ id }) => id).toSorted()).toEqual([...causeIds].toSorted());
});

describe.each(causeUnits.map((unit) => ({ id: unit.id, unit })))('$id', ({ unit }) => {
  it('says what it needs, how it looks and how sure it is', () => {
    expect(unit.needs.length).toBeGreaterThan(0);
    expect(signalIds).toEqual(expect.arrayContaining([...unit.needs]));
    expect(unit.signature).toMatch(/\.$/);
    expect(unit.confidenceRule).toMatch(/\b(certain|likely|possible)\b/);
  });

  it('has rivals, and is one of theirs', () => {
    const rivals = rivalsOf(unit);
    expect(rivals.length).toBeGreaterThan(0);
    expect(new Set(rivals.map(({ id }) => id)).size).toBe(rivals.length);
    for (const { id, toldApartBy } of rivals) {
      const other = causeUnits.find((entry) => entry.id === id);
      expect(other && rivalsOf(other).map((rival) => rival.id), id).toContain(unit.id);
      expect(id).not.toBe(unit.id);
      expect(toldApartBy).not.toBe('');
    }
  });
});

describe('what follows from the causes', () => {
  it.each(causeUnits.map((unit) => ({ id: unit.id, unit })))('$id is not ended by what it rules out', ({ unit }) => {
    const { curedBy = [], bars } = unit;
    expect(new Set(curedBy).size).toBe(curedBy.length);
    const barred = bars?.strategies === 'all' ? strategyIds : (bars?.strategies ?? []);
    expect(curedBy.filter((id) => barred.includes(id))).toEqual([]);
  });

  it('each setting or route that deals unequal parts is the cause of one of them', () => {
    const deals: Record<IntendedSkew['by'], true> = {
      trafficDistribution: true,
      topologyHints: true,
      internalTrafficPolicy: true,
      externalTrafficPolicy: true,
      route: true,
    };
    expect(causeUnits.flatMap(({ explains }) => explains ?? []).toSorted()).toEqual(Object.keys(deals).toSorted());
  });

  it('each relief helps against some cause', () => {
    const reliefs: Record<ReliefId, true> = {
      'replace-stuck': true,
      'delete-holder': true,
      'restart-holders': true,
      'restart-leaking': true,
      'widen-channels': true,
      'restart-one': true,
      'restart-all': true,
      'resolve-anew': true,
    };
    expect([...new Set(causeUnits.flatMap(({ relief }) => relief ?? []))].toSorted()).toEqual(
      Object.keys(reliefs).toSorted(),
    );
  });
});

describe('two causes that explain the same', () => {
  /** Seven young pods without any of four connections: age, or luck; one sample leaves the age of connections open. */
  const plan: Plan = {
    pods: [...pods(3), ...pods(7, { ageSeconds: 600 }, 3)],
    connections: dealt([2, 1, 1]),
    windowSeconds: 0,
  };

  it('both name the look that tells them apart', () => {
    // All clients of a headless Service on one pod of a StatefulSet: by its name, or the first address of every answer.
    const ofSet = { pod: { owner: { kind: 'StatefulSet', name: 'echo' } } };
    const { causes } = statusOf({ pods: pods(4, ofSet), connections: dealt([5, 0, 0, 0]), service: headless });
    const settled = (id: string) => causes.find((cause) => cause.id === id)?.settledBy ?? [];
    const look = 'the target in the clients: the name of the Service, or of one pod';
    expect(settled('addressed-by-name')).toContain(`against pick-first: ${look}`);
    expect(settled('pick-first')).toContain(`against addressed-by-name: ${look}`);
  });

  it('say nothing of it where one of them is certain: then it is settled', () => {
    const { causes } = statusOf({ ...plan, windowSeconds: 10 });
    expect(causes[0]).toMatchObject({ id: 'new-pods-idle', confidence: 'certain' });
    expect(causes.flatMap(({ settledBy }) => settledBy).filter((look) => look.startsWith('against'))).toEqual([]);
  });
});

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { fitExponent } from '../../bench/large/fit.ts';
import { worlds } from '../../bench/large/worlds.ts';

interface Growth {
  readonly world: string;
  readonly name: string;
  readonly perConnection: number;
  readonly exponent: number | null;
}

/** More than n log n at these sizes; a search for each entry has 2. */
const mostExponent = 1.3;
/** What runs less often is small beside the rest, whatever it grows like: a few entries, or a bounded simulation. */
const rarely = 4;
/** What only the larger Service has can be held against its size alone. */
const often = 50;

let growth: readonly Growth[];

beforeAll(async () => {
  // In a process of its own: counters are kept of what is compiled after they are switched on.
  const { stdout } = await promisify(execFile)(process.execPath, ['bench/diagnose.ts', '--work'], {
    maxBuffer: 2 ** 28,
  });
  growth = JSON.parse(stdout);
}, 180_000);

test('the exponent of a linear function is 1, of a quadratic one 2', () => {
  const points = (power: number) => [10, 20, 40].map((x) => [x, 3 * x ** power] as const);
  expect(fitExponent(points(1))).toBeCloseTo(1, 9);
  expect(fitExponent(points(2))).toBeCloseTo(2, 9);
});

test('the work was counted: each connection is read, in every Service', () => {
  for (const world of worlds) {
    const read = growth.filter((entry) => entry.world === world && entry.name.endsWith(' readConnection'));
    // By pods and by connections; each connection once, but for pods that are left out of the looks on purpose.
    expect(read.length).toBe(2);
    for (const { perConnection } of read) expect(perConnection).toBeGreaterThan(world === 'one of many' ? 0.005 : 0.8);
  }
});

test.each(worlds)('%s: no function runs more than n log n times', (world) => {
  const own = growth.filter((entry) => entry.world === world);
  const steep = own.filter(({ perConnection, exponent }) =>
    exponent === null ? perConnection > often : perConnection > rarely && exponent > mostExponent,
  );
  expect(steep).toEqual([]);
});

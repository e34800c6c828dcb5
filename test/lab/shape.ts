/** Where two values differ in shape: the paths that only one has, with their types. */
export interface ShapeDifference {
  readonly missing: readonly string[];
  readonly surplus: readonly string[];
}

/** A difference that is meant to be, and why. */
export type Exception = readonly [path: RegExp, reason: string];

/** Compares the key paths and types of two JSON values; the items of a list count as one. */
export function shapeDifference(
  recorded: unknown,
  served: unknown,
  exceptions: readonly Exception[] = [],
): ShapeDifference {
  const expected = shape(recorded);
  const actual = shape(served);
  const without = (paths: ReadonlySet<string>, others: ReadonlySet<string>) =>
    [...paths].filter((path) => !others.has(path) && !exceptions.some(([excepted]) => excepted.test(path)));
  return { missing: without(expected, actual), surplus: without(actual, expected) };
}

function shape(value: unknown, path = '', found = new Set<string>()): Set<string> {
  if (Array.isArray(value)) {
    found.add(`${path}: array`);
    for (const item of value) shape(item, `${path}[]`, found);
  } else if (typeof value === 'object' && value !== null) {
    found.add(`${path}: object`);
    for (const [key, child] of Object.entries(value)) shape(child, `${path}.${key}`, found);
  } else {
    found.add(`${path}: ${value === null ? 'null' : typeof value}`);
  }
  return found;
}

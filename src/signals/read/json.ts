/** Safe steps into parsed JSON: what is not there, or not of the wanted type, is null. Half characters, which no URL takes, are replaced. */

export function at(value: unknown, ...path: readonly string[]): unknown {
  let current = value;
  for (const key of path) {
    if (typeof current !== 'object' || current === null) return undefined;
    current = Object.hasOwn(current, key) ? (current as Record<string, unknown>)[key] : undefined;
  }
  return current;
}

export function textAt(value: unknown, ...path: readonly string[]): string | null {
  const found = at(value, ...path);
  return typeof found === 'string' ? found.toWellFormed() : null;
}

export function integerAt(value: unknown, ...path: readonly string[]): number | null {
  const found = at(value, ...path);
  return typeof found === 'number' && Number.isSafeInteger(found) ? found : null;
}

export function flagAt(value: unknown, ...path: readonly string[]): boolean | null {
  const found = at(value, ...path);
  return typeof found === 'boolean' ? found : null;
}

export function listAt(value: unknown, ...path: readonly string[]): readonly unknown[] {
  const found = at(value, ...path);
  return Array.isArray(found) ? found : [];
}

/** The string values of a map, such as labels. */
export function textMapAt(value: unknown, ...path: readonly string[]): Record<string, string> {
  const found = at(value, ...path);
  if (typeof found !== 'object' || found === null || Array.isArray(found)) return {};
  return Object.fromEntries(
    Object.entries(found).flatMap(([key, text]): [string, string][] =>
      typeof text === 'string' ? [[key.toWellFormed(), text.toWellFormed()]] : [],
    ),
  );
}

/** A port that is given as a number or by name. */
export function portAt(value: unknown, ...path: readonly string[]): number | string | null {
  return integerAt(value, ...path) ?? textAt(value, ...path);
}

/** A time as RFC 3339 in UTC, or null when it is none. */
export function timeAt(value: unknown, ...path: readonly string[]): string | null {
  const found = textAt(value, ...path);
  return found === null ? null : toTime(found);
}

/** Reads RFC 3339 and HTTP dates; answers RFC 3339 in UTC. */
export function toTime(text: string): string | null {
  const milliseconds = Date.parse(text);
  return Number.isNaN(milliseconds) ? null : new Date(milliseconds).toISOString();
}

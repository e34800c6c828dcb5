/** Reading what came from outside, where every field may be absent or of another type. */

export type JsonObject = Readonly<Record<string, unknown>>;

export function asObject(value: unknown): JsonObject | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : undefined;
}

export function asArray(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The string, without half characters, if it has at least one: kubeconfig treats an empty field as absent. */
export function asText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value.toWellFormed() : undefined;
}

export function asTexts(value: unknown): readonly string[] {
  return asArray(value).flatMap((item) => (typeof item === 'string' ? item.toWellFormed() : []));
}

/** The parsed JSON, or undefined where the text is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The value as JSON; undefined where it is too deep for that, or holds itself, as YAML can. */
export function writeJson(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}

type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** The same fields without those that are undefined (`exactOptionalPropertyTypes` tells the two apart). */
export function defined<T extends object>(fields: T): Defined<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Defined<T>;
}

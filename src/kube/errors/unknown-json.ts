/** Reading what came from outside, where every field may be absent or of another type. */
import { answerLimits } from '../requests/limits.ts';

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

/** Characters of a text that may hold what it likes. */
const short = 1 << 20;
const [quote, colon, backslash] = [34, 58, 92];
const [openList, closeList, openObject, closeObject] = [91, 93, 123, 125];

/** What of a JSON text is more than any answer has, in words that go on a sentence about it; null: nothing. */
export function excessOf(text: string): string | null {
  if (text.length <= short) return null;
  let [level, containers, fields] = [0, 0, 0];
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === quote) {
      at = closingQuote(text, at);
      if (at === -1) return null;
    } else if (code === openList || code === openObject) {
      level += 1;
      containers += 1;
      if (level > answerLimits.levels) return `is nested deeper than ${answerLimits.levels} levels`;
      if (containers > answerLimits.containers) return `holds more than ${answerLimits.containers} objects and lists`;
    } else if (code === closeList || code === closeObject) level -= 1;
    else if (code === colon) fields += 1;
    if (fields > answerLimits.fields) return `holds more than ${answerLimits.fields} fields`;
  }
  return null;
}

/** Where the string that begins at `start` ends; -1: nowhere. A quote is part of it after an odd number of backslashes. */
export function closingQuote(json: string, start: number): number {
  for (let end = json.indexOf('"', start + 1); end !== -1; end = json.indexOf('"', end + 1)) {
    let before = end - 1;
    while (json.charCodeAt(before) === backslash) before -= 1;
    if ((end - before) % 2 === 1) return end;
  }
  return -1;
}

/** The parsed JSON, or undefined where the text is none, or holds more than any answer (`excessOf`). */
export function parseJson(text: string): unknown {
  if (excessOf(text) !== null) return undefined;
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

import { asObject } from '../errors/unknown-json.ts';

/** What a field may hold. Each may also be null or absent, and unknown fields count for nothing, as in Go. */
export type FieldShape =
  | 'text'
  | 'boolean'
  | 'base64'
  | 'any'
  | { readonly list: FieldShape }
  | { readonly map: FieldShape }
  | { readonly fields: Readonly<Record<string, FieldShape>> };

/**
 * Where a value is not of its shape, in words that never quote it: `users[0].user.token is a number, not a text`.
 * Undefined: it is as it must be.
 * @param at the name of the value; empty for a whole document
 */
export function misshapen(value: unknown, shape: FieldShape, at = ''): string | undefined {
  if (value === null || value === undefined || shape === 'any') return undefined;
  const name = at === '' ? 'the document' : at;
  const wrong = (wanted: string): string => `${name} is ${kindOf(value)}, not ${wanted}`;
  if (shape === 'boolean') return typeof value === 'boolean' ? undefined : wrong('true or false');
  if (shape === 'text') return typeof value === 'string' ? undefined : wrong('a text');
  if (shape === 'base64') {
    if (typeof value !== 'string') return wrong('a text');
    return isBase64(value) ? undefined : `${name} is not valid base64`;
  }
  if ('list' in shape) {
    if (!Array.isArray(value)) return wrong('a list');
    return first(value.entries(), ([index, item]) => misshapen(item, shape.list, `${at}[${index}]`));
  }
  const object = asObject(value);
  if (object === undefined) return wrong('a mapping');
  const prefix = at === '' ? '' : `${at}.`;
  // The keys of a map are not named: they are from outside.
  if ('map' in shape) return first(Object.values(object), (item) => misshapen(item, shape.map, `a value of ${name}`));
  return first(Object.entries(shape.fields), ([key, field]) =>
    Object.hasOwn(object, key) ? misshapen(object[key], field, `${prefix}${key}`) : undefined,
  );
}

function first<T>(items: Iterable<T>, find: (item: T) => string | undefined): string | undefined {
  for (const item of items) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'a mapping';
  return typeof value === 'string' ? 'a text' : `a ${typeof value}`;
}

/** As Go's standard encoding: padded, line breaks are passed over. Node would decode whatever it can. */
function isBase64(text: string): boolean {
  const digits = text.replace(/[\r\n]/g, '');
  return digits.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(digits);
}

import { codes, table } from './blocks.ts';

/** As much of JSON Schema as the published schemas use. */
export interface Schema {
  readonly $id?: string;
  readonly type?: string;
  readonly title?: string;
  readonly description?: string;
  readonly const?: string | number | boolean;
  readonly enum?: readonly string[];
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema | readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly minimum?: number;
  readonly maximum?: number;
}

/** Longest list of values that is spelt out in each place where it occurs. */
const mostValues = 12;

/** Every field of a document in one table: its path, its type, its meaning. */
export function fieldTable(schema: Schema): string {
  const rows: string[][] = [];
  addFields(rows, schema, '');
  return table(['field', 'type', 'meaning'], rows);
}

function addFields(rows: string[][], schema: Schema, path: string): void {
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    const here = path === '' ? name : `${path}.${name}`;
    const { core, isNullable } = withoutNull(field);
    const optional = schema.required?.includes(name) === true ? '' : ', optional';
    const words = [field.description ?? core.description ?? '', valuesOf(core)].filter((text) => text !== '');
    const at = here + suffixOf(core);
    rows.push([`\`${at}\``, `${typeOf(core)}${isNullable ? ' or null' : ''}${optional}`, words.join('. ')]);
    for (const inner of innerOf(core)) addFields(rows, inner, at);
  }
}

/** `name[]` for a list, `name.*` for a map: what stands below it belongs to each of its members. */
function suffixOf(schema: Schema): string {
  if (schema.type === 'array' && !Array.isArray(schema.items)) return '[]';
  return valueOfMap(schema) === null ? '' : '.*';
}

function withoutNull(schema: Schema): { readonly core: Schema; readonly isNullable: boolean } {
  const { anyOf } = schema;
  if (anyOf === undefined) return { core: schema, isNullable: false };
  const others = anyOf.filter((entry) => entry.type !== 'null');
  const isNullable = others.length < anyOf.length;
  const [only] = others;
  return { core: others.length === 1 && only !== undefined ? only : { anyOf: others }, isNullable };
}

function innerOf(schema: Schema): readonly Schema[] {
  if (schema.properties !== undefined) return [schema];
  const member =
    schema.type === 'array' && !Array.isArray(schema.items) ? (schema.items as Schema | undefined) : valueOfMap(schema);
  // A document of its own has a table of its own.
  if (member == null || member.$id !== undefined) return [];
  return innerOf(withoutNull(member).core);
}

function valueOfMap(schema: Schema): Schema | null {
  const [pattern] = Object.values(schema.patternProperties ?? {});
  if (pattern !== undefined) return pattern;
  return typeof schema.additionalProperties === 'object' ? schema.additionalProperties : null;
}

function typeOf(schema: Schema): string {
  if (schema.$id !== undefined) return `\`${schema.title ?? schema.$id}\``;
  if (schema.const !== undefined) return `\`${JSON.stringify(schema.const)}\``;
  if (schema.enum !== undefined) return 'string';
  if (schema.anyOf !== undefined) {
    const names = schema.anyOf.map(typeOf);
    return [...new Set(schema.anyOf.every(isText) ? ['string'] : names)].join(' or ');
  }
  if (schema.type === 'array') {
    if (Array.isArray(schema.items)) return `[${schema.items.map((item: Schema) => typeOf(item)).join(', ')}]`;
    return `list of ${pluralOf(typeOf(withoutNull((schema.items as Schema | undefined) ?? {}).core))}`;
  }
  const value = valueOfMap(schema);
  if (value !== null) return `map of ${pluralOf(typeOf(withoutNull(value).core))}`;
  return schema.type ?? 'anything';
}

const isText = (schema: Schema) => typeof schema.const === 'string';

function pluralOf(type: string): string {
  return /^[a-z]+$/.test(type) && type !== 'anything' ? `${type}s` : type;
}

/** The values that a field may take, where it takes only some. */
function valuesOf(schema: Schema): string {
  const member =
    schema.type === 'array' && !Array.isArray(schema.items) ? (schema.items as Schema | undefined) : schema;
  const values =
    member?.enum ?? (member?.anyOf?.every(isText) === true ? member.anyOf.map((entry) => String(entry.const)) : []);
  if (values.length === 0) return '';
  return values.length <= mostValues
    ? `One of ${codes(values)}`
    : `One of ${values.length} ids, from ${codes(values.slice(0, 3))} on`;
}

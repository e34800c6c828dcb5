/** Walks through Evidence by its schema: TypeBox builds JSON Schema, of which its types say less than a walk reads. */
import { SkewEvidence } from './schema.ts';

export interface SchemaNode {
  readonly const?: unknown;
  readonly enum?: unknown;
  readonly type?: string;
  readonly anyOf?: readonly SchemaNode[];
  readonly items?: SchemaNode;
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly patternProperties?: Readonly<Record<string, SchemaNode>>;
}

export const evidenceShape = SkewEvidence as unknown as SchemaNode;

/** What is done with the texts of a document, and with the entries of its maps. */
export interface Visitor {
  text(value: string, shape: SchemaNode, path: readonly string[]): string;
  entry(key: string, value: unknown, path: readonly string[]): readonly [string, unknown];
}

/**
 * The document with what the visitor makes of it, and without fields that the schema does not know. What is of another
 * type than the schema says stays: a check of the schema finds it.
 */
export function walk(shape: SchemaNode, value: unknown, path: readonly string[], visitor: Visitor): unknown {
  if (typeof value === 'string') return visitor.text(value, shape, path);
  if (typeof value !== 'object' || value === null) return value;
  const branches = branchesOf(shape);
  if (Array.isArray(value)) {
    const items = branches.find((one) => one.items !== undefined)?.items;
    return items === undefined ? value : value.map((entry) => walk(items, entry, path, visitor));
  }
  const entries = Object.entries(value);
  if (branches.some((one) => one.patternProperties !== undefined))
    return Object.fromEntries(entries.map(([key, entry]) => visitor.entry(key, entry, path)));
  const properties = branchFor(branches, value)?.properties;
  if (properties === undefined) return value;
  return Object.fromEntries(
    entries.flatMap(([key, entry]): [string, unknown][] => {
      const inner = Object.hasOwn(properties, key) ? properties[key] : undefined;
      return inner === undefined ? [] : [[key, walk(inner, entry, [...path, key], visitor)]];
    }),
  );
}

/** Whether the schema gives a list of texts to choose from, and this is one of them. */
export function isChoice(shape: SchemaNode, value: unknown): boolean {
  if (shape.const !== undefined) return shape.const === value;
  if (Array.isArray(shape.enum)) return shape.enum.includes(value);
  return shape.anyOf?.some((one) => isChoice(one, value)) === true;
}

/** All that a union, of unions perhaps, allows. */
function branchesOf(shape: SchemaNode): readonly SchemaNode[] {
  return shape.anyOf?.flatMap(branchesOf) ?? [shape];
}

/** Of a union of objects the one whose choices are those of the value, such as its `kind`. */
function branchFor(branches: readonly SchemaNode[], value: object): SchemaNode | undefined {
  const objects = branches.filter((one) => one.properties !== undefined);
  const given = new Map(Object.entries(value));
  const fits = (one: SchemaNode) =>
    Object.entries(one.properties ?? {}).every(([key, inner]) => !isConstant(inner) || isChoice(inner, given.get(key)));
  return objects.length > 1 ? (objects.find(fits) ?? objects[0]) : objects[0];
}

function isConstant(shape: SchemaNode): boolean {
  return shape.const !== undefined || shape.anyOf?.every(isConstant) === true;
}

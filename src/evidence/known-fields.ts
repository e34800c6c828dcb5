import { IsArray, IsObject, IsUnion, type TSchema } from 'typebox';
import { Compile } from 'typebox/compile';

type Checker = (value: unknown) => boolean;
const checkers = new WeakMap<TSchema, Checker>();

/** The check of a schema as a function that is compiled once: a large record takes a hundredth of the time so. */
export function checkerOf(schema: TSchema): Checker {
  const known = checkers.get(schema);
  if (known !== undefined) return known;
  const compiled = Compile(schema);
  const checker: Checker = (value) => compiled.Check(value);
  checkers.set(schema, checker);
  return checker;
}

/**
 * Takes out of a value, which must fit the schema, every field that the schema does not name. Changes it in place: a copy
 * of a large record would take as much memory again.
 */
export function keepKnownFields(schema: TSchema, value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  if (IsUnion(schema)) {
    const alternative = schema.anyOf.find((one) => checkerOf(one)(value));
    if (alternative !== undefined) keepKnownFields(alternative, value);
  } else if (IsArray(schema) && Array.isArray(value)) {
    for (const item of value) keepKnownFields(schema.items, item);
  } else if (IsObject(schema)) {
    const fields = value as Record<string, unknown>;
    for (const name of Object.keys(fields)) {
      const field = Object.hasOwn(schema.properties, name) ? schema.properties[name] : undefined;
      if (field === undefined) delete fields[name];
      else keepKnownFields(field, fields[name]);
    }
  }
}

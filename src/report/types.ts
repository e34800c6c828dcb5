/** Building blocks of the published schemas. */
import { type TSchema, Type } from 'typebox';

export const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);
export const oneOf = <const T extends readonly string[]>(ids: T) => Type.Unsafe<T[number]>(Type.Enum([...ids]));
export const text = (description: string) => Type.String({ description });
export const texts = (description: string) => Type.Array(Type.String(), { description });
export const fraction = (description: string) => nullable(Type.Number({ minimum: 0, maximum: 1, description }));

/** Of the metadata of a report. */
export const clusterFlags = Type.Optional(
  texts('Flags of kubectl that say which cluster was looked at, where these were given: printed commands carry them'),
);

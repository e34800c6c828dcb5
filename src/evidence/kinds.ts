import { type TSchema, Type } from 'typebox';

/** A value that may not be known. */
export const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

export const text = (description: string) => Type.String({ description });

export const time = (description: string) => Type.String({ description: `${description} (RFC 3339, UTC)` });

export const count = (description: string) => Type.Integer({ minimum: 0, description });

/** No quantity of a cluster comes near it, not even in nanoseconds; beyond it sums and products are no numbers any more. */
const mostOfAnything = 1e20;

export function isPossible(value: number): boolean {
  return Math.abs(value) <= mostOfAnything;
}

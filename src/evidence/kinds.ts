import { type TSchema, Type } from 'typebox';

/** A value that may not be known. */
export const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

export const text = (description: string) => Type.String({ description });

export const time = (description: string) => Type.String({ description: `${description} (RFC 3339, UTC)` });

export const count = (description: string) => Type.Integer({ minimum: 0, description });

/** As much of JSON Schema as the published documents use. */
interface Schema {
  readonly type?: string;
  readonly description?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema | readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

/**
 * TypeScript types of published documents, from their JSON Schemas: self-contained, so that whoever reads a document in
 * TypeScript needs no library for it.
 */
export function typesOf(schemas: Readonly<Record<string, object>>): string {
  const types = Object.entries(schemas).map(
    ([name, schema]) => `export type ${name} = ${typeOf(schema as Schema, '')};\n`,
  );
  return `// Written by scripts/schemas.mjs from the JSON Schemas beside it.\n\n${types.join('\n')}`;
}

function typeOf(schema: Schema, indent: string): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  if (schema.anyOf !== undefined) return [...new Set(schema.anyOf.map((one) => typeOf(one, indent)))].join(' | ');
  switch (schema.type) {
    case 'string':
    case 'boolean':
    case 'null':
      return schema.type;
    case 'integer':
    case 'number':
      return 'number';
    case 'array':
      return arrayOf(schema.items, indent);
    case 'object':
      return objectOf(schema, indent);
    default:
      throw new Error(`a schema of an unknown form: ${JSON.stringify(schema).slice(0, 200)}`);
  }
}

function arrayOf(items: Schema['items'], indent: string): string {
  if (items === undefined) throw new Error('an array of anything');
  if ('map' in items) return `readonly [${items.map((item) => typeOf(item, indent)).join(', ')}]`;
  return `ReadonlyArray<${typeOf(items, indent)}>`;
}

function objectOf(schema: Schema, indent: string): string {
  const [values] = Object.values(schema.patternProperties ?? {});
  if (values !== undefined) return `Readonly<Record<string, ${typeOf(values, indent)}>>`;
  const inside = `${indent}  `;
  const fields = Object.entries(schema.properties ?? {}).map(([name, field]) => {
    const mark = schema.required?.includes(name) === true ? '' : '?';
    const comment = field.description === undefined ? '' : `${inside}/** ${field.description} */\n`;
    return `${comment}${inside}readonly ${name}${mark}: ${typeOf(field, inside)};\n`;
  });
  return `{\n${fields.join('')}${indent}}`;
}

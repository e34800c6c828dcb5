/** `-o yaml`: the same object as `-o json`. */
import { Document, Scalar, visit } from 'yaml';
import { unsafeInDocuments } from './sanitise.ts';

/** Plain data as YAML that kubectl reads as it was meant, and that no terminal obeys. */
export function yamlOf(value: unknown): string {
  // compat: strings such as `no` or `on` are quoted, since kubectl and many other readers still take them for booleans
  const document = new Document(value, { compat: 'yaml-1.1', aliasDuplicateObjects: false });
  visit(document, {
    Scalar(_, node) {
      if (typeof node.value === 'string' && hasUnsafe(node.value)) node.type = Scalar.QUOTE_DOUBLE;
    },
  });
  const text = document.toString({
    indentSeq: false,
    lineWidth: 0,
    doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER,
  });
  // only double-quoted scalars hold such characters now, and there an escape means the same
  return escaped(text);
}

/** A text in double quotes, for YAML that is written line by line. */
export function yamlText(text: string): string {
  return escaped(JSON.stringify(text));
}

function escaped(quoted: string): string {
  return quoted.replace(unsafeInDocuments, (sign) => `\\U${(sign.codePointAt(0) ?? 0).toString(16).padStart(8, '0')}`);
}

function hasUnsafe(text: string): boolean {
  return text.search(unsafeInDocuments) >= 0 || /[\u0000-\u0009\u000b-\u001f]/.test(text);
}

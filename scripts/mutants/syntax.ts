import { parseSync } from 'vite';

/** A node of the syntax tree (ESTree, with the types of TypeScript), and where it stands in the text. */
export interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly parent: Node | null;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly children: readonly Node[];
}

interface RawNode {
  readonly type: string;
  readonly start: number;
  readonly end: number;
}

/** The tree of a file, without what is only a type. */
export function parse(file: string, text: string): Node {
  const { program, errors } = parseSync(file, text, { lang: 'ts' });
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`);
  return nodeOf(program as RawNode, null);
}

/** Types vanish before anything runs; these three only wrap an expression. */
const wrappers = ['TSAsExpression', 'TSSatisfiesExpression', 'TSNonNullExpression'];

function nodeOf(raw: RawNode, parent: Node | null): Node {
  const children: Node[] = [];
  const node: Node = { type: raw.type, start: raw.start, end: raw.end, parent, fields: { ...raw }, children };
  for (const value of Object.values(raw).flat()) {
    if (!isRaw(value) || (value.type.startsWith('TS') && !wrappers.includes(value.type))) continue;
    children.push(nodeOf(value, node));
  }
  return node;
}

function isRaw(value: unknown): value is RawNode {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}

/** The child in a field: `left`, `argument`. */
export function child(node: Node, field: string): Node | null {
  const raw = node.fields[field];
  return isRaw(raw)
    ? (node.children.find(({ start, type }) => start === raw.start && type === raw.type) ?? null)
    : null;
}

export function* walk(node: Node): Generator<Node> {
  yield node;
  for (const next of node.children) yield* walk(next);
}

export function* ancestors(node: Node): Generator<Node> {
  for (let at = node.parent; at !== null; at = at.parent) yield at;
}

export const isFunction = ({ type }: Node) => /Function/.test(type);

/** Evaluated when the module is loaded, not when something is called. */
export function isTopLevel(node: Node): boolean {
  return ![...ancestors(node)].some((outer) => isFunction(outer));
}

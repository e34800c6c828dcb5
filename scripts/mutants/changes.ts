import { basename } from 'node:path';
import { ancestors, child, isFunction, isTopLevel, type Node, parse, walk } from './syntax.ts';

/** A small change of a program that a test should notice. */
export interface Mutant {
  readonly file: string;
  readonly line: number;
  /** What is there and what it becomes; with the file it names the mutant, wherever its line moves. */
  readonly change: string;
  /** The places where its expression stands in for another. More than one where it is the value of a constant. */
  readonly places: readonly Place[];
}

/** An expression, and what stands in its place. */
export interface Place {
  readonly file: string;
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** Evaluating it twice changes nothing: then it can be asked whether a test makes a difference at all. */
  readonly pure: boolean;
  /** Where it stands as the value of a name: `{ name }`, or `{ name: value }` in a table that is made at load. */
  readonly name: { readonly text: string; readonly valueStart: number; readonly form: 'shorthand' | 'entry' } | null;
}

interface Edit {
  readonly node: Node;
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly change: string;
}

export interface SourceFile {
  readonly path: string;
  readonly text: string;
  readonly tree: Node;
  /** Where each name stands. */
  readonly names: ReadonlyMap<string, readonly Node[]>;
}

export function sourceFile(path: string, text: string): SourceFile {
  const tree = parse(path, text);
  const identifiers = [...walk(tree)].filter(({ type }) => type === 'Identifier');
  return { path, text, tree, names: Map.groupBy(identifiers, ({ start, end }) => text.slice(start, end)) };
}

/**
 * All small changes of a file: a comparison, a number by a tenth, every and some, a clause or a negation left out.
 * `files` are all that may read what stands in it.
 */
export function mutantsOf(file: SourceFile, files: readonly SourceFile[]): Mutant[] {
  const seen = new Map<string, number>();
  return [...walk(file.tree)]
    .flatMap((node) =>
      [comparisons, numbers, quantifiers, clauses, negations].flatMap((changes) => changes(node, file.text)),
    )
    .map((change) => {
      const times = (seen.get(change.change) ?? 0) + 1;
      seen.set(change.change, times);
      return {
        file: file.path,
        line: file.text.slice(0, change.start).split('\n').length,
        change: times === 1 ? change.change : `${change.change} (${times})`,
        places: placesOf(change, file, files),
      };
    })
    .filter(({ places }) => places.length > 0);
}

const otherComparisons: Readonly<Record<string, readonly string[]>> = {
  '<': ['<=', '>='],
  '<=': ['<', '>'],
  '>': ['>=', '<='],
  '>=': ['>', '<'],
  '===': ['!=='],
  '!==': ['==='],
};

function comparisons(node: Node, source: string): Edit[] {
  if (node.type !== 'BinaryExpression') return [];
  const [left, right, operator] = [child(node, 'left'), child(node, 'right'), String(node.fields['operator'])];
  if (left === null || right === null) return [];
  const start = source.indexOf(operator, left.end);
  // Which of two equals comes first in a sorted list is no matter.
  const others = otherComparisons[operator] ?? [];
  const told = isOrder(node, source) ? others.slice(1) : others;
  return told.map((text) => edit(node, start, start + operator.length, text, source));
}

function isOrder(node: Node, source: string): boolean {
  const inner = [...ancestors(node)].find(isFunction);
  const call = inner?.parent;
  const callee = call?.type === 'CallExpression' ? child(call, 'callee') : null;
  return callee !== null && /\.(toSorted|sort)$/.test(source.slice(callee.start, callee.end));
}

/** Whole numbers by at least one: a count of 2.2 would be no other than 2. */
function numbers(node: Node, source: string): Edit[] {
  const value = node.fields['value'];
  if (node.type !== 'Literal' || typeof value !== 'number' || value === 0) return [];
  if (node.parent?.type === 'Property' && child(node.parent, 'value') !== node) return [];
  // The 1 and −1 of a sorted list stand for a sign.
  if (isOrder(node, source)) return [];
  const part = Number.isInteger(value) ? Math.max(1, Math.round(value / 10)) : value / 10;
  return [value + part, value - part].map((other) =>
    edit(node, node.start, node.end, String(Number(other.toPrecision(12))), source),
  );
}

function quantifiers(node: Node, source: string): Edit[] {
  const callee = node.type === 'CallExpression' ? child(node, 'callee') : null;
  const property = callee === null ? null : child(callee, 'property');
  if (property === null) return [];
  const name = source.slice(property.start, property.end);
  const other = name === 'every' ? 'some' : name === 'some' ? 'every' : null;
  return other === null ? [] : [edit(node, property.start, property.end, other, source)];
}

/** One clause of a chain of `&&` or `||` left out. */
function clauses(node: Node, source: string): Edit[] {
  if (!isChain(node) || (node.parent !== null && isChain(node.parent) && sameOperator(node, node.parent))) return [];
  const operands = operandsOf(node);
  return operands.map((operand, index) => {
    const next = operands[index + 1];
    const previous = operands[index - 1];
    const start = next === undefined ? (previous?.end ?? operand.start) : operand.start;
    const end = next === undefined ? operand.end : next.start;
    const change = `${String(node.fields['operator'])} without ${oneLine(source.slice(operand.start, operand.end))}`;
    return { node, start, end, text: '', change };
  });
}

const isChain = ({ type, fields }: Node) => type === 'LogicalExpression' && fields['operator'] !== '??';
const sameOperator = (a: Node, b: Node) => a.fields['operator'] === b.fields['operator'];

function operandsOf(node: Node): Node[] {
  return ['left', 'right'].flatMap((side) => {
    const operand = child(node, side);
    if (operand === null) return [];
    return isChain(operand) && sameOperator(operand, node) ? operandsOf(operand) : [operand];
  });
}

function negations(node: Node, source: string): Edit[] {
  if (node.type !== 'UnaryExpression' || node.fields['operator'] !== '!') return [];
  return [edit(node, node.start, node.start + 1, '', source)];
}

function edit(node: Node, start: number, end: number, text: string, source: string): Edit {
  const shown = shownAround(node);
  const is = source.slice(shown.start, shown.end);
  const becomes = source.slice(shown.start, start) + text + source.slice(end, shown.end);
  return { node, start, end, text, change: `${oneLine(is)} → ${oneLine(becomes)}` };
}

/** A number alone says little: its comparison, its call, its name. */
function shownAround(node: Node): Node {
  return node.type === 'Literal' && node.parent !== null && !/^(Arrow|Block|Return)/.test(node.parent.type)
    ? node.parent
    : node;
}

const oneLine = (text: string) => text.replaceAll(/\s+/g, ' ');

/**
 * Where the change takes effect. As far out as an expression goes that only computes a value: whether a test makes a
 * difference is then a question to that value. A constant, or a number of a table, is changed where it is read.
 */
function placesOf(change: Edit, file: SourceFile, files: readonly SourceFile[]): Place[] {
  if (isTopLevel(change.node)) {
    const holder = [...ancestors(change.node)].find(({ type }) => !isArithmetic(type));
    const value = holder === undefined ? null : child(holder, holder.type === 'Property' ? 'value' : 'init');
    if (holder !== undefined && value !== null) {
      const { text } = placeOf(value, change, file);
      const read = files.flatMap((other) => readsOf(holder, file, other).map((use) => placeOfRead(use, text, other)));
      if (read.length > 0) return read;
      if (holder.type === 'Property') return [placeOfEntry(holder, value, change, file)];
    }
  }
  const outer = outermost(change.node, file.text);
  return waits(outer) ? [] : [placeOf(outer, change, file)];
}

function placeOf(node: Node, { start, end, text }: Omit<Edit, 'node' | 'change'>, file: SourceFile): Place {
  const replaced = file.text.slice(node.start, start) + text + file.text.slice(end, node.end);
  const { start: from, end: to } = node;
  return { file: file.path, start: from, end: to, text: replaced, pure: isPure(node, file.text), name: null };
}

function placeOfRead(use: Node, value: string, file: SourceFile): Place {
  const { start, end, parent } = use;
  if (parent?.type === 'Property' && parent.fields['shorthand'] === true) {
    const name = { text: file.text.slice(start, end), valueStart: start, form: 'shorthand' } as const;
    return { file: file.path, start, end, text: value, pure: true, name };
  }
  return placeOf(outermost(use, file.text), { start, end, text: `(${value})` }, file);
}

/** A number of a table that is not read by its name. */
function placeOfEntry(property: Node, value: Node, change: Edit, file: SourceFile): Place {
  const key = child(property, 'key');
  const name = file.text.slice(key?.start, key?.end);
  return {
    ...placeOf(value, change, file),
    start: property.start,
    name: { text: name, valueStart: value.start, form: 'entry' },
  };
}

const isArithmetic = (type: string) => /^(Binary|Unary|Parenthesized|TSAs|TSSatisfies|TSNonNull)Expression$/.test(type);

/** Where a file reads a constant, or a member of a table, of one of the files: by name. */
function readsOf(holder: Node, file: SourceFile, other: SourceFile): Node[] {
  const declarator = [holder, ...ancestors(holder)].find(({ type }) => type === 'VariableDeclarator');
  const name = declarator === undefined ? null : child(declarator, 'id');
  if (name?.type !== 'Identifier' || (holder !== declarator && holder.parent !== tableOf(declarator))) return [];
  const text = file.text.slice(name.start, name.end);
  if (other !== file && !imports(other, text, file)) return [];
  const named = (other.names.get(text) ?? []).filter((node) => node !== name && !isLabel(node) && !isModuleName(node));
  if (named.some(isBinding)) return [];
  const reads = holder === declarator ? named : named.flatMap((node) => memberOf(node, holder, file, other));
  return reads.filter((node) => !isTopLevel(node));
}

/** `{…}` of `const name = {…} as const`. */
function tableOf(declarator: Node | undefined): Node | null {
  let value = declarator === undefined ? null : child(declarator, 'init');
  while (value?.type.startsWith('TS')) value = child(value, 'expression');
  return value;
}

function memberOf(node: Node, property: Node, file: SourceFile, other: SourceFile): Node[] {
  const member = node.parent;
  const key = child(property, 'key');
  const read = member?.type === 'MemberExpression' ? child(member, 'property') : null;
  if (member == null || key === null || read === null || child(member, 'object') !== node) return [];
  return file.text.slice(key.start, key.end) === other.text.slice(read.start, read.end) ? [member] : [];
}

const imports = (other: SourceFile, name: string, file: SourceFile) =>
  new RegExp(`\\{[^}]*\\b${name}\\b[^}]*\\} from '[^']*/${basename(file.path)}'`).test(other.text);

const isModuleName = ({ parent }: Node) => parent !== null && /^(Import|Export)/.test(parent.type);

/** A name of a member, not of a value. */
function isLabel(node: Node): boolean {
  const { parent } = node;
  if (parent?.type === 'MemberExpression')
    return parent.fields['computed'] !== true && child(parent, 'property') === node;
  return parent?.type === 'Property' && parent.fields['shorthand'] !== true && child(parent, 'key') === node;
}

function isBinding(node: Node): boolean {
  const { parent } = node;
  if (parent === null) return false;
  if (/Pattern$|RestElement/.test(parent.type)) return true;
  if (parent.type === 'Property' && parent.parent?.type === 'ObjectPattern') return true;
  if (parent.type === 'VariableDeclarator') return child(parent, 'id') === node;
  return isFunction(parent) && child(parent, 'body') !== node;
}

/** The widest expression around that computes one value of others. */
function outermost(node: Node, source: string): Node {
  let best = node;
  for (const outer of ancestors(node)) {
    if (!/^(Binary|Logical|Unary|Parenthesized|Call|Member|Chain|TSNonNull)Expression$/.test(outer.type)) break;
    if (/^(Binary|Logical|Unary)/.test(outer.type) && isPure(outer, source)) best = outer;
  }
  return best;
}

const changing = /\.(push|pop|shift|unshift|splice|set|add|delete|next|sort|reverse|fill)\(/;

function isPure(node: Node, source: string): boolean {
  if (changing.test(source.slice(node.start, node.end))) return false;
  return ![...walk(node)].some(({ type }) => /^(Assignment|Update|Await|Yield)Expression$/.test(type));
}

const waits = (node: Node) => [...walk(node)].some(({ type }) => /^(Await|Yield)Expression$/.test(type));

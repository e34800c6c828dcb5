import { globSync, readFileSync } from 'node:fs';
import { parseAst } from 'vite';
import { expect, test } from 'vitest';

/**
 * Data is never spread over the arguments of a call: each item takes a place on the stack, and some ten thousand of them
 * end the program ("Maximum call stack size exceeded"). Only a function's own rest parameter may be passed on: who calls
 * that function is held by the same rule, so these were written one by one. Array literals may hold spreads: `[...xs]`.
 */
function spreadArguments(source: string): string[] {
  const found: string[] = [];
  const visit = (value: unknown, rest: ReadonlySet<string>): void => {
    if (Array.isArray(value)) for (const one of value) visit(one, rest);
    if (!isNode(value)) return;
    const own = new Set([...rest, ...restNames(value)]);
    const given = isCall(value) ? value['arguments'] : [];
    for (const argument of (given as readonly Node[]).filter(({ type }) => type === 'SpreadElement')) {
      const spread = argument['argument'] as Node;
      if (spread.type !== 'Identifier' || !own.has(String(spread['name']))) found.push(textOf(source, value));
    }
    if (isCall(value) && isApply(value['callee'])) found.push(textOf(source, value));
    for (const inner of Object.values(value)) visit(inner, own);
  };
  visit(parseAst(source, { lang: 'tsx' }), new Set());
  return found;
}

interface Node {
  readonly type: string;
  readonly [field: string]: unknown;
}

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value;

const isCall = ({ type }: Node) => type === 'CallExpression' || type === 'NewExpression';

/** `f.apply(null, xs)` and `Reflect.apply(f, null, xs)` are the same by another name. */
function isApply(callee: unknown): boolean {
  return isNode(callee) && isNode(callee['property']) && callee['property']['name'] === 'apply';
}

function restNames({ params }: Node): readonly string[] {
  const all = (Array.isArray(params) ? params : []) as readonly Node[];
  return all.flatMap((one) =>
    one.type === 'RestElement' && isNode(one['argument']) ? [String(one['argument']['name'])] : [],
  );
}

function textOf(source: string, { start, end }: Node): string {
  return source.slice(Number(start), Number(end)).replaceAll(/\s+/g, ' ');
}

test.each(globSync('src/**/*.{ts,tsx}'))('%s spreads no data over arguments', (file) => {
  expect(spreadArguments(readFileSync(file, 'utf8'))).toEqual([]);
});

test.each([
  ['Math.max(...xs)', true],
  ['Math.max(0, ...xs.map(f))', true],
  ['list.push(...[...a, ...b])', true],
  ['String.fromCharCode(...codes)', true],
  ['one.concat(...many)', true],
  ['new Set(...pairs)', true],
  ['f?.(...xs)', true],
  ['<p>{Math.min(...xs)}</p>', true],
  ['Math.max.apply(null, xs)', true],
  ['Reflect.apply(Math.max, null, xs)', true],
  ['(xs) => f(...xs)', true],
  ['(...xs) => (ys) => f(...ys)', true],
  ['function g([...xs]) { return f(...xs); }', true],
  ['f([...xs])', false],
  ['f({ ...xs })', false],
  ['const [first, ...others] = xs', false],
  ['function g(...xs) { return f(0, ...xs); }', false],
  ['(...xs) => later(() => f(...xs))', false],
])('the rule: %s', (source, isRefused) => {
  expect(spreadArguments(source).length > 0).toBe(isRefused);
});

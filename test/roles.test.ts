import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { causeIds } from '../src/report/ids.ts';

/**
 * Who may spell the id of a cause outside of its own file and of the list of ids, and why. All others ask what follows from
 * a cause (`verdict/consequences.ts`), never which one it is.
 */
const mayName: Readonly<Record<string, readonly string[]>> = {
  // Sends its reader to the cause that is meant.
  'src/explain/warnings.ts': ['stuck-pod'],
  // Reads a published report, in which a cause is no more than its id.
  'src/fix/l7-proxy.ts': ['client-outside-mesh'],
};

/**
 * Ids of causes in a source, apart from names of files and longer ids. One that is a plain word counts as a literal alone,
 * and not where literals are labels.
 */
function named(source: string, hasLabels = false): string[] {
  const text = source.replaceAll(/from '[^']+'/g, '');
  const isHere = (id: string) =>
    id.includes('-')
      ? new RegExp(`(?<![\\w./-])${id}(?![\\w/-])`).test(text)
      : !hasLabels && new RegExp(`(['"\`])${id}\\1`).test(text);
  return causeIds.filter(isHere);
}

const files = globSync('src/**/*.{ts,tsx}').filter(
  (file) => !/^src\/(causes|lab)\//.test(file) && file !== 'src/report/ids.ts',
);

test.each(files)('%s names no cause', (file) => {
  expect(named(readFileSync(file, 'utf8'), /^src\/(render|tui)\//.test(file))).toEqual(mayName[file] ?? []);
});

test('a cause is recognised in a literal, a key and a sentence, and nothing else is taken for one', () => {
  expect(named("causes.has('draining') || 'explain stuck-pod' || { 'hot-client': 1 }")).toEqual([
    'hot-client',
    'draining',
    'stuck-pod',
  ]);
  expect(named("import { chance } from './few-connections.ts'; // no chance of draining, not-grpc-web")).toEqual([]);
});

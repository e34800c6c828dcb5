import { globSync, readFileSync } from 'node:fs';
import { blocksOf, fillBlocks } from './blocks.ts';
import { fieldTable, type Schema } from './json-reference.ts';
import { readingLimitTable } from './reading-limits.ts';
import { causePages, languageTables, limitTable, roleTable, ruleTable, signalTable, strategyTable } from './tables.ts';
import { truthTables } from './truth.ts';

/** Everything that pages take from the program itself, by the name of the block. */
export function generatedBlocks(): ReadonlyMap<string, string> {
  const blocks = new Map([
    ['causes', causePages()],
    ['rules', ruleTable()],
    ['strategies', strategyTable()],
    ['limits', limitTable()],
    ['reading-limits', readingLimitTable()],
    ['signals', signalTable()],
    ['role', roleTable()],
    ['languages', languageTables()],
    ['truth', truthTables()],
  ]);
  for (const file of globSync('schemas/*.json')) {
    const schema: Schema = JSON.parse(readFileSync(file, 'utf8'));
    blocks.set(schema.title?.toLowerCase() ?? file, fieldTable(schema));
  }
  return blocks;
}

/** Pages with generated blocks: path, the text as it is and as it should be. */
export function generatedPages(): readonly { readonly path: string; readonly is: string; readonly shouldBe: string }[] {
  const blocks = generatedBlocks();
  return globSync(['*.md', 'docs/*.md'])
    .sort()
    .map((path) => ({ path, is: readFileSync(path, 'utf8') }))
    .filter(({ is }) => blocksOf(is).length > 0)
    .map(({ path, is }) => ({ path, is, shouldBe: fillBlocks(is, blocks) }));
}

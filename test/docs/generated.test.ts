import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { blocksOf, fillBlocks, table } from '../../scripts/docs/blocks.ts';
import { fieldTable } from '../../scripts/docs/json-reference.ts';
import { generatedBlocks, generatedPages } from '../../scripts/docs/pages.ts';
import { causePages } from '../../scripts/docs/tables.ts';
import { causeUnits } from '../../src/causes/all.ts';

test.each(generatedPages().map((page) => [page.path, page] as const))(
  '%s is what the program says (else: npm run docs)',
  (_path, { is, shouldBe }) => {
    expect(is).toBe(shouldBe);
  },
);

test('each block stands on one page', () => {
  const used = generatedPages().flatMap(({ is }) => blocksOf(is));
  expect(used.toSorted()).toEqual([...generatedBlocks().keys()].toSorted());
});

test('every cause has its section', () => {
  const text = causePages();
  for (const { id } of causeUnits) expect(text).toContain(`\n#### ${id}\n`);
});

test('the page on the architecture names every folder of src/', () => {
  const page = readFileSync('docs/architecture.md', 'utf8');
  const folders = readdirSync('src', { withFileTypes: true }).filter((entry) => entry.isDirectory());
  for (const { name } of folders) expect(page).toContain(`| \`src/${name}\``);
});

describe('blocks', () => {
  const blocks = new Map([['figures', 'new']]);

  test('are replaced, and nothing else', () => {
    const page = 'a\n<!-- generated: figures -->\nold\n<!-- end of figures -->\nb\n';
    const filled = 'a\n<!-- generated: figures -->\n\nnew\n\n<!-- end of figures -->\nb\n';
    expect(fillBlocks(page, blocks)).toBe(filled);
    expect(fillBlocks(filled, blocks)).toBe(filled);
  });

  test.each([
    ['unknown', '<!-- generated: other -->\n<!-- end of other -->', /nothing generates the block other/],
    ['without an end', '<!-- generated: figures -->\n', /does not end/],
    ['ended by another', '<!-- generated: figures -->\n<!-- end of causes -->', /ends as causes/],
  ])('%s: an error', (_name, page, message) => {
    expect(() => fillBlocks(page, blocks)).toThrow(message);
  });

  test('a bar stays in its cell', () => {
    expect(table(['a'], [['x | y']])).toBe('| a |\n|---|\n| x \\| y |');
  });
});

test('a schema becomes a table: paths, null, optional, values, lists, maps', () => {
  const schema = {
    type: 'object',
    required: ['name', 'pods', 'labels', 'range', 'unit'],
    properties: {
      name: { anyOf: [{ type: 'string', description: 'Of the Service' }, { type: 'null' }] },
      pods: {
        type: 'array',
        description: 'Hottest first',
        items: {
          type: 'object',
          required: ['state'],
          properties: { state: { enum: ['hot', 'idle'] }, age: { type: 'integer' } },
        },
      },
      labels: { type: 'object', patternProperties: { '^.*$': { type: 'number' } } },
      range: { type: 'array', items: [{ type: 'number' }, { type: 'number' }] },
      unit: { const: 's' },
    },
  };
  expect(fieldTable(schema).split('\n').slice(2)).toEqual([
    '| `name` | string or null | Of the Service |',
    '| `pods[]` | list of objects | Hottest first |',
    '| `pods[].state` | string | One of `hot`, `idle` |',
    '| `pods[].age` | integer, optional |  |',
    '| `labels.*` | map of numbers |  |',
    '| `range` | [number, number] |  |',
    '| `unit` | `"s"` |  |',
  ]);
});

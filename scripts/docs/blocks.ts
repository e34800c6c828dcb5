const block = /(<!-- generated: ([-a-z]+) -->\n)([\s\S]*?)(<!-- end of ([-a-z]+) -->)/g;

/**
 * Puts generated text into a hand-written page: what stands between `<!-- generated: NAME -->` and `<!-- end of NAME -->`
 * is replaced. Throws where a page names a block that nothing generates, or one does not end.
 */
export function fillBlocks(page: string, blocks: ReadonlyMap<string, string>): string {
  if ([...page.matchAll(block)].length < blocksOf(page).length) throw new Error('a generated block does not end');
  return page.replace(block, (_, begin: string, name: string, _old, end: string, endName: string) => {
    const text = blocks.get(name);
    if (text === undefined) throw new Error(`nothing generates the block ${name}`);
    if (endName !== name) throw new Error(`the block ${name} ends as ${endName}`);
    return `${begin}\n${text.trim()}\n\n${end}`;
  });
}

/** Names of the blocks of a page. */
export function blocksOf(page: string): string[] {
  return [...page.matchAll(/<!-- generated: ([-a-z]+) -->/g)].map((found) => found[1] ?? '');
}

/** A table of Markdown; a bar in a cell is escaped, so that it stays one cell. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), `|${head.map(() => '---').join('|')}|`, ...rows.map(line)].join('\n');
}

/** Ids as code: `a`, `b`. */
export function codes(ids: readonly string[]): string {
  return ids.map((id) => `\`${id}\``).join(', ');
}

import { globSync, readFileSync } from 'node:fs';

/** A page of the documentation. */
export interface Page {
  readonly path: string;
  readonly text: string;
}

/** All pages that are written for readers, README first. */
export const pages: readonly Page[] = globSync(['*.md', 'docs/*.md'])
  .sort((a, b) => Number(b === 'README.md') - Number(a === 'README.md') || a.localeCompare(b))
  .map((path) => ({ path, text: readFileSync(path, 'utf8') }));

/** A page without its fenced blocks. */
export function prose({ text }: Page): string {
  return text.replaceAll(/^ *```[^\n]*\n[\s\S]*?^ *```$/gm, '');
}

/** Anchors of the headings of a page, as GitHub makes them: small letters, no punctuation, dashes for blanks. */
export function anchors(page: Page): readonly string[] {
  const seen = new Map<string, number>();
  return [...prose(page).matchAll(/^#{1,6} (.*)$/gm)].map(([, heading = '']) => {
    const name = heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\p{M}_\- ]/gu, '')
      .replaceAll(' ', '-');
    const times = seen.get(name) ?? 0;
    seen.set(name, times + 1);
    return times === 0 ? name : `${name}-${times}`;
  });
}

/** Targets of links and pictures of a page. */
export function links(page: Page): readonly string[] {
  const withoutCode = prose(page).replaceAll(/`[^`\n]*`/g, '');
  return [...withoutCode.matchAll(/\]\(([^)\s]+)\)|(?:src|href)="([^"]+)"/g)].map(
    (found) => found[1] ?? found[2] ?? '',
  );
}

import { existsSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, test } from 'vitest';
import { anchors, links, pages } from './pages.ts';

const withLinks = pages.flatMap((page) => links(page).map((link) => ({ page, link })));

test('the pages have links', () => {
  expect(withLinks.length).toBeGreaterThan(20);
});

test.each(withLinks.map(({ page, link }) => [page.path, link] as const))('%s: %s leads somewhere', (path, link) => {
  if (/^[a-z]+:/.test(link)) {
    expect(link).toMatch(/^https:\/\//);
    expect(URL.canParse(link)).toBe(true);
    return;
  }
  const [file = '', anchor] = link.split('#');
  const target = file === '' ? path : normalize(join(dirname(path), file));
  expect(existsSync(target), target).toBe(true);
  if (anchor === undefined) return;
  const page = pages.find((entry) => entry.path === target);
  expect(page === undefined ? [] : anchors(page)).toContain(anchor);
});

test('every page of docs/ can be reached from the README', () => {
  const reached = new Set(['README.md']);
  for (const path of reached) {
    const page = pages.find((entry) => entry.path === path);
    for (const link of page === undefined ? [] : links(page)) {
      const target = normalize(join(dirname(path), link.split('#')[0] ?? ''));
      if (pages.some((entry) => entry.path === target)) reached.add(target);
    }
  }
  expect(pages.map(({ path }) => path).filter((path) => !reached.has(path))).toEqual([]);
});

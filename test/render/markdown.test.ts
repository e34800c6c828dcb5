import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { renderMarkdown } from '../../src/render/markdown.ts';
import { cell, code, prose } from '../../src/render/markup.ts';
import { sanitise } from '../../src/render/sanitise.ts';
import type { SkewReport } from '../../src/report/schema.ts';
import { filledWith, nasty } from './filled.ts';
import { compared, forbidden, hostile, reports, scaleUp, twoHundred } from './reports.ts';

describe.each(Object.entries({ scaleUp, compared, forbidden, hostile }))('%s', (name, one) => {
  test('as a whole note', async () => {
    await expect(renderMarkdown(one)).toMatchFileSnapshot(`golden/${name}.md`);
  });
});

test('all that an incident note needs is there, and what is empty takes no heading', () => {
  const titles = (one: SkewReport) => [...renderMarkdown(one).matchAll(/^## (.*)$/gm)].map((found) => found[1]);
  expect(titles(scaleUp)).toEqual(expect.arrayContaining(['Why', 'Pods', 'What to do', 'How it was measured']));
  expect(titles(scaleUp)).not.toContain('Compared with the baseline');
  expect(titles(compared)).toContain('Compared with the baseline');
  expect(titles(forbidden)).toContain('Not seen');
  expect(renderMarkdown(scaleUp)).toMatch(/^ {6}kubectl grpc-skew svc\/echo -n shop --context prod-eu$/m);
});

test('of very many pods those that matter: the hottest, and all kinds of trouble', () => {
  const rows = renderMarkdown(twoHundred)
    .split('\n')
    .filter((line) => line.startsWith('| catalog-'));
  expect(rows.length).toBeLessThanOrEqual(12);
  expect(rows.some((row) => row.includes('hot'))).toBe(true);
  expect(rows.some((row) => row.includes('not-ready'))).toBe(true);
  expect(renderMarkdown(twoHundred)).toMatch(/^and 1\d\d pods more$/m);
});

test.each([
  ['a|b', 'a\\|b'],
  ['<img src=x onerror=alert(1)>', '&lt;img src=x onerror=alert(1)&gt;'],
  ['[x](y)', '\\[x\\](y)'],
  ['**x** _y_', '\\*\\*x\\*\\* \\_y\\_'],
  ['`x`', '\\`x\\`'],
  // A mention calls somebody, a reference and a link lead away, whatever is escaped: as code they do not.
  ['thanks @alice, see #12', 'thanks `@alice`, see `#12`'],
  ['at https://evil.example/x.', 'at `https://evil.example/x`.'],
])('prose: %s', (text, markdown) => {
  expect(prose(text)).toBe(markdown);
});

test('code holds whatever it is given', () => {
  expect(code('a`b')).toBe('``a`b``');
  expect(code('`')).toBe('`` ` ``');
  expect(cell('a|@b')).toBe('`a\\|@b`');
});

/** Signs that a reader of markdown takes for markup: read as CommonMark does, without code spans, escapes and entities. */
function skeleton(markdown: string): string[] {
  return markdown.split('\n').map((line) => {
    if (/^ {6}kubectl /.test(line)) return 'code';
    let left = '';
    for (let at = 0; at < line.length; ) {
      const rest = line.slice(at);
      const taken =
        /^\\[!-/:-@[-`{-~]/.exec(rest) ?? /^(`+)(?!`).*?[^`]\1(?!`)/.exec(rest) ?? /^&(?:amp|lt|gt);/.exec(rest);
      // A URL or a mention is a sign as well.
      const sign = /^(?:\/{2}|`+|[*_{}[\]|#~$^<>\\&]|@(?=\w))/.exec(rest);
      if (taken === null && sign !== null) left += sign[0];
      at += taken?.[0].length ?? sign?.[0].length ?? 1;
    }
    return left;
  });
}

test('no text of a cluster becomes markup: what is left without it is the same as for a plain word', () => {
  fc.assert(
    fc.property(fc.constantFrom('scaleUp', 'elsewhere', 'compared'), nasty, (name, text) => {
      fc.pre(text.trim() !== '');
      const one = reports[name];
      const markdown = renderMarkdown(filledWith(one, text));
      // Commands are printed only of what can be pasted as it is.
      const isName = /^[A-Za-z0-9]([\w./:-]*[A-Za-z0-9])?$/.test(text);
      const plain = filledWith(one, isName ? 'word' : '-word');
      const isCommand = sanitise(text) === text;
      const relief = plain.status.relief.map((each) => ({ ...each, command: isCommand ? each.command : null }));
      const expected = renderMarkdown({ ...plain, status: { ...plain.status, relief } });
      expect(skeleton(markdown)).toEqual(skeleton(expected));
      expect(markdown).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
    }),
    { numRuns: 400 },
  );
});

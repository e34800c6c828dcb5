import { expect, test } from 'vitest';
import { renderChat } from '../../src/render/chat.ts';
import { renderHtml } from '../../src/render/html/page.ts';
import { renderMarkdown } from '../../src/render/markdown.ts';
import { renderTables } from '../../src/render/table.ts';
import { warningsOf } from '../../src/render/warnings.ts';
import type { SkewReport } from '../../src/report/schema.ts';
import { scaleUp } from './reports.ts';

const warned = (...ids: readonly string[]): SkewReport => ({
  ...scaleUp,
  status: { ...scaleUp.status, warnings: ids.map((id) => ({ id, text: `what ${id} says` })) },
});
const inOrder = (text: string) => [...text.matchAll(/what (\S+) says/g)].map((found) => found[1]);

/** A figure that is an upper bound, an autoscaler that does not see the hot pod, a pod that died, calls that get 503. */
const given = ['sidecar-port', 'hpa-blind', 'oom-victim', 'subset-without-pods'];
const byHarm = ['oom-victim', 'subset-without-pods', 'hpa-blind', 'sidecar-port'];

test('the most harmful warning comes first, of the same harm the first of the report', () => {
  expect(warningsOf(warned(...given)).map(({ id }) => id)).toEqual(byHarm);
  expect(warningsOf(warned(...given.toReversed())).map(({ id }) => id)).toEqual([
    'subset-without-pods',
    'oom-victim',
    'hpa-blind',
    'sidecar-port',
  ]);
});

test('one that is not known, as what every object has, comes last and is not lost', () => {
  const ids = warningsOf(warned('constructor', 'sidecar-port', 'of-a-later-version')).map(({ id }) => id);
  expect(ids).toEqual(['sidecar-port', 'constructor', 'of-a-later-version']);
});

test('table, wide, markdown and html show all of them in this order, a chat the first two', () => {
  const report = warned(...given);
  for (const wide of [false, true])
    expect(inOrder(renderTables([report], { columns: 100, color: false, unicode: true, wide }))).toEqual(byHarm);
  expect(inOrder(renderMarkdown(report))).toEqual(byHarm);
  expect(inOrder(renderHtml([report]))).toEqual(byHarm);
  expect(inOrder(renderChat(report).replaceAll('`', ''))).toEqual(byHarm.slice(0, 2));
});

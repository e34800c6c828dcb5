import fc from 'fast-check';
import stringWidth from 'string-width';
import { describe, expect, test } from 'vitest';
import { renderChat } from '../../src/render/chat.ts';
import { renderMarkdown } from '../../src/render/markdown.ts';
import { renderTables, type TableOptions } from '../../src/render/table.ts';
import { states, verdictKinds } from '../../src/report/ids.ts';
import type { SkewReport } from '../../src/report/schema.ts';
import { elsewhere, forbidden, pod, report, reports, scaleUp, twoHundred } from './reports.ts';

const renderTable = (one: SkewReport, options: TableOptions) => renderTables([one], options);

const plain: TableOptions = { columns: 80, color: false, unicode: true, wide: false };
const linesOf = (text: string) => text.split('\n').slice(0, -1);
const withoutColor = (text: string) => text.replace(/\u001b\[[0-9;]+m/g, '');

const options = fc.record({
  columns: fc.integer({ min: 60, max: 220 }),
  color: fc.boolean(),
  unicode: fc.boolean(),
  wide: fc.boolean(),
});

/** Any of the reports, with one text put in the place of many. */
const anyReport = fc
  .tuple(fc.constantFrom(...Object.values(reports)), fc.option(fc.string({ unit: 'binary', maxLength: 300 })))
  .map(([one, text]) => (text === null ? one : filledWith(one, text)));

function filledWith(one: SkewReport, text: string): SkewReport {
  const { headline, verdict } = one.status;
  return {
    ...one,
    metadata: { ...one.metadata, name: text, namespace: text, context: text, generatedAt: text },
    status: {
      ...one.status,
      headline: { ...headline, since: text, why: text, now: text, notSeen: [text, text] },
      verdict: { ...verdict, summary: text, settledBy: text },
      pods: one.status.pods.map((pod, at) => ({ ...pod, name: `${text}${at}`, node: text, notSeen: text })),
      clients: one.status.clients.map((client) => ({ ...client, workload: text })),
      relief: one.status.relief.map((relief) => ({ ...relief, action: text, command: text })),
      avoid: [text],
    },
  };
}

describe.each(Object.entries(reports))('%s', (name, one) => {
  test.each([80, 120])('at %i columns', async (columns) => {
    await expect(renderTable(one, { ...plain, columns })).toMatchFileSnapshot(`golden/${name}-${columns}.txt`);
  });
});

test.each([
  ['wide', { ...plain, columns: 120, wide: true }],
  ['ascii', { ...plain, unicode: false }],
  ['narrow', { ...plain, columns: 60 }],
])('scale-up, %s', async (name, given) => {
  await expect(renderTable(scaleUp, given)).toMatchFileSnapshot(`golden/scaleUp-${name}.txt`);
});

test('no line is wider than the terminal, ends in blanks, or holds a control character', () => {
  fc.assert(
    fc.property(anyReport, options, (one, given) => {
      const text = renderTable(one, given);
      expect(text.endsWith('\n')).toBe(true);
      for (const line of linesOf(withoutColor(text))) {
        expect(stringWidth(line), line).toBeLessThanOrEqual(given.columns);
        expect(line).toBe(line.trimEnd());
        expect(line).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}]/u);
      }
    }),
  );
});

test('colours change nothing but colours', () => {
  fc.assert(
    fc.property(anyReport, options, (one, given) => {
      const without = renderTable(one, { ...given, color: false });
      expect(without).not.toContain('\u001b');
      expect(withoutColor(renderTable(one, { ...given, color: true }))).toBe(without);
    }),
  );
});

test('without Unicode all is ASCII', () => {
  fc.assert(
    fc.property(anyReport, options, (one, given) => {
      expect(renderTable(one, { ...given, color: false, unicode: false })).toMatch(/^[\x20-\x7e\n]*$/);
    }),
  );
});

test('below 60 columns the layout is that of 60', () => {
  expect(renderTable(scaleUp, { ...plain, columns: 20 })).toBe(renderTable(scaleUp, { ...plain, columns: 60 }));
});

test('header and pods of ten pods fit on a screen of 24 lines, the whole in 34', () => {
  const lines = linesOf(renderTable(scaleUp, plain));
  expect(lines.findIndex((line) => line.startsWith('strategy'))).toBeLessThan(24);
  expect(lines.length).toBeLessThanOrEqual(34);
});

test('two hundred pods take a dozen lines: the hottest, some idle ones, those in trouble', () => {
  const rows = linesOf(renderTable(twoHundred, plain)).filter((line) => line.startsWith('catalog-'));
  expect(rows).toHaveLength(12);
  expect(rows[0]).toMatch(/ hot$/);
  expect(rows.filter((row) => row.includes('not-ready'))).toHaveLength(3);
  expect(rows.filter((row) => row.includes('not-seen')).length).toBeGreaterThan(0);
  expect(rows.filter((row) => row.endsWith(' idle'))).toHaveLength(2);
});

test('wide shows every pod', () => {
  const rows = linesOf(renderTable(twoHundred, { ...plain, columns: 140, wide: true }));
  expect(new Set(rows.flatMap((row) => row.match(/^catalog-84c7d9b5d-\w+/) ?? [])).size).toBe(200);
});

test('names that were cut still differ', () => {
  const rows = linesOf(renderTable(reports.longNames, { ...plain, columns: 60 })).filter((line) =>
    line.startsWith('pay'),
  );
  const names = rows.map((row) => row.split('  ')[0]);
  expect(new Set(names).size).toBe(names.length);
});

test('every state has its own word, and unknown says what would settle it', () => {
  const head = (more: Partial<SkewReport['status']['verdict']>) => {
    const verdict = { ...scaleUp.status.verdict, ...more };
    return linesOf(renderTable(report('echo', { verdict }), plain))[2]?.split('  ')[0];
  };
  const settled = states.filter((state) => state !== 'not-load-balancing');
  expect(settled.map((state) => head({ state }))).toEqual(['SKEWED', 'BALANCED', 'NO TRAFFIC', 'UNKNOWN']);
  const kinds = verdictKinds.map((kind) => head({ state: 'not-load-balancing', kind }));
  expect(kinds).toEqual(['OUTAGE', 'FAULT', 'BY SETTING', 'ONE POD']);
  expect(linesOf(renderTable(forbidden, plain))[3]).toMatch(/^settle it {3}one ss in each pod/);
});

test('what is not known is a dash, never 0', () => {
  const row = linesOf(renderTable(forbidden, plain)).find((line) => line.startsWith('checkout-7d5b8c9f6-9prh4'));
  expect(row).toMatch(/ - +- +- +- +11d +not-seen$/);
});

test('a pod that left the Service says so', () => {
  const gone = {
    ...elsewhere,
    status: { ...elsewhere.status, pods: elsewhere.status.pods.map((pod) => ({ ...pod, endpoint: false, marks: [] })) },
  };
  expect(renderTable(gone, { ...plain, columns: 100 })).toContain('not-in-service');
});

test('a pod outside the endpoints that carries load stands first, with its part of what all pods carry', () => {
  const unread = { bytesPerSecond: null, bytesTotal: null };
  const within = [
    pod('inside-a', { ...unread, load: 0.6, connections: 3 }),
    pod('inside-b', { ...unread, load: 0.4, connections: 2 }),
  ];
  const left = pod('left-behind', { ...unread, endpoint: false, load: null, expectedShare: null, connections: 5 });
  const gone = report('echo', { ...scaleUp.status, pods: [...within, left] });
  const row = (name: string, text: string) => linesOf(text).findIndex((line) => line.includes(name));
  const shown = { table: renderTable(gone, plain), chat: renderChat(gone), note: renderMarkdown(gone) };
  for (const [output, text] of Object.entries({ ...shown, wide: renderTable(gone, { ...plain, wide: true }) })) {
    expect(row('left-behind', text), output).toBeGreaterThan(0);
    expect(row('left-behind', text), output).toBeLessThan(row('inside-a', text));
    // 5 of 10 connections, those of all pods.
    expect(linesOf(text)[row('left-behind', text)], output).toMatch(/left-behind\b.* 50 %/);
  }
});

test('columns line up over any number of rows', () => {
  const [pod] = scaleUp.status.pods;
  if (pod === undefined) throw new Error('a pod');
  const pods = Array.from({ length: 1000 }, (_, at) => ({ ...pod, name: `echo-${at}${'x'.repeat(at % 7)}` }));
  const lines = linesOf(
    renderTable({ ...scaleUp, status: { ...scaleUp.status, pods } }, { ...plain, columns: 120, wide: true }),
  );
  const names = lines.filter((line) => /^echo-\d+x* /.test(line));
  expect(names.length).toBeGreaterThanOrEqual(pods.length);
  const head = lines.find((line) => line.startsWith('POD '));
  const shareEnd = (head?.indexOf('SHARE') ?? 0) + 'SHARE'.length;
  expect(new Set(names.slice(0, pods.length).map((line) => line.slice(0, shareEnd).trimEnd().length))).toEqual(
    new Set([shareEnd]),
  );
});

test('who told of the counters of probes is said: kubelets, or Prometheus of them', () => {
  const counted = { successful: 104, failed: 3, unknown: 0, window: null, meanSeconds: null, p95Seconds: null };
  const probe = {
    ...({ container: 'app', type: 'readiness', kind: 'grpc', port: 50_051, service: null } as const),
    ...{ timeoutSeconds: 1, periodSeconds: 5, pods: 10, failedPods: 0, failures: 0 },
  };
  const told = (countedBy: 'kubelet' | 'prometheus') => {
    const probes = [{ ...probe, counted, countedBy }];
    const one = { ...scaleUp, status: { ...scaleUp.status, probes } };
    return renderTable(one, { ...plain, wide: true }).replaceAll(/\s+/g, ' ');
  };
  expect(told('prometheus')).toContain('counted by kubelets, by way of Prometheus');
  expect(told('kubelet')).toContain('counted by kubelets');
  expect(told('kubelet')).not.toContain('by way of');
});

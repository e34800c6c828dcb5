import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { type DefaultTreeAdapterTypes, parse } from 'parse5';
import { describe, expect, test } from 'vitest';
import { renderHtml } from '../../src/render/html/page.ts';
import { style } from '../../src/render/html/style.ts';
import { sanitise } from '../../src/render/sanitise.ts';
import type { Client, PastLoad, PrometheusAnswer, ReportPod, SkewReport } from '../../src/report/schema.ts';
import { filledWith, nasty } from '../render/filled.ts';
import { compared, empty, forbidden, pod, reports, scaleUp, twoHundred } from '../render/reports.ts';

type Node = DefaultTreeAdapterTypes.Node;
type Element = DefaultTreeAdapterTypes.Element;

/** As a browser reads it; what is not HTML fails. */
function read(html: string): Node {
  const errors: string[] = [];
  const document = parse(html, { onParseError: ({ code, startLine }) => errors.push(`${code} in line ${startLine}`) });
  expect(errors).toEqual([]);
  return document;
}

const childrenOf = (node: Node): readonly Node[] => ('childNodes' in node ? node.childNodes : []);
const all = (node: Node): readonly Node[] => [node, ...childrenOf(node).flatMap(all)];
const elements = (node: Node, tag: string): readonly Element[] =>
  all(node).filter((one): one is Element => one.nodeName === tag);
const attribute = (node: Element, name: string) => node.attrs.find((one) => one.name === name)?.value ?? null;
const classesOf = (node: Element) => (attribute(node, 'class') ?? '').split(' ');
const textOf = (node: Node): string => ('value' in node ? node.value : childrenOf(node).map(textOf).join(''));
const withClass = (node: Node, tag: string, name: string) =>
  elements(node, tag).filter((one) => classesOf(one).includes(name));

/** Elements with their attributes, and texts, in their order. */
function flat(node: Node): readonly string[] {
  if ('value' in node) return [node.value];
  const own = 'attrs' in node ? node.attrs.map(({ name, value }) => `${name}=${value}`).join(' ') : '';
  return [`<${node.nodeName} ${own}>`, ...childrenOf(node).flatMap(flat), `</${node.nodeName}>`];
}

const section = (html: Node, title: string) =>
  elements(html, 'section').find((one) => elements(one, 'h2').some((head) => textOf(head) === title)) ?? null;

describe.each(Object.entries(reports))('%s', (_name, report) => {
  const document = read(renderHtml([report]));

  test('holds nothing that runs, loads or leads out of it', () => {
    const tags = new Set(all(document).map(({ nodeName }) => nodeName));
    for (const tag of ['script', 'img', 'link', 'iframe', 'object', 'embed', 'form', 'base', 'use', 'image', 'video'])
      expect(tags).not.toContain(tag);
    const attributes = all(document).flatMap((node) => ('attrs' in node ? node.attrs : []));
    for (const { name, value } of attributes) {
      expect(name).not.toMatch(/^on|^(src|srcset|style|action|ping|data|background|xlink:href)$/);
      if (name === 'href') expect(value).toMatch(/^#[\w-]+$/);
    }
    expect(style).not.toMatch(/url\(|@import/);
  });

  test('its one style is the one that its policy names, and nothing else is allowed', () => {
    const [only, ...others] = elements(document, 'style');
    expect(others).toEqual([]);
    const hash = createHash('sha256')
      .update(textOf(only as Element))
      .digest('base64');
    const policy = elements(document, 'meta').find((meta) => attribute(meta, 'http-equiv') !== null) as Element;
    expect(attribute(policy, 'content')).toBe(
      `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'`,
    );
  });

  test('says the verdict, why, what to do, and which pods there are', () => {
    const said = textOf(document);
    const { verdict, headline, pods } = report.status;
    const words = [
      verdict.summary,
      headline.why,
      headline.now,
      headline.fix,
      ...pods.slice(0, 3).map(({ name }) => name),
    ];
    for (const text of words) expect(said).toContain(sanitise(text).trim());
  });
});

test('no text of a cluster becomes more than text: all is the same as with a plain word in its place', () => {
  fc.assert(
    fc.property(fc.constantFrom('scaleUp', 'elsewhere', 'compared', 'twoHundred'), nasty, (name, text) => {
      const clean = sanitise(text).trim();
      // A name can be part of a command, so that there is more on the page than of a text that is none; `-` is not known.
      fc.pre(clean !== '' && clean !== '-' && !/^[A-Za-z0-9]([\w./:-]*[A-Za-z0-9])?$/.test(clean));
      const plain = filledWith(reports[name], '-word');
      const isCommand = clean === text;
      const relief = plain.status.relief.map((one) => ({ ...one, command: isCommand ? one.command : null }));
      const expected = flat(read(renderHtml([{ ...plain, status: { ...plain.status, relief } }])));
      expect(flat(read(renderHtml([filledWith(reports[name], text)])))).toEqual(
        expected.map((part) => part.replaceAll('-word', () => clean)),
      );
    }),
    { numRuns: 50 },
  );
}, 60_000);

test.each([
  '</style><script>alert(1)</script>',
  '</title><img src=x onerror=alert(1)>',
  '"><svg onload=alert(1)>',
  "' onmouseover='alert(1)",
  '--></noscript><a href="javascript:alert(1)">x</a>',
  '&lt;script&gt;',
])('%s is words', (text) => {
  const said = all(read(renderHtml([filledWith(scaleUp, text)]))).filter((node) => 'value' in node);
  expect(said.filter((node) => textOf(node) === text).length).toBeGreaterThan(10);
});

test('what is empty takes no section; each has what it promises', () => {
  const titles = (report: SkewReport) => elements(read(renderHtml([report])), 'h2').map(textOf);
  expect(titles(scaleUp)).toEqual([
    'Pods',
    'Why',
    'Who is connected where',
    'What to do',
    'The change',
    'What happened',
    'What could not be seen',
    'How it was measured',
  ]);
  expect(titles(empty)).not.toContain('Why');
  expect(titles(empty)).not.toContain('The change');
  const seen = section(read(renderHtml([forbidden])), 'What could not be seen');
  expect(textOf(seen as Element)).toContain('kubectl grpc-skew rbac -n shop --context prod-eu');
  expect(textOf(read(renderHtml([compared])))).toContain('before1.6 (1.5–1.7) of 4 pods used · by calls');
});

describe('the strip', () => {
  const bars = (pods: readonly ReportPod[]) => {
    const strip = withClass(
      read(renderHtml([{ ...scaleUp, status: { ...scaleUp.status, pods: [...pods] } }])),
      'div',
      'strip',
    );
    return strip.flatMap((one) => elements(one, 'rect'));
  };
  const number = (bar: Element, name: string) => Number(attribute(bar, name));

  test('one bar a pod, as high as its load; what is idle is there, and what is not known reaches to the top', () => {
    const drawn = bars([
      pod('a', { load: 0.6 }),
      pod('b', { load: 0.3 }),
      pod('c', { load: 0 }),
      pod('d', { load: null }),
    ]);
    expect(drawn.map((bar) => number(bar, 'height'))).toEqual([100, 50, 3, 100]);
    for (const bar of drawn) expect(number(bar, 'y') + number(bar, 'height')).toBe(100);
    expect(drawn.map((bar) => textOf(bar))).toEqual(['a: 60 %', 'b: 30 %', 'c: 0 %', 'd: load not known']);
    expect(classesOf(drawn[3] as Element)).toContain('unseen');
  });

  test('bars do not overlap and stay within the picture, however many pods there are', () => {
    for (const count of [1, 3, 60, 199, 200, 201, 5000]) {
      const drawn = bars(
        Array.from({ length: count }, (_, at) => pod(`p-${at}`, { load: 1 / count, expectedShare: 1 / count })),
      );
      expect(drawn.length).toBe(Math.ceil(count / Math.ceil(count / 200)));
      drawn.forEach((bar, at) => {
        const before = drawn[at - 1];
        if (before !== undefined)
          expect(number(before, 'x') + number(before, 'width')).toBeLessThanOrEqual(number(bar, 'x') + 0.02);
      });
      const last = drawn.at(-1) as Element;
      expect(number(last, 'x') + number(last, 'width')).toBeLessThanOrEqual(1000);
    }
  });

  test('a pod outside the endpoints that carries some comes first, with its part of what all carry', () => {
    const gone = pod('gone', { endpoint: false, load: null, expectedShare: null, callsPerSecond: 6 });
    const drawn = bars([pod('a', { load: 1, expectedShare: 1, callsPerSecond: 2 }), gone]);
    expect(drawn.map((bar) => [textOf(bar), number(bar, 'height')])).toEqual([
      // As high as the strip is; and a third of it, since all that the endpoints carry is 2 of 8 calls a second.
      ['gone: 75 %', 100],
      ['a: 25 %', 33.33],
    ]);
  });

  test('without any load there is none', () => {
    expect(bars([pod('a', { load: null })])).toEqual([]);
    expect(bars([])).toEqual([]);
  });
});

test('client × pod: the connections of each client stand under the pod that they lead to', () => {
  const [matrix] = withClass(read(renderHtml([scaleUp])), 'table', 'matrix');
  const rows = elements(matrix as Element, 'tr');
  const heads = elements(rows[0] as Element, 'th').map(textOf);
  expect(heads.slice(0, 4)).toEqual(['CLIENT', '8htk8', '2562j', '2n9g5']);
  expect(elements(rows[1] as Element, 'td').map(textOf)).toEqual([
    '2',
    '1',
    '1',
    ...Array.from({ length: 7 }, () => '·'),
  ]);
});

test('a pod outside the endpoints has no column: it would say that no client is connected to it', () => {
  const pods = [...scaleUp.status.pods, pod('echo-6f9955d8b4-gone1', { endpoint: false, connections: 2 })];
  const [matrix] = withClass(
    read(renderHtml([{ ...scaleUp, status: { ...scaleUp.status, pods } }])),
    'table',
    'matrix',
  );
  expect(textOf(matrix as Element)).not.toContain('gone1');
});

test('of many pods a picture for each client, with a cell at the place of each pod that it reaches', () => {
  const names = twoHundred.status.pods.map(({ name }) => name);
  const perPod = [3, 150].map((at) => ({ pod: names[at] ?? '', connections: at }));
  const clients = twoHundred.status.clients.map((client) => ({ ...client, perPod }));
  const html = read(renderHtml([{ ...twoHundred, status: { ...twoHundred.status, clients } }]));
  const cells = withClass(html, 'table', 'drawn').flatMap((one) => elements(one, 'rect'));
  expect(cells.map((cell) => [attribute(cell, 'x'), attribute(cell, 'class')])).toEqual([
    ['3', 'c1'],
    ['150', 'c4'],
  ]);
});

test('the last hour: a step for each point, and what happened at its time', () => {
  const at = (minute: number) => `2026-11-29T15:${minute}:00Z`;
  const past: PastLoad = {
    basis: 'calls',
    stepSeconds: 600,
    rateSeconds: 600,
    evenUntil: null,
    unevenSince: null,
    points: [
      { time: at(10), pods: 4, effectivePods: 4, peakToMean: 1, reading: 'even' },
      { time: at(20), pods: 4, effectivePods: 2, peakToMean: 2, reading: 'uneven' },
      { time: at(30), pods: 8, effectivePods: 2, peakToMean: 4, reading: 'uneven' },
    ],
  };
  const timeline = [
    { time: at(25), text: 'scaled 4 → 8' },
    { time: '2026-11-29T14:00:00Z', text: 'long before' },
  ];
  const prometheus: PrometheusAnswer = { source: 'monitoring/prometheus:9090', way: 'service', history: [past] };
  const status = { ...scaleUp.status, timeline, prometheus };
  const html = read(renderHtml([{ ...scaleUp, status }]));
  const paths = (name: string) => withClass(html, 'path', name).map((one) => attribute(one, 'd'));
  // Of eight pods 100 units high: four are 50, two 25 from the bottom.
  expect(paths('used')).toEqual(['M0 50V75H500V75H1000']);
  expect(paths('there')).toEqual(['M0 50V50H500V0H1000']);
  expect(paths('event')).toEqual(['M750 0V100']);
  expect(textOf(section(html, 'What happened') as Element)).toContain('long before');
});

test('the course of each pod over the last hour: one bar for each part of it that is known', () => {
  const pods = scaleUp.status.pods.map((pod, at) => (at === 0 ? { ...pod, past: [null, 1, 2, 4] } : pod));
  const html = read(renderHtml([{ ...scaleUp, status: { ...scaleUp.status, pods } }]));
  const courses = withClass(html, 'svg', 'load').filter((one) => /last hour/.test(attribute(one, 'aria-label') ?? ''));
  expect(courses.map((one) => attribute(one, 'aria-label'))).toEqual([
    'Fair shares over the last hour: - 1.0× 2.0× 4.0×',
  ]);
  // In a box 10 high: of the most, four, a quarter, a half and all; the first quarter of the time is empty.
  const bars = withClass(courses[0] as Element, 'rect', 'bar').map((one) => [
    attribute(one, 'x'),
    attribute(one, 'height'),
  ]);
  expect(bars).toEqual([
    ['25', '2.5'],
    ['50', '5'],
    ['75', '10'],
  ]);
  expect(textOf(section(html, 'Pods') as Element)).toContain('LAST-HOUR');
  expect(renderHtml([scaleUp])).not.toContain('LAST-HOUR');
});

test('several ports: all of them, each where the contents lead to', () => {
  const other = { ...compared, spec: { ...compared.spec, port: { name: 'admin', port: 50052, targetPort: 50052 } } };
  const html = read(renderHtml([scaleUp, other]));
  const ids = elements(html, 'article').map((one) => attribute(one, 'id'));
  expect(ids).toEqual(['port-50051', 'port-50052']);
  expect(elements(html, 'a').map((one) => attribute(one, 'href'))).toEqual(ids.map((id) => `#${id}`));
  expect(elements(html, 'a').map(textOf)).toEqual([':50051 grpc: SKEWED', ':50052 admin: BALANCED']);
});

test('a Service of very many pods and clients stays a page that opens', () => {
  const names = Array.from({ length: 5000 }, (_, at) => `catalog-84c7d9b5d-${at}`);
  const pods = names.map((name) => pod(name, { load: 1 / 5000, expectedShare: 1 / 5000 }));
  const perPod = names.map((name) => ({ pod: name, connections: 1 }));
  const [client] = scaleUp.status.clients as [Client];
  const clients = Array.from({ length: 30 }, (_, at) => ({ ...client, workload: `deployment/web-${at}`, perPod }));
  const html = renderHtml([{ ...scaleUp, status: { ...scaleUp.status, pods, clients } }]);
  expect(html.length).toBeLessThan(3_000_000);
  expect(textOf(read(html))).toMatch(/and 3\d\d\d pods more[\s\S]*and 10 clients more/);
});

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inflateSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { renderHtml } from '../../src/render/html/page.ts';
import { sanitise } from '../../src/render/sanitise.ts';
import type { SkewReport } from '../../src/report/schema.ts';
import { runProgram, temporaryFolder } from '../cli/program.ts';
import { filledWith } from '../render/filled.ts';
import { compared, forbidden, hostile, longNames, reports, scaleUp, twoHundred } from '../render/reports.ts';
import { chromium, openBrowser, type Page } from './chromium.ts';

/** The page as a browser draws it. */
describe.skipIf(chromium === null)('in Chromium (skipped where there is none)', () => {
  const cleanups: (() => void | Promise<void>)[] = [];
  let page: Page;
  let folder: string;
  beforeAll(async () => {
    folder = temporaryFolder((clean) => cleanups.push(clean));
    page = await openBrowser();
  }, 60_000);
  afterAll(async () => {
    await page?.close();
    for (const clean of cleanups) await clean();
  });

  const kept = (name: string, html: string) => {
    const path = join(folder, `${name}.html`);
    writeFileSync(path, html);
    return `file://${path}`;
  };
  const evil = filledWith(
    scaleUp,
    '"><img src=http://127.0.0.1:9/x onerror=alert(1)><script>document.title="owned"</script>',
  );
  const wide = filledWith(twoHundred, `${'w'.repeat(300)} ${'漢'.repeat(120)}`);
  const shown: Readonly<Record<string, SkewReport>> = { ...reports, evil, wide };

  /** What is drawn beyond the edge of the page, or of an element that does not show it. */
  const beyond = `(() => {
    const edge = document.documentElement.clientWidth + 0.5;
    return [...document.body.querySelectorAll('*')]
      .filter((one) => one.checkVisibility() && one.localName !== 'caption' && !one.closest('svg'))
      .filter((one) => {
        const { left, right } = one.getBoundingClientRect();
        const hides = getComputedStyle(one).overflowX !== 'visible' && one.scrollWidth > one.clientWidth + 1;
        return right > edge || left < -0.5 || hides;
      })
      .map((one) => one.localName + '.' + one.className + ': ' + one.textContent.slice(0, 60));
  })()`;

  const looks = [
    { width: 1200, height: 900, scheme: 'light' },
    { width: 1200, height: 900, scheme: 'dark' },
    { width: 400, height: 800, scheme: 'light' },
    { width: 718, height: 1000, media: 'print' },
  ] as const;

  test.each(Object.keys(shown))(
    '%s: no request, no script, no refusal, and all is within the page at each width',
    async (name) => {
      const address = kept(name, renderHtml([shown[name] as SkewReport]));
      for (const look of looks) {
        await page.open(address, look);
        const where = `${name} ${JSON.stringify(look)}`;
        expect(page.requests, where).toEqual([address]);
        expect(page.complaints, where).toEqual([]);
        expect(await page.value('document.scripts.length'), where).toBe(0);
        expect(await page.value('document.documentElement.scrollWidth'), where).toBeLessThanOrEqual(look.width);
        expect(await page.value(beyond), where).toEqual([]);
        await page.value("for (const one of document.querySelectorAll('details')) one.open = true");
        expect(await page.value(beyond), `${where}, all opened`).toEqual([]);
      }
    },
    60_000,
  );

  test('the policy holds: what somebody adds to the page neither runs nor loads', async () => {
    const added =
      '<script>document.title = "owned"</script><img src="http://127.0.0.1:9/x"><p style="width: 9px">x</p></body>';
    await page.open(kept('added', renderHtml([scaleUp]).replace('</body>', added)), looks[0]);
    expect(await page.value('document.title')).toBe('SKEWED: svc/echo in shop, 2026-11-29 15:42:55 UTC');
    expect(await page.value("getComputedStyle(document.querySelector('body > p')).width")).not.toBe('9px');
    expect(page.complaints.filter((text) => /Content Security Policy/.test(text)).length).toBe(3);
  });

  test('bars are as long as the loads that they stand for, and those of hot pods have the colour of the verdict', async () => {
    await page.open(kept('bars', renderHtml([scaleUp])), looks[0]);
    const bars = (selector: string, side: 'width' | 'height') =>
      page.value<number[]>(
        `[...document.querySelectorAll('${selector}')].map((bar) => bar.getBoundingClientRect().${side})`,
      );
    const heights = await bars('.strip rect', 'height');
    const [first = 0, second = 0] = heights;
    expect(heights.length).toBe(10);
    expect(first).toBeGreaterThan(80);
    expect(second / first).toBeCloseTo(0.5, 1);
    const widths = await bars('.load rect', 'width');
    expect((widths[1] ?? 0) / (widths[0] ?? 1)).toBeCloseTo(0.5, 1);
    expect(widths[9]).toBe(0);
    const colours = await page.value<string[]>(
      "['.strip rect.hot', '.state strong'].map((one, at) => getComputedStyle(document.querySelector(one))[at === 0 ? 'fill' : 'color'])",
    );
    expect(colours[0]).toBe(colours[1]);
    const { x, y, width, height } = await page.value<{ x: number; y: number; width: number; height: number }>(
      "document.querySelector('.strip rect.hot').getBoundingClientRect().toJSON()",
    );
    const middle = await pixelAt(x + width / 2, y + height / 2);
    expect(`rgb(${middle.join(', ')})`).toBe(colours[0]);
  });

  /** One pixel of what is drawn. The first of a picture stands in its data as it is, after the byte of its filter. */
  async function pixelAt(x: number, y: number): Promise<number[]> {
    const png = await page.picture({ x: Math.round(x), y: Math.round(y), width: 1, height: 1 });
    const data: Buffer[] = [];
    for (let at = 8; at < png.length; at += 12 + png.readUInt32BE(at))
      if (png.toString('latin1', at + 4, at + 8) === 'IDAT')
        data.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)));
    return [...inflateSync(Buffer.concat(data)).subarray(1, 4)];
  }

  test('dark where the reader wants it dark, and paper is white', async () => {
    const address = kept('schemes', renderHtml([scaleUp]));
    const lightness = async (look: Parameters<Page['open']>[1]) => {
      await page.open(address, look);
      const [red = 0, green = 0, blue = 0] = await pixelAt(2, 2);
      return red + green + blue;
    };
    expect(await lightness(looks[0])).toBeGreaterThan(650);
    expect(await lightness(looks[1])).toBeLessThan(120);
    expect(await lightness({ ...looks[3], scheme: 'dark' })).toBe(3 * 255);
  });

  /** WCAG 2: contrast of each text with what is behind it, where it is below 4.5, or below 3 for large ones. */
  const faint = `(() => {
    const canvas = (colour) => (colour.match(/[\\d.]+/g) ?? []).map(Number);
    const light = (colour) => canvas(colour).slice(0, 3).reduce((sum, value, at) => {
      const part = value / 255;
      return sum + [0.2126, 0.7152, 0.0722][at] * (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
    }, 0);
    const behind = (one) => {
      const colour = getComputedStyle(one).backgroundColor;
      return canvas(colour)[3] === 0 && one.parentElement ? behind(one.parentElement) : colour;
    };
    return [...document.body.querySelectorAll('*')].flatMap((one) => {
      if (one.closest('svg') || ![...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== '')) return [];
      const { color, fontSize } = getComputedStyle(one);
      const [a, b] = [light(color), light(behind(one))];
      const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
      return contrast < (parseFloat(fontSize) >= 24 ? 3 : 4.5) ? [one.className + ' ' + one.textContent.slice(0, 40) + ' ' + contrast] : [];
    });
  })()`;

  test.each(Object.entries({ scaleUp, forbidden, compared, twoHundred }))(
    '%s: each text can be read, light and dark',
    async (name, report) => {
      for (const look of looks) {
        await page.open(kept(`contrast-${name}`, renderHtml([report])), look);
        await page.value("for (const one of document.querySelectorAll('details')) one.open = true");
        expect(await page.value(faint), JSON.stringify(look)).toEqual([]);
      }
    },
  );

  test('what is behind a line is hidden on a screen and stands on paper', async () => {
    const address = kept('details', renderHtml([scaleUp]));
    const isShown = () => page.value("document.querySelector('details table').checkVisibility()");
    await page.open(address, looks[0]);
    expect(await isShown()).toBe(false);
    await page.open(address, looks[3]);
    expect(await isShown()).toBe(true);
    expect((await page.pdf()).subarray(0, 5).toString()).toBe('%PDF-');
  });

  test('texts of a cluster are drawn as what they are', async () => {
    for (const report of [hostile, longNames, evil]) {
      await page.open(kept('texts', renderHtml([report])), looks[0]);
      const summary = await page.value("document.querySelector('.summary').textContent");
      expect(summary).toBe(sanitise(report.status.verdict.summary).trim());
    }
  });

  test('what the program writes of a recording is such a page', async () => {
    const run = await runProgram(['--from', 'test/recordings/skew-scaleup', '-o', 'html'], { cwd: process.cwd() });
    expect([run.code, run.stderr]).toEqual([0, '']);
    const address = kept('recording', run.stdout);
    await page.open(address, looks[2]);
    expect(page.requests).toEqual([address]);
    expect(page.complaints).toEqual([]);
    expect(await page.value(beyond)).toEqual([]);
    expect(await page.value("document.querySelector('.state').textContent")).toMatch(/^SKEWED certain$/);
    expect(await page.value("document.querySelectorAll('.strip rect').length")).toBe(10);
  }, 30_000);
});

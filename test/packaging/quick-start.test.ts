import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type Plugin } from 'esbuild';
import fc from 'fast-check';
import stringWidth from 'string-width';
import { expect, test } from 'vitest';
import { quickStart } from '../../scripts/quick-start.ts';
import { oneColumnText } from '../../src/render/one-column.ts';
import { type OnTestFinished, temporaryFolder } from '../cli/program.ts';

const narrow = Array.from({ length: 0x10000 }, (_, code) => String.fromCharCode(code)).filter((one) =>
  oneColumnText.test(one),
);

test('what counts as narrow takes one column, alone and beside each other', () => {
  expect(narrow.length).toBeGreaterThan(95);
  for (const one of narrow) expect(stringWidth(one), one).toBe(1);
  for (const one of narrow) for (const other of ['a', '↔', '✓', '…', one]) expect(stringWidth(one + other)).toBe(2);
});

async function bundled<T>(onTestFinished: OnTestFinished, source: string): Promise<T> {
  const outfile = join(temporaryFolder(onTestFinished), 'bundled.mjs');
  await build({
    stdin: { contents: source, resolveDir: process.cwd() },
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    plugins: [quickStart],
  });
  return (await import(pathToFileURL(outfile).href)) as T;
}

test('the width of any text is what string-width says', async ({ onTestFinished }) => {
  type Width = { readonly default: typeof stringWidth };
  const { default: quick } = await bundled<Width>(onTestFinished, "export { default } from 'string-width';");
  const part = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.constantFrom(...narrow),
    fc.constantFrom(
      '\u001b[1;31m',
      '\u001b[0m',
      '\u001b]8;;x\u0007',
      '👩‍👩‍👧',
      '✓\ufe0f',
      '↔️',
      '1️⃣',
      '🇩🇪',
      '漢',
      '\u0301',
    ),
  );
  const options = fc.record(
    { ambiguousIsNarrow: fc.boolean(), countAnsiEscapeCodes: fc.boolean() },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 8 }), options, (parts, given) => {
      expect(quick(parts.join(''), given)).toBe(stringWidth(parts.join(''), given));
    }),
  );
});

test('Yoga lays out as before, without fetch', async ({ onTestFinished }) => {
  type Lib = { readonly default: typeof import('yoga-layout').default };
  const given = globalThis.fetch;
  globalThis.fetch = () => Promise.reject(new Error('fetched'));
  onTestFinished(() => {
    globalThis.fetch = given;
  });
  const { default: yoga } = await bundled<Lib>(onTestFinished, "export { default } from 'yoga-layout';");
  const node = yoga.Node.create();
  node.setWidth(80);
  node.setHeight(24);
  node.calculateLayout(undefined, undefined);
  expect([node.getComputedWidth(), node.getComputedHeight()]).toEqual([80, 24]);
});

test('what is of node:http is there, and Node.js has not loaded its own HTTP client for it', async ({
  onTestFinished,
}) => {
  const source = `import { STATUS_CODES } from 'node:http';
    import http from 'http';
    const loaded = process.moduleLoadList.some((name) => name.includes('internal/deps/undici'));
    console.log(JSON.stringify([STATUS_CODES[404], typeof http.request, loaded]));`;
  const said = async (plugins: Plugin[]) => {
    const outfile = join(temporaryFolder(onTestFinished), 'bundled.mjs');
    const banner = {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
    };
    await build({
      stdin: { contents: source },
      outfile,
      bundle: true,
      platform: 'node',
      format: 'esm',
      banner,
      plugins,
    });
    return JSON.parse(execFileSync(process.execPath, [outfile], { encoding: 'utf8' }));
  };
  expect(await said([quickStart])).toEqual(['Not Found', 'function', false]);
  // As Node.js has it: when that is no longer so, the plugin has nothing to do.
  expect(await said([])).toEqual(['Not Found', 'function', true]);
});

test('the program makes no expression of all emoji before it needs it', async () => {
  const { outputFiles } = await build({
    stdin: { contents: "import 'ink'; export { default } from 'string-width';", resolveDir: process.cwd() },
    ...{ bundle: true, write: false, platform: 'node', format: 'esm', target: 'esnext', minifyWhitespace: true },
    external: ['react-devtools-core'],
    plugins: [quickStart],
  });
  const [{ text } = { text: '' }] = outputFiles ?? [];
  const places = [...text.matchAll(/(.{0,40}?)\\+p\{RGI_Emoji\}/g)].map(([, before]) => before);
  expect(places.length).toBeGreaterThan(1);
  for (const before of places) expect(before).toMatch(/\?\?=\s*new RegExp\("/);
});

test('a package that has changed stops the build', async ({ onTestFinished }) => {
  const folder = temporaryFolder(onTestFinished);
  writeFileSync(join(folder, 'yoga-wasm-base64-esm.js'), 'export default 1;');
  const source = `export { default } from ${JSON.stringify(join(folder, 'yoga-wasm-base64-esm.js'))};`;
  const building = build({
    stdin: { contents: source, resolveDir: folder },
    bundle: true,
    write: false,
    logLevel: 'silent',
    plugins: [quickStart],
  });
  await expect(building).rejects.toThrow(/has changed: var loadYoga is not in it any more/);
});

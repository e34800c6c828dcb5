import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type OnTestFinished, runProgram, temporaryFolder } from '../cli/program.ts';

const vmModules = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'];

/** In the place of what node:sea answers inside an executable: the files of a folder. */
const folderAsAssets = `
  const { readdirSync, readFileSync } = require('node:fs');
  const Module = require('node:module');
  const load = Module._load;
  const exact = (name) => new Uint8Array(readFileSync(process.env.ASSETS + '/' + name)).buffer;
  const sea = { getAssetKeys: () => readdirSync(process.env.ASSETS), getRawAsset: exact };
  Module._load = (name, ...rest) => (name === 'node:sea' ? sea : load(name, ...rest));
`;

function assetsOf(onTestFinished: OnTestFinished, chunks: Readonly<Record<string, string>>): string {
  const folder = temporaryFolder(onTestFinished);
  writeFileSync(join(folder, 'fake.cjs'), folderAsAssets);
  mkdirSync(join(folder, 'assets'));
  for (const [name, text] of Object.entries(chunks)) writeFileSync(join(folder, 'assets', name), text);
  return folder;
}

function load(folder: string) {
  const loader = join(process.cwd(), 'krew/loader.cjs');
  const command = [process.execPath, ...vmModules, '--require', join(folder, 'fake.cjs'), loader] as const;
  return runProgram([], { command: [...command], env: { ASSETS: join(folder, 'assets') } });
}

/** Two chunks that share a third with a state, one of them imported late; modules of Node.js in each form of import. */
const chunks = {
  'main.mjs':
    'import { count } from "./shared.mjs"; import fs, { existsSync } from "node:fs"; import * as path from "path"; ' +
    'const [a, b] = await Promise.all([import("./late.mjs"), import("./late.mjs")]); ' +
    'console.log(count(), a === b, a.seen, fs.existsSync === existsSync, path.join("x", "y"), import.meta.url.startsWith("file:///"));',
  'shared.mjs': 'let n = 0; export const count = () => ++n;',
  'late.mjs': 'import { count } from "./shared.mjs"; await null; export const seen = count();',
};
const printed = '2 true 1 true x/y true\n';

test('chunks are linked once, and late ones when they are imported', async ({ onTestFinished }) => {
  const run = await load(assetsOf(onTestFinished, chunks));
  expect(run).toMatchObject({ code: 0, stdout: printed, stderr: '' });
});

test('with their code cache, and without one that V8 refuses', async ({ onTestFinished }) => {
  const folder = assetsOf(onTestFinished, chunks);
  const makeCache = ['--random-seed=1', ...vmModules, 'krew/code-cache.ts', join(folder, 'assets')];
  execFileSync(process.execPath, makeCache);
  expect(await load(folder)).toMatchObject({ code: 0, stdout: printed, stderr: '' });
  writeFileSync(join(folder, 'assets', 'shared.mjs.cache'), 'made by another V8');
  expect(await load(folder)).toMatchObject({ code: 0, stdout: printed, stderr: '' });
});

test('V8 takes the cache that is made', ({ onTestFinished }) => {
  const assets = join(assetsOf(onTestFinished, chunks), 'assets');
  execFileSync(process.execPath, ['--random-seed=1', ...vmModules, 'krew/code-cache.ts', assets]);
  // The constructor throws where the cache is refused.
  const take = `
    const { SourceTextModule } = require('node:vm');
    const { readdirSync, readFileSync } = require('node:fs');
    for (const name of readdirSync('.').filter((entry) => entry.endsWith('.mjs')))
      new SourceTextModule(readFileSync(name, 'utf8'), { identifier: name, cachedData: readFileSync(name + '.cache'), initializeImportMeta() {}, importModuleDynamically() {} });
    console.log('taken');`;
  expect(execFileSync(process.execPath, [...vmModules, '-e', take], { cwd: assets, encoding: 'utf8' })).toBe('taken\n');
});

test('what a chunk throws is thrown, not swallowed', async ({ onTestFinished }) => {
  const run = await load(
    assetsOf(onTestFinished, { 'main.mjs': 'await import("./late.mjs");', 'late.mjs': 'null.x;' }),
  );
  expect(run).toMatchObject({ code: 1, stderr: expect.stringContaining('Cannot read properties of null') });
});

import { lstatSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { writeOwn } from '../../src/files/write.ts';
import { temporaryFolder } from '../cli/program.ts';

test('a file of our own naming replaces a link that waits there, and is for its owner alone', async () => {
  const folder = temporaryFolder(onTestFinished);
  writeFileSync(join(folder, 'victim'), 'theirs');
  symlinkSync('victim', join(folder, 'saved.json'));
  expect(await writeOwn(join(folder, 'saved.json'), 'ours')).toBeNull();
  expect(readFileSync(join(folder, 'victim'), 'utf8')).toBe('theirs');
  expect(lstatSync(join(folder, 'saved.json')).isFile()).toBe(true);
  expect(statSync(join(folder, 'saved.json')).mode & 0o777).toBe(0o600);
  expect(readFileSync(join(folder, 'saved.json'), 'utf8')).toBe('ours');
  expect(readdirSync(folder).sort()).toEqual(['saved.json', 'victim']);
});

test('what cannot be written leaves nothing behind', async () => {
  const folder = temporaryFolder(onTestFinished);
  mkdirSync(join(folder, 'taken'));
  expect(await writeOwn(join(folder, 'taken'), 'ours')).toBeInstanceOf(Error);
  expect(await writeOwn(join(folder, 'no', 'such', 'folder'), 'ours')).toBeInstanceOf(Error);
  expect(readdirSync(folder)).toEqual(['taken']);
});

import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeArchive } from '../../krew/archive.ts';
import { bundle } from '../../scripts/bundle.ts';
import { temporaryFolder } from '../cli/program.ts';

const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { readonly version: string };

test('the archive for a Node.js that is there: the same bytes each time, and it runs through the link of krew', async ({
  onTestFinished,
}) => {
  const folder = temporaryFolder(onTestFinished);
  const archives = await Promise.all(
    ['one', 'two'].map(async (name) => {
      await bundle(join(folder, name));
      makeArchive(join(folder, name), join(folder, `${name}.tar.gz`), 9);
      return readFileSync(join(folder, `${name}.tar.gz`));
    }),
  );
  expect(archives[0]?.equals(archives[1] ?? Buffer.of())).toBe(true);
  const store = join(folder, 'store');
  mkdirSync(store);
  execFileSync('tar', ['-xzf', join(folder, 'one.tar.gz'), '-C', store]);
  const link = join(folder, 'kubectl-grpc_skew');
  symlinkSync(join(store, 'kubectl-grpc_skew'), link);
  expect(execFileSync(process.execPath, [link, 'version'], { encoding: 'utf8' })).toBe(`grpc-skew ${version}\n`);
}, 60_000);

test('it holds the licences of all packages that are bundled', async ({ onTestFinished }) => {
  const folder = temporaryFolder(onTestFinished);
  const { inputs } = await bundle(folder);
  const text = readFileSync(join(folder, 'THIRD-PARTY-LICENSES'), 'utf8');
  const names = new Set(
    Object.keys(inputs).flatMap((input) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(input)?.[1] ?? []),
  );
  expect(names).toContain('undici');
  for (const name of names) expect(text).toMatch(new RegExp(`^${name} \\d+\\.\\d+\\.\\d+\\S* \\(\\S.*\\)$`, 'm'));
  // A name and a version are no licence: each has the words of one.
  const entries = text.split(/^-{80}$/m).slice(1);
  expect(entries.length).toBeGreaterThanOrEqual(names.size);
  for (const entry of entries)
    expect(entry).toMatch(
      /Permission is hereby granted|Permission to use|Redistribution and use|Apache License|Unlicense|permission notice/i,
    );
  expect(entries.find((entry) => /^\nemoji-regex /.test(entry))).toMatch(
    /Copyright Mathias Bynens[\s\S]*Permission is hereby granted/,
  );
  expect(readdirSync(folder)).toContain('kubectl_complete-grpc_skew');
}, 60_000);

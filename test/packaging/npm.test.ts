import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { type OnTestFinished, runProgram, temporaryFolder } from '../cli/program.ts';

const manifest = JSON.parse(readFileSync('package.json', 'utf8'));

/** The packed file, from the dist/ that is there. */
function pack(onTestFinished: OnTestFinished) {
  const folder = temporaryFolder(onTestFinished);
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder];
  const [packed] = JSON.parse(execFileSync('npm', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }));
  return {
    folder,
    tarball: join(folder, packed.filename),
    files: packed.files.map((file: { path: string }) => file.path),
  };
}

test('the package holds the program, types, schemas and licences, and no more', ({ onTestFinished }) => {
  const { files } = pack(onTestFinished);
  const expected = [
    ...readdirSync('dist').map((name) => `dist/${name}`),
    ...readdirSync('schemas').map((name) => `schemas/${name}`),
    ...['LICENSE', 'README.md', 'package.json'],
  ];
  expect(files.sort()).toEqual(expected.sort());
});

test('it needs no other package and runs nothing when it is installed', () => {
  expect(manifest.dependencies).toBeUndefined();
  expect(manifest.peerDependencies).toBeUndefined();
  for (const script of ['preinstall', 'install', 'postinstall', 'prepare'])
    expect(manifest.scripts).not.toHaveProperty(script);
});

test('npm install -g gives the plugin and what kubectl asks for completion', async ({ onTestFinished }) => {
  const { folder, tarball } = pack(onTestFinished);
  const env = { ...process.env, HOME: folder, npm_config_prefix: folder };
  // Offline: nothing else is needed.
  execFileSync('npm', ['install', '--global', '--offline', '--no-audit', '--no-fund', tarball], {
    env,
    stdio: 'ignore',
  });
  const bin = join(folder, 'bin');
  const path = { PATH: `${bin}:${resolve(process.execPath, '..')}:/usr/bin:/bin` };
  const version = await runProgram(['version'], { command: [join(bin, 'kubectl-grpc_skew')], env: path });
  expect(version).toMatchObject({ code: 0, stdout: `grpc-skew ${manifest.version}\n` });
  const complete = join(bin, 'kubectl_complete-grpc_skew');
  const completed = await runProgram(['lab', 'scale'], { command: [complete], env: path });
  expect(completed.stdout).toMatch(/^scale-up\t.*\n:4\n$/);
}, 60_000);

test('TypeScript finds the types, and Node.js the schemas, by the name of the package', ({ onTestFinished }) => {
  const { folder, tarball } = pack(onTestFinished);
  const installed = join(folder, 'node_modules', manifest.name);
  mkdirSync(installed, { recursive: true });
  execFileSync('tar', ['-xzf', tarball, '-C', installed, '--strip-components=1']);
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  writeFileSync(
    join(folder, 'reader.ts'),
    `import type { SkewReport } from '${manifest.name}';
     import schema from '${manifest.name}/schemas/skewreport-v1alpha1.json' with { type: 'json' };
     export const state = (report: SkewReport): 'skewed' | string => report.status.verdict.state;
     // @ts-expect-error: there is no such field
     export const wrong = (report: SkewReport) => report.status.verdict.nothing;
     console.log(schema.properties.kind.const);`,
  );
  const flags = [
    '--strict',
    '--noEmit',
    '--target',
    'es2024',
    '--module',
    'nodenext',
    '--resolveJsonModule',
    '--types',
    '',
  ];
  execFileSync(resolve('node_modules/.bin/tsc'), [...flags, '--lib', 'es2024,dom', 'reader.ts'], {
    cwd: folder,
    stdio: 'inherit',
  });
  expect(execFileSync(process.execPath, ['reader.ts'], { cwd: folder, encoding: 'utf8' })).toBe('SkewReport\n');
}, 60_000);

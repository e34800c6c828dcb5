// Makes the archive that krew installs and the manifest with its checksum:
//   build/grpc-skew_VERSION.tar.gz   the program (needs Node.js 22.19 or newer) and the licence
//   build/plugin.yaml                plugin.yaml with the checksum of that archive
// The same sources give the same bytes: sorted names, no times, no owners.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const { version } = JSON.parse(await readFile('package.json', 'utf8'));
const name = `grpc-skew_v${version}`;
const stage = join('build', name);

await rm('build', { recursive: true, force: true });
execFileSync(process.execPath, ['scripts/build.mjs', stage], { stdio: 'inherit' });
await cp('LICENSE', join(stage, 'LICENSE'));

const archive = join('build', `${name}.tar.gz`);
const same = ['--sort=name', '--mtime=@0', '--owner=0', '--group=0', '--numeric-owner', '--mode=u=rwX,go=rX'];
// -n: gzip keeps no name and no time.
execFileSync('tar', [...same, '--use-compress-program=gzip -9n', '-cf', archive, '-C', stage, '.']);
await rm(stage, { recursive: true });

const sha256 = createHash('sha256')
  .update(await readFile(archive))
  .digest('hex');
const manifest = await readFile('plugin.yaml', 'utf8');
await writeFile(
  'build/plugin.yaml',
  manifest.replace(/^# Manifest.*\n/, '').replace(/sha256: "[0-9a-f]{64}"/, `sha256: "${sha256}"`),
);
process.stdout.write(`${sha256}  ${archive}\n`);

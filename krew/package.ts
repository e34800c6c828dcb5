// Makes what is released into build/: npm run package [-- TARGET...]
//   grpc-skew_VERSION_linux_amd64.tar.gz    one executable that holds Node.js, and the licences; arm64 alike
//   grpc-skew_VERSION_windows_amd64.tar.gz
//   grpc-skew_VERSION_node.tar.gz           the program for a Node.js that is there, 22.19 or newer
//   plugin.yaml, SHA256SUMS                 the manifest for krew with the checksums, when no TARGET is named
import { chmod, copyFile, cp, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundle } from '../scripts/bundle.ts';
import { makeArchive } from './archive.ts';
import { makeExecutable } from './executable.ts';
import { writeManifest } from './manifest.ts';
import { nodeOf } from './node-of.ts';
import { Refused, runScript } from './refused.ts';
import { type Bundle, type Executable, isBuiltHere, targets } from './targets.ts';

const build = 'build';

await runScript(async () => {
  const named = process.argv.slice(2);
  const unknown = named.find((id) => targets.every((target) => target.id !== id));
  if (unknown !== undefined)
    throw new Refused(`there is no target ${unknown}`, `choose of ${targets.map(({ id }) => id).join(', ')}`);
  const { version } = JSON.parse(await readFile('package.json', 'utf8'));
  await rm(build, { recursive: true, force: true });
  await mkdir(build);
  const work = await mkdtemp(join(tmpdir(), 'grpc-skew-package-'));
  try {
    const program = join(work, 'program');
    await bundle(program);
    for (const target of targets.filter(({ id }) => named.length === 0 || named.includes(id))) {
      const stage = join(work, target.id);
      await fill(stage, target, program);
      const archive = join(build, `grpc-skew_v${version}_${target.id}.tar.gz`);
      makeArchive(stage, archive, target.package === undefined ? 9 : 6);
      // Together the stages take half a gigabyte.
      await rm(stage, { recursive: true });
      process.stdout.write(`${archive}\n`);
    }
    if (named.length === 0) process.stdout.write(await writeManifest(build));
  } finally {
    await rm(work, { recursive: true });
  }
});

/** What an archive holds: the program, the way to kubectl's completion, the licences. */
async function fill(stage: string, target: Executable | Bundle, program: string): Promise<void> {
  if (target.package === undefined) await cp(program, stage, { recursive: true });
  else {
    await mkdir(stage);
    const name = target.platform === 'win32' ? 'kubectl-grpc_skew.exe' : 'kubectl-grpc_skew';
    const download = join(stage, 'download');
    await mkdir(download);
    const node = await nodeOf(target, download);
    await makeExecutable({ bundle: program, node, output: join(stage, name), withCache: isBuiltHere(target) });
    await chmod(join(stage, name), 0o755);
    await rm(download, { recursive: true });
    await copyFile('krew/LICENSE.node', join(stage, 'LICENSE.node'));
    await copyFile(join(program, 'THIRD-PARTY-LICENSES'), join(stage, 'THIRD-PARTY-LICENSES'));
    if (target.platform !== 'win32')
      await copyFile(join(program, 'kubectl_complete-grpc_skew'), join(stage, 'kubectl_complete-grpc_skew'));
  }
  await copyFile('LICENSE', join(stage, 'LICENSE'));
}

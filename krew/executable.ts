import { execFileSync } from 'node:child_process';
import { cp, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

interface Ingredients {
  /** Folders and files, as paths. */
  readonly bundle: string;
  readonly node: string;
  readonly output: string;
  readonly withCache: boolean;
}

/**
 * Makes one executable from a bundle: Node.js with the chunks as assets and loader.cjs to load them. `withCache` is for a
 * `node` of this machine's own platform alone: a code cache depends on the processor.
 */
export async function makeExecutable({ bundle, node, output, withCache }: Ingredients): Promise<void> {
  const work = await mkdtemp(join(tmpdir(), 'grpc-skew-executable-'));
  try {
    await cp(bundle, work, { recursive: true });
    if (withCache)
      execFileSync(process.execPath, [
        '--random-seed=1',
        '--experimental-vm-modules',
        '--disable-warning=ExperimentalWarning',
        'krew/code-cache.ts',
        work,
      ]);
    const assets = (await readdir(work)).filter((name) => /\.mjs(\.cache)?$/.test(name)).sort();
    const config = {
      main: resolve('krew/loader.cjs'),
      executable: resolve(node),
      output: resolve(output),
      disableExperimentalSEAWarning: true,
      // The cache of the loader itself would differ from build to build, and the loader is small.
      useCodeCache: false,
      execArgv: ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'],
      // NODE_OPTIONS of whoever calls kubectl are not meant for this program, and could load anything into it.
      execArgvExtension: 'none',
      assets: {
        ...Object.fromEntries(assets.map((name) => [name, join(work, name)])),
        'loader.cjs': resolve('krew/loader.cjs'),
      },
    };
    const file = join(work, 'sea.json');
    await writeFile(file, JSON.stringify(config));
    execFileSync(process.execPath, ['--build-sea', file], { stdio: 'pipe' });
  } finally {
    await rm(work, { recursive: true });
  }
}

import { chmod, copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { type BuildOptions, build, type Metafile } from 'esbuild';
import { completionScript } from '../src/cli/completion-scripts.ts';
import { licensesOf } from './licenses.ts';
import { quickStart } from './quick-start.ts';

/**
 * How src/main.ts is bundled. Splitting keeps the lab and the terminal UI in chunks of their own, so that a plain
 * diagnosis never pays for loading them.
 */
async function options(): Promise<BuildOptions & { readonly metafile: true }> {
  const { version } = JSON.parse(await readFile('package.json', 'utf8'));
  return {
    entryPoints: { main: 'src/main.ts', thread: 'src/thread.ts' },
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    minify: true,
    platform: 'node',
    target: 'node22.19',
    format: 'esm',
    logLevel: 'warning',
    jsx: 'automatic',
    metafile: true,
    plugins: [quickStart],
    // Ink loads it only for its own development; a bundle would look for it at start.
    alias: { 'react-devtools-core': './scripts/empty.mjs' },
    define: {
      'process.env.NODE_ENV': '"production"',
      // ws looks for these native addons beside the program at run time: a path that anyone could plant a file in.
      'process.env.WS_NO_BUFFER_UTIL': '"1"',
      'process.env.WS_NO_UTF_8_VALIDATE': '"1"',
      __TOOL_VERSION__: JSON.stringify(version),
    },
    // Bundled CommonJS packages (undici, ws) call require for Node's own modules.
    banner: {
      js: 'import{createRequire as __createRequire}from"node:module";const require=__createRequire(import.meta.url);',
    },
  };
}

/** Writes the program for any Node.js from 22.19 on into a folder, and answers what esbuild says of its chunks. */
export async function bundle(folder: string): Promise<Metafile> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const { metafile } = await build({ ...(await options()), outdir: folder });
  // package.json says "type": "module"; the launcher must parse on any old Node, so the folder speaks CommonJS by default.
  await writeFile(`${folder}/package.json`, '{ "type": "commonjs" }\n');
  await copyFile('scripts/launcher.cjs', `${folder}/kubectl-grpc_skew`);
  await writeFile(`${folder}/kubectl_complete-grpc_skew`, completionScript('kubectl'));
  for (const name of ['kubectl-grpc_skew', 'kubectl_complete-grpc_skew']) await chmod(`${folder}/${name}`, 0o755);
  await writeFile(`${folder}/THIRD-PARTY-LICENSES`, await licensesOf(metafile));
  return metafile;
}

/** What esbuild says of the chunks, without writing them: which module is in which. */
export async function describeBundle(): Promise<Metafile> {
  return (await build({ ...(await options()), outdir: 'dist', write: false })).metafile;
}

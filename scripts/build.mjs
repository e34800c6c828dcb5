// Bundles src/main.ts to dist/, or to the folder that is named. Splitting keeps the lab and, later, the terminal UI in chunks of their own,
// so that a plain diagnosis never pays for loading them.
import { chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { build } from 'esbuild';

const { version } = JSON.parse(await readFile('package.json', 'utf8'));

const folder = process.argv[2] ?? 'dist';
await rm(folder, { recursive: true, force: true });
await mkdir(folder, { recursive: true });
await build({
  entryPoints: { main: 'src/main.ts' },
  outdir: folder,
  outExtension: { '.js': '.mjs' },
  bundle: true,
  splitting: true,
  minify: true,
  keepNames: true,
  platform: 'node',
  target: 'node22.19',
  format: 'esm',
  logLevel: 'warning',
  jsx: 'automatic',
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
});

// package.json says "type": "module"; the launcher must parse on any old Node, so dist speaks CommonJS by default.
await writeFile(`${folder}/package.json`, '{ "type": "commonjs" }\n');
await writeFile(`${folder}/kubectl-grpc_skew`, await readFile('scripts/launcher.cjs', 'utf8'));
await chmod(`${folder}/kubectl-grpc_skew`, 0o755);

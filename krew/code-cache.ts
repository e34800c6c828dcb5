// Writes the code cache of each chunk of a bundle beside it: node --random-seed=1 --experimental-vm-modules
// krew/code-cache.ts FOLDER. With a fixed seed the same source gives the same cache; V8 does not count the seed among
// the flags that a cache must fit.
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { SourceTextModule } from 'node:vm';

/** What the types of Node.js leave out. */
interface Cacheable {
  createCachedData(): Buffer;
}

const folder = process.argv[2] ?? 'dist';
for (const name of (await readdir(folder)).filter((entry) => entry.endsWith('.mjs')).sort()) {
  const source = await readFile(`${folder}/${name}`, 'utf8');
  // As in loader.cjs: V8 takes a cache only for a module with the same options.
  const module = new SourceTextModule(source, {
    identifier: name,
    initializeImportMeta: () => {},
    importModuleDynamically: () => {
      throw new Error('nothing is imported here');
    },
  });
  await writeFile(`${folder}/${name}.cache`, (module as unknown as Cacheable).createCachedData());
}

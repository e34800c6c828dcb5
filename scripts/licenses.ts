import { readdir, readFile } from 'node:fs/promises';
import type { Metafile } from 'esbuild';

/** The licences of all packages that a bundle holds parts of, as these licences ask for. */
export async function licensesOf(metafile: Metafile): Promise<string> {
  const folders = Object.keys(metafile.inputs).flatMap((input) => packageFolder(input) ?? []);
  const texts = await Promise.all([...new Set(folders)].sort().map(licenseOf));
  return `This program holds parts of the packages below.\n${texts.join('')}`;
}

function packageFolder(input: string): string | undefined {
  return /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input)?.[0];
}

/** `LICENSE`, `LICENCE.md`, `LICENSE-MIT.txt`, `COPYING`, and what some licences ask for beside them. */
const licenseFile = /^(licen[cs]e|copying|notice)([-.]\w+)*$/i;

/** Texts of packages that bring none along, from their repositories. */
const keptHere = new URL('licenses/', import.meta.url);

/** Throws for a package whose licence is in neither place: nobody could keep to it. */
async function licenseOf(folder: string): Promise<string> {
  const { name, version, license } = JSON.parse(await readFile(`${folder}/package.json`, 'utf8'));
  const files = (await readdir(folder)).filter((entry) => licenseFile.test(entry)).sort();
  const paths = files.length > 0 ? files.map((file) => `${folder}/${file}`) : [new URL(`${name}.txt`, keptHere)];
  const texts = await Promise.all(paths.map((path) => readFile(path, 'utf8')));
  const text = texts.map((one) => one.trim()).join('\n\n');
  return `\n${'-'.repeat(80)}\n${name} ${version} (${license})\n\n${text}\n`;
}

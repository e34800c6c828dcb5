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

async function licenseOf(folder: string): Promise<string> {
  const { name, version, license, author } = JSON.parse(await readFile(`${folder}/package.json`, 'utf8'));
  const file = (await readdir(folder)).find((entry) => /^licen[cs]e(\.(md|txt))?$/i.test(entry));
  const by = typeof author === 'string' ? author : author?.name;
  const text = file === undefined ? (by ?? '') : await readFile(`${folder}/${file}`, 'utf8');
  return `\n${'-'.repeat(80)}\n${name} ${version} (${license})\n\n${text.trim()}\n`;
}

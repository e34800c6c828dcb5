// Writes plugin.yaml with the checksums of the archives beside it, and SHA256SUMS, into a folder: node krew/manifest.ts
// [FOLDER], by default build/, where all archives of the manifest must be.
import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Refused, runScript } from './refused.ts';

/** Answers the lines of SHA256SUMS. */
export async function writeManifest(folder: string): Promise<string> {
  const template = (await readFile('plugin.yaml', 'utf8')).replace(/^# .*\n/, '');
  const archives = [
    ...new Set([...template.matchAll(/\/([^/\s]+\.tar\.gz)$/gm)].map((match) => match[1] ?? '')),
  ].sort();
  const sums = new Map<string, string>();
  for (const archive of archives) sums.set(archive, await sha256(join(folder, archive)));
  const manifest = template.replace(
    /(\/([^/\s]+\.tar\.gz)\n\s+sha256: )"[0-9a-f]{64}"/g,
    (_all, before, archive) => `${before}"${sums.get(archive)}"`,
  );
  await writeFile(join(folder, 'plugin.yaml'), manifest);
  const lines = archives.map((archive) => `${sums.get(archive)}  ${archive}\n`).join('');
  await writeFile(join(folder, 'SHA256SUMS'), lines);
  return lines;
}

async function sha256(file: string): Promise<string> {
  const bytes = await readFile(file).catch((error: NodeJS.ErrnoException) => {
    throw new Refused(`${file} cannot be read: ${error.code}`, 'make all archives first: npm run package');
  });
  return createHash('sha256').update(bytes).digest('hex');
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  await runScript(async () => void process.stdout.write(await writeManifest(process.argv[2] ?? 'build')));
}

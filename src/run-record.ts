import { realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import type { SkewEvidence } from './evidence/schema.ts';
import { writeEvidence } from './evidence/write.ts';
import type { Host } from './host.ts';
import { renderError } from './render/error.ts';

/** Writes what --record asks for, readable by its owner alone. Says on stderr when that is not possible. */
export async function recordEvidence(path: string, evidence: SkewEvidence, host: Host): Promise<boolean> {
  try {
    await write(path, writeEvidence(evidence));
    return true;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    host.stderr(
      renderError({ message: `could not write the record: ${reason}`, hint: 'choose another file with --record' }),
    );
    return false;
  }
}

/** Written beside and renamed, so that a record is whole or not there. A device or a pipe must not be replaced so. */
async function write(path: string, text: string): Promise<void> {
  const target = await realpath(path).catch(() => path);
  const state = await stat(target).catch(() => null);
  if (state !== null && !state.isFile() && !state.isDirectory()) return writeFile(target, text);
  const beside = `${target}.${process.pid}.part`;
  try {
    await writeFile(beside, text, { mode: 0o600 });
    await rename(beside, target);
  } catch (error) {
    await rm(beside, { force: true });
    throw error;
  }
}

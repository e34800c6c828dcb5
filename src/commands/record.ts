import type { SkewEvidence } from '../evidence/schema.ts';
import { writeEvidence } from '../evidence/write.ts';
import { writeNamed } from '../files/write.ts';
import { fail } from './fail.ts';
import type { Host } from './host.ts';

/** Writes what --record asks for, readable by its owner alone. Says on stderr when that is not possible. */
export async function recordEvidence(path: string, evidence: SkewEvidence, host: Host): Promise<boolean> {
  const error = await writeNamed(path, writeEvidence(evidence), host);
  if (error === null) return true;
  const message = `could not write the record: ${error.message}`;
  fail(host, { kind: 'failed', message, hint: 'choose another file with --record' });
  return false;
}

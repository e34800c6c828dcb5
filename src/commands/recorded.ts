import { stat } from 'node:fs/promises';
import type { SkewEvidence } from '../evidence/schema.ts';
import { inputs, readInput, reasonOf } from '../files/read.ts';
import { openRecorded } from '../kube/recorded.ts';
import type { KubeClient } from '../kube/types.ts';
import { err, ok, type Result } from '../result/result.ts';
import { compute } from './compute.ts';
import type { Host } from './host.ts';
import { notOpened } from './kube.ts';

/** What --from names: a record of evidence, or a folder of raw answers that stands in for a cluster. */
type Recorded =
  | { readonly kind: 'evidence'; readonly evidence: SkewEvidence }
  | { readonly kind: 'folder'; readonly kube: KubeClient & { readonly service: string } };

/** Reads what --from names; `-` is standard input. Null: interrupted. */
export async function openRecording(path: string, host: Host): Promise<Result<Recorded> | null> {
  const wrong = (message: string, hint: string) => err({ kind: 'failed' as const, message, hint });
  const state = path === '-' ? null : await stat(path).catch(() => null);
  if (state === null && path !== '-')
    return wrong(`${path}: no such file or folder`, 'name a file that --record wrote, or a folder of raw answers');
  if (state?.isDirectory() === true) {
    const recorded = await openRecorded(path);
    return recorded.ok ? ok({ kind: 'folder', kube: recorded.value }) : err(notOpened(recorded.error));
  }
  const text = await readInput(path, inputs.record, host.interrupted);
  if (host.interrupted.aborted) return null;
  if (typeof text !== 'string') return wrong(`${path} cannot be read: ${reasonOf(text)}`, 'check its permissions');
  const { readEvidence } = await import('../evidence/file.ts');
  const read = await compute(host, text, () => readEvidence(text, path));
  return read?.ok === true ? ok({ kind: 'evidence', evidence: read.value }) : read;
}

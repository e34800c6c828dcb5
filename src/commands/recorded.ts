import { stat } from 'node:fs/promises';
import type { SkewEvidence } from '../evidence/schema.ts';
import { inputs, readInput, reasonOf } from '../files/read.ts';
import { nextStep } from '../kube/errors/next-step.ts';
import { openRecorded } from '../kube/recorded.ts';
import type { KubeClient } from '../kube/types.ts';
import { compute } from './compute.ts';
import type { Host } from './host.ts';

/** What --from names: a record of evidence, or a folder of raw answers that stands in for a cluster. */
export type Recorded =
  | { readonly ok: true; readonly kind: 'evidence'; readonly evidence: SkewEvidence }
  | { readonly ok: true; readonly kind: 'folder'; readonly kube: KubeClient & { readonly service: string } }
  | { readonly ok: false; readonly message: string; readonly hint: string | null };

/** Reads what --from names; `-` is standard input. Null: interrupted. */
export async function openRecording(path: string, host: Host): Promise<Recorded | null> {
  const wrong = (message: string, hint: string | null): Recorded => ({ ok: false, message, hint });
  const state = path === '-' ? null : await stat(path).catch(() => null);
  if (state === null && path !== '-')
    return wrong(`${path}: no such file or folder`, 'name a file that --record wrote, or a folder of raw answers');
  if (state?.isDirectory() === true) {
    const recorded = await openRecorded(path);
    return recorded.ok
      ? { ok: true, kind: 'folder', kube: recorded.value }
      : wrong(recorded.error.message, nextStep(recorded.error));
  }
  const text = await readInput(path, inputs.record, host.interrupted);
  if (host.interrupted.aborted) return null;
  if (typeof text !== 'string') return wrong(`${path} cannot be read: ${reasonOf(text)}`, 'check its permissions');
  const { readEvidence } = await import('../evidence/file.ts');
  const read = await compute(host, text, () => readEvidence(text, path));
  return read?.ok === true ? { ...read, kind: 'evidence' } : read;
}

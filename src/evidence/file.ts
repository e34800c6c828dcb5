import Value from 'typebox/value';
import { err, ok, type Problem, type Result } from '../result/result.ts';
import { evidenceApiVersion } from './api-version.ts';
import { isWithinBounds } from './bounds.ts';
import { checkerOf, keepKnownFields } from './known-fields.ts';
import { SkewEvidence } from './schema.ts';

/** Reads a record, and says in words what is wrong with one that is cut short, foreign or newer. */
export function readEvidence(text: string, name: string): Result<SkewEvidence> {
  const wrong = (message: string, hint = 'write one with kubectl grpc-skew SERVICE --record FILE') =>
    err<Problem>({ kind: 'failed', message, hint });
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch {
    return /^\s*\{/.test(text)
      ? wrong(`${name} is cut short or damaged: it does not end as JSON does`, 'record it again, or copy it whole')
      : wrong(`${name} is no JSON`);
  }
  if (typeof data !== 'object' || data === null || !('kind' in data)) return wrong(`${name} is no record of grpc-skew`);
  const { kind } = data;
  const version = 'apiVersion' in data && typeof data.apiVersion === 'string' ? data.apiVersion : '';
  if (kind === 'SkewReport') return wrong(`${name} is a report, not the evidence it came from`);
  if (kind !== 'SkewEvidence' || !version.startsWith('grpc-skew/'))
    return wrong(
      `${name} is no record of grpc-skew: its kind is ${typeof kind === 'string' ? `"${kind}"` : 'no text'}`,
    );
  if (version !== evidenceApiVersion)
    return wrong(
      `${name} is written as ${version}; this version reads ${evidenceApiVersion}`,
      'use the version of grpc-skew that wrote it, or a newer one',
    );
  // Unknown fields of a later addition are left behind; what is there must have the right type.
  if (isEvidence(data)) {
    keepKnownFields(SkewEvidence, data);
    const at = pathOfOversize(data);
    return at === null ? ok(data) : wrong(`${name} is damaged at ${at}: no look gives such a number`);
  }
  const [first] = Value.Errors(SkewEvidence, data);
  return wrong(
    `${name} is damaged at ${first?.instancePath || '/'}: ${first?.message ?? 'it does not fit the schema'}`,
    'record it again',
  );
}

/** Where the first number is that nothing in a cluster has; null where there is none. */
function pathOfOversize(value: unknown): string | null {
  if (typeof value === 'number') return isWithinBounds(value) ? null : '';
  if (typeof value !== 'object' || value === null) return null;
  for (const key of Object.keys(value)) {
    const at = pathOfOversize((value as Record<string, unknown>)[key]);
    if (at !== null) return `/${key}${at}`;
  }
  return null;
}

function isEvidence(data: unknown): data is SkewEvidence {
  return checkerOf(SkewEvidence)(data);
}

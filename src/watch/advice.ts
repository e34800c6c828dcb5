import { isDeepStrictEqual } from 'node:util';
import type { SkewReport } from '../report/schema.ts';
import { listed } from '../report/words.ts';

/** What differs in the advice of two reports on the same look, in words. */
export function adviceChange(before: SkewReport, after: SkewReport): string {
  const [was, is] = [before.status, after.status];
  if (was.recommendation.text !== is.recommendation.text) return `the fix is now ${is.recommendation.text}`;
  const changed = kinds.filter(({ of }) => !isDeepStrictEqual(of(was), of(is))).map(({ name }) => name);
  return changed.length === 0 ? 'the advice stays' : `the fix stays; changed: ${listed(changed)}`;
}

type Status = SkewReport['status'];

const kinds: readonly { readonly name: string; readonly of: (status: Status) => unknown }[] = [
  { name: 'first steps', of: ({ recommendation }) => recommendation.first },
  { name: 'because', of: ({ recommendation }) => recommendation.because },
  { name: 'relief', of: ({ relief }) => relief },
  { name: 'avoid', of: ({ avoid }) => avoid },
  { name: 'what strategies need (enter)', of: ({ recommendation }) => recommendation.strategies },
];

import type { Change, Service } from '../evidence/objects.ts';
import { millisecondsOf } from '../evidence/times.ts';

type Field = Change['fields'][number];

/** A change so soon after the object was made is how it was made. */
const madeSoMs = 10_000;

/** A change of which the time is known. */
export type TimedChange = Change & { readonly at: string };

/** The last change of a field since the Service was made, by who sets it; null where it is as it was made, or not known. */
export function changeOf({ changes = [], createdAt }: Service, field: Field): TimedChange | null {
  const made = millisecondsOf(createdAt) ?? Number.NEGATIVE_INFINITY;
  const timeOf = ({ at }: Change) => millisecondsOf(at) ?? Number.NEGATIVE_INFINITY;
  const [last] = changes.filter(({ fields }) => fields.includes(field)).sort((a, b) => timeOf(b) - timeOf(a));
  return last === undefined || !isTimed(last) || timeOf(last) <= made + madeSoMs ? null : last;
}

function isTimed(change: Change): change is TimedChange {
  return millisecondsOf(change.at) !== null;
}

/** `sessionAffinity set by kubectl-patch`; who sets more may have changed something else then. */
export function describeChange({ manager, alone }: Change, field: string): string {
  return alone ? `${field} set by ${manager}` : `the Service changed by ${manager}, which sets ${field}`;
}

/**
 * Who set the number of pods, at the time that the API has for it; null where it is not known. Of who scaled by the
 * subresource for it, as kubectl and autoscalers do, it has none: that was the last one.
 */
export function scalerOf(
  changes: readonly Change[] = [],
): { readonly manager: string; readonly at: number | null } | null {
  const setters = changes.filter(({ fields }) => fields.includes('replicas'));
  const last = setters.find(({ at }) => at === null) ?? setters.at(-1);
  return last === undefined ? null : { manager: last.manager, at: millisecondsOf(last.at) };
}

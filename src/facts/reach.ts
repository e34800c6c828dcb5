import type { Reach } from '../figures/deal.ts';
import { deafReplicas } from './listening.ts';
import type { MeasuredPod } from './measured.ts';
import type { Parts, Setting } from './settings.ts';

/** Slots that unequal parts are told by. */
const slotsInAll = 5040;

/**
 * The pods that each connection could land on, were it made anew: those that the settings of the Service leave it, without
 * the ones in which nobody listens. Null where that is any pod for each.
 */
export function readReach(situation: {
  readonly settings: readonly Setting[];
  readonly replicas: readonly MeasuredPod[];
  readonly connections: number;
}): Reach | null {
  const { settings, replicas, connections } = situation;
  const unheard = new Set(deafReplicas(situation));
  const deaf = new Set(replicas.flatMap((pod, replica) => (unheard.has(pod) ? [replica] : [])));
  if (settings.length === 0 && deaf.size === 0) return null;
  const open = replicas.flatMap((_, replica) => (deaf.has(replica) ? [] : [replica]));
  const numbers = new Map<Parts | null, number>();
  const known = new Map<string, readonly number[]>();
  return Array.from({ length: connections }, (_, connection) => {
    // One object for all peers of a place, so the pods are gone through once a place.
    const parts = settings.map(({ deals }) => deals[connection] ?? null);
    for (const one of parts) if (!numbers.has(one)) numbers.set(one, numbers.size);
    const key = parts.map((one) => numbers.get(one)).join(' ');
    const slots = known.get(key) ?? slotsOf(open, deaf, parts);
    known.set(key, slots);
    return slots;
  });
}

/**
 * Each pod as often as its part is; of equal parts each once. A client whose place is not known may land on any pod, and
 * so may all where nothing is left.
 */
function slotsOf(
  replicas: readonly number[],
  deaf: ReadonlySet<number>,
  deals: readonly (Parts | null)[],
): readonly number[] {
  const known = deals.filter((parts) => parts !== null).toSorted((a, b) => a.size - b.size);
  // No more than the setting that leaves fewest.
  const [fewest] = known;
  if (fewest === undefined) return replicas;
  const some = [...fewest.keys()].flatMap((replica) => {
    const part = known.reduce((product, parts) => product * (parts.get(replica) ?? 0), 1);
    return part > 0 && !deaf.has(replica) ? [{ replica, part }] : [];
  });
  const sum = some.reduce((total, { part }) => total + part, 0);
  const [first] = some;
  if (first === undefined) return replicas;
  if (some.every(({ part }) => Math.abs(part - first.part) < 1e-9)) return some.map(({ replica }) => replica);
  return some.flatMap(({ replica, part }) =>
    Array<number>(Math.max(1, Math.round((slotsInAll * part) / sum))).fill(replica),
  );
}

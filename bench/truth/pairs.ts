/** The same truth shown otherwise: what may not change a verdict, and what may only weaken it. */
import type { SkewEvidence } from '../../src/evidence/schema.ts';
import type { Answer } from './program.ts';
import { type Random, seeded } from './random.ts';
import { rank } from './truth.ts';

export const pairKinds = ['permute', 'rename', 'split', 'drop', 'hide'] as const;
export type PairKind = (typeof pairKinds)[number];

interface Pair {
  readonly kind: PairKind;
  /** What exactly was done. */
  readonly what: string;
  readonly evidence: SkewEvidence;
}

export function pairOf(kind: PairKind, evidence: SkewEvidence, seed: string): Pair {
  const random = seeded(`${seed}/pair-${kind}`);
  const made = makers[kind](structuredClone(evidence), random);
  return { kind, ...made };
}

type Made = { readonly what: string; readonly evidence: SkewEvidence };

const makers: Readonly<Record<PairKind, (evidence: SkewEvidence, random: Random) => Made>> = {
  permute: (evidence, random) => ({
    what: 'lists in another order',
    evidence: shuffled(evidence, random) as SkewEvidence,
  }),
  rename(evidence, random) {
    const names = [...(evidence.pods ?? []), ...(evidence.peers?.pods ?? [])].map(({ name }) => name);
    const renamed = new Map(names.map((name) => [name, renamedPod(name, random)]));
    return {
      what: 'pods bear other names',
      evidence: mapTexts(evidence, (text) => renamed.get(text) ?? text) as SkewEvidence,
    };
  },
  split(evidence, random) {
    const endpointSlices = (evidence.endpointSlices ?? []).flatMap((slice) => {
      const cut = random.integer(0, slice.endpoints.length);
      return [slice.endpoints.slice(0, cut), slice.endpoints.slice(cut)].map((endpoints, at) => ({
        ...slice,
        name: `${slice.name}${at}`,
        endpoints,
      }));
    });
    return { what: 'endpoints in two slices', evidence: { ...evidence, endpointSlices } };
  },
  drop(evidence, random) {
    const kept = ['usage', 'connections', 'calls', 'peers', 'happenings', 'clientLooks'] as const;
    const seen = kept.filter((field) => evidence[field] !== null && evidence[field] !== undefined);
    const field = random.pick(seen);
    const signal = field === 'peers' || field === 'clientLooks' ? 'clients' : field === 'happenings' ? 'probes' : field;
    const signals = evidence.signals.map((one) =>
      one.id === signal ? { ...one, state: 'unavailable' as const, reason: 'not asked', lookedAt: null } : one,
    );
    return { what: `without ${field}`, evidence: { ...evidence, signals, [field]: null } };
  },
  hide(evidence, random) {
    const { connections, calls } = evidence;
    const looked = [...new Set((connections?.looks ?? []).map(({ pod }) => pod))];
    if (connections === null || looked.length === 0) return { what: 'nothing to hide', evidence };
    const pod = random.pick(looked);
    const podUid = connections.looks.find((look) => look.pod === pod)?.podUid ?? '';
    const gone = { pod, podUid, message: 'no answer in time' };
    return {
      what: `pod ${pod} not seen`,
      evidence: {
        ...evidence,
        usage: evidence.usage?.filter((one) => one.pod !== pod) ?? null,
        connections: {
          ...connections,
          looks: connections.looks.filter((look) => look.pod !== pod),
          failures: [...connections.failures, { ...gone, sample: 1, reason: 'timeout' }],
        },
        ...(calls == null
          ? {}
          : {
              calls: {
                looks: calls.looks.filter((look) => look.pod !== pod),
                failures: [
                  ...calls.failures.filter((one) => one.pod !== pod),
                  { ...gone, reason: 'no-answer' as const },
                ],
              },
            }),
      },
    };
  },
};

function renamedPod(name: string, random: Random): string {
  // Names of a StatefulSet mean something: they stay.
  if (/-\d+$/.test(name)) return name;
  return name.replace(/[a-z0-9]{5}$/, () =>
    random
      .shuffle([...'bcdfghjklmnpqrstvwxz'])
      .slice(0, 5)
      .join(''),
  );
}

function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((entry) => mapTexts(entry, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, mapTexts(entry, change)]));
}

/** Samples keep their order: first and second are told apart by their number, and lists of addresses mean the first. */
function shuffled(value: unknown, random: Random): unknown {
  if (Array.isArray(value)) {
    const entries = value.map((entry) => shuffled(entry, random));
    return entries.every((entry) => typeof entry === 'object') ? random.shuffle(entries) : entries;
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, shuffled(entry, random)]));
}

/** What is wrong with the second answer beside the first; null where they agree as they must. */
export function contradiction(kind: PairKind, before: Answer, after: Answer): string | null {
  const decided = ['skewed', 'balanced', 'no-traffic'];
  if (kind === 'drop' || kind === 'hide') {
    const both = decided.includes(before.state) && decided.includes(after.state);
    if (both && before.state !== after.state) return `${before.state} → ${after.state}`;
    const surer =
      after.state === before.state && after.state !== 'unknown' && rank[after.confidence] > rank[before.confidence];
    if (surer) return `${after.state} ${before.confidence} → ${after.confidence}`;
    const grown = after.causes.find(({ id, confidence }) => {
      const known = before.causes.find((cause) => cause.id === id);
      return known === undefined ? confidence !== 'possible' : rank[confidence] > rank[known.confidence];
    });
    if (grown === undefined) return null;
    return `${grown.id} ${before.causes.find(({ id }) => id === grown.id)?.confidence ?? 'not named'} → ${grown.confidence}`;
  }
  const told = ({ state, confidence, causes, strategy, action }: Answer) => [
    `${state} ${confidence}`,
    ...causes.map((cause) => `${cause.id} ${cause.confidence}`).sort(),
    `${strategy} ${action}`,
  ];
  const [first, second] = [told(before), told(after)];
  const odd = [...first.filter((one) => !second.includes(one)), ...second.filter((one) => !first.includes(one))];
  return odd.length === 0 ? null : odd.join(', ');
}

/** What the runs come to: counts, and the tables that are printed of them. */
import type { Confidence } from './family.ts';
import { pairKinds } from './pairs.ts';
import { type AdviceResult, goodAdvice, type Scored } from './score.ts';

export interface Part {
  readonly right: number;
  readonly of: number;
}

/** The figures that goals are set for. */
export interface Summary {
  readonly runs: number;
  readonly causes: Readonly<Record<Confidence, Part>>;
  readonly states: Readonly<Record<'wrong' | 'false-fault' | 'open', Part>> & Readonly<Record<Confidence, Part>>;
  readonly named: { readonly first: Part; readonly atAll: Part };
  readonly advice: Readonly<Record<AdviceResult, number>>;
  readonly predictions: { readonly inside: Part; readonly ratio: number };
  readonly again: Part;
  readonly pairs: Readonly<Record<string, Part>>;
}

const confidences: readonly Confidence[] = ['certain', 'likely', 'possible'];

function partOf<T>(items: readonly T[], isRight: (item: T) => boolean): Part {
  return { right: items.filter(isRight).length, of: items.length };
}

function byConfidence(partFor: (confidence: Confidence) => Part): Record<Confidence, Part> {
  return { certain: partFor('certain'), likely: partFor('likely'), possible: partFor('possible') };
}

export function summarise(all: readonly Scored[]): Summary {
  const causes = all.flatMap((one) => one.causes);
  const decided = all.filter(({ said }) => said.state !== 'unknown');
  const uneven = all.filter(({ named }) => named !== null);
  const predictions = all.flatMap((one) => one.predictions);
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  const counts = { raises: 0, kept: 0, 'no-gain': 0, worse: 0, missed: 0, other: 0, harmful: 0 };
  for (const { advice } of all) counts[advice]++;
  return {
    runs: all.length,
    causes: byConfidence((confidence) =>
      partOf(
        causes.filter((cause) => cause.confidence === confidence),
        ({ right }) => right,
      ),
    ),
    states: {
      ...byConfidence((confidence) =>
        partOf(
          decided.filter(({ said }) => said.confidence === confidence),
          ({ state }) => state === 'right',
        ),
      ),
      wrong: partOf(all, ({ state }) => state === 'wrong' || state === 'false-fault'),
      'false-fault': partOf(all, ({ state }) => state === 'false-fault'),
      open: partOf(all, ({ state }) => state === 'open'),
    },
    named: {
      first: partOf(uneven, ({ named }) => named === 'first'),
      atAll: partOf(uneven, ({ named }) => named !== 'not'),
    },
    advice: counts,
    predictions: {
      inside: { right: sum(predictions.map(({ inside }) => inside)), of: sum(predictions.map(({ draws }) => draws)) },
      ratio: sum(predictions.map(({ ratio }) => ratio)) / Math.max(predictions.length, 1),
    },
    again: partOf(
      all.filter(({ again }) => again !== null),
      ({ again }) => again?.contradicts === false,
    ),
    pairs: Object.fromEntries(
      pairKinds.map((kind) => [
        kind,
        partOf(
          all.filter(({ pair }) => pair?.kind === kind),
          ({ pair }) => pair?.wrong === null,
        ),
      ]),
    ),
  };
}

/** Runs whose advice was right. */
export function rightAdvice({ advice }: Pick<Summary, 'advice'>): number {
  return goodAdvice.reduce((total, result) => total + advice[result], 0);
}

function percent({ right, of }: Part): string {
  return of === 0 ? '-' : `${((100 * right) / of).toFixed(1)} %`;
}

/** What is aimed at: at least this part for `right`, at most for the states. */
const goals = {
  certain: '≥ 99.5 %',
  likely: '≥ 92 %',
  possible: '≥ 60 %',
  wrong: '≤ 1 %',
  fault: '≤ 0.5 %',
  open: '≤ 6 %',
};

const aimed = (part: Part, goal: string) => `${counted(part).padEnd(26)} goal ${goal}`;
const counted = (part: Part) => `${percent(part).padStart(8)}  ${part.right} of ${part.of}`;

/** The overall figures, one a line. */
export function overallLines(summary: Summary): string[] {
  const { causes, states, named, advice, predictions, again, pairs } = summary;
  const good = rightAdvice(summary);
  const bad = Object.entries(advice).filter(([result]) => !goodAdvice.includes(result as AdviceResult));
  return [
    `${summary.runs} runs`,
    ...confidences.map(
      (confidence) => `cause ${confidence.padEnd(22)} right ${aimed(causes[confidence], goals[confidence])}`,
    ),
    `${'state wrong, false faults too'.padEnd(34)} ${aimed(states.wrong, goals.wrong)}`,
    `${'state a false fault'.padEnd(34)} ${aimed(states['false-fault'], goals.fault)}`,
    `${'state unknown that can be known'.padEnd(34)} ${aimed(states.open, goals.open)}`,
    ...confidences.map((confidence) => `state ${confidence.padEnd(22)} right ${counted(states[confidence])}`),
    `${'uneven: a true cause is named'.padEnd(34)} ${counted(named.atAll)}`,
    `${'uneven: it is named first'.padEnd(34)} ${counted(named.first)}`,
    `${'advice right'.padEnd(34)} ${counted({ right: good, of: summary.runs })}   ${bad.map(([result, count]) => `${result} ${count}`).join(', ')}`,
    `${'futures in the predicted range'.padEnd(34)} ${counted(predictions.inside)}   predicted ÷ given ${predictions.ratio.toFixed(2)}`,
    `${'another look, same verdict'.padEnd(34)} ${counted(again)}`,
    ...Object.entries(pairs).map(([kind, part]) => `${`shown otherwise: ${kind}`.padEnd(34)} ${counted(part)}`),
  ];
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const all = [head, ...rows];
  const widths = head.map((_, column) => Math.max(...all.map((row) => (row[column] ?? '').length)));
  return all.map((row) =>
    row.map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0))).join('  '),
  );
}

export function familyLines(all: readonly Scored[]): string[] {
  const names = [...new Set(all.map(({ family }) => family))];
  const head = [
    'family',
    'runs',
    'certain',
    'likely',
    'possible',
    'wrong',
    'fault',
    'unknown',
    'named',
    'first',
    'advice',
    'range',
    'again',
    'pairs',
  ];
  const rows = names.map((name) => {
    const own = all.filter(({ family }) => family === name);
    const { causes, states, named, advice, predictions, again, pairs } = summarise(own);
    const good = rightAdvice({ advice });
    const paired = Object.values(pairs);
    const both = {
      right: paired.reduce((sum, { right }) => sum + right, 0),
      of: paired.reduce((sum, { of }) => sum + of, 0),
    };
    const cell = ({ right, of }: Part) => (of === 0 ? '-' : `${right}/${of}`);
    return [
      ...[name, String(own.length), cell(causes.certain), cell(causes.likely), cell(causes.possible)],
      ...[states.wrong.right, states['false-fault'].right, states.open.right].map(String),
      ...[named.atAll, named.first, { right: good, of: own.length }].map(cell),
      ...[percent(predictions.inside), cell(again), cell(both)],
    ];
  });
  return table(head, rows);
}

/** Each cause, with how often it was right by confidence: most wrong first. */
export function byCause(all: readonly Scored[]): Record<string, Record<Confidence, Part>> {
  const causes = all.flatMap((one) => one.causes);
  const wrongIn = (id: string) => causes.filter((cause) => cause.id === id && !cause.right).length;
  const ids = [...new Set(causes.map(({ id }) => id))].sort((a, b) => wrongIn(b) - wrongIn(a) || (a < b ? -1 : 1));
  const said = (id: string) =>
    byConfidence((confidence) =>
      partOf(
        causes.filter((cause) => cause.id === id && cause.confidence === confidence),
        ({ right }) => right,
      ),
    );
  return Object.fromEntries(ids.map((id) => [id, said(id)]));
}

export function causeLines(all: readonly Scored[]): string[] {
  const rows = Object.entries(byCause(all)).map(([id, parts]) => [
    id,
    ...confidences.map((confidence) =>
      parts[confidence].of === 0 ? '-' : `${parts[confidence].right}/${parts[confidence].of}`,
    ),
  ]);
  return table(['cause', ...confidences], rows);
}

/** Kinds of wrong answers, most frequent first, each with a run that shows it. */
export function wrongLines(all: readonly Scored[], most: number): string[] {
  const kinds = new Map<string, { count: number; seed: string }>();
  const add = (kind: string, seed: string) => {
    const known = kinds.get(kind);
    kinds.set(kind, { count: (known?.count ?? 0) + 1, seed: known?.seed ?? seed });
  };
  for (const { family, seed, said, state, causes, advice, pair, again } of all) {
    if (state !== 'right') add(`${family}: ${said.state} ${said.confidence}`, seed);
    for (const { id, confidence, right } of causes)
      if (!right && confidence !== 'possible') add(`${family}: ${id} ${confidence}`, seed);
    if (!goodAdvice.includes(advice))
      add(`${family}: ${said.action} ${said.strategy} (row ${said.rule}): ${advice}`, seed);
    if (pair !== null && pair.wrong !== null) add(`${pair.kind}: ${pair.wrong}`, seed);
    if (again?.contradicts === true) add(`${family}: another look says ${again.state} after ${said.state}`, seed);
  }
  return [...kinds]
    .sort(([a, one], [b, other]) => other.count - one.count || (a < b ? -1 : 1))
    .slice(0, most)
    .map(([kind, { count, seed }]) => `${String(count).padStart(4)}  ${kind}   ${seed}`);
}

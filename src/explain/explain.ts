import { resultFacts } from '../baseline/result-facts.ts';
import { causeUnits, rivalsOf } from '../causes/all.ts';
import type { CauseUnit } from '../causes/unit.ts';
import { reportApiVersion } from '../report/api-version.ts';
import type { SkewExplanation, SkewExplanationList } from '../report/explanation.ts';
import { type ComparisonResult, type ExplanationSection, explanationSections, type State } from '../report/ids.ts';
import type { Meaning } from '../report/meaning.ts';
import { type SignalFacts, signalCatalogue, signalFacts } from '../signals/catalogue.ts';
import { strategyUnits } from '../strategies/choose.ts';
import { type Rule, rules } from '../strategies/rules.ts';
import type { StrategyUnit } from '../strategies/unit.ts';
import { columnFacts } from './columns.ts';
import { lineFacts } from './lines.ts';
import { markFacts } from './marks.ts';
import { kindFacts, stateFacts } from './states.ts';
import { termFacts } from './terms.ts';
import { warningFacts } from './warnings.ts';

const meanings: readonly (readonly [SkewExplanation['topic'], readonly Meaning[]])[] = [
  ['term', termFacts],
  ['line', lineFacts],
  ['column', columnFacts],
  ['mark', markFacts],
  ['warning', warningFacts],
];

/** Everything that can be explained, each in the words of the unit itself: nothing is worded twice. */
const explanations: readonly SkewExplanation[] = [
  ...causeUnits.map(explainCause),
  ...strategyUnits.map(explainStrategy),
  ...signalCatalogue.map(explainSignal),
  ...stateFacts.map(({ id, title, means }) =>
    explanation('state', id, title, { means, 'exit-code': exitCodeOf(id, 'unknown') }),
  ),
  ...kindFacts.map(({ id, title, means }) =>
    explanation('kind', id, title, { means, 'exit-code': [`3 with --fail-on ${id}, else 0`] }),
  ),
  ...resultFacts.map(({ id, title, means }) =>
    explanation('comparison', id, title, { means, 'exit-code': exitCodeOf(id, 'cannot-tell') }),
  ),
  ...meanings.flatMap(([topic, facts]) =>
    facts.map(({ id, title, means }) => explanation(topic, id, title, { means })),
  ),
  ...rules.map(explainRule),
];

/** As screens write what they call otherwise than by its id. */
const written: ReadonlyMap<string, string> = new Map(
  [...kindFacts, ...meanings.flatMap(([, facts]) => facts)].flatMap(({ id, says = [] }) =>
    says.map((word) => [idOf(word), id] as const),
  ),
);

/** What an id, or a word as a screen writes it (`BY SETTING`, `PODS-USED`, `rule 9`), means; null where nothing is called so. */
export function explain(word: string): SkewExplanation | null {
  // The mark of a pod says how often: restarted-3x.
  const wanted = idOf(word).replace(/^restarted-\d+x$/, 'restarted');
  const byId = (id: string | undefined) => explanations.find((entry) => entry.id === id) ?? null;
  return byId(wanted) ?? byId(written.get(wanted));
}

function idOf(word: string): string {
  return word
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_]+/g, '-');
}

/** All that can be explained, with a line each. */
export function explainAll(): SkewExplanationList {
  return {
    apiVersion: reportApiVersion,
    kind: 'SkewExplanationList',
    items: explanations.map(({ topic, id, title }) => ({ topic, id, title })),
  };
}

function explainCause(unit: CauseUnit): SkewExplanation {
  const { id, title, signature, confidenceRule, needs } = unit;
  return explanation('cause', id, title, {
    'looks-like': [signature],
    confidence: sentencesOf(confidenceRule),
    rivals: rivalsOf(unit).map((rival) => `${rival.id}: told apart by ${rival.toldApartBy}`),
    needs: needs.map((signal) => `${signal}: ${signalFacts(signal).rights.join(', ')}`),
  });
}

function explainStrategy(unit: StrategyUnit): SkewExplanation {
  return explanation('strategy', unit.id, unit.title, {
    what: [unit.what],
    'fits-when': [unit.fitsWhen],
    presupposes: unit.requirements.map(({ text }) => text),
    'new-pods': [unit.newPods],
    costs: unit.costs,
  });
}

function explainSignal({ id, question, source, fallback, rights, settles }: SignalFacts): SkewExplanation {
  return explanation('signal', id, question, {
    source: [source],
    fallback,
    needs: rights,
    settles: [settles],
  });
}

function explainRule({ row, when, outcomes }: Rule): SkewExplanation {
  const chosen = outcomes.map(({ strategy, action, alternative }) => {
    const what = strategy === 'current' ? 'what is in place' : strategy;
    return `${action} ${what}${alternative === undefined ? '' : `, or ${alternative}`}`;
  });
  return explanation('rule', `rule-${row}`, `Decides when ${when}`, {
    means: [`then: ${chosen.join('; ')}`, 'the rules are tried in their order, and the first that applies decides'],
  });
}

/** `certain` and `improved` and the like: with what the program ends when --fail-on is given. */
function exitCodeOf(id: State | ComparisonResult, open: State | ComparisonResult): string[] {
  if (id === open) return ['4 whenever --fail-on is given'];
  return id === 'balanced' || id === 'improved' ? ['0'] : [`3 with --fail-on ${id}, else 0`];
}

/** A rule of confidence has a clause for each level, with semicolons between them. */
function sentencesOf(rule: string): string[] {
  return rule.replace(/\.$/, '').split(/;\s+/);
}

function explanation(
  topic: SkewExplanation['topic'],
  id: string,
  title: string,
  sections: Partial<Record<ExplanationSection, readonly string[]>>,
): SkewExplanation {
  return {
    apiVersion: reportApiVersion,
    kind: 'SkewExplanation',
    topic,
    id,
    title,
    sections: explanationSections.flatMap((name) => {
      const texts = sections[name] ?? [];
      return texts.length === 0 ? [] : [{ name, texts: [...texts] }];
    }),
  };
}

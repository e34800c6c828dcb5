import { resultFacts } from '../baseline/result-facts.ts';
import { causeUnits, rivalsOf } from '../causes/all.ts';
import type { CauseUnit } from '../causes/unit.ts';
import { reportApiVersion } from '../report/api-version.ts';
import {
  type SectionName,
  type SkewExplanation,
  type SkewExplanationList,
  sectionNames,
} from '../report/explanation.ts';
import type { ComparisonResult, State } from '../report/ids.ts';
import { type SignalFacts, signalCatalogue, signalFacts } from '../signals/catalogue.ts';
import { strategyUnits } from '../strategies/choose.ts';
import type { StrategyUnit } from '../strategies/unit.ts';
import { markFacts } from './marks.ts';
import { stateFacts } from './states.ts';
import { termFacts } from './terms.ts';
import { warningFacts } from './warnings.ts';

/** Everything that can be explained, each in the words of the unit itself: nothing is worded twice. */
const explanations: readonly SkewExplanation[] = [
  ...causeUnits.map(explainCause),
  ...strategyUnits.map(explainStrategy),
  ...signalCatalogue.map(explainSignal),
  ...stateFacts.map(({ id, title, means }) =>
    explanation('state', id, title, { means, 'exit-code': exitCodeOf(id, 'unknown') }),
  ),
  ...resultFacts.map(({ id, title, means }) =>
    explanation('comparison', id, title, { means, 'exit-code': exitCodeOf(id, 'cannot-tell') }),
  ),
  ...termFacts.map(({ id, title, means }) => explanation('term', id, title, { means })),
  ...markFacts.map(({ id, title, means }) => explanation('mark', id, title, { means })),
  ...warningFacts.map(({ id, title, means }) => explanation('warning', id, title, { means })),
];

/** What `id` is; null where nothing bears that id. */
export function explain(id: string): SkewExplanation | null {
  // The mark of a pod says how often: restarted-3x.
  const wanted = id.replace(/^restarted-\d+x$/, 'restarted');
  return explanations.find((entry) => entry.id === wanted) ?? null;
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
  sections: Partial<Record<SectionName, readonly string[]>>,
): SkewExplanation {
  return {
    apiVersion: reportApiVersion,
    kind: 'SkewExplanation',
    topic,
    id,
    title,
    sections: sectionNames.flatMap((name) => {
      const texts = sections[name] ?? [];
      return texts.length === 0 ? [] : [{ name, texts: [...texts] }];
    }),
  };
}

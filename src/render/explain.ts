import { maxOf } from '../figures/extremes.ts';
/** What a cause, strategy, signal or state is, and the list of them all. */
import type { SkewExplanation, SkewExplanationList } from '../report/explanation.ts';
import { explanationTopics } from '../report/ids.ts';
import { heading, labelled, labelledList, type Screen } from './lines.ts';
import { renderDocument, type Terminal } from './screen.ts';
import type { ColorFlag } from './style.ts';

export interface ExplainOutput {
  readonly output: 'table' | 'json' | 'yaml';
  readonly color: ColorFlag;
}

/** One explanation, or the list, as text or as a document. */
export function renderExplanation(
  document: SkewExplanation | SkewExplanationList,
  wanted: ExplainOutput,
  terminal: Terminal,
): string {
  return renderDocument(document, wanted, terminal, (screen, safe) =>
    safe.kind === 'SkewExplanation' ? explanationLines(screen, safe) : listLines(screen, safe),
  );
}

/** All that is to be said of it, its name first. */
export function explanationLines(screen: Screen, { topic, id, title, sections }: SkewExplanation): string[] {
  return [
    ...labelled(screen, {
      label: topic,
      labelTone: 'strong',
      text: id,
      tone: 'strong',
    }),
    ...labelled(screen, { label: '', text: title }),
    ...sections.flatMap(({ name, texts }) => labelledList(screen, name.replaceAll('-', ' '), texts)),
  ];
}

const titles: Readonly<Record<(typeof explanationTopics)[number], string>> = {
  cause: 'CAUSES',
  strategy: 'STRATEGIES',
  signal: 'SIGNALS',
  state: 'STATES',
  kind: 'WHAT A FAULT COMES TO',
  comparison: 'COMPARISONS WITH --baseline',
  term: 'WORDS AND FIGURES',
  line: 'LINES OF A REPORT',
  column: 'COLUMNS OF TABLES',
  mark: 'MARKS OF PODS',
  warning: 'WARNINGS, AND FAULTS OF PROBES',
  rule: 'RULES OF THE RECOMMENDATION',
};

function listLines(screen: Screen, { items }: SkewExplanationList): string[] {
  const width = maxOf(items.map(({ id }) => id.length)) + 2;
  return explanationTopics
    .flatMap((topic) => [
      ...heading(screen, titles[topic]),
      ...items.flatMap((item) => (item.topic === topic ? [`${item.id.padEnd(width)}${item.title}`] : [])),
    ])
    .slice(1);
}

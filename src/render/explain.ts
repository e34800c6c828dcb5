import { maxOf } from '../figures/extremes.ts';
/** What a cause, strategy, signal or state is, and the list of them all. */
import { type SkewExplanation, type SkewExplanationList, topics } from '../report/explanation.ts';
import { renderJson } from './json.ts';
import { heading, labelled, labelledList, type Screen } from './lines.ts';
import { plainScreen, type Terminal } from './screen.ts';
import type { ColorFlag } from './style.ts';
import { renderYaml } from './yaml.ts';

export interface ExplainOutput {
  readonly output: 'table' | 'json' | 'yaml';
  readonly color: ColorFlag;
}

/** One explanation, or the list, as text or as a document. */
export function renderExplanation(
  document: SkewExplanation | SkewExplanationList,
  { output, color }: ExplainOutput,
  terminal: Terminal,
): string {
  if (output === 'json') return renderJson(document);
  if (output === 'yaml') return renderYaml(document);
  const { screen, safe } = plainScreen(document, color, terminal);
  const lines = safe.kind === 'SkewExplanation' ? explanationLines(screen, safe) : listLines(screen, safe);
  return `${lines.join('\n')}\n`;
}

function explanationLines(screen: Screen, { topic, id, title, sections }: SkewExplanation): string[] {
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

const titles: Readonly<Record<(typeof topics)[number], string>> = {
  cause: 'CAUSES',
  strategy: 'STRATEGIES',
  signal: 'SIGNALS',
  state: 'STATES',
  comparison: 'COMPARISONS WITH --baseline',
  term: 'WORDS AND FIGURES',
  mark: 'MARKS OF PODS',
  warning: 'WARNINGS, AND FAULTS OF PROBES',
};

function listLines(screen: Screen, { items }: SkewExplanationList): string[] {
  const width = maxOf(items.map(({ id }) => id.length)) + 2;
  return topics
    .flatMap((topic) => [
      ...heading(screen, titles[topic]),
      ...items.flatMap((item) => (item.topic === topic ? [`${item.id.padEnd(width)}${item.title}`] : [])),
    ])
    .slice(1);
}

/** Parts of the report as data: what is said of a cause or a strategy is said here once, and each output draws it in its way. */
import { type Line, labelled, labelledList, type Screen } from './lines.ts';

/** What is known of one thing, point by point; a point without texts takes no line. */
export type Facts = readonly (readonly [label: string, texts: readonly string[]])[];

export interface Entry extends Pick<Line, 'right'> {
  readonly id: string;
  readonly title: string;
  /** What holds here, in one line; empty where the facts say all. */
  readonly text: string;
  readonly facts: Facts;
}

export function factLines(screen: Screen, facts: Facts, indent = ''): string[] {
  return facts.flatMap(([label, texts]) => labelledList(screen, indent + label, texts));
}

/** As the wide output has it. */
export function entryLines(screen: Screen, { id, title, text, right, facts }: Entry): string[] {
  return [
    ...labelled(screen, { label: id, labelTone: 'strong', text: title, ...(right && { right }) }),
    ...factLines(screen, [['why', text === '' ? [] : [text]], ...facts], '  '),
  ];
}

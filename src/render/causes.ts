/** The causes with what speaks for and against each, for the wide output. */
import type { SkewReport } from '../report/schema.ts';
import { heading, labelled, labelledList, type Screen } from './lines.ts';

export function causeLines(screen: Screen, report: SkewReport): string[] {
  const { causes } = report.status;
  if (causes.length === 0) return [];
  return [
    ...heading(screen, 'CAUSES'),
    ...causes.flatMap((cause, at) => [
      ...(at === 0 ? [] : ['']),
      ...labelled(screen, {
        label: cause.id,
        labelTone: 'strong',
        text: cause.title,
        right: { text: cause.confidence, tone: cause.confidence === 'certain' ? 'strong' : 'dim' },
      }),
      ...labelledList(screen, '  why', [cause.text]),
      ...labelledList(screen, '  for', cause.evidence),
      ...labelledList(screen, '  against', cause.against),
      ...labelledList(screen, '  settle', cause.settledBy),
    ]),
  ];
}

/** The causes with what speaks for and against each. */
import type { Cause } from '../report/schema.ts';
import type { Entry } from './section.ts';

export function causeEntry({ id, title, text, confidence, evidence, against, settledBy }: Cause): Entry {
  return {
    id,
    title,
    text,
    right: { text: confidence, tone: confidence === 'certain' ? 'strong' : 'dim' },
    facts: [
      ['for', evidence],
      ['against', against],
      ['settle', settledBy],
    ],
  };
}

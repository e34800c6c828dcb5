import type { SignalId } from '../evidence/schema.ts';
import type { Facts } from '../facts/facts.ts';
import type { CauseId, Confidence } from '../report/ids.ts';
import type { Lines } from '../report/words.ts';
import type { Consequences } from './consequences.ts';

/** What a cause says of one Service. */
export interface Finding {
  readonly confidence: Confidence;
  /** Why, in one line, with this Service's numbers. */
  readonly text: string;
  readonly evidence: Lines;
  readonly against?: Lines;
  readonly settledBy?: Lines;
  readonly past?: true;
}

/** One cause as a unit: where it is decided, in which words it is explained, and what follows from it. */
export interface CauseUnit extends Consequences {
  readonly title: string;
  readonly family: 'sticky-connections' | 'service' | 'layer-7' | 'health' | 'not-load-balancing';
  readonly needs: readonly SignalId[];
  /** What it looks like. */
  readonly signature: string;
  /** When it is certain, likely or possible. */
  readonly confidenceRule: string;
  /** Causes that show alike, with what tells them apart. A pair is named by one of the two at least. */
  readonly rivals: readonly { readonly id: CauseId; readonly toldApartBy: string }[];
  find(facts: Facts): Finding | null;
}

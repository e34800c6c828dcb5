import type { Confidence } from './family.ts';
import type { Part, Summary } from './tables.ts';

/** A whole report, as the documentation states it. */
export interface Published {
  readonly families: number;
  /** Runs of each. */
  readonly seeds: number;
  readonly summary: Summary;
  /** By cause: how often it was right where it was named. */
  readonly causes: Readonly<Record<string, Readonly<Record<Confidence, Part>>>>;
}

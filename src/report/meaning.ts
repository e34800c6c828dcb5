/** What a word of the reports means, be it a state, a result, a figure, a mark or a warning: one wording for help, docs and `explain`. */
export interface Meaning<Id extends string = string> {
  readonly id: Id;
  readonly title: string;
  readonly means: readonly string[];
  /** How screens write it, where that is not its id. */
  readonly says?: readonly string[];
}

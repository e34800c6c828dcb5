import type { ProbeFaultId, WarningId } from '../report/ids.ts';

/** A finding beside the causes. `explain` knows each of these ids: they are no free words. */
export interface FoundWarning {
  readonly id: WarningId | ProbeFaultId;
  readonly text: string;
}

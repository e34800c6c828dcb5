import type { SkewEvidence } from '../evidence/schema.ts';
import type { PrometheusClient } from '../prometheus/types.ts';
import type { ExecHost } from '../signals/look.ts';

/** What the collection needs of the program around it. */
export interface CollectHost extends ExecHost {
  /** The one that was named, or whether one is to be found in the cluster; without it nobody speaks of Prometheus. */
  readonly prometheus?: PrometheusClient | 'find' | 'none';
  /** Waits until the next sample is due; ends early when the signal aborts. A recorded cluster does not wait. */
  wait(seconds: number): Promise<void>;
  now(): number;
  /**
   * Seconds between the two samples that would probably settle what is asked, where what was seen so far does not; null:
   * it is settled, or no window would settle it.
   */
  enoughSeconds?(seen: SkewEvidence): Promise<number | null>;
  /** Called before the second sample is waited for once more. */
  beforeLonger?(longer: Longer): void;
}

/** A window that goes on. */
export interface Longer {
  /** Seconds from the first sample until now, and until the next look. */
  readonly elapsed: number;
  readonly until: number;
  /** Seconds that would probably do; more than the longest window may have. */
  readonly enough: number;
  /** Commands that will be run in pods for it. */
  readonly execs: number;
}

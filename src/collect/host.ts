import type { PrometheusClient } from '../prometheus/types.ts';
import type { ExecHost } from '../signals/look.ts';

/** What the collection needs of the program around it. */
export interface CollectHost extends ExecHost {
  /** The one that was named, or whether one is to be found in the cluster; without it nobody speaks of Prometheus. */
  readonly prometheus?: PrometheusClient | 'find' | 'none';
  /** Waits until the next sample is due; ends early when the signal aborts. A recorded cluster does not wait. */
  wait(seconds: number): Promise<void>;
  now(): number;
}

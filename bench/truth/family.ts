/** A family of situations: told in words, built as plans, with what is right about it written down before any output was seen. */
import type { Plan } from './plan.ts';
import type { Random } from './random.ts';

/** Ids as the reports publish them. */
export type Cause = string;
export type Confidence = 'certain' | 'likely' | 'possible';
export type State = 'skewed' | 'balanced' | 'not-load-balancing' | 'no-traffic' | 'unknown';
export type Strategy = 'cluster-ip' | 'max-connection-age' | 'headless-round-robin' | 'l7-proxy' | 'proxyless-xds';

export const strategies: readonly Strategy[] = [
  'cluster-ip',
  'max-connection-age',
  'headless-round-robin',
  'l7-proxy',
  'proxyless-xds',
];

export interface Family {
  readonly id: string;
  /** What happens and why, and what a right report says of it. */
  readonly words: string;
  /** Causes that hold by construction, where the load is uneven; with `without`, where the setting makes the difference. */
  readonly causes: readonly Cause[];
  /** What an honest reader may also say, up to this confidence. */
  readonly defensible?: Readonly<Record<Cause, Confidence>>;
  /** Right states; without it the true load decides. */
  readonly states?: readonly State[];
  /** Right besides what the load says. */
  readonly alsoStates?: readonly State[];
  /** The causes hold however even the load is. */
  readonly always?: true;
  /** Strategies that would break what the clients do on purpose. */
  readonly never?: readonly Strategy[];
  /** What helps is a setting or the end of a fault, not a strategy: `keep` is right where that cause is named. */
  readonly lever?: 'setting' | 'fault' | 'none';
  plan(random: Random, hardness: number): Plan;
  /** The same past without the setting. */
  without?(plan: Plan): Plan;
}

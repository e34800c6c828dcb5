import type { SignalId, SignalState, SkewEvidence } from '../evidence/schema.ts';
import type { KubeClient, KubeError } from '../kube/types.ts';
import { failed } from './state.ts';

/** What a signal is doing or has given, in a few words, for stderr and screens. */
export type Progress = readonly [signal: SignalId, step: 'running' | 'done' | 'partial' | 'failed', text: string];

/** What a look may use: it asks, and says how far it is. */
export interface SignalHost {
  readonly kube: KubeClient;
  readonly signal?: AbortSignal;
  progress(...progress: Progress): void;
}

/** A look that may run commands in pods. */
export interface ExecHost extends SignalHost {
  /** Called once before any command runs in a pod. */
  beforeExecs(pods: number, samples: number, command?: string): void;
}

/** What a look has given. It changes nothing itself. */
export interface SignalUpdate {
  /** These parts of the Evidence are new. */
  readonly patch?: Partial<SkewEvidence>;
  readonly state?: SignalState;
  readonly progress?: Progress;
  /** Times that answers named, where the state does not name the latest one. */
  readonly times?: readonly (string | null)[];
}

/** A look whose question was not answered. */
export function unanswered(id: SignalId, error: KubeError): SignalUpdate {
  return { state: failed(id, error), progress: [id, 'failed', error.kind] };
}

/** The latest of times that are spelt alike; null without any. */
export function latestOf(times: readonly string[]): string | null {
  return times.reduce<string | null>((last, time) => (last === null || time > last ? time : last), null);
}

/** When the last of these looks was. */
export function lookedAtOf(looks: readonly { readonly lookedAt: string }[]): string | null {
  return latestOf(looks.map((look) => look.lookedAt));
}

/** The order of looks in the Evidence. */
export function byPod(a: { readonly pod: string }, b: { readonly pod: string }): number {
  return a.pod < b.pod ? -1 : a.pod > b.pod ? 1 : 0;
}

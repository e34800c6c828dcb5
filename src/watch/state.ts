import type { SignalId } from '../evidence/schema.ts';
import { languageIds, type State } from '../report/ids.ts';
import type { SkewReport } from '../report/schema.ts';
import { calm, type Unrest } from './flapping.ts';
import { noTrend, type Trend } from './trend.ts';

/** What happened while somebody watched, with the time of the look that saw it. */
export interface WatchEvent {
  readonly time: string;
  readonly text: string;
}

export type StepState = 'waiting' | 'running' | 'done' | 'partial' | 'failed';

/** One step of the diagnosis flow. */
export interface Step {
  readonly id: SignalId;
  readonly title: string;
  readonly state: StepState;
  readonly text: string;
}

export const screens = ['now', 'why', 'what-to-do'] as const;
export type ScreenName = (typeof screens)[number];

export const podOrders = ['load', 'connections', 'cpu', 'age', 'name'] as const;
export type PodOrder = (typeof podOrders)[number];

/** What there are details of. */
export type Thing =
  | { readonly kind: 'pod'; readonly name: string }
  | { readonly kind: 'cause'; readonly id: string }
  | { readonly kind: 'client'; readonly key: string }
  | { readonly kind: 'strategy'; readonly id: string };

/** What a line that can be chosen stands for: a thing, or the idle pods in one line, which are unfolded and folded. */
export type Item = Thing | { readonly kind: 'idle' };

/** What covers the screen, if anything. */
export type Overlay =
  | { readonly kind: 'help' }
  | { readonly kind: 'command' }
  /** Null: the recommended one. */
  | { readonly kind: 'fix'; readonly strategy: string | null }
  | { readonly kind: 'details'; readonly item: Thing }
  /** The words of a line. */
  | { readonly kind: 'explain'; readonly item: Item };

/** One of several ports that have a verdict each. */
export interface PortVerdict {
  readonly port: number;
  readonly name: string | null;
  readonly state: State;
}

/** All that the terminal UI shows, apart from sizes and colours: reduced from Reports and keys. */
export interface WatchState {
  readonly subject: {
    readonly context: string;
    readonly namespace: string;
    readonly service: string;
    readonly port: string | null;
  };
  /** The list of Services is behind it. */
  readonly overList: boolean;
  readonly steps: readonly Step[];
  /** Of the port that is shown. */
  readonly report: SkewReport | null;
  /** All ports that have a verdict, in the order of the Service. */
  readonly ports: readonly PortVerdict[];
  /** The port that somebody chose; null: the worst is shown. */
  readonly chosenPort: number | null;
  /** What keeps the newest look from giving a report; the last report stays. */
  readonly problem: string | null;
  /** When the next look begins after one that failed, in milliseconds since the epoch. */
  readonly retryAt: number | null;
  /** What the verdict still waits for; null when it has all. */
  readonly waitingFor: string | null;
  readonly screen: ScreenName;
  readonly overlay: Overlay | null;
  /** Chosen line of each screen's list, and first shown line of what scrolls. */
  readonly cursor: Readonly<Record<ScreenName, number>>;
  readonly scroll: number;
  readonly order: PodOrder;
  /** Only pods and clients that it fits are listed. */
  readonly filter: string;
  /** Letters go into the filter. */
  readonly typing: boolean;
  /** Idle pods stand one by one, too. */
  readonly unfolded: boolean;
  readonly paused: boolean;
  /** Nobody has pressed a key for so long that no more commands are run in pods. */
  readonly asleep: boolean;
  readonly clients: 'inferred' | 'owned' | 'third-party' | 'mixed';
  readonly language: Language;
  readonly events: readonly WatchEvent[];
  /** How the load was spread since the view opened. */
  readonly trend: Trend;
  /** What comes and goes. */
  readonly unrest: Unrest;
  /** What a key has said of the clients and no report has answered yet. */
  readonly said: string | null;
  /** A short answer to a key, shown until the next key. */
  readonly notice: string | null;
  /** Milliseconds since the epoch, moved on by ticks. */
  readonly now: number;
  /** When the newest report came in, in the same clock: ages on the screen go on from there. */
  readonly reportedAt: number | null;
}

export const languages = ['unknown', ...languageIds] as const;
type Language = (typeof languages)[number];

const stepTitles: readonly (readonly [SignalId, string])[] = [
  ['service', 'Service'],
  ['endpoints', 'endpoints'],
  ['usage', 'usage'],
  ['connections', 'connections'],
  ['calls', 'calls'],
  ['probes', 'probes'],
  ['clients', 'clients'],
  ['path', 'path'],
  ['autoscaling', 'autoscaling'],
  ['siblings', 'siblings'],
  ['prometheus', 'Prometheus'],
];

export function initialState(subject: WatchState['subject'], now: number): WatchState {
  return {
    subject,
    overList: false,
    steps: stepTitles.map(([id, title]) => ({ id, title, state: 'waiting', text: '' })),
    report: null,
    ports: [],
    chosenPort: null,
    problem: null,
    retryAt: null,
    waitingFor: 'the first answer',
    screen: 'now',
    overlay: null,
    cursor: { now: 0, why: 0, 'what-to-do': 0 },
    scroll: 0,
    order: 'load',
    filter: '',
    typing: false,
    unfolded: false,
    paused: false,
    asleep: false,
    clients: 'inferred',
    language: 'unknown',
    events: [],
    trend: noTrend,
    unrest: calm,
    said: null,
    notice: null,
    now,
    reportedAt: null,
  };
}

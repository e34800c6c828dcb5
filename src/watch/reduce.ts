import type { SignalId } from '../evidence/schema.ts';
import type { SkewReport } from '../report/schema.ts';
import { adviceChange } from './advice.ts';
import { changes, mostEvents } from './events.ts';
import { calm, withTurns } from './flapping.ts';
import { podRows, rowWith } from './rows.ts';
import {
  type Item,
  languages,
  type Overlay,
  type PodOrder,
  type PortVerdict,
  podOrders,
  type ScreenName,
  type StepState,
  screens,
  type WatchState,
} from './state.ts';
import { noTrend, withSample } from './trend.ts';

/** What changes the state. Keys have become actions before they come here. */
export type Action =
  | { readonly kind: 'step'; readonly id: SignalId; readonly state: StepState; readonly text: string }
  | {
      readonly kind: 'report';
      readonly report: SkewReport;
      /** Where several ports have a verdict. */
      readonly ports?: readonly PortVerdict[];
      readonly waitingFor: string | null;
      readonly at: number;
    }
  | {
      readonly kind: 'problem';
      readonly message: string;
      /** When it was met, in milliseconds since the epoch, and in how many seconds the next look begins. */
      readonly retry?: { readonly at: number; readonly seconds: number };
    }
  | { readonly kind: 'tick'; readonly now: number; readonly asleep: boolean }
  | { readonly kind: 'screen'; readonly screen: ScreenName }
  | { readonly kind: 'next-screen'; readonly by: 1 | -1 }
  /** Moves the chosen line, or scrolls what covers the screen. `length`: lines there are, `page`: lines shown. */
  | { readonly kind: 'move'; readonly by: number | 'start' | 'end'; readonly length: number }
  | { readonly kind: 'open'; readonly item: Item }
  | { readonly kind: 'overlay'; readonly overlay: Overlay }
  | { readonly kind: 'filter'; readonly text: string; readonly typing: boolean }
  | { readonly kind: 'back' }
  | { readonly kind: 'order' }
  | { readonly kind: 'port' }
  | { readonly kind: 'pause' }
  | { readonly kind: 'clients' }
  | { readonly kind: 'language' }
  | { readonly kind: 'notice'; readonly text: string };

/** The next state. Pure: the same state and action give the same state. */
export function reduce(state: WatchState, action: Action): WatchState {
  switch (action.kind) {
    case 'step':
      return {
        ...state,
        steps: state.steps.map((step) =>
          step.id === action.id ? { ...step, state: action.state, text: action.text } : step,
        ),
      };
    case 'report':
      return takeReport(state, action);
    case 'problem':
      return { ...state, problem: action.message, ...(action.retry && retried(state, action.retry)) };
    case 'tick':
      return { ...state, now: action.now, asleep: action.asleep };
    case 'screen':
      return { ...quiet(state), screen: action.screen, overlay: null, scroll: 0 };
    case 'next-screen':
      return { ...quiet(state), screen: cycle(screens, state.screen, action.by), overlay: null, scroll: 0 };
    case 'move':
      return move(quiet(state), action);
    case 'open':
      if (action.item.kind === 'idle') return { ...quiet(state), unfolded: !state.unfolded };
      return { ...quiet(state), overlay: { kind: 'details', item: action.item }, scroll: 0 };
    case 'overlay':
      return {
        ...quiet(state),
        overlay: state.overlay?.kind === action.overlay.kind ? null : action.overlay,
        scroll: 0,
      };
    case 'filter':
      return filtered(quiet(state), action);
    case 'back':
      return state.overlay === null
        ? filtered(quiet(state), { text: '', typing: false })
        : { ...quiet(state), overlay: null, scroll: 0 };
    case 'order':
      return ordered(state, cycle(podOrders, state.order, 1));
    case 'port':
      return nextPort(quiet(state));
    case 'pause':
      return {
        ...state,
        paused: !state.paused,
        notice: state.paused ? null : 'paused: nothing is asked of the cluster; space goes on',
      };
    case 'clients': {
      const clients = cycle(['inferred', 'owned', 'third-party', 'mixed'] as const, state.clients, 1);
      return says({ ...state, clients }, `clients ${clients}`);
    }
    case 'language': {
      const language = cycle(languages, state.language, 1);
      return says({ ...state, language }, `language ${language}`);
    }
    case 'notice':
      return { ...state, notice: action.text };
  }
}

/** The clock of the screen is moved on, too: the seconds to the next look count from now, not from the last tick. */
function retried({ now }: WatchState, { at, seconds }: { readonly at: number; readonly seconds: number }) {
  return { retryAt: at + seconds * 1000, now: Math.max(now, at) };
}

/** A report that answers a toggle is no news of the cluster: the same look, seen another way. */
function takeReport(state: WatchState, action: Extract<Action, { kind: 'report' }>): WatchState {
  const { report, ports = [], waitingFor, at } = action;
  const before = state.report;
  const isSamePort = before === null || before.spec.port?.port === report.spec.port?.port;
  // What is true of another port is no change of this one.
  const seen = isSamePort ? state : forgetPort(state);
  const isSameLook = before?.metadata.generatedAt === report.metadata.generatedAt;
  const isNews = before !== null && isSamePort && !isSameLook && state.waitingFor === null;
  return {
    ...seen,
    report,
    ports,
    problem: isSameLook ? state.problem : null,
    waitingFor,
    said: null,
    notice: isSameLook && isSamePort ? answered(state, before, report) : state.notice,
    reportedAt: isSameLook ? state.reportedAt : at,
    events: isNews ? [...seen.events, ...changes(before, report)].slice(-mostEvents) : seen.events,
    trend: waitingFor === null && !isSameLook ? withSample(seen.trend, report, at) : seen.trend,
    unrest: isNews ? withTurns(seen.unrest, before, report, at) : seen.unrest,
    cursor: { ...seen.cursor, now: isSamePort ? rowOfChosen(state, { ...state, report }) : 0 },
  };
}

/** What somebody says of the clients: the report that answers it says what that changes. */
function says(state: WatchState, said: string): WatchState {
  return { ...state, said, notice: said };
}

function answered({ said, notice }: WatchState, before: SkewReport | null, report: SkewReport): string | null {
  return said === null || before === null ? notice : `${said}: ${adviceChange(before, report)}`;
}

/** What was chosen and what happened on the port that was shown before. */
function forgetPort(state: WatchState): WatchState {
  const overlay = state.overlay !== null && 'item' in state.overlay ? null : state.overlay;
  return {
    ...state,
    overlay,
    events: [],
    trend: noTrend,
    unrest: calm,
    cursor: { now: 0, why: 0, 'what-to-do': 0 },
    scroll: 0,
  };
}

function nextPort(state: WatchState): WatchState {
  const { ports, report } = state;
  if (ports.length < 2) return { ...state, notice: 'one port has a verdict; --port chooses another' };
  const shown = ports.findIndex(({ port }) => port === report?.spec.port?.port);
  const next = ports[(shown + 1) % ports.length];
  if (next === undefined) return state;
  const name = next.name === null ? String(next.port) : `${next.name} (${next.port})`;
  return { ...state, chosenPort: next.port, notice: `port ${name}: ${next.state}` };
}

/** The chosen pod, or the row of the idle ones, stays chosen when the order changes; the first row stays the first. */
function rowOfChosen(before: WatchState, after: WatchState): number {
  const { cursor } = before;
  const chosen = cursor.now === 0 ? undefined : podRows(before.report?.status.pods ?? [], before)[cursor.now];
  const rows = podRows(after.report?.status.pods ?? [], after);
  const row =
    chosen === undefined
      ? -1
      : chosen.kind === 'idle'
        ? rows.findIndex(({ kind }) => kind === 'idle')
        : rowWith(rows, chosen.pod.name);
  return row >= 0 ? row : Math.max(0, Math.min(cursor.now, rows.length - 1));
}

/** The chosen pod stays chosen where the filter leaves it. */
function filtered(
  state: WatchState,
  { text, typing }: { readonly text: string; readonly typing: boolean },
): WatchState {
  const after = { ...state, filter: text, typing };
  const why = text === state.filter ? state.cursor.why : 0;
  return { ...after, cursor: { ...state.cursor, now: rowOfChosen(state, after), why } };
}

function move(state: WatchState, action: Extract<Action, { kind: 'move' }>): WatchState {
  const step = (from: number) => {
    const to = action.by === 'start' ? 0 : action.by === 'end' ? action.length - 1 : from + action.by;
    return Math.max(0, Math.min(to, action.length - 1));
  };
  if (state.overlay !== null) return { ...state, scroll: step(state.scroll) };
  return { ...state, cursor: { ...state.cursor, [state.screen]: step(state.cursor[state.screen]) } };
}

/** A key answers the notice away. */
function quiet(state: WatchState): WatchState {
  return state.notice === null ? state : { ...state, notice: null };
}

function cycle<T>(values: readonly T[], value: T, by: 1 | -1): T {
  const index = (values.indexOf(value) + by + values.length) % values.length;
  return values[index] ?? value;
}

function ordered(state: WatchState, order: PodOrder): WatchState {
  return { ...state, order, cursor: { ...state.cursor, now: 0 }, notice: `pods by ${order}` };
}

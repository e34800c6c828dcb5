/** What the live list of Services shows, apart from sizes and colours: reduced from scans and keys. */
import type { ScanItem, SkewScan } from '../report/scan.ts';
import type { Problem } from '../result/result.ts';
import { fits } from './rows.ts';

/** A line as a diagnosis has it, when that was (milliseconds since the epoch), and as the list had it then. */
interface Diagnosed {
  readonly item: ScanItem;
  readonly at: number;
  readonly listed: ScanItem;
}

export interface ScanState {
  readonly context: string;
  /** The namespace of the context, or the one of -n. */
  readonly namespace: string;
  /** All namespaces instead of that one. */
  readonly everywhere: boolean;
  /** The newest scan of what is chosen; null until there is one. */
  readonly scan: SkewScan | null;
  /** What was found of Services that were opened, by `nameOf`: it stands for what the list says until the list says something else. */
  readonly diagnosed: ReadonlyMap<string, Diagnosed>;
  /** When it came in, in milliseconds since the epoch. */
  readonly seenAt: number | null;
  /** What keeps the newest look from giving a scan; the last scan stays. */
  readonly problem: Problem | null;
  /** What is being asked now; null between two looks. */
  readonly asking: string | null;
  /** When the next look begins, in milliseconds since the epoch; null while one is under way. */
  readonly nextAt: number | null;
  readonly cursor: number;
  /** Only Services whose name holds this. */
  readonly filter: string;
  /** Letters go into the filter. */
  readonly typing: boolean;
  /** What covers the list, if anything: the keys, or the words of a line. */
  readonly overlay: { readonly kind: 'help' } | { readonly kind: 'explain'; readonly item: ScanItem } | null;
  /** First shown line of it. */
  readonly scroll: number;
  readonly paused: boolean;
  /** A short answer, shown until the next key. */
  readonly notice: string | null;
  /** Milliseconds since the epoch, moved on by ticks. */
  readonly now: number;
}

export type ScanAction =
  | { readonly kind: 'asking'; readonly text: string }
  | { readonly kind: 'scan'; readonly scan: SkewScan; readonly at: number }
  | { readonly kind: 'diagnosed'; readonly item: ScanItem; readonly at: number }
  | { readonly kind: 'problem'; readonly problem: Problem }
  | { readonly kind: 'resting'; readonly until: number }
  | { readonly kind: 'tick'; readonly now: number }
  /** Moves the chosen line, or scrolls what covers the list. `length`: lines there are. */
  | { readonly kind: 'move'; readonly by: number | 'start' | 'end'; readonly length: number }
  | { readonly kind: 'choose'; readonly row: number }
  | { readonly kind: 'scope' }
  | { readonly kind: 'filter'; readonly text: string; readonly typing: boolean }
  /** Opens it; closes it where it is open. */
  | { readonly kind: 'overlay'; readonly overlay: NonNullable<ScanState['overlay']> }
  | { readonly kind: 'back' }
  | { readonly kind: 'pause' }
  | { readonly kind: 'notice'; readonly text: string };

export function initialScanState(place: Pick<ScanState, 'context' | 'namespace'>, now: number): ScanState {
  return {
    ...place,
    everywhere: false,
    scan: null,
    diagnosed: new Map(),
    seenAt: null,
    problem: null,
    asking: 'Services and pods',
    nextAt: null,
    cursor: 0,
    filter: '',
    typing: false,
    overlay: null,
    scroll: 0,
    paused: false,
    notice: null,
    now,
  };
}

/** The next state. Pure: the same state and action give the same state. */
export function reduceScan(state: ScanState, action: ScanAction): ScanState {
  switch (action.kind) {
    case 'asking':
      return { ...state, asking: action.text, nextAt: null };
    case 'scan':
      return chosenAgain(state, {
        ...state,
        scan: action.scan,
        diagnosed: stillTrue(state.diagnosed, action.scan),
        seenAt: action.at,
        problem: null,
      });
    case 'diagnosed':
      return chosenAgain(state, withDiagnosed(state, action));
    case 'problem':
      return { ...state, problem: action.problem };
    case 'resting':
      return { ...state, asking: null, nextAt: action.until };
    case 'tick':
      return { ...state, now: action.now };
    case 'move':
      return move(quiet(state), action);
    case 'choose':
      return { ...quiet(state), cursor: action.row };
    case 'scope':
      // What was seen of the one is no answer to the other.
      return {
        ...quiet(state),
        everywhere: !state.everywhere,
        scan: null,
        seenAt: null,
        problem: null,
        cursor: 0,
        paused: false,
      };
    case 'filter':
      return chosenAgain(state, { ...quiet(state), filter: action.text, typing: action.typing });
    case 'overlay':
      return {
        ...quiet(state),
        overlay: state.overlay?.kind === action.overlay.kind ? null : action.overlay,
        scroll: 0,
      };
    case 'back':
      return state.overlay !== null
        ? { ...quiet(state), overlay: null, scroll: 0 }
        : chosenAgain(state, { ...quiet(state), filter: '', typing: false });
    case 'pause':
      return {
        ...state,
        paused: !state.paused,
        notice: state.paused ? null : 'paused: nothing is asked of the cluster; space goes on',
      };
    case 'notice':
      return { ...state, notice: action.text };
  }
}

/** The Services that are shown, those that hurt most first. */
export function scanRows(state: Pick<ScanState, 'scan' | 'diagnosed' | 'filter'>): readonly ScanItem[] {
  const { filter } = state;
  // The scan is ranked by harm × skew, so that of equal harm the greater skew stays first.
  return scanItems(state)
    .filter((item) => fits(filter, nameOf(item)))
    .toSorted((a, b) => harmRank(a) - harmRank(b));
}

/** All of the list; what was opened as its diagnosis has it. */
export function scanItems({ scan, diagnosed }: Pick<ScanState, 'scan' | 'diagnosed'>): readonly ScanItem[] {
  return (scan?.status.items ?? []).map((item) => diagnosed.get(nameOf(item))?.item ?? item);
}

function withDiagnosed(state: ScanState, { item, at }: Extract<ScanAction, { kind: 'diagnosed' }>): ScanState {
  const listed = state.scan?.status.items.find((one) => nameOf(one) === nameOf(item));
  if (listed === undefined) return state;
  return { ...state, diagnosed: new Map([...state.diagnosed, [nameOf(item), { item, at, listed }]]) };
}

/** A look at the lists contradicts a diagnosis where it no longer says what it said when the Service was opened. */
function stillTrue(diagnosed: ScanState['diagnosed'], scan: SkewScan): ScanState['diagnosed'] {
  const says = ({ state, kind, pods }: ScanItem) => `${state} ${kind} ${pods}`;
  const now = new Map(scan.status.items.map((item) => [nameOf(item), says(item)]));
  return new Map([...diagnosed].filter(([name, { listed }]) => now.get(name) === says(listed)));
}

const harms: readonly ScanItem['impact']['level'][] = ['harm', 'risk', 'unknown', 'none'];

/** Calls fail in an outage, whatever is known of CPU and restarts. */
function harmRank({ kind, impact }: ScanItem): number {
  return kind === 'outage' ? 0 : harms.indexOf(impact.level);
}

/** `shop/checkout:50051`: what tells one line of a scan from another. */
export function nameOf({ namespace, name, port }: Pick<ScanItem, 'namespace' | 'name' | 'port'>): string {
  return `${namespace}/${name}:${port.port}`;
}

/** The chosen Service stays chosen wherever it goes; the first row stays the first, whichever Service is there. */
function chosenAgain(before: ScanState, after: ScanState): ScanState {
  const chosen = before.cursor === 0 ? undefined : scanRows(before)[before.cursor];
  const rows = scanRows(after);
  const row = chosen === undefined ? -1 : rows.findIndex((item) => nameOf(item) === nameOf(chosen));
  return { ...after, cursor: row >= 0 ? row : Math.max(0, Math.min(before.cursor, rows.length - 1)) };
}

function move(state: ScanState, { by, length }: Extract<ScanAction, { kind: 'move' }>): ScanState {
  const from = state.overlay !== null ? state.scroll : state.cursor;
  const to = by === 'start' ? 0 : by === 'end' ? length - 1 : from + by;
  const row = Math.max(0, Math.min(to, length - 1));
  return state.overlay !== null ? { ...state, scroll: row } : { ...state, cursor: row };
}

/** A key answers the notice away. */
function quiet(state: ScanState): ScanState {
  return state.notice === null ? state : { ...state, notice: null };
}

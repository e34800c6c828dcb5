/** The columns of the pods, once for every output that shows pods: which of them it has, and what is in them. */
import { maxOf } from '../figures/extremes.ts';
import type { PodMark } from '../report/ids.ts';
import type { ReportPod, SkewReport } from '../report/schema.ts';
import { figureColumn, type GridColumn, nameColumn } from './grid.ts';
import { amount, bytes, duration, millicores, notKnown, share } from './numbers.ts';
import type { Tone } from './style.ts';

export type PodColumn = GridColumn<ReportPod> & { readonly id: string };

/** `live` and `live-wide` keep a place for what may come; `note` is for tickets. */
export type PodOutput = 'table' | 'wide' | 'live' | 'live-wide' | 'note';

/** Those that say something of these pods in an output. The bar of the hottest pod fills its column: what counts is how pods compare. */
export function podColumns(pods: readonly ReportPod[], output: PodOutput): PodColumn[] {
  const isWide = output !== 'table' && output !== 'live';
  const most = maxOf(
    pods.map((pod) => pod.load ?? 0),
    0,
  );
  const fraction = ({ load }: ReportPod) => (load === null ? null : most === 0 ? 0 : load / most);
  // Marks wrap in a printed table; on a screen every pod has one line.
  const content = output.startsWith('live') ? 'figure' : 'words';
  const marks = (pod: ReportPod) => markWords(pod, isWide).join(' ');
  const columns: PodColumn[] = [
    { id: 'name', ...nameColumn('POD', 0, (pod) => pod.name) },
    { id: 'bar', head: 'LOAD', align: 'left', content: 'bar', leaves: 2, cell: () => '', fraction },
    { id: 'share', ...figureColumn('SHARE', 1, (pod) => share(pod.load)) },
    { id: 'fair', ...figureColumn('FAIR', 15, (pod) => share(pod.expectedShare)) },
    { id: 'connections', ...figureColumn('CONN', 3, (pod) => amount(pod.connections)) },
    { id: 'calls', ...figureColumn('CALLS/S', 7, (pod) => amount(pod.callsPerSecond)) },
    { id: 'bytes', ...figureColumn('B/S', 6, (pod) => amount(pod.bytesPerSecond)) },
    { id: 'received', ...figureColumn('RECV/S', 7, (pod) => amount(pod.receivedPerSecond)) },
    { id: 'cpu', ...figureColumn('CPU', 4, (pod) => millicores(pod.cpuMillicores)) },
    { id: 'cpu-limit', ...figureColumn('CPU-LIMIT', 8, (pod) => millicores(pod.cpuLimitMillicores)) },
    { id: 'throttled', ...figureColumn('THROTTLED', 8, (pod) => share(pod.throttledShare)) },
    { id: 'memory', ...figureColumn('MEM', 9, (pod) => bytes(pod.memoryBytes)) },
    { id: 'memory-limit', ...figureColumn('MEM-LIMIT', 10, (pod) => bytes(pod.memoryLimitBytes)) },
    { id: 'age', ...figureColumn('AGE', 5, (pod) => duration(pod.ageSeconds)) },
    { id: 'ready', ...figureColumn('READY', 11, readyFor) },
    { id: 'restarts', ...figureColumn('RESTARTS', 12, (pod) => String(pod.restarts)) },
    { id: 'node', ...nameColumn('NODE', 13, (pod) => pod.node ?? notKnown) },
    { id: 'zone', ...nameColumn('ZONE', 14, (pod) => pod.zone ?? notKnown) },
    { id: 'marks', head: 'MARKS', align: 'left', content, leaves: 1, cell: marks },
  ];
  return columns.filter((column) => saysSomething(column, pods, output));
}

const everywhere = new Set(['name', 'share', 'connections', 'cpu', 'age']);
const inNotes = new Set([...everywhere, 'calls', 'bytes', 'cpu-limit', 'marks']);

/** Figures stay where nothing is known, as dashes; a bar, marks and what only wide outputs show do not take room for nothing. */
function saysSomething({ id, cell }: PodColumn, pods: readonly ReportPod[], output: PodOutput): boolean {
  const isKnown = () => pods.some((pod) => ![notKnown, ''].includes(cell(pod)));
  if (output === 'note') return inNotes.has(id) && isKnown();
  const isLive = output.startsWith('live');
  const isWide = output.endsWith('wide');
  const countsCalls = pods.some((pod) => pod.callsPerSecond !== null);
  // What the interfaces receive stands in where nobody knows the calls or the bytes of the connections.
  const knowsBytes = pods.some((pod) => pod.bytesPerSecond !== null || pod.bytesTotal !== null);
  const hasOnlyReceived = !countsCalls && !knowsBytes && pods.some((pod) => pod.receivedPerSecond !== null);
  switch (id) {
    case 'bar':
      return isLive || pods.some((pod) => pod.load !== null);
    case 'calls':
      return countsCalls;
    case 'bytes':
      // Calls are the load itself: a narrow table has no room for both, and wide has them.
      return !hasOnlyReceived && (isWide || !countsCalls);
    case 'received':
      return hasOnlyReceived;
    case 'marks':
      return isLive || isKnown();
    case 'fair':
      return output === 'wide' && new Set(pods.map((pod) => pod.expectedShare)).size > 1;
    case 'throttled':
      return isWide && (isLive ? pods.some((pod) => (pod.throttledShare ?? 0) > 0) : isKnown());
    default:
      return everywhere.has(id) || (isWide && (isLive || isKnown()));
  }
}

/**
 * What is to be said about a pod, the worst first, as words: nothing here is told by colour alone. The narrow table
 * leaves out what its dashes say already: `no-metrics`, and `not-seen` where there is worse.
 */
function markWords(pod: ReportPod, wide: boolean): string[] {
  const said = (mark: PodMark) => mark === 'no-metrics' || (mark === 'not-seen' && isInTrouble(pod));
  const marks = markOrder.filter((mark) => pod.marks.includes(mark) && (wide || !said(mark)));
  const gone = !pod.endpoint && !marks.includes('not-ready') && !marks.includes('terminating');
  const words = marks.map((mark) => (mark === 'restarted' && pod.restarts > 1 ? `restarted-${pod.restarts}x` : mark));
  return gone ? [...words, 'not-in-service'] : words;
}

/** In trouble: must not be folded away, however little load it carries. */
export function isInTrouble(pod: ReportPod): boolean {
  return (
    !pod.endpoint || pod.marks.some((mark) => mark === 'oom-killed' || mark === 'not-ready' || mark === 'terminating')
  );
}

export function isUnseen(pod: ReportPod): boolean {
  return pod.marks.includes('not-seen');
}

/**
 * Bars and figures of a hot pod stand out, in red where the Service is harmed; idle pods step back, a pod in trouble has its
 * marks in the colour of warnings.
 */
export function podTone(pod: ReportPod, column: { readonly id: string }, report: SkewReport): Tone | null {
  if (column.id === 'marks' && (isInTrouble(pod) || isUnseen(pod))) return 'warn';
  if (pod.marks.includes('hot')) return hotColumns.has(column.id) ? hotTone(report) : null;
  return pod.marks.includes('idle') ? 'idle' : null;
}

/** A hot pod hurts only where the Service does. */
export function hotTone({ status }: SkewReport): Tone {
  return status.impact.level === 'harm' ? 'hot' : 'warn';
}

const hotColumns = new Set(['name', 'bar', 'share', 'marks']);
const markOrder: readonly PodMark[] = [
  'hot',
  'oom-killed',
  'not-ready',
  'terminating',
  'restarted',
  'not-seen',
  'no-metrics',
  'idle',
  'new',
];

function readyFor(pod: ReportPod): string {
  if (pod.ready === null) return notKnown;
  return pod.ready ? duration(pod.readySeconds) : 'no';
}

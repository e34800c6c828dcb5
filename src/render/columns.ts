import { maxOf } from '../figures/extremes.ts';
/** The columns of the pods, once for every output that shows pods. */
import type { PodMark } from '../report/ids.ts';
import type { ReportPod } from '../report/schema.ts';
import type { GridColumn } from './grid.ts';
import { amount, bytes, duration, millicores, notKnown, share } from './numbers.ts';
import type { Tone } from './style.ts';

export type PodColumn = GridColumn<ReportPod> & {
  readonly id: string;
  /** The smallest output that shows it. */
  readonly from: 'table' | 'wide';
};

/** The bar of the hottest pod fills its column: what counts is how the pods compare. */
export function podColumns(pods: readonly ReportPod[], wide: boolean): PodColumn[] {
  const most = maxOf(
    pods.map((pod) => pod.load ?? 0),
    0,
  );
  const bar = (pod: ReportPod) => (pod.load === null ? null : most === 0 ? 0 : pod.load / most);
  return [
    { id: 'name', head: 'POD', from: 'table', align: 'left', fit: 'name', leaves: 0, cell: (pod) => pod.name },
    { id: 'bar', head: 'LOAD', from: 'table', align: 'left', fit: 'bar', leaves: 2, cell: () => '', part: bar },
    { ...figure('share', 'SHARE', (pod) => share(pod.load)), from: 'table', leaves: 1 },
    { ...figure('fair', 'FAIR', (pod) => share(pod.expectedShare)), leaves: 15 },
    { ...figure('connections', 'CONN', (pod) => amount(pod.connections)), from: 'table', leaves: 3 },
    { ...figure('calls', 'CALLS/S', (pod) => amount(pod.callsPerSecond)), from: 'table', leaves: 7 },
    { ...figure('bytes', 'B/S', (pod) => amount(pod.bytesPerSecond)), from: 'table', leaves: 6 },
    { ...figure('received', 'RECV/S', (pod) => amount(pod.receivedPerSecond)), from: 'table', leaves: 7 },
    { ...figure('cpu', 'CPU', (pod) => millicores(pod.cpuMillicores)), from: 'table', leaves: 4 },
    { ...figure('cpu-limit', 'CPU-LIMIT', (pod) => millicores(pod.cpuLimitMillicores)), leaves: 8 },
    { ...figure('throttled', 'THROTTLED', (pod) => share(pod.throttledShare)), leaves: 8 },
    { ...figure('memory', 'MEM', (pod) => bytes(pod.memoryBytes)), leaves: 9 },
    { ...figure('memory-limit', 'MEM-LIMIT', (pod) => bytes(pod.memoryLimitBytes)), leaves: 10 },
    { ...figure('age', 'AGE', (pod) => duration(pod.ageSeconds)), from: 'table', leaves: 5 },
    { ...figure('ready', 'READY', readyFor), leaves: 11 },
    { ...figure('restarts', 'RESTARTS', (pod) => String(pod.restarts)), leaves: 12 },
    {
      id: 'node',
      head: 'NODE',
      from: 'wide',
      align: 'left',
      fit: 'name',
      leaves: 13,
      cell: (pod) => pod.node ?? notKnown,
    },
    {
      id: 'zone',
      head: 'ZONE',
      from: 'wide',
      align: 'left',
      fit: 'name',
      leaves: 14,
      cell: (pod) => pod.zone ?? notKnown,
    },
    {
      id: 'marks',
      head: 'MARKS',
      from: 'table',
      align: 'left',
      fit: 'words',
      leaves: 1,
      cell: (pod) => markWords(pod, wide).join(' '),
    },
  ];
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

/** Bars and figures of a hot pod stand out, idle pods step back, a pod in trouble has its marks in the colour of warnings. */
export function podTone(pod: ReportPod, column: { readonly id: string }): Tone | null {
  if (column.id === 'marks' && (isInTrouble(pod) || isUnseen(pod))) return 'warn';
  if (pod.marks.includes('hot')) return hotColumns.has(column.id) ? 'hot' : null;
  return pod.marks.includes('idle') ? 'idle' : null;
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

function figure(id: string, head: string, cell: (pod: ReportPod) => string) {
  return { id, head, cell, from: 'wide', align: 'right', fit: 'figure' } as const;
}

function readyFor(pod: ReportPod): string {
  if (pod.ready === null) return notKnown;
  return pod.ready ? duration(pod.readySeconds) : 'no';
}

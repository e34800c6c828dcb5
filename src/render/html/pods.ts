/** The pods: how the load lies on them at a glance, and each with its figures. */
import { maxOf } from '../../figures/extremes.ts';
import { carrying } from '../../report/carried.ts';
import type { ReportPod, SkewReport } from '../../report/schema.ts';
import { countOf, plural } from '../../report/words.ts';
import { isInTrouble, isUnseen, type PodColumn, podColumns } from '../columns.ts';
import * as numbers from '../numbers.ts';
import { choosePods } from '../pods.ts';
import { type Child, element, type Markup } from './element.ts';
import { more } from './parts.ts';
import { type PageColumn, table } from './table.ts';

/** Above so many pods, those that matter; the others behind a line. */
const mostPods = 20;
/** What a page of one Service lists at most: the document in JSON has all. */
const mostListed = 1000;
/** Bars that can be told apart. */
const mostBars = 200;

const strip = { width: 1000, height: 100, widest: 100 } as const;

/** One bar a pod, with the mark of its fair share; of very many pods one bar for so many of them. */
export function podStrip({ status }: SkewReport): Child {
  const pods = carrying(status.pods);
  if (!pods.some(({ load }) => load !== null)) return null;
  const bars = inBars(pods);
  const together = bars[0]?.length ?? 0;
  const scale = scaleOf(pods);
  const step = Math.min(strip.width / bars.length, strip.widest);
  const fair = bars.map(([pod], at) => fairPath(pod, at * step, step, scale)).join('');
  const each = together === 1 ? 'one bar a pod' : `one bar for ${together} pods, as high as the hottest of them`;
  const parts = [...new Set(pods.flatMap(({ expectedShare: part }) => (part === null ? [] : [numbers.share(part)])))];
  const mark = fair === '' ? '' : `; the line is a fair share${parts.length === 1 ? ` (${parts[0]})` : ''}`;
  return element(
    'div',
    { class: 'strip' },
    element(
      'svg',
      { viewBox: `0 0 ${strip.width} ${strip.height}`, image: `The load of ${plural(pods.length, 'pod')}` },
      bars.flatMap(([pod, ...others], at) =>
        pod === undefined ? [] : [barOf(pod, others.length, [at * step, step], scale)],
      ),
      fair === '' ? null : element('path', { class: 'fair', d: fair }),
    ),
    element('p', { class: 'legend' }, `${each}${mark}${kindsIn(pods)}`),
  );
}

/** Each of them a bar; of very many so many neighbours one bar. */
export function inBars<One>(all: readonly One[]): readonly (readonly One[])[] {
  const together = Math.ceil(all.length / mostBars);
  return Array.from({ length: Math.ceil(all.length / Math.max(1, together)) }, (_, at) =>
    all.slice(at * together, (at + 1) * together),
  );
}

/** What the looks of bars say, as far as there are such bars. */
function kindsIn(pods: readonly ReportPod[]): string {
  return [
    pods.some(({ load }) => load === null) ? '; grey to the top: load not known' : '',
    pods.some(isInTrouble) ? '; framed: in trouble' : '',
    pods.some(({ load, endpoint }) => load !== null && !endpoint)
      ? '; outside the endpoints: its part of what all pods carry'
      : '',
  ].join('');
}

/** The share that is as long as a bar can be. */
function scaleOf(pods: readonly ReportPod[]): number {
  return maxOf(
    pods.flatMap(({ load, expectedShare }) => [load ?? 0, expectedShare ?? 0]),
    1e-9,
  );
}

const rounded = (value: number) => Math.round(value * 100) / 100;

function barOf(pod: ReportPod, others: number, [x, step]: readonly [number, number], scale: number): Markup {
  const gap = step * 0.14;
  // What is idle, or not known, is still there.
  const height = pod.load === null ? strip.height : Math.max(3, (pod.load / scale) * strip.height);
  const more = others === 0 ? '' : ` and ${plural(others, 'pod')} after it`;
  return element(
    'rect',
    {
      class: `bar ${podClass(pod)}`,
      x: rounded(x + gap / 2),
      y: rounded(strip.height - height),
      width: rounded(step - gap),
      height: rounded(height),
    },
    element('title', {}, `${pod.name}${more}: ${pod.load === null ? 'load not known' : numbers.share(pod.load)}`),
  );
}

function fairPath(pod: ReportPod | undefined, x: number, step: number, scale: number): string {
  if (pod?.expectedShare == null) return '';
  return `M${rounded(x)} ${rounded(strip.height * (1 - pod.expectedShare / scale))}h${rounded(step)}`;
}

function podClass(pod: ReportPod): string {
  const kinds = [
    pod.load === null ? 'unseen' : '',
    pod.marks.includes('hot') ? 'hot' : '',
    pod.marks.includes('idle') ? 'idle' : '',
    isInTrouble(pod) ? 'trouble' : '',
  ];
  return kinds.filter((kind) => kind !== '').join(' ');
}

const inFirstTable = [
  'name',
  'bar',
  'share',
  'fair',
  'times',
  'past',
  'connections',
  'calls',
  'bytes',
  'received',
  'cpu',
];
const alsoInFirstTable = ['throttled', 'age', 'restarts', 'marks'];

export function podTables({ status }: SkewReport): Child {
  const pods = carrying(status.pods);
  if (pods.length === 0) return element('p', {}, 'No pods stand behind this port of the Service.');
  const { shown, folded } = pods.length <= mostPods ? { shown: pods, folded: [] } : choosePods(pods);
  const columns = pageColumns(pods);
  const first = columns.filter(({ id }) => inFirstTable.includes(id) || alsoInFirstTable.includes(id));
  const [name, ...rest] = columns;
  const others = rest.filter((column) => !first.includes(column));
  const listed = folded.slice(0, mostListed);
  const left = folded.length - listed.length;
  const note = left === 0 ? null : element('p', {}, `and ${countOf(left, 'pod', 'pods')} more`);
  return [
    table('The pods and their load', first, shown, podClass),
    more(
      `${countOf(folded.length, 'pod', 'pods')} more`,
      listed.length === 0 ? null : table('The other pods', first, listed, podClass),
      note,
    ),
    name === undefined || others.length === 0
      ? null
      : more('Where they run, and their limits', table('More of the pods', [name, ...others], shown, podClass)),
    unseen(pods),
  ];
}

type Column = PageColumn<ReportPod> & { readonly id: string };

/** Those of the wide output, drawn; beside the share the factor of the fair one. */
function pageColumns(pods: readonly ReportPod[]): readonly Column[] {
  const scale = scaleOf(pods);
  const most = maxOf(
    pods.flatMap(({ past = [] }) => past.map(Number)),
    1,
  );
  return podColumns(pods, 'wide').flatMap((column): Column[] => {
    if (column.id === 'bar') return [{ ...column, draw: (pod) => podBar(pod, scale) }];
    if (column.id === 'marks') return [{ ...column, draw: (pod) => marks(column, pod) }];
    if (column.id !== 'share') return [column];
    const times: Column = { id: 'times', head: '×FAIR', align: 'right', cell: timesFair };
    const past: Column = {
      id: 'past',
      head: 'LAST-HOUR',
      align: 'left',
      cell: () => '',
      draw: (pod) => pastBars(pod, most),
    };
    return [column, times, ...(pods.some((pod) => pod.past !== undefined) ? [past] : [])];
  });
}

/** One bar for each part of the last hour, against the most that any pod had. */
function pastBars({ past = [] }: ReportPod, most: number): Child {
  if (past.length === 0) return null;
  const step = 100 / past.length;
  const said = past.map((value) => (value === null ? numbers.notKnown : `${numbers.factor(value)}×`)).join(' ');
  return element(
    'svg',
    { class: 'load', viewBox: '0 0 100 10', image: `Fair shares over the last hour: ${said}` },
    past.flatMap((value, at) => {
      if (value === null) return [];
      const height = Math.max(0.5, (value / most) * 10);
      return [
        element('rect', {
          class: 'bar',
          x: rounded(at * step),
          y: rounded(10 - height),
          width: rounded(step * 0.86),
          height: rounded(height),
        }),
      ];
    }),
  );
}

function timesFair({ load, expectedShare }: ReportPod): string {
  return load === null || !expectedShare ? numbers.notKnown : `${numbers.factor(load / expectedShare)}×`;
}

function podBar(pod: ReportPod, scale: number): Child {
  if (pod.load === null) return null;
  const fair = pod.expectedShare === null ? null : `M${rounded((pod.expectedShare / scale) * 100)} 0v10`;
  return element(
    'svg',
    { class: 'load', viewBox: '0 0 100 10', image: numbers.share(pod.load) },
    element('rect', {
      class: `bar ${podClass(pod)}`,
      x: 0,
      y: 0,
      width: rounded((pod.load / scale) * 100),
      height: 10,
    }),
    fair === null ? null : element('path', { class: 'fair', d: fair }),
  );
}

function marks(column: PodColumn, pod: ReportPod): Child {
  return element('span', { class: isInTrouble(pod) || isUnseen(pod) ? 'bad' : '' }, column.cell(pod));
}

/** Why the connections of pods were not seen, once for each reason. */
function unseen(pods: readonly ReportPod[]): Child {
  const byReason = Map.groupBy(
    pods.filter(({ notSeen }) => notSeen !== null),
    ({ notSeen }) => notSeen ?? '',
  );
  return Array.from(byReason, ([reason, of]) =>
    element('p', {}, `Not seen: ${of.length === 1 ? (of[0]?.name ?? '') : plural(of.length, 'pod')}: ${reason}`),
  );
}

import { maxOf, minOf } from '../figures/extremes.ts';
/** The pods with their load. */
import { carrying } from '../report/carried.ts';
import type { ReportPod, SkewReport } from '../report/schema.ts';
import { plural } from '../report/words.ts';
import { isInTrouble, isUnseen, podColumns, podTone } from './columns.ts';
import { grid } from './grid.ts';
import { labelledList, type Screen } from './lines.ts';
import { share } from './numbers.ts';

const rowsAtMost = 12;
const idleAtMost = 2;
const troubleAtLeast = 4;
const unseenAtLeast = 2;

/** Pods to show, in the order of the report, and those that are folded into one line. */
export type PodChoice = { readonly shown: readonly ReportPod[]; readonly folded: readonly ReportPod[] };

/** A screenful: room for pods in trouble and pods not seen, the hottest, a few idle ones. */
export function choosePods(pods: readonly ReportPod[]): PodChoice {
  const groups = Map.groupBy(pods, groupOf);
  const group = (name: Group) => groups.get(name) ?? [];
  const idle = group('idle').slice(0, group('idle').length === idleAtMost + 1 ? idleAtMost + 1 : idleAtMost);
  const kept = Math.min(group('trouble').length, troubleAtLeast) + Math.min(group('unseen').length, unseenAtLeast);
  const busy = group('busy').slice(0, rowsAtMost - idle.length - kept);
  const unseenRoom = Math.min(group('unseen').length, unseenAtLeast);
  const trouble = group('trouble').slice(0, rowsAtMost - idle.length - busy.length - unseenRoom);
  const unseen = group('unseen').slice(0, rowsAtMost - idle.length - busy.length - trouble.length);
  const chosen = new Set([...idle, ...busy, ...trouble, ...unseen]);
  return { shown: pods.filter((pod) => chosen.has(pod)), folded: pods.filter((pod) => !chosen.has(pod)) };
}

type Group = 'trouble' | 'unseen' | 'idle' | 'busy';

function groupOf(pod: ReportPod): Group {
  if (isInTrouble(pod)) return 'trouble';
  if (isUnseen(pod)) return 'unseen';
  return pod.marks.includes('idle') ? 'idle' : 'busy';
}

/** Pods outside the endpoints that carry load stand first, with their part of what all pods carry. */
export function podLines(screen: Screen, report: SkewReport, wide: boolean): string[] {
  const pods = carrying(report.status.pods);
  if (pods.length === 0) return [screen.paint('warn', 'no pods stand behind this port of the Service')];
  const { shown, folded } = wide ? { shown: pods, folded: [] } : choosePods(pods);
  const lines = grid(screen, podColumns(shown, wide ? 'wide' : 'table'), shown, {
    overflow: wide ? 'continue' : 'drop',
    tone: (pod, column) => podTone(pod, column, report),
  });
  if (wide) return [...lines, ...spaced(unseenLines(screen, pods))];
  return folded.length === 0 ? lines : [...lines, screen.paint('dim', foldedLine(screen, folded))];
}

/** For `wide`: why the connections of pods were not seen, once for each reason. */
function unseenLines(screen: Screen, pods: readonly ReportPod[]): string[] {
  const byReason = Map.groupBy(
    pods.filter((pod) => pod.notSeen !== null),
    (pod) => pod.notSeen ?? '',
  );
  return labelledList(
    screen,
    'not seen',
    Array.from(byReason, ([reason, of]) => `${of.length === 1 ? of[0]?.name : plural(of.length, 'pod')}: ${reason}`),
    'warn',
  );
}

function spaced(lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ['', ...lines];
}

/** `…5 more idle`, `…188 more: 57 with 0.5 % to 3 %, 116 idle, 15 not seen` */
function foldedLine(screen: Screen, folded: readonly ReportPod[]): string {
  const groups = Map.groupBy(folded, groupOf);
  const count = (name: Group) => groups.get(name)?.length ?? 0;
  const more = `${screen.signs.ellipsis}${folded.length} more`;
  if (count('idle') === folded.length) return `${more} idle`;
  const parts = [
    count('busy') > 0 ? `${count('busy')} ${loadRange(groups.get('busy') ?? [])}` : '',
    count('idle') > 0 ? `${count('idle')} idle` : '',
    count('trouble') > 0 ? `${count('trouble')} in trouble` : '',
    count('unseen') > 0 ? `${count('unseen')} not seen` : '',
  ].filter((part) => part !== '');
  return `${more}: ${parts.join(', ')}`;
}

function loadRange(pods: readonly ReportPod[]): string {
  const loads = pods.flatMap((pod) => (pod.load === null ? [] : [pod.load]));
  if (loads.length === 0) return 'of unknown load';
  const [low, high] = [share(minOf(loads)), share(maxOf(loads))];
  return low === high ? `with ${low} each` : `with ${low} to ${high}`;
}

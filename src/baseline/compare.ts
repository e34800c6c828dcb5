import type { Interval } from '../figures/intervals.ts';
import type { ComparedRun, Comparison } from '../report/comparison.ts';
import type { ComparisonResult } from '../report/ids.ts';
import { longerWindow, ofWhichPast } from '../report/window.ts';
import { countOf, figure, listed } from '../report/words.ts';
import { hotPeak, leastChange, mostTimes, sharp } from './limits.ts';
import { type Measure, type MeasuredRun, measure, sharedMeasures, verdictMeasure } from './measure.ts';
import type { ComparedReport } from './read.ts';

/** Why two runs cannot be of one and the same thing; null when they are. */
export function mismatch(before: ComparedReport, after: ComparedReport, name: string): string | null {
  const of = ({ metadata, spec }: ComparedReport) =>
    `service ${metadata.name} in ${metadata.namespace}${spec.port === null ? '' : `, port ${spec.port.port}`}`;
  if (of(before) !== of(after)) return `the baseline ${name} is of ${of(before)}, this run of ${of(after)}`;
  if (Date.parse(before.metadata.generatedAt) > Date.parse(after.metadata.generatedAt))
    return `the baseline ${name} is newer (${before.metadata.generatedAt}) than this run (${after.metadata.generatedAt})`;
  return null;
}

/**
 * A run compared with an earlier one of the same Service and port, on the nearest measure of the load that both have.
 * Improved, only if the ranges of both figures do not touch and no pod of the first run was left out of the second.
 */
export function compareRuns(before: ComparedReport, after: ComparedReport): Comparison {
  const pair = bestPair(before, after);
  const leftOut = pair === null ? [] : findLeftOut(pair.first, pair.second, after);
  const judged = judge({ before, after, pair, leftOut });
  return {
    result: judged.result,
    basis: pair?.basis ?? null,
    text: judged.text,
    before: runOf(before, pair?.first ?? ownMeasure(before)),
    after: runOf(after, pair?.second ?? ownMeasure(after)),
    hotPodMoved: pair !== null && hasMoved(pair.first, pair.second),
    leftOut,
    notes: notesOf(before, after),
    settledBy: judged.settledBy ?? null,
    settledInSeconds: judged.settledInSeconds ?? null,
  };
}

/** Both runs by one basis. */
interface Pair {
  readonly basis: Measure['basis'];
  readonly first: MeasuredRun;
  readonly second: MeasuredRun;
  /** The window that would tell them apart, in seconds, by the events of this one; null: they are told, or none would. */
  readonly enoughSeconds: number | null;
}

/** Of the measures that both have the first that tells; else the first. */
function bestPair(before: ComparedReport, after: ComparedReport): Pair | null {
  const pairs = sharedMeasures(before, after).flatMap(([then, now]) => {
    const first = measure(before, then);
    const second = measure(after, now);
    if (first === null || second === null) return [];
    return [{ basis: now.basis, first, second, enoughSeconds: enoughSeconds(first, after, now) }];
  });
  return pairs.find(({ first, second }) => changeOfPart(first, second) !== 'open') ?? pairs[0] ?? null;
}

/** The earlier run is as sharp as it is; of this one more can be counted. */
function enoughSeconds(first: MeasuredRun, after: ComparedReport, by: Measure): number | null {
  const isOpen = (times: number) => {
    const second = measure(after, by, times);
    return second === null || changeOfPart(first, second) === 'open';
  };
  const { seconds, span } = by.distribution;
  if (seconds === null || span !== 'window' || !isOpen(1) || isOpen(mostTimes)) return null;
  let times = 1;
  while (isOpen(times)) times *= 1.1;
  return Math.ceil(seconds * times);
}

/** By what its own verdict rests on: shown where the two have nothing in common. */
function ownMeasure(report: ComparedReport): MeasuredRun | null {
  const by = verdictMeasure(report);
  return by === null ? null : measure(report, by);
}

interface Judged {
  readonly result: ComparisonResult;
  readonly text: string;
  readonly settledBy?: string;
  readonly settledInSeconds?: number | null;
}

interface Runs {
  readonly before: ComparedReport;
  readonly after: ComparedReport;
  readonly pair: Pair | null;
  readonly leftOut: readonly string[];
}

function judge({ before, after, pair, leftOut }: Runs): Judged {
  const open = [after, before].find(({ status }) => ['unknown', 'no-traffic'].includes(status.verdict.state));
  if (open !== undefined) {
    const which = open === after ? 'this run' : 'the baseline';
    const { summary, settledBy } = open.status.verdict;
    return cannotTell(`${which} does not settle it: ${summary}`, settledBy ?? 'the same again while clients call');
  }
  if (pair === null)
    return cannotTell(
      'the two runs have no measure of the load in common: calls, bytes of a window, or CPU',
      'two runs with a --window, in which ss or the metrics of the pods can be read',
    );
  const { basis, first, second } = pair;
  if (leftOut.length > 0)
    return cannotTell(
      `${countOf(leftOut.length, 'pod', 'pods')} of the baseline ${leftOut.length === 1 ? 'was' : 'were'} not measured this time: ${listed(leftOut)}`,
      'the same again when these pods can be seen, or are gone; --all-pods looks into all',
    );
  const part = changeOfPart(first, second);
  const pods = change(first, second, { point: Math.max(first.pods, second.pods) });
  const isEven = after.status.verdict.state === 'balanced';
  const moved = hasMoved(first, second) ? `; another pod is hot now: ${hottest(second)?.[0]}` : '';
  // Another one than that of the verdict, maybe, whose figure stands beside this one.
  const text = `by ${basis === 'cpu' ? 'CPU' : basis}: ${used(second)} pods used, before ${used(first)}${ofWhichPast(first.basis, first.span)}`;
  if (part === 'open') return tooWide(text, pair.enoughSeconds);
  if (part === 'same') return { result: 'unchanged', text: text + moved };
  if (part === 'down')
    return pods === 'up'
      ? cannotTell(`${text}: more pods work, but a smaller part`, sameNumber)
      : { result: 'worse', text };
  if (pods === 'up' || isEven) return { result: 'improved', text };
  if (pods === 'same') return { result: 'unchanged', text: `${text}: fewer pods, and no more of them work${moved}` };
  return cannotTell(`${text}: fewer pods work, but a larger part`, sameNumber);
}

function tooWide(text: string, enough: number | null): Judged {
  const longer = enough === null ? 'a longer --window of both runs, and all pods seen' : longerWindow(enough);
  return {
    ...cannotTell(`${text}: the ranges of both are too wide to tell`, longer),
    settledInSeconds: enough,
  };
}

const sameNumber = 'a look with as many pods as in the baseline';

const cannotTell = (text: string, settledBy: string): Judged => ({ result: 'cannot-tell', text, settledBy });

type Figure = Pick<MeasuredRun, 'effectivePods' | 'range'>;

function changeOfPart(first: MeasuredRun, second: MeasuredRun): ReturnType<typeof change> {
  return change(scaled(first), scaled(second), { point: 1 });
}

/** As a part of all pods: that is what scaling leaves comparable. */
function scaled({ effectivePods, range, pods }: MeasuredRun): Figure {
  return { effectivePods: effectivePods / pods, range: [range[0] / pods, range[1] / pods] };
}

/** Where the figure went: only ranges that do not touch, and a change worth the name, count. `point`: all pods. */
function change(before: Figure, after: Figure, whole: { readonly point: number }): 'up' | 'down' | 'same' | 'open' {
  const isApart = after.range[0] > before.range[1] || after.range[1] < before.range[0];
  if (!isApart) return isSharp(before, whole.point) && isSharp(after, whole.point) ? 'same' : 'open';
  const difference = after.effectivePods - before.effectivePods;
  const counts =
    Math.abs(difference) >= leastChange.ofFigure * before.effectivePods ||
    Math.abs(difference) >= leastChange.ofPods * whole.point;
  if (!counts) return 'same';
  return difference > 0 ? 'up' : 'down';
}

function isSharp({ effectivePods, range }: Figure, whole: number): boolean {
  return width(range) <= Math.max(sharp.ofFigure * effectivePods, sharp.ofPods * whole);
}

const width = ([low, high]: Interval) => high - low;

function used({ effectivePods, pods }: MeasuredRun): string {
  return `${figure(effectivePods)} of ${pods}`;
}

/**
 * Pods that the first run measured and that are still there, but of which the second one does not know what they carry: an
 * endpoint that was not seen, or one that is no ready endpoint any more and may still hold connections. A pod that is
 * gone was not left out: a rollout and a scale-down take pods away.
 */
function findLeftOut(first: MeasuredRun, second: MeasuredRun, after: ComparedReport): string[] {
  const still = new Map(after.status.pods.map((pod) => [pod.name, pod]));
  return [...first.shares].flatMap(([name, share]) => {
    const pod = still.get(name);
    if (share === null || pod === undefined) return [];
    const isMeasured = pod.endpoint ? second.shares.get(name) != null : pod.connections === 0;
    return isMeasured ? [] : [name];
  });
}

/** The busiest pod, with its share. */
function hottest({ shares }: MeasuredRun): readonly [name: string, share: number] | null {
  const known = [...shares].flatMap(([name, share]) => (share === null ? [] : [[name, share] as const]));
  return known.reduce<readonly [string, number] | null>(
    (most, entry) => (most === null || entry[1] > most[1] ? entry : most),
    null,
  );
}

/** The pod that was hottest is not hot any more, while another one is. */
function hasMoved(first: MeasuredRun, second: MeasuredRun): boolean {
  const was = hottest(first);
  const is = hottest(second);
  const isHot = (share: number, { shares }: MeasuredRun) => share * shares.size >= hotPeak;
  if (was === null || is === null || !isHot(was[1], first) || !isHot(is[1], second)) return false;
  return !isHot(second.shares.get(was[0]) ?? 0, second);
}

function runOf({ metadata, status }: ComparedReport, measured: MeasuredRun | null): ComparedRun {
  const [name = null, share = null] = measured === null ? [] : (hottest(measured) ?? []);
  return {
    generatedAt: metadata.generatedAt,
    state: status.verdict.state,
    pods: measured?.pods ?? status.pods.filter((pod) => pod.endpoint).length,
    basis: measured?.basis ?? null,
    span: measured?.span ?? null,
    effectivePods: measured === null ? null : rounded(measured.effectivePods),
    effectivePodsRange: measured === null ? null : [rounded(measured.range[0]), rounded(measured.range[1])],
    hottestPod: name,
    hottestShare: share === null ? null : Number(share.toFixed(4)),
  };
}

const rounded = (value: number) => Number(value.toFixed(2));

function notesOf(before: ComparedReport, after: ComparedReport): string[] {
  const [was, is] = [before.metadata.context, after.metadata.context];
  return was === null || is === null || was === is
    ? []
    : [`the baseline was seen by the context ${was}, this run by ${is}: it must be the same cluster`];
}

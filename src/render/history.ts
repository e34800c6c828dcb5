/** How the load was spread over the last hour, as Prometheus has it. */
import type { PastLoad, SkewReport } from '../report/schema.ts';
import { heading, labelledList, type Screen } from './lines.ts';
import * as numbers from './numbers.ts';

/** One line a basis, in words; nothing where no Prometheus told of the past. */
export function historyTexts(report: SkewReport): string[] {
  return (report.status.prometheus?.history ?? []).map(describePast);
}

/** The same as a section of the wide output. */
export function historyLines(screen: Screen, report: SkewReport): string[] {
  const texts = historyTexts(report);
  const source = report.status.prometheus?.source ?? '';
  return texts.length === 0
    ? []
    : [...heading(screen, `LAST HOUR (Prometheus ${source})`), ...labelledList(screen, 'pods used', texts)];
}

const names: Readonly<Record<PastLoad['basis'], string>> = { calls: 'calls', bytes: 'all traffic', cpu: 'CPU' };

/** `by calls: 2.7 of 3 at 15:01, 2.7 of 10 at 15:42; even until about 15:40` */
function describePast({ basis, points, evenUntil, unevenSince }: PastLoad): string {
  const [first] = points;
  const last = points.at(-1);
  const at = (point: PastLoad['points'][number] | undefined) =>
    point === undefined
      ? ''
      : `${numbers.pods(point.effectivePods)} of ${point.pods} at ${numbers.clock(point.time).slice(11, 16)}`;
  const ends = first === last ? at(first) : `${at(first)}, ${at(last)}`;
  const time = (text: string) => numbers.clock(text).slice(11, 16);
  const turn =
    unevenSince === null
      ? last?.reading === 'uneven'
        ? 'uneven at the last point'
        : 'not uneven'
      : evenUntil === null
        ? 'uneven all the time'
        : `even until about ${time(evenUntil)}`;
  return `by ${names[basis]}: ${ends} UTC; ${turn}`;
}

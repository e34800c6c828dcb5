/** The headline: does it hurt, since when, why, what now, what to fix. */
import type { SkewReport } from '../report/schema.ts';
import { comparisonTones } from './comparison.ts';
import { type Line, labelled, type Screen } from './lines.ts';
import { clock } from './numbers.ts';
import type { Tone } from './style.ts';
import { commonLimit, cutMiddle, widthOf } from './text.ts';

type Status = SkewReport['status'];

/** Red is harm, whatever the state; yellow what may come to it; bold what is as somebody wants it, or is not known. */
export function severityTone({
  verdict: { state, kind },
  impact,
}: { verdict: Pick<Status['verdict'], 'state' | 'kind'> } & Pick<Status, 'impact'>): Tone {
  if (state === 'balanced') return 'good';
  if (impact.level === 'harm') return 'hot';
  return state === 'skewed' || kind === 'fault' || kind === 'outage' ? 'warn' : 'strong';
}

/** `prod-eu / shop / svc/echo :50051 grpc`, with the time of the look at the right; long parts are cut in the middle. */
export function title(screen: Screen, report: SkewReport): string {
  const { metadata, spec } = report;
  const { textWidth, paint, signs } = screen;
  const location = [...(metadata.context === null ? [] : [metadata.context]), metadata.namespace];
  const port = spec.port === null ? [] : [`:${spec.port.port}`, ...(spec.port.name === null ? [] : [spec.port.name])];
  const names = [...location, `svc/${metadata.name}`, ...port];
  const separators = ' / '.length * location.length + ' '.length * port.length;
  const limits = nameLimits(names.map(widthOf), location.length, textWidth - separators);
  const cut = names.map((name, at) => cutMiddle(name, limits[at] ?? 0, signs.ellipsis));
  const before = cut
    .slice(0, location.length)
    .map((name) => `${name} / `)
    .join('');
  const what = cut.slice(location.length).join(' ');
  const room = textWidth - widthOf(before) - widthOf(what);
  const time =
    [clock(metadata.generatedAt), clock(metadata.generatedAt).slice(11)].find((text) => widthOf(text) + 2 <= room) ??
    '';
  return (
    before +
    paint('strong', what) +
    ' '.repeat(Math.max(0, room - widthOf(time))) +
    paint('dim', time)
  ).trimEnd();
}

/** Context and namespace give way first, down to a dozen columns each; then all alike. */
function nameLimits(widths: readonly number[], locations: number, room: number): number[] {
  const service = widths.slice(locations).reduce((sum, width) => sum + width, 0);
  const locationLimit = commonLimit(widths.slice(0, locations), room - service);
  if (locationLimit >= 12) return widths.map((width, at) => (at < locations ? locationLimit : width));
  const limit = commonLimit(widths, room);
  return widths.map(() => limit);
}

/** The verdict and the lines below it; what is empty in the report takes no line. */
export function headlineLines(screen: Screen, report: SkewReport, missing: string | null = null): string[] {
  return headlineEntries(report, missing).flatMap((line) => labelled(screen, line));
}

/** The same as data, for a screen that lays them out in its own way. `missing`: what the verdict still waits for, its second line. */
export function headlineEntries(report: SkewReport, missing: string | null = null): Line[] {
  const { verdict, impact, headline, comparison } = report.status;
  const tone = severityTone(report.status);
  const lines: (Line | null)[] = [
    {
      label: stateLabel(report),
      labelTone: tone,
      text: verdict.summary,
      tone: 'strong',
      ...(verdict.state === 'unknown'
        ? {}
        : { right: { text: `${verdict.confidence}${missing === null ? '' : ' so far'}`, tone: 'dim' } }),
    },
    missing === null ? null : { label: 'missing', text: missing },
    verdict.settledBy === null || headline.now.includes(verdict.settledBy)
      ? null
      : { label: 'settle it', labelTone: 'strong', text: verdict.settledBy, tone: 'strong' },
    comparison === undefined
      ? null
      : {
          label: 'compared',
          text: comparison.text,
          right: { text: comparison.result, tone: comparisonTones[comparison.result] },
        },
    { label: 'impact', text: impact.text, right: impactWord(report) },
    headline.since === null ? null : { label: 'since', text: headline.since },
    {
      label: 'why',
      text: headline.why,
      ...(headline.whyConfidence === null ? {} : { right: { text: headline.whyConfidence, tone: 'dim' } }),
    },
    { label: 'now', text: headline.now, tone: 'strong' },
    { label: 'fix', text: headline.fix },
  ];
  return lines.filter((line): line is Line => line !== null && line.text !== '');
}

/** For people: the id of a state that is no fault of balancing would read as if the load were not balanced. */
export function stateLabel({ status: { verdict } }: Pick<SkewReport, 'status'>): string {
  if (verdict.kind === 'single-pod') return 'ONE POD';
  return (verdict.kind ?? verdict.state).replaceAll('-', ' ').toUpperCase();
}

function impactWord({ status: { impact, verdict } }: SkewReport): { text: string; tone: Tone } {
  const word = impactWords[impact.level];
  return impact.level === 'none' && verdict.state === 'skewed' ? { ...word, text: 'no harm yet' } : word;
}

/** How much it hurts, in a word. */
export const impactWords: Readonly<Record<SkewReport['status']['impact']['level'], { text: string; tone: Tone }>> = {
  harm: { text: 'HARM', tone: 'hot' },
  risk: { text: 'at risk', tone: 'warn' },
  none: { text: 'no harm', tone: 'good' },
  unknown: { text: 'not known', tone: 'strong' },
};

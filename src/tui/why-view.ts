import { maxOf } from '../figures/extremes.ts';
import { causeEntry } from '../render/causes.ts';
import { historyTexts } from '../render/history.ts';
import { behindMargin, labelledList } from '../render/lines.ts';
import { cutNames } from '../render/names.ts';
import { share } from '../render/numbers.ts';
import { pathEntries } from '../render/path.ts';
import { probeWords } from '../render/probes.ts';
import { factLines } from '../render/section.ts';
import type { Tone } from '../render/style.ts';
import { padEnd, widthOf, wrap } from '../render/text.ts';
import { warningsOf, warningText } from '../render/warnings.ts';
import type { Cause, Client, SkewReport } from '../report/schema.ts';
import { plural } from '../report/words.ts';
import { fits } from '../watch/rows.ts';
import { type Canvas, margin, screenOf } from './canvas.ts';
import { type Line, plainLines, spaced, spread } from './line.ts';

/**
 * The second screen: the causes, the chosen one with what speaks for and against it; clients and the pods they reach;
 * probes. Items are the causes, then the clients.
 */
export function whyLines(report: SkewReport, chosen: number | null, canvas: Canvas, filter = ''): Line[] {
  // Who filters looks for a client.
  if (filter !== '') return clientLines(report, canvas, filter);
  return spaced([
    causeLines(report, chosen, canvas),
    warningLines(report, canvas),
    clientLines(report, canvas),
    pathLines(report, canvas),
    probeLines(report, canvas),
    historyLines(report, canvas),
    notSeenLines(report, canvas),
  ]);
}

const indent = margin.length;
const confidenceWidth = 10;

/** One line a cause; of `chosen` all that is known of it. */
export function causeLines(report: SkewReport, chosen: number | null, canvas: Canvas): Line[] {
  const { causes, headline } = report.status;
  const lines = causes.flatMap((cause, index) => [
    ...causeTitle(cause, canvas),
    ...(index === chosen ? indented(factLines(proseOf(canvas), causeEntry(cause).facts, '  ')) : []),
  ]);
  return [heading('CAUSES', canvas), ...(lines.length === 0 ? [{ text: margin + headline.why }] : lines)];
}

/** The id stands at the right where there is room for it: the details have it always. */
function causeTitle(cause: Cause, canvas: Canvas): Line[] {
  const { paint, signs } = canvas.screen;
  const width = Math.min(canvas.columns, widestLine) - indent;
  const [first = '', ...rest] = wrap(cause.text, width - confidenceWidth);
  const text = `${padEnd(cause.confidence, confidenceWidth)}${paint('strong', first)}`;
  const id = widthOf(text) + widthOf(cause.id) + 2 > width ? '' : paint('dim', cause.id);
  return [
    { text: spread(text, id, width, signs.ellipsis), item: { kind: 'cause', id: cause.id } },
    ...indented(rest.map((line) => ' '.repeat(confidenceWidth) + paint('strong', line))),
  ];
}

/** Prose and what belongs to it is no wider than this, with the margin before it. */
const widestLine = 112;

export const proseOf = (canvas: Canvas) => screenOf(canvas, Math.min(canvas.columns, widestLine) - margin.length);

/** Clients as rows, the pods that they reach as columns: as many as fit, those with most connections first. */
export function clientLines(report: SkewReport, canvas: Canvas, filter = ''): Line[] {
  const { paint, signs } = canvas.screen;
  const { clients: all } = report.status;
  const clients = all.filter(({ workload, namespace }) => fits(filter, workload, namespace));
  if (all.length === 0) return [];
  if (clients.length === 0) return textLines('CLIENTS', [`none of ${all.length} has ${filter} in its name`], canvas);
  const reached = report.status.pods.filter((pod) => (pod.connections ?? 0) > 0);
  const nameWidth = Math.min(
    maxOf(
      clients.map((client) => widthOf(client.workload)),
      8,
    ),
    Math.floor(canvas.columns / 3),
  );
  const fixed = nameWidth + 2 + figures.length * figureWidth + 4;
  const fitting = Math.max(0, Math.min(reached.length, Math.floor((canvas.columns - fixed) / columnWidth)));
  const shown = reached.slice(0, fitting);
  const heads = cutNames(
    shown.map((pod) => pod.name.split('-').at(-1) ?? pod.name),
    columnWidth - 2,
    signs.ellipsis,
  );
  const head = [
    padEnd('CLIENT', nameWidth + 2),
    ...figures.map(([title]) => title.padStart(figureWidth)),
    '  ',
    ...heads.map((name) => name.padStart(columnWidth)),
  ].join('');
  const names = cutNames(
    clients.map((client) => client.workload),
    nameWidth,
    signs.ellipsis,
  );
  const rows = clients.map((client, index): Line => {
    const cells = shown.map((pod) =>
      String(client.perPod.find((entry) => entry.pod === pod.name)?.connections ?? signs.none).padStart(columnWidth),
    );
    const values = figures.map(([, value]) => value(client).padStart(figureWidth));
    return {
      text: [padEnd(names[index] ?? '', nameWidth + 2), ...values, '  ', ...cells].join(''),
      item: { kind: 'client', key: clientKey(client) },
    };
  });
  const hidden = reached.length - shown.length;
  const more = paint('dim', `${signs.ellipsis} and ${plural(hidden, 'more pod')} with connections`);
  const leftOut = report.status.leftOut.flatMap(({ what, connections, why }) =>
    hanging(`left out: ${plural(connections, 'connection')} of ${what}, ${why}`, canvas),
  );
  return [
    heading('CLIENTS AND THE PODS THEY REACH (connections)', canvas),
    { text: `  ${paint('dim', head)}` },
    ...rows,
    ...indented([...(hidden > 0 ? [more] : []), ...leftOut.map((line) => paint('dim', line))]),
  ];
}

const columnWidth = 7;
const figureWidth = 7;
const figures: readonly (readonly [string, (client: Client) => string])[] = [
  ['PODS', (client) => String(client.pods)],
  ['CONN', (client) => String(client.connections)],
  ['LOAD', (client) => share(client.loadShare)],
];

/** How many pods did the work over the last hour; nothing where no Prometheus told of it. */
function historyLines(report: SkewReport, canvas: Canvas): Line[] {
  const texts = historyTexts(report);
  if (texts.length === 0) return [];
  const lines = labelledList(proseOf(canvas), 'pods used', texts);
  return [heading('THE LAST HOUR (Prometheus)', canvas), ...indented(lines)];
}

/** What stands at layer 7 in the way; nothing where that is nothing. */
export function pathLines(report: SkewReport, canvas: Canvas): Line[] {
  if (report.status.path.hops.every((hop) => hop.kind === 'kube-proxy')) return [];
  const texts = pathEntries(report).map(({ label, text }) => (label === 'port' ? `port: ${text}` : text));
  return textLines('IN THE PATH', texts, canvas);
}

export function warningLines(report: SkewReport, canvas: Canvas): Line[] {
  return textLines('WARNINGS', warningsOf(report).map(warningText), canvas, 'warn');
}

/** What could not be seen, with the right that is missing and what it would have settled. */
export function notSeenLines(report: SkewReport, canvas: Canvas): Line[] {
  return textLines('NOT SEEN', report.status.headline.notSeen, canvas);
}

/** A section of plain sentences; nothing where there are none. */
function textLines(title: string, texts: readonly string[], canvas: Canvas, tone: Tone = 'dim'): Line[] {
  return texts.length === 0
    ? []
    : [heading(title, canvas, tone), ...indented(texts.flatMap((text) => hanging(text, canvas)))];
}

/** Prose whose further lines stand a little to the right. */
function hanging(text: string, canvas: Canvas): string[] {
  const width = Math.min(canvas.columns, widestLine) - indent;
  return wrap(text, width - indent, width).map((line, row) => (row === 0 ? line : margin + line));
}

/** What tells one client of a report from another. */
export function clientKey(client: Pick<Client, 'namespace' | 'workload'>): string {
  return `${client.namespace ?? ''}/${client.workload}`;
}

export function probeLines(report: SkewReport, canvas: Canvas): Line[] {
  const { probes } = report.status;
  if (probes.length === 0) return [heading('PROBES', canvas), { text: '  the pods have no probes' }];
  const words = probes.map(probeWords);
  const asksWidth = maxOf(words.map(({ asks }) => widthOf(asks))) + margin.length;
  const paceWidth = maxOf(words.map(({ pace }) => widthOf(pace))) + margin.length;
  return [
    heading('PROBES', canvas),
    ...words.flatMap(({ asks, pace, failures, counted }, row) => {
      const failed = probes[row]?.failedPods ? canvas.screen.paint('warn', failures) : failures;
      const first = padEnd(asks, asksWidth) + padEnd(pace, paceWidth) + failed;
      const whole = `${first}${counted === '' ? '' : `, ${counted}`}`;
      const fits = widthOf(whole) + indent <= canvas.columns;
      return indented(fits || counted === '' ? [whole] : [first, ' '.repeat(asksWidth) + counted]);
    }),
  ];
}

export function heading(text: string, canvas: Canvas, tone: Tone = 'dim'): Line {
  return { text: margin + canvas.screen.paint(tone, text) };
}

export function indented(texts: readonly string[]): Line[] {
  return plainLines(behindMargin(texts, margin));
}

import { maxOf } from '../figures/extremes.ts';
import { historyTexts } from '../render/history.ts';
import { labelledList } from '../render/lines.ts';
import { cutNames } from '../render/names.ts';
import { share } from '../render/numbers.ts';
import { isScraped, probeHandler, takes } from '../render/probes.ts';
import { padEnd, widthOf, wrap } from '../render/text.ts';
import type { Cause, Client, ProbeAnswer, SkewReport } from '../report/schema.ts';
import { plural } from '../report/words.ts';
import { type Line, plainLines, spread } from './line.ts';
import { type Look, margin, screenOf } from './look.ts';

/**
 * The second screen: the causes, the chosen one with what speaks for and against it; clients and the pods they reach;
 * probes. Items are the causes, then the clients.
 */
export function whyLines(report: SkewReport, chosen: number | null, look: Look): Line[] {
  const sections = [
    causeLines(report, chosen, look),
    clientLines(report, look),
    pathLines(report, look),
    probeLines(report, look),
    historyLines(report, look),
    notSeenLines(report, look),
  ];
  return sections
    .filter((section) => section.length > 0)
    .flatMap((section, index) => (index === 0 ? section : [{ text: '' }, ...section]));
}

const indent = margin.length;
const confidenceWidth = 10;

/** One line a cause; of `chosen` all that is known of it. */
export function causeLines(report: SkewReport, chosen: number | null, look: Look): Line[] {
  const { causes, headline } = report.status;
  const lines = causes.flatMap((cause, index) => [
    ...causeTitle(cause, look),
    ...(index === chosen ? causeReasons(cause, look) : []),
  ]);
  return [heading('CAUSES', look), ...(lines.length === 0 ? [{ text: margin + headline.why }] : lines)];
}

/** The id stands at the right where there is room for it: the details have it always. */
function causeTitle(cause: Cause, look: Look): Line[] {
  const { paint, signs } = look.screen;
  const width = Math.min(look.columns, widestLine) - indent;
  const [first = '', ...rest] = wrap(cause.text, width - confidenceWidth);
  const text = `${padEnd(cause.confidence, confidenceWidth)}${paint('strong', first)}`;
  const id = widthOf(text) + widthOf(cause.id) + 2 > width ? '' : paint('dim', cause.id);
  return [
    { text: spread(text, id, width, signs.ellipsis), item: { kind: 'cause', id: cause.id } },
    ...indented(rest.map((line) => ' '.repeat(confidenceWidth) + paint('strong', line))),
  ];
}

function causeReasons(cause: Cause, look: Look): Line[] {
  const screen = screenOf(look, Math.min(look.columns, widestLine) - indent);
  return indented([
    ...labelledList(screen, '  for', cause.evidence),
    ...labelledList(screen, '  against', cause.against),
    ...labelledList(screen, '  settle', cause.settledBy),
  ]);
}

/** Prose and what belongs to it is no wider than this. */
const widestLine = 112;

/** Clients as rows, the pods that they reach as columns: as many as fit, those with most connections first. */
export function clientLines(report: SkewReport, look: Look): Line[] {
  const { paint, signs } = look.screen;
  const { clients } = report.status;
  if (clients.length === 0) return [];
  const reached = report.status.pods.filter((pod) => (pod.connections ?? 0) > 0);
  const nameWidth = Math.min(
    maxOf(
      clients.map((client) => widthOf(client.workload)),
      8,
    ),
    Math.floor(look.columns / 3),
  );
  const fixed = nameWidth + 2 + figures.length * figureWidth + 4;
  const fitting = Math.max(0, Math.min(reached.length, Math.floor((look.columns - fixed) / columnWidth)));
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
  const more =
    reached.length > shown.length
      ? [
          {
            text: paint(
              'dim',
              `  ${signs.ellipsis} and ${plural(reached.length - shown.length, 'more pod')} with connections`,
            ),
          },
        ]
      : [];
  const leftOut = report.status.leftOut.flatMap((entry) =>
    hanging(`left out: ${plural(entry.connections, 'connection')} of ${entry.what}, ${entry.why}`, look).map(
      (line) => ({
        text: margin + paint('dim', line),
      }),
    ),
  );
  return [
    heading('CLIENTS AND THE PODS THEY REACH (connections)', look),
    { text: `  ${paint('dim', head)}` },
    ...rows,
    ...more,
    ...leftOut,
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
function historyLines(report: SkewReport, look: Look): Line[] {
  const texts = historyTexts(report);
  if (texts.length === 0) return [];
  const screen = screenOf(look, Math.min(look.columns, widestLine) - indent);
  const lines = labelledList(screen, 'pods used', texts).map((line) => margin + line);
  return [heading('THE LAST HOUR (Prometheus)', look), ...plainLines(lines)];
}

/** What stands at layer 7 in the way; nothing where that is nothing. */
export function pathLines(report: SkewReport, look: Look): Line[] {
  const { hops, protocol } = report.status.path;
  if (hops.every((hop) => hop.kind === 'kube-proxy')) return [];
  const screen = screenOf(look, Math.min(look.columns, widestLine) - indent);
  const texts = hops.map(({ name, layer, text }) => `${name}${layer === null ? '' : ` (layer ${layer})`}: ${text}`);
  return [
    heading('IN THE PATH', look),
    ...indented([...texts, `port: ${protocol.text}`].flatMap((text) => wrap(text, screen.textWidth))),
  ];
}

/** What could not be seen, with the right that is missing and what it would have settled. */
export function notSeenLines(report: SkewReport, look: Look): Line[] {
  const { notSeen } = report.status.headline;
  if (notSeen.length === 0) return [];
  return [heading('NOT SEEN', look), ...indented(notSeen.flatMap((text) => hanging(text, look)))];
}

/** Prose whose further lines stand a little to the right. */
function hanging(text: string, look: Look): string[] {
  const width = Math.min(look.columns, widestLine) - indent;
  return wrap(text, width - indent, width).map((line, row) => (row === 0 ? line : margin + line));
}

/** What tells one client of a report from another. */
export function clientKey(client: Pick<Client, 'namespace' | 'workload'>): string {
  return `${client.namespace ?? ''}/${client.workload}`;
}

export function probeLines(report: SkewReport, look: Look): Line[] {
  const { probes } = report.status;
  if (probes.length === 0) return [heading('PROBES', look), { text: '  the pods have no probes' }];
  const cells = probes.map((probe) => [
    `${probe.type} ${probeHandler(probe)}`,
    `every ${probe.periodSeconds} s, timeout ${probe.timeoutSeconds} s`,
  ]);
  const widths = [0, 1].map((column) => maxOf(cells.map((row) => widthOf(row[column] ?? ''))) + margin.length);
  return [
    heading('PROBES', look),
    ...probes.flatMap((probe, row) => {
      const start = widths.map((width, column) => padEnd(cells[row]?.[column] ?? '', width)).join('');
      const [failures, counted] = probeResults(probe, look);
      const whole = `${start}${failures}${counted === '' ? '' : `, ${counted}`}`;
      const fits = widthOf(whole) + indent <= look.columns;
      return indented(fits || counted === '' ? [whole] : [start + failures, ' '.repeat(widths[0] ?? 0) + counted]);
    }),
  ];
}

/** Failures in Events, and what kubelet has counted. */
function probeResults(probe: ProbeAnswer, look: Look): readonly [string, string] {
  const { failedPods, failures, counted } = probe;
  const seen =
    failedPods === null
      ? 'failures not seen'
      : failedPods === 0
        ? 'no failures in Events'
        : look.screen.paint('warn', `failed ${plural(failures, 'time')} in ${plural(failedPods, 'pod')}`);
  if (counted === null) return [seen, ''];
  const each = counted.meanSeconds === null ? '' : `, ${takes(counted)} each`;
  const by = isScraped([probe]) ? ', by Prometheus' : '';
  return [seen, `kubelet counts ${counted.successful} successful, ${counted.failed} failed${each}${by}`];
}

export function heading(text: string, look: Look): Line {
  return { text: margin + look.screen.paint('dim', text) };
}

export function indented(texts: readonly string[]): Line[] {
  return plainLines(texts.map((text) => margin + text));
}

import { labelledList } from '../render/lines.ts';
import { cutNames } from '../render/names.ts';
import { share } from '../render/numbers.ts';
import { padEnd, widthOf } from '../render/text.ts';
import type { Client, ProbeAnswer, SkewReport } from '../report/schema.ts';
import { plural } from '../report/words.ts';
import { type Line, plainLines } from './line.ts';
import { type Look, screenOf } from './look.ts';

/** The second screen: causes with what speaks for and against them, clients and the pods they reach, probes. */
export function whyLines(report: SkewReport, look: Look): Line[] {
  return [...causeLines(report, look), ...clientLines(report, look), ...probeLines(report, look)];
}

const indent = 2;

function causeLines(report: SkewReport, look: Look): Line[] {
  const { paint } = look.screen;
  const screen = screenOf(look, Math.min(look.columns - indent, 112));
  const { causes } = report.status;
  if (causes.length === 0) return [heading('CAUSES', look), { text: `  ${report.status.headline.why}` }, { text: '' }];
  return [
    heading('CAUSES', look),
    ...causes.flatMap((cause): Line[] => [
      {
        text: `${padEnd(cause.confidence, 10)}${paint('strong', cause.text)}  ${paint('dim', cause.id)}`,
        item: { kind: 'cause', id: cause.id },
      },
      ...indented(labelledList(screen, '  for', cause.evidence)),
      ...indented(labelledList(screen, '  against', cause.against)),
      ...indented(labelledList(screen, '  settle', cause.settledBy)),
    ]),
    { text: '' },
  ];
}

/** Clients as rows, the pods that they reach as columns: as many as fit, those with most connections first. */
function clientLines(report: SkewReport, look: Look): Line[] {
  const { paint, signs } = look.screen;
  const { clients } = report.status;
  if (clients.length === 0) return [];
  const reached = report.status.pods.filter((pod) => (pod.connections ?? 0) > 0);
  const nameWidth = Math.min(
    Math.max(...clients.map((client) => widthOf(client.workload)), 8),
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
  const leftOut = report.status.leftOut.map((entry) => ({
    text: paint('dim', `  left out: ${plural(entry.connections, 'connection')} of ${entry.what}, ${entry.why}`),
  }));
  return [
    heading('CLIENTS AND THE PODS THEY REACH (connections)', look),
    { text: `  ${paint('dim', head)}` },
    ...rows,
    ...more,
    ...leftOut,
    { text: '' },
  ];
}

const columnWidth = 7;
const figureWidth = 6;
const figures: readonly (readonly [string, (client: Client) => string])[] = [
  ['PODS', (client) => String(client.pods)],
  ['CONN', (client) => String(client.connections)],
  ['LOAD', (client) => share(client.loadShare)],
];

/** What tells one client of a report from another. */
export function clientKey(client: Pick<Client, 'namespace' | 'workload'>): string {
  return `${client.namespace ?? ''}/${client.workload}`;
}

function probeLines(report: SkewReport, look: Look): Line[] {
  const { probes } = report.status;
  if (probes.length === 0) return [heading('PROBES', look), { text: '  the pods have no probes' }];
  return [heading('PROBES', look), ...probes.map((probe) => ({ text: `  ${describeProbe(probe, look)}` }))];
}

function describeProbe(probe: ProbeAnswer, look: Look): string {
  const where = [probe.port === null ? '' : `:${probe.port}`, probe.service ? `"${probe.service}"` : '']
    .filter((part) => part !== '')
    .join(' ');
  const what = padEnd(`${probe.type} ${probe.kind}${where === '' ? '' : ` ${where}`}`, 34);
  const timing = padEnd(`every ${probe.periodSeconds} s, ${probe.timeoutSeconds} s to answer`, 28);
  const failures =
    probe.failedPods === null
      ? 'failures not seen'
      : probe.failedPods === 0
        ? 'no failures in Events'
        : look.screen.paint('warn', `failed ${probe.failures} times in ${plural(probe.failedPods, 'pod')}`);
  return `${what}${timing}${failures}`;
}

export function heading(text: string, look: Look): Line {
  return { text: `  ${look.screen.paint('dim', text)}` };
}

export function indented(texts: readonly string[]): Line[] {
  return plainLines(texts.map((text) => `  ${text}`));
}

/** What `-o wide` has below the table: everything else that the report knows. */
import { maxOf } from '../figures/extremes.ts';
import type { Client, Distribution, Skew, SkewReport } from '../report/schema.ts';
import { plural } from '../report/words.ts';
import { causeEntry } from './causes.ts';
import { figureColumn, type GridColumn, grid, nameColumn } from './grid.ts';
import { historyLines } from './history.ts';
import { heading, type Line, labelled, labelledList, type Screen } from './lines.ts';
import { figureName, type Scope } from './measured.ts';
import * as numbers from './numbers.ts';
import { dialsText, pathEntries } from './path.ts';
import { probeLines } from './probes.ts';
import { entryLines } from './section.ts';
import { rangeText, strategyColumns, strategyEntry } from './strategies.ts';

/** `port`: what is of one port of several; `shared`: what is of all of them. */
export function wideLines(screen: Screen, report: SkewReport, scope: Scope): string[] {
  const ofPort = scope !== 'shared';
  const shared = scope !== 'port';
  return [
    ...(ofPort ? causeLines(screen, report) : []),
    ...(ofPort ? skewLines(screen, report) : []),
    ...(ofPort ? clientLines(screen, report) : []),
    ...(ofPort ? pathLines(screen, report) : []),
    ...(shared ? probeLines(screen, report) : []),
    ...(ofPort ? strategyLines(screen, report) : []),
    ...(shared ? historyLines(screen, report) : []),
    ...(shared ? timelineLines(screen, report) : []),
    ...(shared ? signalLines(screen, report) : []),
  ];
}

function causeLines(screen: Screen, { status: { causes } }: SkewReport): string[] {
  if (causes.length === 0) return [];
  const [first = [], ...others] = causes.map((cause) => entryLines(screen, causeEntry(cause)));
  return [...heading(screen, 'CAUSES'), ...first, ...others.flatMap((lines) => ['', ...lines])];
}

function pathLines(screen: Screen, report: SkewReport): string[] {
  const isRewritten = report.status.path.socketLoadBalancing === 'all';
  const sockets = 'destinations are rewritten at connect(): what a client dials cannot be told';
  return [
    ...heading(screen, 'PATH'),
    ...pathEntries(report).flatMap((entry) => labelled(screen, entry)),
    ...labelledList(screen, 'sockets', isRewritten ? [sockets] : []),
  ];
}

function strategyLines(screen: Screen, report: SkewReport): string[] {
  const { strategies, strategy } = report.status.recommendation;
  if (strategies.length === 0) return [];
  return [
    ...heading(screen, 'STRATEGIES'),
    ...grid(screen, strategyColumns(screen, report), strategies, {
      overflow: 'continue',
      tone: ({ id }) => (id === strategy ? 'strong' : null),
    }),
    ...strategies.flatMap((one) => ['', ...entryLines(screen, strategyEntry(one))]),
  ];
}

function skewLines(screen: Screen, report: SkewReport): string[] {
  const { skew, distributions, limits } = report.status;
  if (skew === null && distributions.length === 0) return [];
  const used = Object.entries(limits).map(([name, limit]) => `${name} ${limit}`);
  return [
    ...heading(screen, 'FIGURES'),
    ...(distributions.length === 0
      ? []
      : [...grid(screen, distributionColumns, distributions, { overflow: 'continue' }), '']),
    ...(skew === null ? [] : skewFigures(screen, skew, fairShare(report))),
    ...labelledList(screen, 'limits', used.length === 0 ? [] : [used.join(', ')]),
  ];
}

/** The share of every pod, where it is one; else the pods have a column for it. */
function fairShare(report: SkewReport): string {
  const [fair = null, ...others] = new Set(report.status.pods.map((pod) => pod.expectedShare));
  return fair === null || others.length > 0 ? '' : `, a fair share is ${numbers.share(fair)}`;
}

function skewFigures(screen: Screen, skew: Skew, fair: string): string[] {
  const { chance, ageOrder } = skew;
  const range =
    skew.effectivePodsRange === null ? '' : ` (${rangeText(screen, skew.effectivePodsRange)} with the pods not seen)`;
  const luck =
    chance.method === 'not-applicable'
      ? `not asked: ${chance.reason ?? 'it does not apply here'}`
      : `random placement is at least this uneven with probability ${numbers.probability(chance.probability)} (${chance.method}); ` +
        `on average it uses ${numbers.pods(chance.expectedEffectivePods)} pods`;
  const order =
    ageOrder === null
      ? []
      : [
          `the ${plural(ageOrder.youngestIdle, 'youngest pod')} without a connection: ` +
            `probability ${numbers.probability(ageOrder.probability)} if age did not matter`,
        ];
  const used =
    skew.seenPods === 0
      ? `not known: none of ${plural(skew.pods, 'pod')} was measured`
      : `${numbers.pods(skew.effectivePods)} of ${plural(skew.pods, 'pod')}${range}, ${skew.idlePods} idle, ` +
        `peak ${numbers.factor(skew.peakToMean)} ${screen.signs.times} ${skew.against == null ? 'the mean' : `its part by ${skew.against}`}, Gini ${skew.gini === null ? numbers.notKnown : skew.gini.toFixed(2)}${fair}`;
  return [
    ...labelled(screen, { label: 'used', text: used }),
    ...labelledList(screen, 'chance', [luck]),
    ...labelledList(screen, 'age order', order),
  ];
}

export const distributionColumns: readonly GridColumn<Distribution>[] = [
  nameColumn('LOAD-BY', 0, ({ basis }) => figureName(basis)),
  nameColumn('SPAN', 1, ({ span, seconds }) => (seconds === null ? span : `${span}-${numbers.duration(seconds)}`)),
  nameColumn('FROM', 6, ({ source }) => source ?? numbers.notKnown),
  nameColumn('READING', 1, ({ reading }) => reading),
  figureColumn('PODS', 4, ({ pods }) => String(pods)),
  figureColumn('PODS-USED', 1, ({ effectivePods }) => numbers.pods(effectivePods)),
  figureColumn('PEAK/MEAN', 2, ({ peakToMean }) => numbers.factor(peakToMean)),
  figureColumn('IDLE', 3, ({ idlePods }) => numbers.amount(idlePods)),
  figureColumn('EVENTS', 5, ({ events }) => numbers.amount(events)),
];

function clientLines(screen: Screen, report: SkewReport): string[] {
  const { clients, leftOut } = report.status;
  if (clients.length === 0 && leftOut.length === 0) return [];
  return [
    ...heading(screen, 'CLIENTS'),
    ...(clients.length === 0 ? [] : grid(screen, clientColumnsFor(clients), clients, { overflow: 'continue' })),
    ...labelledList(
      screen,
      'left out',
      leftOut.map(({ what, connections, why }) => `${what}, ${plural(connections, 'connection')}: ${why}`),
    ),
  ];
}

const clientColumns: GridColumn<Client>[] = [
  nameColumn('CLIENT', 0, ({ workload }) => workload),
  nameColumn('KIND', 6, ({ kind }) => kind),
  nameColumn('NAMESPACE', 5, ({ namespace }) => namespace ?? numbers.notKnown),
  nameColumn('TEAM', 6, ({ team }) => team ?? numbers.notKnown),
  figureColumn('PODS', 3, ({ pods }) => String(pods)),
  figureColumn('CONN', 1, ({ connections }) => numbers.amount(connections)),
  figureColumn('REACHES', 2, ({ podsReached }) => numbers.amount(podsReached)),
  figureColumn('LOAD', 1, ({ loadShare }) => numbers.share(loadShare)),
  figureColumn('B/S', 4, ({ bytesPerSecond }) => numbers.amount(bytesPerSecond)),
  figureColumn('AGE', 4, ({ startedSeconds }) => numbers.duration(startedSeconds)),
  figureColumn('PODS-SINCE', 9, ({ podsSince }) => numbers.amount(podsSince)),
];

/** What is known only of clients that were looked into takes no room otherwise. */
export function clientColumnsFor(clients: readonly Client[]): GridColumn<Client>[] {
  const isInspected = clients.some((client) => client.dials.length > 0 || client.runtime !== null);
  return isInspected ? [...clientColumns, ...inspectedColumns] : clientColumns;
}

const inspectedColumns: GridColumn<Client>[] = [
  nameColumn('DIALS', 7, (client) => dialsText(client) || numbers.notKnown),
  nameColumn('RUNTIME', 8, ({ runtime }) => runtime ?? numbers.notKnown),
];

function timelineLines(screen: Screen, report: SkewReport): string[] {
  const { timeline } = report.status;
  if (timeline.length === 0) return [];
  return [
    ...heading(screen, 'TIMELINE'),
    ...timeline.flatMap(({ time, text }) => labelled(screen, { label: numbers.clock(time), text })),
  ];
}

function signalLines(screen: Screen, report: SkewReport): string[] {
  return [...heading(screen, 'LOOKS'), ...signalEntries(screen, report).flatMap((line) => labelled(screen, line))];
}

/** What was asked, with what is missing of the answer and how old it is. */
export function signalEntries(screen: Screen, report: SkewReport): readonly Line[] {
  const labelWidth = maxOf(report.status.signals.map(({ id }) => id.length + 1));
  return report.status.signals.map((signal) => {
    const text = [
      signal.reason ?? '',
      signal.needs === null ? '' : `needs ${signal.needs}`,
      signal.settles === null ? '' : `would settle ${signal.settles}`,
      signal.ageSeconds === null ? '' : `${numbers.age(signal.ageSeconds)} old`,
    ].filter((part) => part !== '');
    const right = { text: signal.state, tone: signal.state === 'complete' ? 'dim' : 'warn' } as const;
    return { label: signal.id, labelWidth, text: text.join(` ${screen.signs.dot} `), right };
  });
}

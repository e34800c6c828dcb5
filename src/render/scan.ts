/** `grpc-skew scan` as a table. */
import { kubectl } from '../report/command.ts';
import type { ScanItem, SkewScan } from '../report/scan.ts';
import { plural } from '../report/words.ts';
import { figureColumn, type GridColumn, grid, nameColumn, wordColumn } from './grid.ts';
import { impactWords, severityTone } from './headline.ts';
import { command, labelledList, type Screen } from './lines.ts';
import { unseenSignalLines } from './not-seen.ts';
import * as numbers from './numbers.ts';
import { sanitise } from './sanitise.ts';
import { renderDocument, type Terminal, type Wanted } from './screen.ts';
import type { Tone } from './style.ts';

/** With `headers: false` the rows alone, as scripts read them; `name` is kubectl's form for other commands. */
export function renderScan(
  scan: SkewScan,
  wanted: Wanted & { readonly headers?: boolean },
  terminal: Terminal,
): string {
  if (wanted.output === 'name')
    return [...new Set(scan.status.items.map(({ name }) => `service/${sanitise(name)}\n`))].join('');
  if (wanted.headers === false && scan.status.items.length === 0 && isText(wanted)) return '';
  return renderDocument(scan, wanted, terminal, (screen, safe) =>
    wanted.headers === false ? rowLines(screen, safe) : scanLines(screen, safe, wanted.output === 'wide'),
  );
}

const isText = ({ output }: Wanted) => output === 'table' || output === 'wide';

/** Every Service on a line of its own with every column, however wide the terminal is. */
function rowLines(screen: Screen, { metadata, status }: SkewScan): string[] {
  const [, ...rows] = grid({ ...screen, tableWidth: Number.POSITIVE_INFINITY }, columnsOf(metadata), status.items, {
    overflow: 'drop',
    tone,
  });
  return rows;
}

/** Wide: columns that do not fit go on below, instead of being left out. */
function scanLines(screen: Screen, { metadata, status }: SkewScan, isWide: boolean): string[] {
  const location = [metadata.context, metadata.namespace ?? 'all namespaces'].filter((name) => name !== null);
  const head = [
    `${screen.paint('strong', location.join(' / '))}  ${screen.paint('dim', numbers.clock(metadata.generatedAt))}`,
    `${plural(status.services, 'service')} looked at, ${status.looksLikeGrpc} of them ${status.looksLikeGrpc === 1 ? 'looks' : 'look'} like gRPC`,
  ];
  return [
    ...head,
    ...(status.items.length === 0
      ? []
      : ['', ...grid(screen, columnsOf(metadata), status.items, { overflow: isWide ? 'continue' : 'drop', tone })]),
    ...nextLines(screen, status.items, metadata),
    '',
    ...labelledList(
      screen,
      'left out',
      status.skipped.map(({ namespace, name, reason }) => `${namespace}/${name}: ${reason}`),
    ),
    ...unseenSignalLines(screen, status.signals),
  ];
}

const byName: readonly GridColumn<ScanItem>[] = [nameColumn('SERVICE', 0, ({ name, port }) => `${name}:${port.port}`)];
const byNamespace: readonly GridColumn<ScanItem>[] = [
  nameColumn('SERVICE', 0, ({ namespace, name, port }) => `${namespace}/${name}:${port.port}`),
];

const stateColumn = 'STATE';
const figures: readonly GridColumn<ScanItem>[] = [
  wordColumn(stateColumn, 0, ({ state, kind }) => kind ?? state),
  wordColumn('BY', 3, ({ basis }) => basis ?? numbers.notKnown),
  figureColumn('PODS-USED', 1, ({ effectivePods, pods }) => `${numbers.pods(effectivePods)}/${pods}`),
  figureColumn('HOTTEST', 1, hottestText),
  figureColumn('RESTARTS', 2, ({ restarts }) => numbers.amount(restarts)),
  wordColumn('HARM', 2, ({ impact }) => impact.level),
  wordColumn('SURE', 4, ({ confidence }) => confidence),
  wordColumn('LOOKS-GRPC', 5, ({ sign }) => sign),
];

function columnsOf({ namespace }: SkewScan['metadata']): readonly GridColumn<ScanItem>[] {
  return namespace === null ? [...byNamespace, ...figures] : [...byName, ...figures];
}

/**
 * For the live list: what is read first stands first, and a bar shows how much of the pods does the work. `byWhat`: on
 * which basis each is judged, where that is not the same for all.
 */
export function liveScanColumns(everywhere: boolean, byWhat = false): readonly GridColumn<ScanItem>[] {
  const used = ({ effectivePods, seenPods }: ScanItem) =>
    effectivePods === null || seenPods === 0 ? null : effectivePods / seenPods;
  const [, basis, podsUsed, hottest, restarts, , sure] = figures;
  const columns = [
    ...(everywhere ? byNamespace : byName),
    wordColumn<ScanItem>(harmColumn, 0, ({ impact }) => impactWords[impact.level].text),
    wordColumn<ScanItem>(stateColumn, 0, itemLabel),
    podsUsed,
    { head: '', align: 'left', content: 'bar', leaves: 3, cell: () => '', fraction: used } as const,
    ...[hottest, restarts, sure, ...(byWhat ? [basis] : [])],
  ];
  return columns.filter((column) => column !== undefined);
}

const harmColumn = 'HARM';

/** The state of a Service as people read it. */
export function itemLabel({ state, kind }: ScanItem): string {
  if (kind === 'single-pod') return 'ONE POD';
  return (kind ?? state).replaceAll('-', ' ').toUpperCase();
}

export function itemTone(item: ScanItem, { head }: Pick<GridColumn<ScanItem>, 'head'>): Tone | null {
  // Of many lines those that are well step back.
  if (head === harmColumn) return item.impact.level === 'none' ? 'dim' : impactWords[item.impact.level].tone;
  return tone(item, { head });
}

/** The busiest pod, in parts of its own CPU limit where it has one. */
function hottestText({ hottest }: ScanItem): string {
  if (hottest === null) return numbers.notKnown;
  return hottest.cpuPart === null ? numbers.millicores(hottest.cpuMillicores) : numbers.share(hottest.cpuPart);
}

function tone(item: ScanItem, { head }: Pick<GridColumn<ScanItem>, 'head'>): Tone | null {
  return head === stateColumn ? severityTone({ verdict: item, impact: item.impact }) : null;
}

/** How to go on with the worst one; of those that are not known none is. */
function nextLines(screen: Screen, items: readonly ScanItem[], place: SkewScan['metadata']): string[] {
  const bad = items.find(({ state }) => state === 'skewed' || state === 'not-load-balancing');
  const open = items.find(({ state }) => state === 'unknown');
  if (bad === undefined) return open === undefined ? [] : openLines(screen, open, items, place);
  return [
    '',
    ...labelledList(screen, 'worst', [`${bad.namespace}/${bad.name}: ${bad.summary}; ${bad.impact.text}`]),
    ...commandLines(screen, diagnosis(bad, place)),
  ];
}

/** What would settle a Service of which nothing is known; several ports of it share the CPU of their pods. */
function openLines(screen: Screen, open: ScanItem, items: readonly ScanItem[], place: SkewScan['metadata']): string[] {
  const ports = items.filter(({ namespace, name }) => namespace === open.namespace && name === open.name).length;
  const why =
    ports > 1 && open.execs === 0 && open.hottest !== null
      ? `its ${ports} ports share the CPU of the pods, so that CPU tells of none; the connections tell them apart`
      : open.summary;
  const scan = kubectl({ ...place, namespace: open.namespace }, ['grpc-skew', 'scan'], ['--connections']);
  return [
    '',
    ...labelledList(screen, 'not known', [`${open.namespace}/${open.name}: ${why}; ${open.impact.text}`]),
    ...commandLines(screen, open.execs === 0 ? scan : diagnosis(open, place)),
  ];
}

const commandLines = (screen: Screen, text: string | null): string[] => (text === null ? [] : command(screen, text));

const diagnosis = ({ namespace, name, port }: ScanItem, place: SkewScan['metadata']): string | null =>
  kubectl({ ...place, namespace }, ['grpc-skew', `svc/${name}`], ['--port', `${port.port}`]);

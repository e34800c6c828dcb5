/** `grpc-skew probes` as a table. */
import type { GrpcProbe, ProbeCensus } from '../report/census.ts';
import { plural } from '../report/words.ts';
import { figureColumn, type GridColumn, grid, nameColumn, wordColumn } from './grid.ts';
import { heading, labelled, labelledList, type Screen } from './lines.ts';
import { unseenSignalLines } from './not-seen.ts';
import * as numbers from './numbers.ts';
import { probeHandler, results, takes } from './probes.ts';
import { renderDocument, type Terminal, type Wanted } from './screen.ts';

export function renderCensus(census: ProbeCensus, wanted: Wanted, terminal: Terminal): string {
  return renderDocument(census, wanted, terminal, censusLines);
}

function censusLines(screen: Screen, { metadata, status }: ProbeCensus): string[] {
  const { kinds, pods, podsWithProbes, probes } = status;
  const location = [metadata.context, metadata.namespace ?? 'all namespaces'].filter((name) => name !== null);
  const counted = `httpGet ${kinds.httpGet}, exec ${kinds.exec}, tcpSocket ${kinds.tcpSocket}, grpc ${kinds.grpc}`;
  return [
    `${screen.paint('strong', location.join(' / '))}  ${screen.paint('dim', numbers.clock(metadata.generatedAt))}`,
    '',
    ...labelled(screen, {
      label: 'PROBES',
      labelTone: 'strong',
      text: `${plural(probes, 'probe')} of ${plural(pods, 'pod')} (${podsWithProbes} have some): ${counted}`,
    }),
    '',
    ...grid(screen, kindColumns(status), status.byType, { overflow: 'continue' }),
    ...grpcLines(screen, status.grpcProbes, metadata.namespace === null),
    ...findingLines(screen, status, metadata.namespace === null),
    ...(status.signals.some(({ state }) => state !== 'complete') ? [''] : []),
    ...unseenSignalLines(screen, status.signals),
  ];
}

type TypeRow = ProbeCensus['status']['byType'][number];

/** Kinds by type, with the results of kubelets where they are known. */
function kindColumns(status: ProbeCensus['status']): readonly GridColumn<TypeRow>[] {
  const kind = (head: string, cell: (row: TypeRow) => number) =>
    figureColumn<TypeRow>(head, 1, (row) => String(cell(row)));
  const found = (row: TypeRow) => status.results?.find(({ type }) => type === row.type) ?? null;
  return [
    nameColumn('TYPE', 0, ({ type }) => type),
    kind('HTTPGET', ({ httpGet }) => httpGet),
    kind('EXEC', ({ exec }) => exec),
    kind('TCPSOCKET', ({ tcpSocket }) => tcpSocket),
    kind('GRPC', ({ grpc }) => grpc),
    ...(status.results === null ? [] : [figureColumn('OK/FAILED', 2, (row: TypeRow) => results(found(row)))]),
  ];
}

function grpcLines(screen: Screen, probes: readonly GrpcProbe[], withNamespace: boolean): string[] {
  if (probes.length === 0) return ['', 'no probe speaks gRPC'];
  const workload: GridColumn<GrpcProbe> = nameColumn('WORKLOAD', 0, (probe) =>
    withNamespace ? `${probe.namespace}/${probe.workload}` : probe.workload,
  );
  const counting = probes.some((probe) => probe.counted !== null) ? countColumns : [];
  const columns = [workload, ...grpcColumns, ...counting];
  return [...heading(screen, 'GRPC PROBES'), ...grid(screen, columns, probes, { overflow: 'continue', keys: 2 })];
}

const grpcColumns: readonly GridColumn<GrpcProbe>[] = [
  wordColumn('PROBE', 0, ({ type }) => type),
  nameColumn('ASKS', 0, (probe) => (probe.kind === 'exec' ? 'grpc_health_probe' : probeHandler(probe))),
  figureColumn('EVERY/LIMIT', 2, ({ periodSeconds, timeoutSeconds }) => `${periodSeconds}s/${timeoutSeconds}s`),
  figureColumn('PODS', 1, ({ pods }) => String(pods)),
  figureColumn('FAILED', 1, ({ failedPods, failures }) =>
    failedPods === null ? numbers.notKnown : numbers.amount(failures),
  ),
];

const countColumns: readonly GridColumn<GrpcProbe>[] = [
  figureColumn('OK/FAILED', 4, ({ counted }) => results(counted)),
  figureColumn('TAKES', 5, ({ counted }) => takes(counted)),
];

function findingLines(screen: Screen, status: ProbeCensus['status'], withNamespace: boolean): string[] {
  const { findings } = status;
  if (findings.length === 0)
    return ['', ...labelled(screen, { label: 'FINDINGS', labelTone: 'strong', text: nothingWrong(status) })];
  return [
    ...heading(screen, 'FINDINGS'),
    ...findings.flatMap(({ id, confidence, namespace, workload, text, evidence, pods }) => [
      ...labelled(screen, {
        label: confidence,
        text: `${withNamespace ? `${namespace}/` : ''}${workload}: ${text} (${plural(pods, 'pod')})`,
        right: { text: id, tone: 'dim' },
      }),
      ...labelledList(screen, '', evidence),
    ]),
  ];
}

/** That nothing is wrong is said of what was looked at, and no more. */
function nothingWrong({ probes, results: counted, signals }: ProbeCensus['status']): string {
  if (probes === 0) return 'none: there are no probes';
  const isSeen = (id: string) => signals.some((signal) => signal.id === id && signal.state === 'complete');
  const looked = [
    'specs',
    ...(isSeen('probes') ? ['Events'] : []),
    ...(counted === null ? [] : ['counters of kubelets']),
  ];
  const where = [looked.slice(0, -1).join(', '), ...looked.slice(-1)].filter((part) => part !== '').join(' and ');
  const open = [
    ...(isSeen('probes') ? [] : ['Events, which tell of failures, were not seen as a whole']),
    ...(signals.some(({ id }) => id === 'probe-metrics')
      ? counted === null
        ? ['how long probes take was not seen']
        : []
      : ['how long probes take was not asked: --probe-metrics']),
  ];
  return [`nothing wrong in ${where}`, ...open].join('; ');
}

/** The probes of the pods, with what Events and kubelets say of them. */
import type { ProbeCounts, SkewReport } from '../report/schema.ts';
import { plural } from '../report/words.ts';
import { figureColumn, type GridColumn, grid, nameColumn } from './grid.ts';
import { heading, labelled, type Screen } from './lines.ts';
import * as numbers from './numbers.ts';

type Row = SkewReport['status']['probes'][number];

export function probeLines(screen: Screen, report: SkewReport): string[] {
  const { probes } = report.status;
  if (probes.length === 0) return [];
  const isCounted = probes.some((probe) => probe.counted !== null);
  const sources = `FAILED-PODS and FAILURES are from Events; what follows is counted by kubelets${isScraped(probes) ? ', by way of Prometheus' : ''}`;
  return [
    ...heading(screen, 'PROBES'),
    ...grid(screen, probeColumns(probes), probes, { overflow: 'continue' }),
    ...(isCounted ? ['', ...labelled(screen, { label: 'sources', text: sources })] : []),
  ];
}

/** What kubelets count takes no room where nobody asked them. */
export function probeColumns(probes: readonly Row[]): readonly GridColumn<Row>[] {
  return probes.some(({ counted }) => counted !== null) ? [...usual, ...counting] : usual;
}

/** Whether Prometheus told of the counters of kubelets, which nobody asked themselves. */
function isScraped(probes: readonly Pick<Row, 'countedBy'>[]): boolean {
  return probes.some(({ countedBy }) => countedBy === 'prometheus');
}

/** `grpc :50051 "shop.Echo"` */
export function probeHandler(probe: Pick<Row, 'kind' | 'port' | 'service'>): string {
  return [probe.kind, probe.port === null ? '' : `:${probe.port}`, probe.service ? `"${probe.service}"` : '']
    .filter((part) => part !== '')
    .join(' ');
}

const usual: readonly GridColumn<Row>[] = [
  nameColumn('PROBE', 0, ({ type }) => type),
  nameColumn('CONTAINER', 2, ({ container }) => container),
  nameColumn('ASKS', 0, probeHandler),
  figureColumn('EVERY', 3, ({ periodSeconds }) => `${periodSeconds}s`),
  figureColumn('TIMEOUT', 3, ({ timeoutSeconds }) => `${timeoutSeconds}s`),
  figureColumn('PODS', 1, ({ pods }) => String(pods)),
  figureColumn('FAILED-PODS', 1, ({ failedPods }) => numbers.amount(failedPods)),
  figureColumn('FAILURES', 1, ({ failures, failedPods }) =>
    failedPods === null ? numbers.notKnown : numbers.amount(failures),
  ),
];

const counting: readonly GridColumn<Row>[] = [
  figureColumn('OK/FAILED', 4, ({ counted }) => results(counted)),
  figureColumn('LATELY', 5, ({ counted }) => lately(counted)),
  figureColumn('TAKES', 5, ({ counted }) => takes(counted)),
];

/** In words: what it asks, how often, its failures in Events, and what kubelet has counted. */
export function probeWords(probe: Row): { asks: string; pace: string; failures: string; counted: string } {
  const { type, periodSeconds, timeoutSeconds, failedPods, failures, counted } = probe;
  const failed =
    failedPods === 0
      ? 'no failures in Events'
      : `failed ${plural(failures, 'time')} in ${plural(failedPods ?? 0, 'pod')}`;
  const each = counted?.meanSeconds == null ? '' : `, ${takes(counted)} each`;
  const by = isScraped([probe]) ? ', by Prometheus' : '';
  return {
    asks: `${type} ${probeHandler(probe)}`,
    pace: `every ${periodSeconds} s, timeout ${timeoutSeconds} s`,
    failures: failedPods === null ? 'failures not seen' : failed,
    counted:
      counted === null ? '' : `kubelet counts ${counted.successful} successful, ${counted.failed} failed${each}${by}`,
  };
}

/** As kubelets have counted them since they, or the containers, began: `74/12`. */
export function results(counted: ProbeCounts | null): string {
  return counted === null ? numbers.notKnown : `${counted.successful}/${counted.failed}`;
}

function lately(counted: ProbeCounts | null): string {
  const window = counted?.window ?? null;
  return window === null ? numbers.notKnown : `${window.probes - window.failed}/${window.failed}`;
}

export function takes(counted: ProbeCounts | null): string {
  const seconds = counted?.meanSeconds ?? null;
  return seconds === null ? numbers.notKnown : `${Math.round(seconds * 1000)}ms`;
}

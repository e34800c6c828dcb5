import { reportApiVersion } from '../../src/report/api-version.ts';
import type { ScanItem, SkewScan } from '../../src/report/scan.ts';
import { initialScanState, reduceScan, type ScanAction, type ScanState } from '../../src/watch/scan-state.ts';
import { noon } from './frames.ts';

/** One line of a scan: a Service with ten pods that is well, save for what a test says. */
export function itemOf(name: string, given: Partial<ScanItem> = {}): ScanItem {
  return {
    namespace: 'shop',
    name,
    port: { name: 'grpc', port: 50051 },
    sign: 'port-name',
    state: 'balanced',
    basis: 'cpu',
    confidence: 'likely',
    summary: '10 pods do the work of 9.8',
    cause: null,
    impact: impactOf('none'),
    pods: 10,
    seenPods: 10,
    idlePods: 0,
    effectivePods: 9.8,
    peakToMean: 1.1,
    hottest: { pod: `${name}-x`, cpuMillicores: 40, cpuPart: 0.2 },
    restarts: 0,
    score: 0.02,
    execs: 0,
    ...given,
  };
}

export function impactOf(level: ScanItem['impact']['level']): ScanItem['impact'] {
  return { level, text: `this is ${level}` };
}

export function scanOfItems(items: readonly ScanItem[], namespace: string | null = 'shop'): SkewScan {
  return {
    apiVersion: reportApiVersion,
    kind: 'SkewScan',
    metadata: { namespace, context: 'prod-eu', generatedAt: new Date(noon).toISOString(), toolVersion: '0.0.0' },
    status: { services: items.length + 3, looksLikeGrpc: items.length, items: [...items], skipped: [], signals: [] },
  };
}

/** The state of a live list that has seen these, and then some actions. */
export function scanStateOf(items: readonly ScanItem[], actions: readonly ScanAction[] = []): ScanState {
  const seen: readonly ScanAction[] = [
    { kind: 'scan', scan: scanOfItems(items), at: noon },
    { kind: 'resting', until: noon + 10_000 },
  ];
  return [...seen, ...actions].reduce(reduceScan, initialScanState({ context: 'prod-eu', namespace: 'shop' }, noon));
}

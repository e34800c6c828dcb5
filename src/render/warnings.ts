/** The warnings: what stands beside the causes and may hurt, or mislead, too. */
import type { ProbeFaultId, WarningId } from '../report/ids.ts';
import type { SkewReport } from '../report/schema.ts';

export type Warning = SkewReport['status']['warnings'][number];

/** 3: calls fail, or pods are lost; 2: it makes the next trouble, or hinders what would help; 1: a figure tells less than it seems to. */
const harm: Readonly<Record<WarningId | ProbeFaultId, 1 | 2 | 3>> = {
  'contradictory-endpoints': 1,
  'stale-endpoints': 3,
  'publishes-not-ready': 3,
  'hints-absent': 2,
  'oom-victim': 3,
  'sidecar-port': 1,
  'proxy-inside': 1,
  'full-receive-queue': 3,
  'clients-behind-nodes': 1,
  'uneven-proxies': 1,
  'counters-of-all-ports': 1,
  'subset-without-pods': 3,
  'pods-in-no-subset': 2,
  'no-redirects': 2,
  'xds-unserved': 3,
  'hpa-blind': 2,
  'sibling-services': 1,
  'grpclb-port': 2,
  'scaling-flaps': 2,
  'unknown-service': 3,
  'tls-mismatch': 3,
  'no-health-service': 3,
  'timeout-too-short': 2,
  'liveness-restarts-together': 3,
  'liveness-restarts': 3,
  'probe-one-second': 2,
  'no-readiness-probe': 2,
  'probe-rewritten': 1,
};

/** The most harmful first; of the same harm as in the report. */
export function warningsOf({ status }: SkewReport): readonly Warning[] {
  const ranks = new Map<string, number>(Object.entries(harm));
  const rank = ({ id }: Warning) => ranks.get(id) ?? 0;
  return status.warnings.toSorted((a, b) => rank(b) - rank(a));
}

export function warningText({ id, text }: Warning): string {
  return `${id}: ${text}`;
}

import { setTimeout as delay } from 'node:timers/promises';
import type { DiagnosisOptions } from '../cli/options.ts';
import { toolVersion } from '../cli/version.ts';
import type { CollectRequest } from '../collect/draft.ts';
import type { Redactor } from '../evidence/redact.ts';
import type { KubeClient, KubeList, KubeResult } from '../kube/types.ts';
import type { PrometheusClient } from '../prometheus/types.ts';
import type { SkewReport } from '../report/schema.ts';
import type { OpenBaseline } from './baseline.ts';

/** Which Service, in which place. */
export interface DiagnosisSubject {
  readonly name: string;
  readonly namespace: string;
  readonly context: string | null;
  /** The Services of the namespace, where they were listed to find this one. */
  readonly services?: KubeResult<KubeList>;
  /** What else may be meant, where no Service bears the name. */
  readonly meant?: string;
}

/** What is done with the report, in the place of printing it; answers the exit code. */
export type Finish = (report: SkewReport, options: DiagnosisOptions) => number;

/** One of the looks of --watch. */
export interface EachLook {
  readonly isFirst: boolean;
  /** In the place of the usual text. */
  render(reports: readonly SkewReport[]): string;
}

export interface RunOptions extends DiagnosisOptions {
  readonly finish?: Finish;
  readonly each?: EachLook;
  /** The same for all looks of a run, so that a name stays the same number. */
  readonly redactor?: Redactor;
  /** What --baseline names, opened. */
  readonly compared?: OpenBaseline;
}

/** What is asked: the cluster, and a Prometheus. */
export interface Sources {
  readonly kube: KubeClient;
  readonly prometheus: PrometheusClient | 'find' | 'none';
}

/** What is to be collected, once or live: the same of both. */
export function collectRequest(subject: DiagnosisSubject, options: DiagnosisOptions): CollectRequest {
  return { ...options, ...subject, toolVersion };
}

/** Waits; ends early, and without an error, when the signal aborts. */
export async function pause(seconds: number, signal: AbortSignal): Promise<void> {
  await delay(seconds * 1000, undefined, { signal }).catch(() => {});
}

/** What stands between the evidence and everybody who may see it: nothing, unless --redact is given. */
export async function redactorOf(options: Pick<DiagnosisOptions, 'redact'>): Promise<Redactor> {
  if (!options.redact) return { evidence: (seen) => seen, words: (text) => text, problem: (problem) => problem };
  const { openRedactor } = await import('../evidence/redact.ts');
  return openRedactor();
}

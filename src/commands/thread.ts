import { once } from 'node:events';
import type { Worker } from 'node:worker_threads';
import { type DiagnoseOptions, diagnosePorts } from '../diagnose.ts';
import type { SkewEvidence } from '../evidence/schema.ts';
import { heard } from '../kube/requests/turn.ts';
import { isLarge } from './compute.ts';
import type { Host } from './host.ts';

/** What src/thread.ts is sent; it answers with what `diagnosePorts` makes of it. */
export interface Task {
  readonly evidence: SkewEvidence;
  readonly options: DiagnoseOptions;
}

type Diagnosis = ReturnType<typeof diagnosePorts>;

/** Diagnoses so that keys and signals are heard however long it takes: what is large in a thread of its own. */
export interface DiagnosisThread {
  /**
   * Keys and signals are heard first; `options` is asked after that. Null: the signal aborted, or aborts meanwhile. Throws
   * what the thread throws.
   */
  diagnose(evidence: SkewEvidence, options: () => DiagnoseOptions): Promise<Diagnosis | null>;
}

/** The thread starts with the first large task, and ends when the signal aborts. */
export function openThread(host: Pick<Host, 'startThread'>, signal: AbortSignal): DiagnosisThread {
  let worker: Worker | null = null;
  let last: Promise<unknown> = Promise.resolve();
  const run = async (task: Task): Promise<Diagnosis | null> => {
    if (signal.aborted) return null;
    if (worker === null) {
      const started = host.startThread();
      worker = started;
      signal.addEventListener('abort', () => void started.terminate(), { once: true });
    }
    try {
      const answered = once(worker, 'message', { signal });
      worker.postMessage(task);
      const [diagnosis] = await answered;
      // To take a large answer over has taken its time: what came meanwhile is heard before more is made of it.
      await heard();
      return signal.aborted ? null : diagnosis;
    } catch (error) {
      if (signal.aborted) return null;
      throw error;
    }
  };
  return {
    async diagnose(evidence, asked) {
      await heard();
      if (signal.aborted) return null;
      // Who asks may have more than this, which no message could carry.
      const { clients, language = null, connection = [] } = asked();
      const options = { clients, language, connection };
      if (!isLarge(evidence)) return diagnosePorts(evidence, options);
      // One at a time: the answers carry no names.
      const mine = last.then(() => run({ evidence, options }));
      last = mine.catch(() => {});
      return mine;
    },
  };
}

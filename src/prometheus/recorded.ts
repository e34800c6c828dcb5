import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { decodeText } from '../files/decode.ts';
import { failure } from '../kube/outcome.ts';
import { readAnswer } from './answer.ts';
import { type PrometheusClient, wordsOf } from './types.ts';

/** Answers of Prometheus that somebody saved: `prometheus-QUESTION.json` in the folder of a recording. */
export function recordedPrometheus(folder: string): PrometheusClient {
  return {
    name: 'recording',
    way: 'recording',
    async ask(asked) {
      const file = `prometheus-${asked.question}.json`;
      const request = wordsOf(asked, 'of the recording');
      const text = await readFile(join(folder, file)).then(decodeText, () => null);
      if (text === null) return failure('not-found', request, `the recording holds no ${file}`);
      const read = readAnswer(request, 200, text);
      const written = await stat(join(folder, file)).catch(() => null);
      return read.ok ? { ...read, serverDate: written?.mtime.toISOString() ?? null } : read;
    },
    close: async () => {},
  };
}

import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { readRecorded } from '../kube/recorded.ts';
import { isoTime } from '../kube/requests/clock.ts';
import { readResponse } from './response.ts';
import { maxAnswerBytes, type PrometheusClient, wordsOf } from './types.ts';

/** Answers of Prometheus that somebody saved: `prometheus-QUESTION.json` in the folder of a recording. */
export function recordedPrometheus(folder: string): PrometheusClient {
  return {
    name: 'recording',
    way: 'recording',
    async ask(asked) {
      const file = `prometheus-${asked.question}.json`;
      const request = wordsOf(asked, 'of the recording');
      const text = await readRecorded(folder, file, { request, maxBytes: maxAnswerBytes });
      if (!text.ok) return text;
      const read = readResponse(request, 200, text.value);
      const written = await stat(join(folder, file)).catch(() => null);
      return read.ok ? { ...read, serverDate: written && isoTime(written.mtime) } : read;
    },
    close: async () => {},
  };
}

import { inputs } from '../../src/files/read.ts';
import { answerLimits, sizeOf } from '../../src/kube/requests/limits.ts';
import { table } from './blocks.ts';

/** What is read of files and of a cluster, at most, and why no more. */
export function readingLimitTable(): string {
  const files: Readonly<Record<keyof typeof inputs, string>> = {
    record: 'a record or report, of `--from` or `--baseline`: 130,000 connections in two samples have 75 MiB',
    answer: 'a file in a folder of raw answers: as an answer of the API server',
    kubeconfig: 'a kubeconfig: a thousand clusters with their certificates have 6 MiB',
    token: 'the file of `--prometheus-token-file`',
    credential: 'a token, certificate or key that a kubeconfig names: the list of all public authorities has 0.3 MiB',
  };
  const answers: Readonly<Record<keyof typeof answerLimits, string>> = {
    answerBytes: 'an answer of the API server, unpacked: a page of 500 objects of 128 KiB',
    pageBytes: 'a metrics page, or an answer of Prometheus: the largest of an Envoy have a few MiB',
    textBytes:
      'one text of an object; a longer one is left out, with a warning: all annotations of an object have as much',
    levels: 'levels of an answer: objects of Kubernetes have less than thirty',
    containers: 'objects and lists of one answer: 500 pods have 100,000; more takes seconds to parse',
    fields: 'fields of one answer: 500 pods have 150,000',
    listItems: 'objects of a list: the largest cluster that Kubernetes supports has 150,000 pods',
    listPages: 'answers of a list: twice as many as those objects need',
    listBytes: 'a list that is held whole',
    listMs: 'all answers of a list',
    stdoutBytes: 'the output of a command in a pod, and one frame of it: `ss -tni` of 130,000 connections has 50 MiB',
    heldBytes: 'the output of all commands that run at once',
    frames: 'frames of a command: API servers send up to 32 KiB in one',
    stderrBytes: 'what is kept of the errors of a command',
    statusBytes: 'how a command ended, or why it was refused: a Status object has less than 1 KiB',
  };
  return table(
    ['at most', 'of what, and why'],
    [
      ...Object.entries(files).map(([id, words]) => [sizeOf(inputs[id as keyof typeof inputs].mostBytes), words]),
      ...Object.entries(answers).map(([id, words]) => [wordsOf(id as keyof typeof answerLimits), words]),
    ],
  );
}

function wordsOf(id: keyof typeof answerLimits): string {
  const value = answerLimits[id];
  if (id.endsWith('Bytes')) return sizeOf(value);
  return id.endsWith('Ms') ? `${value / 1000} s` : value.toLocaleString('en');
}

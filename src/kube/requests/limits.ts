import { inputs } from '../../files/read.ts';

/** How long an answer may be, in one table. What is longer is cut off, with a line that says so; the rest goes on. */
export const answerLimits = {
  /** Bytes of one answer of the API server, unpacked: a page of 500 objects of 128 KiB each. To parse as much takes half a second. */
  answerBytes: inputs.answer.mostBytes,
  /** Bytes of a page of text behind a proxy path: the largest of an Envoy have a few MiB, those of kubelets less. */
  pageBytes: 16 << 20,
  /** Bytes of one text of an object. All annotations of an object together may have as many, and no name or label has. */
  textBytes: 256 << 10,
  /** Levels of an answer: objects of Kubernetes have less than thirty. */
  levels: 10_000,
  /** Objects and lists of one answer: 500 pods have 100,000. More takes seconds, and gigabytes, to parse. */
  containers: 1_000_000,
  /** Fields of one answer: 500 pods have 150,000. */
  fields: 1_500_000,
  /** Objects of a list: the largest cluster that Kubernetes supports has 150,000 pods. */
  listItems: 200_000,
  /** Answers of a list: twice as many as those objects need, for servers that send shorter pages than they are asked for. */
  listPages: 800,
  /** Bytes of a list that is held whole; one in pages is forgotten page by page. */
  listBytes: 256 << 20,
  /** Milliseconds for all pages of a list; each has the time limit of a request as well. */
  listMs: 120_000,
  /** Bytes of stdout of a command, also those of one frame: `ss -tni` of 130,000 connections has 50 MiB. */
  stdoutBytes: 64 << 20,
  /** Bytes of stdout of all commands that run at once, ten at most. */
  heldBytes: 256 << 20,
  /** Frames of a command: API servers send up to 32 KiB in one, some a line. */
  frames: 500_000,
  /** Bytes of stderr that are kept: enough for any message of a program. */
  stderrBytes: 64 << 10,
  /** Bytes of the status of a command, or of the answer that refuses it: a Status object has less than 1 KiB. */
  statusBytes: 64 << 10,
} as const;

/** A size for people. */
export function sizeOf(bytes: number): string {
  if (bytes < 1 << 10) return `${bytes} bytes`;
  return bytes < 1 << 20 ? `${bytes / (1 << 10)} KiB` : `${bytes / (1 << 20)} MiB`;
}

import { EventEmitter } from 'node:events';
import type { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { openThread, type Task } from '../../src/commands/thread.ts';
import type { SkewEvidence } from '../../src/evidence/schema.ts';
import { scaleUp } from '../render/reports.ts';

/** A thread that answers when the test says so. */
function start() {
  const tasks: Task[] = [];
  let ended = 0;
  let started = 0;
  const worker = Object.assign(new EventEmitter(), {
    postMessage: (task: Task) => void tasks.push(task),
    terminate: async () => ++ended,
  }) as unknown as Worker;
  const controller = new AbortController();
  const host = {
    startThread() {
      started += 1;
      return worker;
    },
  };
  const thread = openThread(host, controller.signal);
  return { thread, worker, tasks, abort: () => controller.abort(), counts: () => ({ started, ended }) };
}

const many = Array.from({ length: 100_001 }, () => ({}));
const evidence = (name: string) => ({ metadata: { name }, pods: many }) as unknown as SkewEvidence;
const options = () => ({ clients: null });
const answer = { ok: true as const, value: [scaleUp] };

test('one task after the other, in one thread', async () => {
  const { thread, worker, tasks, counts } = start();
  const first = thread.diagnose(evidence('first'), options);
  const second = thread.diagnose(evidence('second'), options);
  await expect.poll(() => tasks.length).toBe(1);
  worker.emit('message', answer);
  expect(await first).toEqual(answer);
  await expect.poll(() => tasks.map((task) => task.evidence.metadata.name)).toEqual(['first', 'second']);
  worker.emit('message', answer);
  expect(await second).toEqual(answer);
  expect(counts()).toEqual({ started: 1, ended: 0 });
});

test('an interruption does not wait for the thread: it ends it', async () => {
  const { thread, tasks, abort, counts } = start();
  const first = thread.diagnose(evidence('first'), options);
  const second = thread.diagnose(evidence('second'), options);
  await expect.poll(() => tasks.length).toBe(1);
  abort();
  expect([await first, await second]).toEqual([null, null]);
  expect(counts()).toEqual({ started: 1, ended: 1 });
});

test('no thread starts after it', async () => {
  const { thread, abort, counts } = start();
  abort();
  expect(await thread.diagnose(evidence('first'), options)).toBeNull();
  expect(counts()).toEqual({ started: 0, ended: 0 });
});

test('what the thread throws comes out, and only what it is told goes in', async () => {
  const { thread, worker, tasks } = start();
  // As the live view gives them: with functions, which no message can carry.
  const all = () => ({ clients: null, language: 'go' as const, compared: { compareAll: () => answer } });
  const failing = thread.diagnose(evidence('first'), all);
  await expect.poll(() => tasks.length).toBe(1);
  expect(structuredClone(tasks[0]?.options)).toEqual({ clients: null, language: 'go', connection: [] });
  worker.emit('error', new Error('out of memory'));
  await expect(failing).rejects.toThrow('out of memory');
});

test('what is small needs no thread', async () => {
  const { thread, counts } = start();
  const small = { service: null, endpointSlices: null, pods: null, signals: [] } as unknown as SkewEvidence;
  expect(await thread.diagnose(small, options)).toMatchObject({ ok: false });
  expect(counts()).toEqual({ started: 0, ended: 0 });
});

test('what was said while keys were heard counts', async () => {
  const { thread, worker, tasks } = start();
  let language: 'go' | 'java' = 'go';
  const first = thread.diagnose(evidence('first'), () => ({ clients: null, language }));
  language = 'java';
  await expect.poll(() => tasks[0]?.options.language).toBe('java');
  worker.emit('message', answer);
  expect(await first).toEqual(answer);
});

import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { WebSocket } from 'ws';
import { excessOf } from '../../src/kube/errors/unknown-json.ts';
import { collectOutput } from '../../src/kube/exec/output.ts';
import { answerLimits } from '../../src/kube/requests/limits.ts';
import { withoutLongTexts } from '../../src/kube/requests/long-texts.ts';
import { type ExecAnswer, type Json, startCluster } from '../cli/cluster.ts';
import { expectNoTrace, type OnTestFinished, runProgram } from '../cli/program.ts';
import { type Answer, json } from '../kube/api-server.ts';
import { frame, successFrame, webSocket } from '../kube/exec-server.ts';
import { runMeasured } from './peak.ts';

interface Hostile {
  readonly request?: RegExp;
  readonly answer?: Answer;
  readonly exec?: ExecAnswer;
  readonly change?: (objects: Record<string, Json>) => void;
  readonly args?: readonly string[];
}

/** A run against a cluster that answers one thing without an end; what was seen is recorded, and the record can be read. */
async function diagnose(onTestFinished: OnTestFinished, { request, answer, exec, change, args = [] }: Hostile) {
  const cluster = await startCluster(onTestFinished);
  if (request !== undefined && answer !== undefined) cluster.on(request, answer);
  if (exec !== undefined) cluster.exec = exec;
  change?.(cluster.objects);
  const all = ['echo', '--window', '0', '-o', 'json', '--record', 'seen.json', ...args];
  const run = await runMeasured(all, { timeoutMs: 60_000 }, (given, options) => cluster.run(given, options));
  expectNoTrace(run);
  expect(run.code).toBe(0);
  const again = await runProgram(['--from', join(cluster.folder, 'seen.json'), '-o', 'json'], {
    timeoutMs: 60_000,
  });
  expect([again.code, again.stdout]).toEqual([0, run.stdout]);
  const report: Json = JSON.parse(run.stdout);
  const signals = Object.fromEntries(report.status.signals.map((one: Json) => [one.id, one]));
  return { run, report, signals, requests: cluster.requests };
}

/** Sends the same piece until nobody takes any more. */
function endlessly(response: ServerResponse, piece: string): void {
  const more = (): void => {
    let isTaken = true;
    while (isTaken && !response.destroyed) isTaken = response.write(piece);
    if (!response.destroyed) response.once('drain', more);
  };
  more();
}

const event = { metadata: { name: 'e', namespace: 'n' }, reason: 'Unhealthy', message: 'x'.repeat(60) };

describe('a list', () => {
  test('of pages without an end: cut off by their number', { timeout: 90_000 }, async ({ onTestFinished }) => {
    let token = 0;
    const { signals, requests, run } = await diagnose(onTestFinished, {
      request: /\/events\?/,
      answer: (_, response) => json(response, { kind: 'List', metadata: { continue: `t${token++}` }, items: [event] }),
    });
    expect(signals['probes']).toMatchObject({
      state: 'partial',
      reason: 'pod status only, Events not seen: the list does not end after 800 pages',
    });
    expect(requests.filter((line) => line.includes('/events?'))).toHaveLength(answerLimits.listPages + 1);
    expect(run.peak).toBeLessThan(400);
  });

  test('of objects without an end: cut off by their number', { timeout: 90_000 }, async ({ onTestFinished }) => {
    let token = 0;
    const items = Array.from({ length: 20_000 }, () => event);
    const { signals, run } = await diagnose(onTestFinished, {
      request: /\/events\?/,
      answer: (_, response) => json(response, { kind: 'List', metadata: { continue: `t${token++}` }, items }),
    });
    expect(signals['probes'].reason).toMatch(/the list has more than 200000 objects$/);
    expect(token).toBe(11);
    expect(run.peak).toBeLessThan(700);
  });

  test('of 150,000 objects in one page is read', { timeout: 60_000 }, async ({ onTestFinished }) => {
    const others = Array.from({ length: 150_000 }, (_, at) => ({ metadata: { name: `p${at}`, uid: `u${at}` } }));
    const { signals, report } = await diagnose(onTestFinished, {
      request: /\/api\/v1\/pods\?/,
      answer: (_, response) => json(response, { kind: 'List', metadata: {}, items: others }),
    });
    expect(signals['clients'].state).toBe('complete');
    expect(report.status.pods).toHaveLength(10);
  });

  test('whose answer never ends: cut off by its length', { timeout: 60_000 }, async ({ onTestFinished }) => {
    const { signals, run } = await diagnose(onTestFinished, {
      request: /\/events\?/,
      answer: (_, response) => {
        response.writeHead(200, { 'Content-Type': 'application/json' });
        endlessly(response, 'x'.repeat(1 << 20));
      },
    });
    expect(signals['probes'].reason).toMatch(/Events not seen: the answer is longer than 64 MiB$/);
    expect(run.peak).toBeLessThan(700);
  });

  test('with a label of 50 MB: left out, with a line', { timeout: 60_000 }, async ({ onTestFinished }) => {
    const long = 'a"\\'.repeat(50_000_000 / 5);
    const { report, run } = await diagnose(onTestFinished, {
      change: ({ pods }) => {
        pods.items[0].metadata.labels.team = long;
      },
    });
    expect(run.stderr).toMatch(/^Warning: list pods in [^\n]*: 1 text longer than 256 KiB is left out$/m);
    expect(report.status.verdict.state).toBe('skewed');
    expect(run.peak).toBeLessThan(900);
  });
});

describe.each<readonly [string, string, string]>([
  ['levels', `{"items":${'['.repeat(20_000_000)}`, 'is nested deeper than 10000 levels'],
  ['objects', `{"items":[${'{},'.repeat(15_000_000)}{}]}`, 'holds more than 1000000 objects and lists'],
  ['fields', `{"items":[{${'"a":1,'.repeat(5_000_000)}"a":1}]}`, 'holds more than 1500000 fields'],
])('an answer of millions of %s', (_what, answer, words) => {
  test('is not parsed, and the rest goes on', { timeout: 60_000 }, async ({ onTestFinished }) => {
    const { signals, run } = await diagnose(onTestFinished, {
      request: /\/events\?/,
      answer: (_, response) => {
        response.writeHead(200, { 'Content-Type': 'application/json' });
        response.end(answer);
      },
    });
    expect(signals['probes'].reason).toBe(`pod status only, Events not seen: the answer ${words}`);
    expect(run.peak).toBeLessThan(500);
  });
});

describe('a page of metrics without an end', () => {
  const endless: Answer = (_, response) => {
    response.writeHead(200, { 'Content-Type': 'text/plain' });
    endlessly(response, `${'grpc_server_handled_total{grpc_code="OK"} 1\n'.repeat(20_000)}`);
  };

  test('of a pod', { timeout: 60_000 }, async ({ onTestFinished }) => {
    const { signals, run } = await diagnose(onTestFinished, {
      request: /\/pods\/[^/]+\/proxy\/metrics/,
      answer: endless,
      args: ['--metrics-port', '9090'],
    });
    expect(signals['calls']).toMatchObject({ state: 'unavailable', reason: 'the answer is longer than 16 MiB' });
    expect(run.peak).toBeLessThan(900);
  });

  test('of a kubelet', { timeout: 60_000 }, async ({ onTestFinished }) => {
    const { signals } = await diagnose(onTestFinished, {
      request: /\/nodes\/[^/]+\/proxy\//,
      answer: endless,
      args: ['--probe-metrics'],
    });
    expect(signals['probe-metrics'].reason).toMatch(/the answer is longer than 16 MiB/);
  });

  test('of Prometheus', { timeout: 60_000 }, async ({ onTestFinished }) => {
    const prometheus = await startCluster(onTestFinished);
    prometheus.on(/./, endless);
    const { signals } = await diagnose(onTestFinished, { args: ['--prometheus', prometheus.url] });
    expect(signals['prometheus'].reason).toMatch(/the answer is longer than 16 MiB/);
  });
});

describe('the output of a command', () => {
  /** The same frame until nobody takes any more. */
  const flood =
    (channel: number, payload: string): ExecAnswer =>
    () =>
      webSocket((client) => {
        const one = frame(channel, payload);
        const more = (): void => {
          if (client.readyState !== client.OPEN) return;
          for (let at = 0; at < 200; at++) client.send(one);
          client.send(one, () => setImmediate(more));
        };
        more();
      });
  const mebibyte = 'x'.repeat(1 << 20);
  const single =
    (serve: (client: WebSocket) => void): ExecAnswer =>
    () =>
      webSocket(serve);

  test.each<readonly [string, ExecAnswer, RegExp]>([
    ['stdout without an end', flood(1, mebibyte), /the output is longer than 64 MiB$/],
    ['stderr without an end', flood(2, mebibyte), /the errors of the command are longer than 64 MiB$/],
    ['a status without an end', flood(3, mebibyte), /the status of the command is longer than 64 KiB$/],
    ['statuses without an end', flood(3, '{"status":"Success"}'), /the status of the command is longer than 64 KiB$/],
    ['crumbs without an end', flood(1, 'x'), /the output came in more than 500000 frames$/],
    [
      'one frame of 100 MB',
      single((client) => client.send(frame(1, Buffer.alloc(100_000_000, 'x')))),
      /a frame of the output is longer than 64 MiB$/,
    ],
  ])('%s', { timeout: 60_000 }, async (_what, hostile, reason) => {
    const clean: (() => void | Promise<void>)[] = [];
    let first: string | null = null;
    const { signals, run } = await diagnose((one) => clean.push(one), {
      exec: (call) => {
        first ??= call.pod;
        return call.pod === first ? hostile(call) : '';
      },
    });
    for (const one of clean) await one();
    expect(signals['connections'].state).toBe('partial');
    expect(signals['connections'].reason).toMatch(reason);
    expect(run.peak).toBeLessThan(700);
  });

  test('of several commands at once is cut off together, and makes room when it is read', () => {
    const held = { bytes: 0 };
    const payload = Buffer.alloc(32 << 20, 'x');
    const outputs = Array.from({ length: 5 }, () => collectOutput(answerLimits.stdoutBytes, held));
    const [first, , , , last] = outputs;
    for (const output of outputs.slice(0, 4)) for (const _ of [1, 2]) expect(output.take(1, payload)).toBe('more');
    expect(last?.take(1, Buffer.from('x'))).toBe('too-long');
    expect(last?.tooLong()).toBe('the outputs of several commands are together longer than 256 MiB');
    last?.release();
    first?.release();
    const next = collectOutput(answerLimits.stdoutBytes, held);
    expect([next.take(1, payload), next.take(1, payload), next.take(1, Buffer.from('x'))]).toEqual([
      'more',
      'more',
      'too-long',
    ]);
    expect(next.tooLong()).toBe('the output is longer than 64 MiB');
    for (const output of [next, ...outputs.slice(1, 4)]) output.release();
    expect(held.bytes).toBe(0);
  });

  test('130,000 rows in one frame are read', { timeout: 90_000 }, async ({ onTestFinished }) => {
    const row = (at: number) =>
      `ESTAB 0 0 10.0.0.1:50051 10.${at >> 16}.${(at >> 8) & 255}.${at & 255}:40000\n\t cubic bytes_acked:900 bytes_received:${at + 1} segs_in:9 data_segs_in:9\n`;
    const many = Array.from({ length: 130_000 }, (_, at) => row(at)).join('');
    const few = (rows: number) => Array.from({ length: rows }, (_, at) => row(at)).join('');
    let first: string | null = null;
    const { report, signals } = await diagnose(onTestFinished, {
      exec: ({ pod }) => {
        first ??= pod;
        const output = pod === first ? many : few(2);
        return webSocket((client) => {
          client.send(frame(1, output));
          client.send(successFrame);
          client.close(1000);
        });
      },
    });
    expect(signals['connections'].state).toBe('complete');
    expect(report.status.pods.find((pod: Json) => pod.name === first).connections).toBe(130_000);
  });
});

test('Ctrl-C while very much is judged: 130, and what was seen is recorded', { timeout: 90_000 }, async ({
  onTestFinished,
}) => {
  const cluster = await startCluster(onTestFinished);
  const row = (at: number) =>
    `ESTAB 0 0 10.0.0.1:50051 10.${at >> 16}.${(at >> 8) & 255}.${at & 255}:40000\n\t cubic bytes_acked:900 bytes_received:900 segs_in:9 data_segs_in:9\n`;
  const many = Array.from({ length: 130_000 }, (_, at) => row(at)).join('');
  let first: string | null = null;
  cluster.exec = ({ pod }) => {
    first ??= pod;
    return pod === first ? many : row(1);
  };
  const run = await cluster.run(['echo', '-v1', '--record', 'seen.json'], {
    timeoutMs: 80_000,
    // Both samples have come; whether they settle the state is what is worked out now.
    signalAfter: { text: /connections: \d+ in 10 pods[\s\S]*connections: \d+ in 10 pods/, signal: 'SIGINT' },
  });
  expectNoTrace(run);
  expect([run.code, run.signal, run.stdout]).toEqual([130, null, '']);
  const seen: Json = JSON.parse(readFileSync(join(cluster.folder, 'seen.json'), 'utf8'));
  const ofBoth = seen.connections.looks.filter((look: Json) => look.pod === first);
  expect(ofBoth.map((look: Json) => look.sockets.length)).toEqual([130_000, 130_000]);
});

describe('texts that are too long', () => {
  test.each([
    ['{"a":"xxxxx","b":1}', '{"a":"","b":1}', 1],
    ['{"xxxxx":1,"b":"xxxx"}', '{"":1,"b":"xxxx"}', 1],
    ['["x\\"\\"xx","\\\\","xxxxxx"]', '["","\\\\",""]', 2],
    ['["xxxxxxxx', '["xxxxxxxx', 0],
    ['[1,2,3,4,5,6]', '[1,2,3,4,5,6]', 0],
  ])('%s', (given, text, left) => {
    expect(withoutLongTexts(given, 4)).toEqual({ text, left });
  });
});

test('texts are no structure, and a short answer may hold what it likes', () => {
  const signs = '{[:'.repeat(2_000_000);
  expect(excessOf(JSON.stringify({ [signs]: [`"${signs}`] }))).toBeNull();
  expect(excessOf('['.repeat(1 << 20))).toBeNull();
  expect(excessOf(`"${'['.repeat(2 << 20)}`)).toBeNull();
});

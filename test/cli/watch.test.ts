/** `--watch`: how a script waits for a fix. */
import { fileURLToPath } from 'node:url';
import Value from 'typebox/value';
import { describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { SkewReport } from '../../src/report/schema.ts';
import { json as answerJson } from '../kube/api-server.ts';
import { type Cluster, type Json, startCluster } from './cluster.ts';
import { expectError, expectNoTrace, runProgram } from './program.ts';

const timeout = 60_000;
/** Without commands in pods a look follows each ten seconds; by CPU alone, since nobody counts calls. */
const quick = ['echo', '--no-exec', '--window', '0', '-w'];
const documents = (stdout: string): Json[] =>
  stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));

/** Pods that only CPU tells apart; `even` makes all of them use the same. */
async function byCpu(onTestFinished: Parameters<typeof startCluster>[0]): Promise<Cluster & { even(): void }> {
  const cluster = await startCluster(onTestFinished);
  cluster.on(/\/proxy\/metrics$/, (_request, response) => answerJson(response, { kind: 'Status', code: 404 }, 404));
  const even = () => {
    for (const { containers } of cluster.objects['metrics-pods'].items)
      for (const container of containers) container.usage.cpu = '50m';
  };
  return Object.assign(cluster, { even });
}

describe('what ends it', () => {
  test.concurrent.each([
    [['--until', 'balanced'], 5, /^error: no look was whole within 2s; /],
    [[], 1, /^error: no look was whole within 2s; /],
  ] as const)('%j: time is over while nothing answers: %i', async (until, code, line) => {
    const clean: (() => void | Promise<void>)[] = [];
    try {
      const cluster = await startCluster((one) => clean.push(one));
      cluster.on(/./, () => {});
      const run = await cluster.run([...quick, '--for', '2s', ...until]);
      expectError(run, code, line);
      expect(run.seconds).toBeLessThan(16);
    } finally {
      for (const one of clean) await one();
    }
  });

  test.concurrent(
    '--until: one document a line until the state is there, then 0',
    async ({ onTestFinished }) => {
      const cluster = await byCpu(onTestFinished);
      const run = await cluster.run([...quick, '-o', 'json', '--until', 'balanced', '--for', '1m'], {
        timeoutMs: timeout,
        onOutput: () => cluster.even(),
      });
      expect([run.code, run.stderr]).toEqual([0, '']);
      const looks = documents(run.stdout);
      expect(looks.map(({ status }) => status.verdict.state)).toEqual(['skewed', 'balanced']);
      for (const look of looks) expect([...Value.Errors(SkewReport, look)]).toEqual([]);
      expect(run.seconds).toBeGreaterThan(10);
    },
    timeout,
  );

  test.concurrent('met by the first look: there is no second', async ({ onTestFinished }) => {
    const cluster = await byCpu(onTestFinished);
    const run = await cluster.run([...quick, '--until', 'outage,skewed']);
    expect([run.code, run.stderr, run.stdout.match(/^SKEWED/gm)?.length]).toEqual([0, '', 1]);
  });

  test.concurrent(
    '--for without --until: as one look, by the last',
    async ({ onTestFinished }) => {
      const cluster = await byCpu(onTestFinished);
      const ended = await cluster.run([...quick, '--for', '9', '-o', 'yaml'], { timeoutMs: timeout });
      expect([ended.code, ended.stderr, parseAllDocuments(ended.stdout).length]).toEqual([0, '', 1]);
      expect(ended.seconds).toBeLessThan(25);
    },
    timeout,
  );

  test.concurrent(
    '--for before --until: 5, and what the last look says',
    async ({ onTestFinished }) => {
      const cluster = await byCpu(onTestFinished);
      const run = await cluster.run([...quick, '--until', 'balanced', '--for', '18s', '-o', 'yaml'], {
        timeoutMs: timeout,
      });
      expect(run.code).toBe(5);
      expect(run.stderr).toBe(
        'error: not balanced within 18s: the last look says skewed; wait longer with --for, or see why with -o wide\n',
      );
      expect(parseAllDocuments(run.stdout).map((document) => document.toJS().kind)).toEqual([
        'SkewReport',
        'SkewReport',
      ]);
    },
    timeout,
  );

  test.concurrent(
    '--fail-on: 3 at once; what is unknown is waited for',
    async ({ onTestFinished }) => {
      const cluster = await byCpu(onTestFinished);
      const without = cluster.objects['metrics-pods'];
      cluster.objects['metrics-pods'] = { ...without, items: [] };
      const run = await cluster.run([...quick, '-o', 'json', '--fail-on', 'skewed', '--until', 'balanced'], {
        timeoutMs: timeout,
        onOutput: () => {
          cluster.objects['metrics-pods'] = without;
        },
      });
      expect(documents(run.stdout).map(({ status }) => status.verdict.state)).toEqual(['unknown', 'skewed']);
      expect(run.code).toBe(3);
    },
    timeout,
  );

  test.concurrent('a first look that fails ends it as it ends one look', async ({ onTestFinished }) => {
    const cluster = await byCpu(onTestFinished);
    expectError(
      await cluster.run(['nope', '-w', '--until', 'balanced']),
      1,
      /^error: service nope not found in namespace /,
    );
  });

  test.concurrent(
    'a later one that fails is said, and the next may be well',
    async ({ onTestFinished }) => {
      const cluster = await byCpu(onTestFinished);
      let looks = 0;
      cluster.on(/\/services\/echo/, (request, response) => {
        looks++;
        if (looks === 2) answerJson(response, { kind: 'Status', code: 500, message: 'etcd is away' }, 500);
        else cluster.answerAsRecorded(request, response);
        if (looks === 2) cluster.even();
      });
      const run = await cluster.run([...quick, '-o', 'json', '--until', 'balanced'], { timeoutMs: timeout });
      expect(run.code).toBe(0);
      expect(run.stderr).toMatch(/^error: .*etcd is away.*\n$/);
      expect(documents(run.stdout).map(({ status }) => status.verdict.state)).toEqual(['skewed', 'balanced']);
    },
    timeout,
  );

  test.concurrent.each(['SIGINT', 'SIGTERM'] as const)('%s while it waits: 130 within a second', async (signal) => {
    const clean: (() => void | Promise<void>)[] = [];
    try {
      const cluster = await byCpu((one) => clean.push(one));
      const start = { at: 0 };
      const run = await cluster.run([...quick, '-o', 'json'], {
        signalAfter: { text: /\}\n$/, signal },
        onOutput: () => {
          start.at ||= performance.now();
        },
      });
      expect([run.code, documents(run.stdout).length]).toEqual([130, 1]);
      expect(performance.now() - start.at).toBeLessThan(3000);
      expectNoTrace(run);
    } finally {
      for (const one of clean) await one();
    }
  });

  test.concurrent(
    'whoever reads goes away: it ends quietly with the next look',
    async ({ onTestFinished }) => {
      const cluster = await byCpu(onTestFinished);
      const program = fileURLToPath(new URL('../../dist/kubectl-grpc_skew', import.meta.url));
      const script = `"${process.execPath}" "${program}" ${quick.join(' ')} -o json | head -c 5`;
      const run = await cluster.run([], { command: ['/bin/sh', '-c', script], timeoutMs: timeout });
      expect(run).toMatchObject({ code: 0, stdout: '{"api', stderr: '' });
    },
    timeout,
  );
});

test(
  'commands in pods are announced once, and run no faster than in the live view',
  async ({ onTestFinished }) => {
    const cluster = await startCluster(onTestFinished);
    const run = await cluster.run(['echo', '--window', '0', '-w', '--for', '18s'], { timeoutMs: timeout });
    expect([run.code, run.stdout.match(/^SKEWED/gm)?.length]).toEqual([0, 1]);
    expect(run.stderr).toBe('looking into 10 pods with ss: about 10 execs (--no-exec leaves them out)\n');
  },
  timeout,
);

test.each<[string[], RegExp]>([
  [['echo', '--until', 'balanced'], /^error: --until goes with --watch; add -w, or leave it out$/],
  [['echo', '--for', '10m'], /^error: --for goes with --watch; /],
  [['echo', '-w', '--for', '25h'], /^error: --for takes seconds or a duration, up to 24h, not 25h; write --for 10m$/],
  [['echo', '-w', '--until', 'fine'], /^error: --until does not know fine; it takes balanced, by-setting, /],
  [['echo', '-w', '--until', 'improved'], /^error: --until improved compares with an earlier run; name its file /],
  [['echo', '-w', '-o', 'markdown'], /^error: --watch prints json, table, wide, yaml, and no markdown; /],
  [['--from', 'x.json', '-w'], /^error: --watch looks again and again, and what --from names does not change; /],
  [['fix', 'echo', '-w'], /^error: unknown flag -w/],
])('%j: wrong usage', async (args, line) => {
  expectError(await runProgram(args), 2, line);
});

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { writeEvidence } from '../../src/evidence/write.ts';
import { buildEvidence, dealt, meshed, type Plan, pods } from '../diagnose/build.ts';
import { startCluster } from './cluster.ts';
import { runHere } from './in-process.ts';
import { expectError, temporaryFolder } from './program.ts';

/** Four connections on three of ten pods. */
const skewed: Plan = {
  pods: pods(10),
  connections: dealt([2, 1, 1], { bytesPerSecond: 20_000, segmentsPerSecond: 60 }),
};
/** The same clients with a connection to each pod. */
const balanced: Plan = { pods: pods(10), connections: meshed(4, 10, { segmentsPerSecond: 20 }) };
/** Its connections alone are known: that settles nothing. */
const blind: Plan = { ...balanced, way: 'proc', usage: false };

function write(folder: string, files: Readonly<Record<string, Plan>>): void {
  for (const [name, plan] of Object.entries(files))
    writeFileSync(join(folder, name), writeEvidence(buildEvidence(plan)));
}

describe('--baseline', () => {
  test.each([
    ['improved', balanced, skewed, 'skewed,unchanged,worse', 0],
    ['unchanged', skewed, skewed, 'unchanged,worse', 3],
    ['worse', skewed, balanced, 'unchanged,worse', 3],
    ['worse', skewed, balanced, 'unchanged', 0],
    // Neither 0 nor 3 would be true.
    ['cannot-tell', blind, skewed, 'unchanged,worse', 4],
    // Better than before, but the wanted state is not reached.
    ['improved', { ...skewed, connections: dealt([1, 1, 1, 1, 1, 1]) }, skewed, 'skewed', 3],
  ] as const)('%s: exit code as --fail-on asks', async (result, now, before, failOn, code) => {
    const clean: (() => void | Promise<void>)[] = [];
    const folder = temporaryFolder((one) => clean.push(one));
    write(folder, { 'now.json': now, 'before.json': before });
    const run = await runHere([
      ...['--from', join(folder, 'now.json'), '--baseline', join(folder, 'before.json')],
      ...['--fail-on', failOn],
    ]);
    expect([run.code, run.stderr]).toEqual([code, '']);
    expect(run.stdout).toMatch(new RegExp(`^compared .* ${result}$`, 'm'));
    for (const one of clean) await one();
  });

  test('takes the JSON report of the earlier run as well; without it there is no comparison', async ({
    onTestFinished,
  }) => {
    const folder = temporaryFolder(onTestFinished);
    write(folder, { 'now.json': balanced, 'before.json': skewed });
    const at = (name: string) => join(folder, name);
    const report = await runHere(['--from', at('before.json'), '-o', 'json']);
    expect(JSON.parse(report.stdout).status.comparison).toBeUndefined();
    writeFileSync(at('report.json'), report.stdout);
    const against = (name: string) => runHere(['--from', at('now.json'), '--baseline', at(name), '-o', 'json']);
    const byReport = await against('report.json');
    expect(byReport.stdout).toBe((await against('before.json')).stdout);
    expect(JSON.parse(byReport.stdout).status.comparison.result).toBe('improved');
  });

  test('each port is compared with its own earlier verdict; the worst of them is the exit code', async ({
    onTestFinished,
  }) => {
    const folder = temporaryFolder(onTestFinished);
    const at = (name: string) => join(folder, name);
    /** Two gRPC ports of the same ten pods: the connections of one are those of the plan, of the other as they should be. */
    const twoPorts = (plan: Plan) => {
      const tcp = (name: string, port: number) => ({
        name,
        port,
        targetPort: port,
        protocol: 'TCP',
        appProtocol: null,
      });
      const steady = meshed(4, 10, { segmentsPerSecond: 20, localPort: 50_052 });
      const evidence = buildEvidence({
        ...plan,
        connections: [...(plan.connections ?? []), ...steady],
        service: { ports: [tcp('grpc', 50_051), tcp('grpc-admin', 50_052)] },
      });
      const slices = evidence.endpointSlices?.map((slice) => ({
        ...slice,
        ports: [...slice.ports, { name: 'grpc-admin', port: 50_052, protocol: 'TCP', appProtocol: null }],
      }));
      return writeEvidence({ ...evidence, endpointSlices: slices ?? null });
    };
    writeFileSync(at('now.json'), twoPorts(balanced));
    writeFileSync(at('before.json'), twoPorts(skewed));
    const list = await runHere(['--from', at('before.json'), '-o', 'json']);
    writeFileSync(at('list.json'), list.stdout);
    for (const baseline of ['before.json', 'list.json']) {
      const run = await runHere([
        ...['--from', at('now.json'), '--baseline', at(baseline), '-o', 'json'],
        ...['--fail-on', 'unchanged'],
      ]);
      const { items } = JSON.parse(run.stdout);
      const results = items.map((one: { status: { comparison: { result: string } } }) => one.status.comparison.result);
      expect([results, run.code]).toEqual([['improved', 'unchanged'], 3]);
    }
  });

  test('what cannot be a baseline: one line, and the exit code of its kind', async ({ onTestFinished }) => {
    const folder = temporaryFolder(onTestFinished);
    const at = (name: string) => join(folder, name);
    const ports = [{ name: 'api', port: 80, targetPort: 50_051, protocol: 'TCP', appProtocol: null }];
    write(folder, {
      'now.json': balanced,
      'web.json': { ...skewed, service: { name: 'web' } },
      'port.json': { ...skewed, service: { ports } },
      'none.json': { ...skewed, service: { ports: [...ports, { ...ports[0], name: 'b', port: 81 } as never] } },
      'later.json': balanced,
    });
    const later = JSON.parse(readFileSync(at('later.json'), 'utf8'));
    writeFileSync(
      at('later.json'),
      JSON.stringify({ ...later, metadata: { ...later.metadata, now: '2027-01-01T00:00:00Z' } }),
    );
    writeFileSync(at('text.json'), 'Hello');
    const cases: readonly (readonly [string, number, RegExp])[] = [
      ['nope.json', 1, /^error: --baseline \S*nope\.json: no such file; name a file that --record/],
      ['.', 1, /^error: --baseline \S+: it is a directory, not a file; name a file that --record/],
      ['text.json', 1, /^error: \S*text\.json is no JSON; /],
      ['none.json', 1, /^error: the baseline \S*none\.json gives no verdict: .*; a baseline must be of a run that/],
      [
        'web.json',
        2,
        /^error: the baseline \S*web\.json is of service web in shop, port 50051, this run of service echo/,
      ],
      ['port.json', 2, /^error: the baseline \S*port\.json is of .*, port 80, this run of .*50051; /],
      ['later.json', 2, /^error: the baseline \S*later\.json is newer \(2027/],
    ];
    for (const [name, code, line] of cases) {
      const run = await runHere(['--from', at('now.json'), '--baseline', at(name)]);
      expect([name, run.code, run.stdout, run.stderr.split('\n').length]).toEqual([name, code, '', 2]);
      expect(run.stderr).toMatch(line);
    }
    const hidden = await runHere(['--from', at('now.json'), '--baseline', at('now.json'), '--redact']);
    expect(hidden.code).toBe(2);
    expect(hidden.stderr).toMatch(/^error: --redact and --baseline exclude each other: .*; leave one of them out\n$/);
    const without = await runHere(['--from', at('now.json'), '--fail-on', 'worse']);
    expect(without).toMatchObject({
      code: 2,
      stderr: 'error: --fail-on worse compares with an earlier run; name its file with --baseline FILE\n',
    });
  });

  test('of another Service: said before any command is run in a pod', async ({ onTestFinished }) => {
    const cluster = await startCluster(onTestFinished);
    write(cluster.folder, { 'before.json': skewed });
    const run = await cluster.run(['echo', '-n', 'elsewhere', '--baseline', 'before.json', '-o', 'json']);
    expectError(run, 2, /^error: the baseline before\.json is of service echo in shop, not of echo in elsewhere; /);
    expect(cluster.requests.filter((line) => line.includes('/exec'))).toEqual([]);
  }, 60_000);
});

import { execFile } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { claimAddressBlock } from '../../src/lab/addresses.ts';
import { type LabOptions, scenarioSummaries, startLab } from '../../src/lab/lab.ts';

/** Listening sockets of this machine at addresses of the lab's kind, as the kernel lists them. */
function listeningInLab(block: number): readonly string[] {
  const tables = ['/proc/net/tcp', '/proc/net/tcp6'].filter((path) => existsSync(path));
  const third = (number: number) => number.toString(16).padStart(2, '0').toUpperCase();
  const thirds = [0, 1, 2, 3].map((index) => third(block + index)).join('|');
  const own = new RegExp(`: [0-9A-F]*(${thirds})(F4|60)7F:[0-9A-F]{4} 0+:0000 0A`);
  return tables.flatMap((path) =>
    readFileSync(path, 'utf8')
      .split('\n')
      .filter((line) => own.test(line)),
  );
}

describe('a lab', () => {
  test('leaves nothing behind: no socket, no kubeconfig', async () => {
    const lab = await startLab({ scenario: 'scale-up' });
    await lab.ready;
    const folder = dirname(lab.kubeconfigPath);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(statSync(lab.kubeconfigPath).mode & 0o777).toBe(0o600);
    const config = parse(readFileSync(lab.kubeconfigPath, 'utf8'));
    expect(config.contexts.map((context: { name: string }) => context.name)).toEqual([
      'grpc-skew-lab',
      'grpc-skew-lab-viewer',
    ]);
    const { port } = new URL(config.clusters[0].cluster.server);
    await lab.stop();
    expect(existsSync(folder)).toBe(false);
    await expect(fetch(`https://127.0.0.1:${port}/version`)).rejects.toThrow();
    const again = await claimAddressBlock();
    expect(listeningInLab(again.number)).toHaveLength(4); // the claim itself
    await again.release();
  });

  test('ends its process by itself once stopped, even before it is ready', async () => {
    const script = `
      import { startLab } from ${JSON.stringify(new URL('../../src/lab/lab.ts', import.meta.url).href)};
      const early = await startLab({ scenario: 'no-ss' });
      await early.stop();
      const lab = await startLab({ scenario: 'balanced' });
      await lab.ready;
      await lab.stop();
      console.log('stopped');`;
    const args = ['--input-type=module', '-e', script];
    const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: 15_000 });
    expect(stdout).toBe('stopped\n');
  });

  test('runs beside others', async () => {
    const labs = await Promise.all([1, 2, 3].map(() => startLab({ scenario: 'no-ss' })));
    expect(new Set(labs.map((lab) => lab.kubeconfigPath)).size).toBe(3);
    await Promise.all(labs.map((lab) => lab.stop()));
  });
});

describe('what cannot be had is said in one line', () => {
  test.each<[LabOptions, RegExp]>([
    [{ scenario: 'nope' }, /^There is no scenario "nope": choose one of scale-up, balanced, .*\.$/],
    [{ scenario: 'scale-up', clients: 0 }, /^"clients" must be a whole number from 1 to 100, not 0\.$/],
    [{ scenario: 'scale-up', seed: 1.5 }, /^"seed" must be a whole number/],
    [{ scenario: 'scale-up', from: 5, to: 4 }, /^"to" \(4\) must not be less than "from" \(5\)/],
    [{ scenario: 'balanced', to: 4 }, /^Scenario balanced takes no "to"\.$/],
    [{ scenario: 'balanced', clients: 100, from: 60 }, /^"clients" times "from" must not exceed 1000/],
    [{ scenario: 'scale-up', port: 70_000 }, /^There is no port 70000\.$/],
  ])('%j', async (options, message) => {
    await expect(startLab(options)).rejects.toThrow(message);
  });

  test('a system whose loopback is one address', async () => {
    await expect(claimAddressBlock('darwin')).rejects.toThrow(/^The lab needs Linux, .*\(this is darwin\)\.$/);
  });

  test('a port that is taken, and then nothing is left running', async () => {
    const lab = await startLab({ scenario: 'no-ss' });
    const config = parse(readFileSync(lab.kubeconfigPath, 'utf8'));
    const port = Number(new URL(config.clusters[0].cluster.server).port);
    await expect(startLab({ scenario: 'no-ss', port })).rejects.toThrow(
      /^The lab cannot listen on 127\.0\.0\.1:\d+: EADDRINUSE\.$/,
    );
    await lab.stop();
  });
});

test('scenarios name their parameters', () => {
  const ids = scenarioSummaries.map(({ id }) => id);
  expect(ids.slice(0, 3)).toEqual(['scale-up', 'balanced', 'pick-first']);
  expect(new Set(ids).size).toBe(ids.length);
  for (const { title, description, parameters } of scenarioSummaries) {
    expect(title.length * description.length * parameters.length).toBeGreaterThan(0);
  }
});

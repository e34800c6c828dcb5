/** A fix that is applied while the lab goes on, and what the command says that proves it. */
import { expect, test } from 'vitest';
import { type Lab, type LabOptions, startLab } from '../../src/lab/lab.ts';
import { type Run, runProgram, temporaryFolder } from '../cli/program.ts';

interface Session {
  readonly lab: Lab;
  run(args: readonly string[]): Promise<Run>;
  /** Runs the command that `fix` prints as the proof, word by word. */
  prove(): Promise<Run>;
}

async function open(
  clean: (one: () => void | Promise<void>) => void,
  options: Partial<LabOptions> & { readonly callsPerSecond: number },
): Promise<Session> {
  const folder = temporaryFolder(clean);
  const lab = await startLab({ scenario: 'scale-up', ...options });
  clean(() => lab.stop());
  await lab.ready;
  const run = (args: readonly string[]) =>
    runProgram(args, { cwd: folder, env: { KUBECONFIG: lab.kubeconfigPath }, timeoutMs: 110_000 });
  return {
    lab,
    run,
    async prove() {
      const { stdout } = await run(['fix', '--from', 'before.json', '--strategy', 'headless-round-robin']);
      const proof = stdout.slice(stdout.indexOf('PROOF'));
      const [, words = ''] = /kubectl grpc-skew (svc\/echo [\s\S]*? skewed,unchanged,worse)\n/.exec(proof) ?? [];
      expect(words).toContain('--baseline before.json');
      return run(words.replaceAll('\\\n', ' ').trim().split(/\s+/));
    },
  };
}

const stateOf = ({ stdout }: Run): string => JSON.parse(stdout).status.verdict.state;

test.each([2, 10, 100])(
  'headless with round_robin, at %i calls a second and pod: improved; undone, skewed again',
  async (perPod) => {
    const clean: (() => void | Promise<void>)[] = [];
    try {
      // Four clients on three of ten pods.
      const { lab, run, prove } = await open((one) => clean.unshift(one), { callsPerSecond: (perPod * 10) / 4 });
      const before = await run(['echo', '-o', 'json', '--record', 'before.json']);
      expect(stateOf(before)).toBe('skewed');
      await lab.change.restartClients('headless-round-robin');
      const proof = await prove();
      expect(proof.stdout).toMatch(/^BALANCED/m);
      expect(proof.stdout).toMatch(/^compared .* improved$/m);
      expect(proof.code).toBe(0);
      await lab.change.restartClients('as-before');
      // Four connections reach four of ten pods at most.
      expect(stateOf(await run(['echo', '-o', 'json']))).toBe('skewed');
    } finally {
      for (const one of clean) await one();
    }
  },
  240_000,
);

test.each([
  ['clients that restart', (lab: Lab) => lab.change.restartClients('as-before')],
  ['connections that end at an age', async (lab: Lab) => lab.change.ageConnections(20_000)],
] as const)(
  '%s are dealt anew over all pods: improved',
  async (_name, change) => {
    const clean: (() => void | Promise<void>)[] = [];
    try {
      // Forty connections on three of ten pods; dealt by chance they make about 8.2 pods work.
      const { lab, run, prove } = await open((one) => clean.unshift(one), { clients: 40, callsPerSecond: 2.5 });
      expect(stateOf(await run(['echo', '-o', 'json', '--record', 'before.json']))).toBe('skewed');
      await change(lab);
      expect((await prove()).stdout).toMatch(/^compared .* improved$/m);
    } finally {
      for (const one of clean) await one();
    }
  },
  240_000,
);

test('few calls: the window goes on until they tell, by the counters alone, and says so', async () => {
  const clean: (() => void | Promise<void>)[] = [];
  try {
    // 1.5 calls a second on four pods: in three seconds one a pod, or none.
    const { run } = await open((one) => clean.unshift(one), { scenario: 'balanced', callsPerSecond: 0.5 });
    const fixed = await run(['echo', '-o', 'json', '--window', '3', '--prometheus', 'none']);
    expect(JSON.parse(fixed.stdout).status.verdict.settledInSeconds).toBeGreaterThan(6);
    const { stdout, stderr, code } = await run(['echo', '-o', 'json', '-v', '1', '--prometheus', 'none']);
    expect(stderr).toMatch(
      /^\d+s do not settle the state, a --window of about \S+ may: looking again after \d+s \(--window/m,
    );
    const { status, spec } = JSON.parse(stdout);
    expect([code, spec.windowSeconds > 6, status.execs]).toEqual([0, true, 8]);
    const counted = status.distributions.find((entry: { basis: string }) => entry.basis === 'calls');
    expect(counted).toMatchObject({ span: 'window', source: 'pod-metrics' });
    expect(counted.events).toBeGreaterThan(6);
  } finally {
    for (const one of clean) await one();
  }
}, 120_000);

import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runPlugin } from '../../src/kube/credentials/exec-plugin.ts';
import { errorOf, testHost } from '../kube/open-client.ts';
import { serveLab, startProgram } from '../tui/session.ts';
import { startCluster } from './cluster.ts';
import { expectNoTrace, type OnTestFinished, temporaryFolder } from './program.ts';

const version = 'client.authentication.k8s.io/v1';
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** A wrapper as people write them: it starts another program, which does not want to end and holds the pipe. */
const stubborn = `trap '' TERM INT HUP
sh -c 'trap "" TERM INT HUP; echo $$ > "$PIDS/child"; while :; do sleep 0.2; done' &
echo $$ > "$PIDS/wrapper"
while ! [ -s "$PIDS/child" ]; do sleep 0.05; done
echo 'open the browser' >&2
wait
sleep 300
`;

interface Wrapper {
  readonly folder: string;
  readonly exec: { readonly [field: string]: unknown; readonly command: string };
  pid(name: string): number;
}

function wrapper(onTestFinished: OnTestFinished, script: string, interactiveMode: string): Wrapper {
  const folder = temporaryFolder(onTestFinished);
  const command = join(folder, 'plugin');
  writeFileSync(command, `#!/bin/sh\nPIDS='${folder}'; export PIDS\n${script}`);
  chmodSync(command, 0o755);
  const pid = (name: string) => Number(readFileSync(join(folder, name), 'utf8'));
  onTestFinished(() => {
    for (const name of ['wrapper', 'child']) {
      if (existsSync(join(folder, name)) && isRunning(pid(name))) process.kill(pid(name), 'SIGKILL');
    }
  });
  return { folder, exec: { apiVersion: version, interactiveMode, command }, pid };
}

/** A process that has ended and was not waited for counts as ended. */
function isRunning(pid: number): boolean {
  try {
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    return false;
  }
}

async function expectGone({ pid }: Wrapper): Promise<void> {
  await expect.poll(() => [isRunning(pid('wrapper')), isRunning(pid('child'))]).toEqual([false, false]);
}

describe.skipIf(process.platform !== 'linux')('a plugin that starts another program', () => {
  test.each(signals)('%s ends both at once', async (signal) => {
    const clean: (() => void | Promise<void>)[] = [];
    try {
      const plugin = wrapper((one) => clean.push(one), stubborn, 'Never');
      const cluster = await startCluster((one) => clean.push(one), { user: { exec: plugin.exec } });
      const run = await cluster.run(['echo'], { signalAfter: { text: /open the browser/, signal } });
      expect([run.code, run.signal, run.stdout, run.stderr]).toEqual([130, null, '', 'open the browser\n']);
      await expectGone(plugin);
    } finally {
      for (const one of clean) await one();
    }
  });

  test.each([
    ['in a process group of its own', 'Never', false],
    ['in the group of the terminal', 'IfAvailable', true],
  ])('the limit ends both, %s', async (_name, interactiveMode, stdinIsTerminal) => {
    const clean: (() => void | Promise<void>)[] = [];
    try {
      const plugin = wrapper((one) => clean.push(one), stubborn, interactiveMode);
      const host = testHost({ stdinIsTerminal });
      const settings = {
        args: [],
        env: {},
        provideClusterInfo: false,
        ...plugin.exec,
        apiVersion: version,
        interactiveMode,
      };
      const cluster = { insecureSkipTlsVerify: false, disableCompression: false };
      const user = { impersonation: { groups: [], extra: {} } };
      const connection = { context: 'c', namespace: 'n', server: 'https://127.0.0.1:9', cluster, user };
      const limits = { timeoutMs: 1500, interactiveTimeoutMs: 1500 };
      const outcome = await runPlugin(settings, connection, host, new AbortController().signal, limits);
      expect(errorOf(outcome).message).toBe(
        `credential plugin "${plugin.exec.command}": ended by SIGTERM (limit 1.5 s)`,
      );
      await expectGone(plugin);
    } finally {
      for (const one of clean) await one();
    }
  });

  test('what it leaves running is not waited for, and not ended', async ({ onTestFinished }) => {
    const answer = JSON.stringify({ apiVersion: version, kind: 'ExecCredential', status: { token: 'good' } });
    const script = `sleep 300 2>&- &\necho $! > "$PIDS/child"\necho '${answer}'\n`;
    const plugin = wrapper(onTestFinished, script, 'Never');
    const cluster = await startCluster(onTestFinished, { user: { exec: plugin.exec } });
    let authorization: string | undefined;
    cluster.on(/services\/echo/, (request, response) => {
      authorization = request.headers.authorization;
      response.writeHead(404).end();
    });
    const run = await cluster.run(['echo', '--no-exec', '--window', '0']);
    expect(run.code).toBe(1);
    expectNoTrace(run);
    expect(authorization).toBe('Bearer good');
    expect(isRunning(plugin.pid('child'))).toBe(true);
  });

  describe('before the live view', () => {
    test.each(signals)('%s ends both, and the exit code is 130', async (signal) => {
      const clean: (() => void | Promise<void>)[] = [];
      const lab = await serveLab();
      try {
        const plugin = wrapper((one) => clean.push(one), stubborn, 'IfAvailable');
        const config = readFileSync(lab.kubeconfig, 'utf8');
        const path = join(plugin.folder, 'config');
        writeFileSync(path, config.replace(/^( *)token: .*$/m, `$1exec: ${JSON.stringify(plugin.exec)}`));
        const session = startProgram(['echo', '--window', '0'], { env: { KUBECONFIG: path } });
        clean.push(() => session.close());
        await session.until('open the browser');
        session.signal(signal);
        expect((await session.end()).code).toBe(130);
        await expectGone(plugin);
      } finally {
        for (const one of clean) await one();
        await lab.stop();
      }
    });
  });
});

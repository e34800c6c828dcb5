/** What the program advises while no pod is Ready and old connections carry the calls. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { buildEvidence, meshed, pods } from '../diagnose/build.ts';
import { type OnTestFinished, runProgram, temporaryFolder } from './program.ts';

function outage(onTestFinished: OnTestFinished): string {
  const calls = [0, 1, 2].map((index) => ({ pod: `echo-${index}`, perSecond: 6 }));
  const evidence = buildEvidence({
    pods: pods(3, { pod: { ready: false } }),
    connections: meshed(3, 3, { bytesPerSecond: 4000 }),
    calls,
  });
  const file = join(temporaryFolder(onTestFinished), 'record.json');
  writeFileSync(file, JSON.stringify(evidence));
  return file;
}

test.each(['table', 'wide', 'markdown', 'html'])(
  '-o %s: to make the pods Ready is the first step, and nothing is restarted',
  async (output) => {
    const cleanups: (() => void | Promise<void>)[] = [];
    try {
      const run = await runProgram(['--from', outage((clean) => cleanups.push(clean)), '-o', output]);
      expect([run.code, run.stderr]).toEqual([0, '']);
      const said = run.stdout.replaceAll(/<style>[\s\S]*<\/style>|<[^>]+>/g, '').replaceAll(/\s+/g, ' ');
      expect(said).toMatch(/first:? (- )?make the 3 pods Ready again that are not/i);
      expect(said).toMatch(/kubectl describe pod echo-0 echo-1 echo-2 -n shop/);
      expect(said).not.toMatch(/rollout restart|kubectl delete|no pod can take a call|relief/);
      expect(said).toMatch(/do not restart the clients/);
    } finally {
      for (const clean of cleanups) await clean();
    }
  },
);

test('--fail-on outage, and as people read it', async ({ onTestFinished }) => {
  const from = outage(onTestFinished);
  const run = await runProgram(['--from', from, '--fail-on', 'outage']);
  expect([run.code, run.stderr]).toEqual([3, '']);
  expect(run.stdout).toMatch(/^OUTAGE +no ready pod stands behind this port +certain$/m);
  expect((await runProgram(['--from', from, '--fail-on', 'fault,single-pod'])).code).toBe(0);
});

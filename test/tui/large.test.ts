/** The live view on so much that to judge it takes seconds: its keys are heard all the same. */
import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { startCluster } from '../cli/cluster.ts';
import { frame, successFrame, webSocket } from '../kube/exec-server.ts';
import { startProgram } from './session.ts';

const row = (at: number) =>
  `ESTAB 0 0 10.0.0.1:50051 10.${at >> 16}.${(at >> 8) & 255}.${at & 255}:40000\n\t cubic bytes_acked:900 bytes_received:${at + 1} segs_in:9 data_segs_in:9\n`;

test.each([
  ['Ctrl-C', '\u0003', 0],
  ['Ctrl-C', '\u0003', 1500],
  ['q', 'q', 3000],
])(
  '%s leaves while 130,000 connections are judged (%j after %i ms)',
  { timeout: 120_000 },
  async (_name, key, wait) => {
    const clean: (() => void | Promise<void>)[] = [];
    const cluster = await startCluster((one) => clean.push(one));
    const many = Array.from({ length: 130_000 }, (_, at) => row(at)).join('');
    let first: string | null = null;
    let answered = 0;
    cluster.exec = ({ pod }) => {
      first ??= pod;
      const output = pod === first ? many : row(1);
      return webSocket((client) => {
        answered += 1;
        client.send(frame(1, output));
        client.send(successFrame);
        client.close(1000);
      });
    };
    const session = startProgram(['echo', '--window', '0'], { env: { KUBECONFIG: cluster.kubeconfigPath } });
    try {
      await expect.poll(() => answered, { timeout: 60_000 }).toBe(10);
      // By now it reads the rows, hands them to the thread, or waits for it.
      await setTimeout(wait);
      const before = performance.now();
      session.type(key);
      await expect.poll(() => session.buffer(), { timeout: 60_000, interval: 20 }).toBe('normal');
      // To judge it takes four seconds and more; what draws the screen may have begun on something else.
      expect(performance.now() - before).toBeLessThan(2000);
      const { code, modes } = await session.end();
      // What the API told gave a first verdict.
      expect([code, modes]).toEqual([0, 'icanon echo']);
    } finally {
      session.close();
      for (const one of clean) await one();
    }
  },
);

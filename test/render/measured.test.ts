import { expect, test } from 'vitest';
import { execTexts } from '../../src/render/measured.ts';
import type { SkewReport } from '../../src/report/schema.ts';
import { forbidden, scaleUp } from './reports.ts';

const execsOf = (one: SkewReport, status: Partial<SkewReport['status']>) =>
  execTexts({ ...one, status: { ...one.status, ...status } });

test('commands are counted where they ran', () => {
  expect(execsOf(scaleUp, { execs: 12, execPods: 6 })).toEqual(['12 execs in 6 pods']);
  // 24 in all: 12 in six pods of the Service, ten in five clients, two in two agents.
  const execsElsewhere = [
    { where: 'clients', execs: 10, pods: 5 },
    { where: 'cilium-agents', execs: 2, pods: 2 },
  ] as const;
  expect(execsOf(scaleUp, { execs: 24, execPods: 6, execsElsewhere: [...execsElsewhere] })).toEqual([
    '12 execs in 6 pods',
    '10 execs in 5 client pods',
    '2 execs in 2 Cilium agents',
  ]);
});

test('a command that was refused is another thing than one without an answer', () => {
  expect(execsOf(forbidden, { execs: 1, execPods: 0 })).toEqual(['1 exec, refused']);
  expect(execsOf(scaleUp, { execs: 2, execPods: 0 })).toEqual(['2 execs, no answer']);
  expect(execsOf(scaleUp, { execs: 0, execPods: 0 })).toEqual(['no execs']);
});

import Value from 'typebox/value';
import { describe, expect, test } from 'vitest';
import { signalIds } from '../../src/evidence/signal-ids.ts';
import { explain, explainAll } from '../../src/explain/explain.ts';
import { SkewExplanation, SkewExplanationList } from '../../src/report/explanation.ts';
import {
  causeIds,
  comparisonResults,
  confidences,
  podMarks,
  probeFaultIds,
  states,
  strategyIds,
  verdictKinds,
  warningIds,
} from '../../src/report/ids.ts';
import { rules } from '../../src/strategies/rules.ts';
import { runHere } from '../cli/in-process.ts';

describe('explain', () => {
  const { items } = explainAll();

  test('knows every id that a report can hold, each once', () => {
    const figures = [
      'load',
      'fair-share',
      'effective-pods',
      'effective-connections',
      'peak-to-mean',
      'idle',
      'gini',
      'age-order',
    ];
    const wanted = [
      ...[...causeIds, ...strategyIds, ...signalIds, ...states, ...comparisonResults],
      ...[...confidences, ...figures],
      // `idle` is a figure as well as a mark.
      ...podMarks.filter((mark) => mark !== 'idle'),
      // What the table says of a pod that is no endpoint.
      'not-in-service',
      ...[...warningIds, ...probeFaultIds],
      ...[...verdictKinds, ...rules.map(({ row }) => `rule-${row}`)],
    ];
    const ids = items.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    // Labels and heads of columns are held by what screens draw.
    const named = items.flatMap(({ topic, id }) => (topic === 'line' || topic === 'column' ? [] : [id]));
    expect(named.sort()).toEqual([...wanted].sort());
    expect([...Value.Errors(SkewExplanationList, explainAll())]).toEqual([]);
  });

  test.each(items)('$id: what one needs to judge it', ({ id, topic }) => {
    const explanation = explain(id);
    expect([...Value.Errors(SkewExplanation, explanation)]).toEqual([]);
    const names = explanation?.sections.map(({ name }) => name) ?? [];
    const needed = {
      cause: ['looks-like', 'confidence', 'needs'],
      strategy: ['what', 'fits-when', 'presupposes', 'new-pods'],
      signal: ['source', 'needs', 'settles'],
      state: ['means', 'exit-code'],
      kind: ['means', 'exit-code'],
      comparison: ['means', 'exit-code'],
      line: ['means'],
      column: ['means'],
      rule: ['means'],
      term: ['means'],
      mark: ['means'],
      warning: ['means'],
    }[topic];
    expect(names).toEqual(expect.arrayContaining(needed));
    expect(explanation?.sections.flatMap(({ texts }) => texts).every((text) => text.trim() !== '')).toBe(true);
  });

  test('knows a mark as the table prints it', () => {
    expect(explain('restarted-3x')).toEqual(explain('restarted'));
    expect(explain('restarted')?.topic).toBe('mark');
  });

  test('rivals exist, and needs name the rights that a Role takes', () => {
    const texts = (name: string) =>
      items
        .flatMap(({ id }) => explain(id)?.sections.filter((section) => section.name === name) ?? [])
        .flatMap((section) => section.texts);
    for (const rival of texts('rivals')) expect(items.map(({ id }) => id)).toContain(rival.split(':')[0]);
    for (const need of texts('needs')) expect(need).toMatch(/\b(get|list|create) [a-z]/);
  });
});

describe('grpc-skew explain', () => {
  test('without a name: a line for each', async () => {
    const run = await runHere(['explain']);
    expect([run.code, run.stderr]).toEqual([0, '']);
    const { items } = explainAll();
    for (const { id, title } of items)
      expect(run.stdout).toMatch(new RegExp(`^${id} +.*${title.slice(0, 20).replaceAll(/[(.]/g, '.')}`, 'm'));
  });

  test.each([
    ['FAULT'],
    ['by setting'],
    ['by', 'setting'],
    ['harm'],
    ['pods used'],
    ['PODS-USED'],
    ['rule 9'],
    ['Rule', '9'],
  ])('%s %s, as a screen writes it', async (...words) => {
    const run = await runHere(['explain', ...words.filter((word) => word !== undefined), '-o', 'json']);
    expect([run.code, run.stderr]).toEqual([0, '']);
    expect(JSON.parse(run.stdout)).toEqual(explain(words.join(' ')));
  });

  test.each(['new-pods-idle', 'max-connection-age', 'connections', 'unknown', 'improved', 'effective-pods'])(
    '%s',
    async (id) => {
      const run = await runHere(['explain', id]);
      expect([run.code, run.stderr]).toEqual([0, '']);
      await expect(run.stdout).toMatchFileSnapshot(`golden/${id}.txt`);
      for (const line of run.stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
      const json = await runHere(['explain', id, '-o', 'json']);
      expect(JSON.parse(json.stdout)).toEqual(explain(id));
    },
  );

  test.each([
    [['explain', 'new-pod-idle'], /^error: nothing is called new-pod-idle; did you mean new-pods-idle\?$/],
    [['explain', 'weather'], /^error: nothing is called weather; kubectl grpc-skew explain alone lists what there is$/],
    [['explain', 'chance', 'few-connections'], /^error: one name at a time; kubectl grpc-skew explain alone lists/],
    [['explain', '\u001b[2J'], /^error: nothing is called \^\[\[2J; kubectl/],
    [['explain', 'chance', '-o', 'markdown'], /^error: --output does not know markdown; it takes json, table, yaml$/],
  ] as const)('%j: wrong usage, with the nearest names', async (args, line) => {
    const run = await runHere([...args]);
    expect([run.code, run.stdout]).toEqual([2, '']);
    expect(run.stderr.trimEnd()).toMatch(line);
  });
});

/** Whoever reads a word on a screen can ask what it means: every label and every head of a column is explained. */
import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { explain } from '../../src/explain/explain.ts';
import { stateLabel } from '../../src/render/headline.ts';
import { actions, bases, confidences, podMarks, states, verdictKinds } from '../../src/report/ids.ts';
import { rules } from '../../src/strategies/rules.ts';
import { report, scaleUp } from '../render/reports.ts';

/** A page has titles and descriptions of its own, and the same words where it says the same. */
const drawn = globSync('src/{render,tui}/**/*.{ts,tsx}')
  .filter((file) => !/render[\\/]html/.test(file))
  .map((file) => readFileSync(file, 'utf8'));

function written(pattern: RegExp, sources: readonly string[] = drawn): string[] {
  const found = sources.flatMap((text) => [...text.matchAll(pattern)].map(([, word = '']) => word));
  return [...new Set(found)].filter((word) => /\p{L}/u.test(word)).sort();
}

const heads = written(/(?:(?:figure|name|word)Column(?:<\w+>)?\(\s*|\bhead: |\bkind\()['`]([^'`$]*)/g);
const labels = written(/(?:\blabel: |labelledList\(\s*screen,\s*)'([^']*)'/g);
/** What the details of a cause, a strategy, a pod or a client are called: pairs of a label and its texts. */
const facts = written(
  /\[\s*'([A-Za-z][A-Za-z ]*)',/g,
  drawn.filter((text) => /\bFacts\b|\bfacts: \[/.test(text)),
);

describe('what is explained is what is drawn', () => {
  it('reads the words from where they are drawn', () => {
    expect(heads).toEqual(expect.arrayContaining(['CALLS/S', 'PODS-USED', 'PODS USED OF ', 'TCPSOCKET', 'MARKS']));
    expect(labels).toEqual(expect.arrayContaining(['impact', 'settle it', 'relief', 'not seen', 'left out']));
    expect(facts).toEqual(expect.arrayContaining(['needs', 'for', 'dials', 'memory', 'receives']));
  });

  it.each([...heads, ...labels, ...facts])('%s', (word) => {
    expect(explain(word.replace(/ OF $/, ''))).not.toBeNull();
  });
});

describe('values of what is drawn', () => {
  const verdicts = [
    ...states.map((state) => ({ state, kind: null })),
    ...verdictKinds.map((kind) => ({ state: states[2], kind })),
  ];

  it.each(verdicts)('$state $kind, as the headline says it', ({ state, kind }) => {
    const verdict = { ...scaleUp.status.verdict, state, kind };
    const explained = explain(stateLabel(report('echo', { verdict })));
    expect(explained?.id).toBe(kind ?? state);
    expect(explained?.sections.map(({ name }) => name)).toContain('exit-code');
  });

  it.each([
    ...actions,
    ...bases,
    ...confidences,
    ...podMarks,
    '×FAIR',
    'STALE',
    'HARM',
    'at risk',
    'no harm yet',
    'not known',
  ])('%s', (word) => {
    expect(explain(word)).not.toBeNull();
  });

  it('the rules by their numbers, as reports name them', () => {
    for (const { row, when } of rules) {
      expect(explain(`rule ${row}`)).toEqual(explain(`RULE-${row}`));
      expect(explain(`rule ${row}`)?.title).toContain(when);
    }
    expect(explain(`rule ${rules.length}`)).toBeNull();
  });
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { widthOf } from '../../src/render/text.ts';
import type { ReportPod, SkewReport } from '../../src/report/schema.ts';
import { idleText } from '../../src/tui/idle.ts';
import { podList } from '../../src/tui/pods.ts';
import { strip } from '../../src/tui/strip.ts';
import type { Action } from '../../src/watch/reduce.ts';
import { pod, report, scaleUp } from '../render/reports.ts';
import { canvasAs, frameOf, noon, stateOf, textOf } from './frames.ts';

/** Of 60 pods, 20 with a twentieth of the load each, and 40 with none. */
const sixty: SkewReport = report('echo', {
  ...scaleUp.status,
  pods: Array.from({ length: 60 }, (_, index) =>
    pod(`echo-${index}`, {
      load: index < 20 ? 0.05 : 0,
      expectedShare: 1 / 60,
      marks: index < 20 ? ['hot'] : ['idle'],
      ageSeconds: index < 20 ? 4000 : 100 + index,
    }),
  ),
});

describe('the strip', () => {
  test('one cell a pod, as high as its load against that of the hottest', () => {
    const loads = [0.5, 0.25, 0.25, 0, 0];
    const five = report('echo', { ...scaleUp.status, pods: loads.map((load, at) => pod(`echo-${at}`, { load })) });
    // A half of eight heights is the fourth or the fifth: 0.5 × 7, rounded, above the lowest.
    expect(strip(five, 60, canvasAs())).toEqual({ text: '█▅▅▁▁', perCell: 1 });
    expect(strip(five, 60, canvasAs({ unicode: false })).text).toBe('#==__');
  });

  test('where it does not fit a cell stands for the hottest of several pods', () => {
    const { text, perCell } = strip(sixty, 20, canvasAs());
    expect({ text, perCell }).toEqual({ text: `${'█'.repeat(7)}${'▁'.repeat(13)}`, perCell: 3 });
  });

  test('never wider than its room', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1200 }), fc.integer({ min: 1, max: 200 }), (count, width) => {
        const pods = Array.from({ length: count }, (_, at) => pod(`echo-${at}`, { load: at % 7 === 0 ? null : at }));
        const { text, perCell } = strip(report('echo', { ...scaleUp.status, pods }), width, canvasAs());
        expect(widthOf(text)).toBeLessThanOrEqual(width);
        expect(widthOf(text)).toBe(Math.ceil(count / perCell));
      }),
      { numRuns: 60 },
    );
  });
});

test('60 pods at 80×24: the strip, how many fair shares the hot ones have, and the idle ones, without a key', () => {
  const lines = frameOf(stateOf(sixty)).lines;
  expect(lines.join('\n')).toContain(`${'█'.repeat(20)}${'▁'.repeat(40)}`);
  expect(lines.filter((line) => / 3\.0× /.test(line)).length).toBeGreaterThanOrEqual(3);
  expect(lines.join('\n')).toMatch(/^ {2}… 1–\d+ of 20 pods, by load\n {2}\+ 40 idle, all younger than the others/m);
});

test('the course of a pod: the last hour where a Prometheus told of it, then since the view opened', () => {
  const [first, ...others] = scaleUp.status.pods;
  const past = [null, null, null, null, null, null, 0, 0, 5, 5, 10, 10];
  const told = {
    ...scaleUp,
    status: { ...scaleUp.status, pods: first === undefined ? [] : [{ ...first, past }, ...others] },
  };
  const rowIn = (seen: SkewReport, columns: number) =>
    frameOf(stateOf(seen), { columns, rows: 36 }).lines.find((line) => line.startsWith('▸')) ?? '';
  // Half and all of the most fair shares that any pod had, 10; the live cell is of 5.0 of them.
  expect(rowIn(told, 120)).toMatch(/ 5\.0× {2}▁▁▅▅██ +▅ /);
  expect(rowIn(scaleUp, 120)).toMatch(/ 5\.0× +█ /);
  const details = frameOf(stateOf(told, [{ kind: 'open', item: { kind: 'pod', name: first?.name ?? '' } }])).lines;
  expect(details.join('\n')).toMatch(/last hour +▁▁▅▅██ 0\.0× → 10\.0× an even share/);
});

test('a pod outside the endpoints that carries load is first, with its bar, its share and what that means', () => {
  const [hot, ...others] = scaleUp.status.pods;
  const name = hot?.name ?? '';
  const former = { ...hot, endpoint: false, load: null, expectedShare: null, marks: [], connections: 4 };
  // As the last of the report, with as many connections as all others together.
  const rest = others.map((entry, at) => ({
    ...entry,
    connections: at < 2 ? 2 : 0,
    bytesPerSecond: null,
    bytesTotal: null,
  }));
  const seen = report('echo', {
    ...scaleUp.status,
    pods: [...rest, { ...former, bytesPerSecond: null, bytesTotal: null } as ReportPod],
  });
  const lines = frameOf(stateOf(seen), { columns: 120, rows: 36 }).lines;
  expect(lines.find((line) => line.startsWith('▸'))).toMatch(new RegExp(`${name} +█+ +50 % +- .* not-in-service`));
  const details = textOf(frameOf(stateOf(seen, [{ kind: 'open', item: { kind: 'pod', name } }])));
  expect(details).toMatch(/load +50 % of what all pods carry, though it is outside the endpoints/);
});

test('a fair share is marked on every bar, where it ends', () => {
  const bars = podList(sixty, stateOf(sixty), canvasAs({ columns: 120 }), { width: 120, room: 30 }).map(
    ({ text }) => text,
  );
  const [first = ''] = bars.filter((line) => line.includes('█'));
  const bar = /[█┊]+/.exec(first)?.[0] ?? '';
  // A third of the bar of 5 % is 1.7 %.
  expect(bar.indexOf('┊')).toBe(Math.floor(bar.length / 3));
});

describe('the idle pods in one line', () => {
  const line = (seen: SkewReport) =>
    idleText(
      seen.status.pods.filter(({ marks }) => marks.includes('idle')),
      seen,
    );

  test('say what they have in common and the others have not', () => {
    expect(line(scaleUp)).toBe('7 idle, all younger than the others, none with a connection');
    const pods = [
      pod('a', { marks: ['hot'], node: 'n1', zone: 'z', ageSeconds: 50 }),
      ...['b', 'c', 'd'].map((name) => pod(name, { marks: ['idle'], node: 'n2', zone: 'z', ageSeconds: 50 })),
    ];
    expect(line(report('echo', { ...scaleUp.status, causes: [], pods }))).toMatch(/^3 idle, all on n2/);
  });

  test('say how many of them were not seen', () => {
    const pods = [
      pod('a', { marks: ['hot'], ageSeconds: 50 }),
      ...['b', 'c', 'd'].map((name, at) =>
        pod(name, {
          marks: at === 0 ? ['not-seen', 'idle'] : ['idle'],
          connections: at === 0 ? null : 0,
          ageSeconds: 50,
        }),
      ),
    ];
    expect(line(report('echo', { ...scaleUp.status, causes: [], pods }))).toBe('3 idle, 1 of them not seen');
  });

  test('enter unfolds them, and folds them again', () => {
    const open: Action = { kind: 'open', item: { kind: 'idle' } };
    const names = (actions: readonly Action[]) =>
      textOf(frameOf(stateOf(scaleUp, actions), { rows: 36 })).match(/^[▸ ] echo-/gm)?.length;
    expect(names([])).toBe(3);
    expect(names([open])).toBe(10);
    expect(names([open, open])).toBe(3);
    const onIdle: Action = { kind: 'move', by: 3, length: 4 };
    const frame = frameOf(stateOf(scaleUp, [onIdle]));
    expect(frame.chosen).toEqual({ kind: 'idle' });
    expect(frame.lines.join('\n')).toMatch(/^▸ \+ 7 idle/m);
  });

  test('the chosen row is in sight, wherever it is', () => {
    for (const [columns, rows] of [
      [60, 16],
      [80, 24],
      [200, 60],
    ] as const)
      for (const actions of [[], [{ kind: 'open', item: { kind: 'idle' } } as const]]) {
        const { length } = frameOf(stateOf(sixty, actions), { columns, rows });
        for (let by = 0; by < length; by++) {
          const state = stateOf(sixty, [...actions, { kind: 'move', by, length }]);
          expect(frameOf(state, { columns, rows }).lines.filter((line) => line.startsWith('▸ '))).toHaveLength(1);
        }
      }
  });
});

test.each([
  [60, 16],
  [80, 24],
])('at %i×%i the state, why, now and some pods are there at once', (columns, rows) => {
  for (const seen of [scaleUp, sixty]) {
    const text = textOf(frameOf(stateOf(seen), { columns, rows }));
    for (const word of ['SKEWED', 'why ', 'now ', '█']) expect(text).toContain(word);
    expect(text.match(/^[▸ ] echo-/gm)?.length).toBeGreaterThanOrEqual(2);
    expect(text).toMatch(/^ {2}\+ \d+ idle/m);
  }
});

test('each pod has its course where there is room: how many fair shares it had', () => {
  const moved: Action = {
    kind: 'report',
    report: {
      ...scaleUp,
      metadata: { ...scaleUp.metadata, generatedAt: '2026-11-29T15:46:55Z' },
      status: {
        ...scaleUp.status,
        pods: scaleUp.status.pods.map((entry, at) => ({ ...entry, load: at === 0 ? 0.1 : entry.load })),
      },
    },
    waitingFor: null,
    at: noon + 240_000,
  };
  // Five fair shares at first, the most that any pod had, then one: a fifth of seven steps up from the lowest.
  for (const [columns, rows] of [
    [120, 36],
    [200, 60],
  ] as const) {
    const [head = '', ...lines] = frameOf(stateOf(scaleUp, [moved]), { columns, rows }).lines.slice(1);
    expect(head).toContain('SKEWED');
    expect(lines.find((line) => line.startsWith('▸ '))).toMatch(/ 1\.0× {2} {6}█▂ /);
  }
});

test('what has changed since the view opened is said with the first and the newest figure', () => {
  const even: Action = {
    kind: 'report',
    report: {
      ...scaleUp,
      metadata: { ...scaleUp.metadata, generatedAt: '2026-11-29T15:46:55Z' },
      status: { ...scaleUp.status, skew: scaleUp.status.skew && { ...scaleUp.status.skew, effectivePods: 10 } },
    },
    waitingFor: null,
    at: noon + 240_000,
  };
  expect(textOf(frameOf(stateOf(scaleUp, [even])))).toMatch(/used {8}▃█ since you opened: 2\.7 → 10 pods used/);
  expect(textOf(frameOf(stateOf(scaleUp)))).toMatch(/used {8}▃ 2\.7 of 10 pods used$/m);
});

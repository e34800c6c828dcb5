import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { widthOf } from '../../src/render/text.ts';
import type { ReportPod, SkewReport } from '../../src/report/schema.ts';
import { podList } from '../../src/tui/pods.ts';
import { clientKey } from '../../src/tui/why-view.ts';
import type { Action } from '../../src/watch/reduce.ts';
import type { Item, Overlay } from '../../src/watch/state.ts';
import {
  balanced,
  compared,
  empty,
  forbidden,
  hostile,
  longNames,
  pod,
  report,
  reports,
  scaleUp,
} from '../render/reports.ts';
import { anyAction } from '../watch/actions.ts';
import { canvasAs, frameOf, noon, stateOf, textOf } from './frames.ts';

const why: Action = { kind: 'screen', screen: 'why' };
const overlayOf = (overlay: Overlay): Action => ({ kind: 'overlay', overlay });
/** Each line of a report that can be chosen, with its words. */
const explained = ({ status }: SkewReport): (readonly Action[])[] =>
  [
    { kind: 'idle' } as const,
    ...status.pods.slice(0, 3).map(({ name }) => ({ kind: 'pod', name }) as const),
    ...status.causes.map(({ id }) => ({ kind: 'cause', id }) as const),
    ...status.clients.map((client) => ({ kind: 'client', key: clientKey(client) }) as const),
    ...status.recommendation.strategies.map(({ id }) => ({ kind: 'strategy', id }) as const),
  ].map((item) => [overlayOf({ kind: 'explain', item })]);
const whatToDo: Action = { kind: 'screen', screen: 'what-to-do' };
const event: Action = {
  kind: 'report',
  report: {
    ...scaleUp,
    metadata: { ...scaleUp.metadata, generatedAt: '2026-11-29T15:43:10Z' },
    status: {
      ...scaleUp.status,
      pods: scaleUp.status.pods.map((entry, index) => ({
        ...entry,
        connections: index === 0 ? 0 : index === 9 ? 2 : entry.connections,
      })),
    },
  },
  waitingFor: null,
  at: noon + 15_000,
};

const sizes = [
  { columns: 80, rows: 24 },
  { columns: 120, rows: 36 },
  { columns: 200, rows: 60 },
];

describe.each(sizes)('at $columns×$rows', ({ columns, rows }) => {
  test.each([
    ['now', [event]],
    ['why', [event, why]],
    ['what-to-do', [event, whatToDo]],
  ] as const)('%s', async (name, actions) => {
    const text = textOf(frameOf(stateOf(scaleUp, actions), { columns, rows }));
    await expect(text).toMatchFileSnapshot(`golden/${name}-${columns}x${rows}.txt`);
  });
});

describe('at 80×24', () => {
  const firstPod = scaleUp.status.pods[0]?.name ?? '';
  test.each<readonly [string, SkewReport | null, readonly Action[]]>([
    ['looking', null, [{ kind: 'step', id: 'endpoints', state: 'done', text: '10 of 10 ready' }]],
    ['help', scaleUp, [{ kind: 'overlay', overlay: { kind: 'help' } }]],
    ['command', scaleUp, [{ kind: 'overlay', overlay: { kind: 'command' } }]],
    ['explain-pod', scaleUp, [overlayOf({ kind: 'explain', item: { kind: 'pod', name: firstPod } })]],
    ['details-pod', scaleUp, [{ kind: 'open', item: { kind: 'pod', name: firstPod } }]],
    ['details-strategy', scaleUp, [{ kind: 'open', item: { kind: 'strategy', id: 'max-connection-age' } }]],
    ['no-rights', forbidden, [why]],
    ['no-pods', empty, []],
    ['compared', compared, []],
  ])('%s', async (name, seen, actions) => {
    await expect(textOf(frameOf(stateOf(seen, actions)))).toMatchFileSnapshot(`golden/${name}.txt`);
  });
});

test('several ports: the title says which of them, the last line how to change', () => {
  const port = { port: 50_051, name: 'grpc', state: 'skewed' } as const;
  const two: Action = { ...event, ports: [port, { port: 50_052, name: 'admin', state: 'balanced' }] };
  const lines = frameOf(stateOf(scaleUp, [two]), { columns: 120 }).lines;
  expect(lines[0]).toContain('svc/echo :50051 grpc (1 of 2)');
  expect(lines.at(-1)).toMatch(/ p port /);
  const one = frameOf(stateOf(scaleUp, [event]), { columns: 120 }).lines;
  expect([one[0], one.at(-1)].join('')).not.toMatch(/of 2|p port/);
});

describe('whatever the report and the size', () => {
  const many = (count: number): SkewReport =>
    report('echo', {
      ...scaleUp.status,
      pods: Array.from({ length: count }, (_, index) => pod(`echo-${index}`, { load: index === 0 ? 1 : 0 })),
    });
  const endless = 'n'.repeat(253);
  const odd: readonly SkewReport[] = [
    ...Object.values(reports),
    many(1),
    many(200),
    many(1000),
    report(
      endless,
      { ...scaleUp.status, pods: [pod(endless), pod(`${endless.slice(0, 250)}-二`)] },
      {
        metadata: { ...scaleUp.metadata, name: endless, namespace: endless, context: endless },
      },
    ),
  ];

  test('a frame is exactly as high as the screen, no line is wider, and nothing raw is in it', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: odd.length - 1 }),
        fc.array(anyAction, { maxLength: 12 }),
        fc.integer({ min: 60, max: 240 }),
        fc.integer({ min: 16, max: 80 }),
        fc.record({ unicode: fc.boolean(), plain: fc.boolean() }),
        (which, actions, columns, rows, facts) => {
          const keys = actions.filter((action) => action.kind !== 'report' && action.kind !== 'step');
          const frame = frameOf(stateOf(odd[which] ?? scaleUp, keys.map(clean)), { columns, rows, ...facts });
          expect(frame.lines).toHaveLength(rows);
          for (const line of frame.lines) {
            expect(widthOf(line), line).toBeLessThanOrEqual(columns);
            expect(line).not.toMatch(/[\p{Cc}\p{Cf}]/u);
          }
        },
      ),
      { numRuns: 300 },
    );
  });

  test('with colours the only control sequences are colours, and each line ends them', () => {
    const states = odd.flatMap((seen) =>
      [why, whatToDo, { kind: 'back' } as const].map((action) => stateOf(seen, [action])),
    );
    for (const [columns, rows] of [
      [100, 30],
      [60, 16],
      [180, 50],
    ] as const)
      for (const state of states)
        for (const line of frameOf(state, { color: true, columns, rows }).lines) {
          const rest = line.replace(/\u001b\[[0-9;]*m/g, '');
          expect(rest).not.toMatch(/\p{Cc}/u);
          expect(widthOf(line)).toBeLessThanOrEqual(columns);
          expect(/\u001b\[[1-9][0-9;]*m[^\u001b]*$/.test(line), JSON.stringify(line)).toBe(false);
        }
  });

  test('in ASCII there is nothing else', () => {
    for (const seen of odd)
      for (const actions of [[], [why], [whatToDo], [overlayOf({ kind: 'help' })], ...explained(seen)])
        for (const line of frameOf(stateOf(seen, actions, false), { unicode: false }).lines)
          expect(line).toMatch(/^[\x20-\x7e]*$/);
  });

  test('hostile names are shown, not obeyed', () => {
    const text = textOf(frameOf(stateOf(hostile), { columns: 200, rows: 60 }));
    expect(text).not.toContain('\u001b');
    expect(text).toContain('^[');
  });

  test('too small a window has the state, why and what now, and says what the rest needs', () => {
    for (const [columns, rows] of [
      [59, 30],
      [80, 15],
      [40, 12],
    ] as const) {
      const { lines } = frameOf(stateOf(scaleUp), { columns, rows });
      expect(lines.length).toBeLessThanOrEqual(rows);
      expect(lines.at(-1)).toBe(`needs 60×16, this is ${columns}×${rows}`);
      const text = lines.join(' ').replaceAll(/ +/g, ' ');
      expect(text).toContain('SKEWED 10 pods do the work of 2.7: 7 are idle');
      expect(text).toContain('why the 4 connections are older than the 7 idle pods');
      expect(text).toContain('now do not scale');
    }
  });

  test('however small a window is, it is not overrun', () => {
    for (const seen of [null, ...odd])
      for (const [columns, rows] of [
        [20, 5],
        [12, 3],
        [7, 2],
        [1, 1],
      ] as const) {
        const { lines } = frameOf(stateOf(seen), { columns, rows });
        expect(lines.length).toBeLessThanOrEqual(rows);
        for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(columns);
      }
  });

  test('of a thousand pods only those on the screen are laid out', () => {
    const thousand = many(1000);
    let asked = 0;
    const pods = thousand.status.pods.map(
      (entry): ReportPod =>
        new Proxy(entry, {
          get(target, key, receiver) {
            if (key === 'memoryLimitBytes' || key === 'restarts') asked++;
            return Reflect.get(target, key, receiver);
          },
        }),
    );
    const canvas = canvasAs({ columns: 200, rows: 60 });
    const seen = { ...thousand, status: { ...thousand.status, pods } };
    const lines = podList(seen, stateOf(thousand), canvas, { width: 150, room: 40 });
    expect(lines).toHaveLength(40);
    expect(asked).toBeLessThan(300);
  });
});

test('a click finds what stands on that row, on each screen and at each size', () => {
  for (const { columns, rows } of sizes)
    for (const screen of [[], [why], [whatToDo]] as const) {
      const state = stateOf(scaleUp, screen);
      const { lines, rowAt, length } = frameOf(state, { columns, rows });
      const found = lines.map((_, row) => rowAt(row));
      for (const [row, at] of found.entries()) {
        if (at === null) continue;
        // Where the cursor goes by the click is the line that was clicked, or the one that it belongs to.
        const after = stateOf(scaleUp, [...screen, { kind: 'move', by: at, length }]);
        const marked = frameOf(after, { columns, rows }).lines.findIndex((line) => line.startsWith('▸'));
        const words = (text = '') => text.replace(/^[▸ ]+/, '').slice(0, 20);
        const belongs =
          words(frameOf(after, { columns, rows }).lines[marked]) === words(lines[row]) || found[row - 1] === at;
        expect([columns, rows, row, belongs]).toEqual([columns, rows, row, true]);
        expect(lines[row]).not.toBe('');
      }
      expect(found.filter((at) => at !== null).length).toBeGreaterThan(0);
      expect(rowAt(0)).toBeNull();
      expect(rowAt(lines.length - 1)).toBeNull();
    }
});

describe('the last line', () => {
  const width = { columns: 80 };
  const keysOf = (actions: readonly Action[], seen: SkewReport | null = scaleUp) =>
    [...(frameOf(stateOf(seen, actions), width).lines.at(-1) ?? '').matchAll(/(?:^| )\[?(\S+) [a-z]/g)].map(
      (found) => found[1],
    );
  const ports = [
    { port: 50_051, name: 'grpc', state: 'skewed' },
    { port: 50_052, name: 'admin', state: 'balanced' },
  ] as const;

  test('names at 80 columns what only this screen has', () => {
    expect(keysOf([])).toEqual(expect.arrayContaining(['1', '2', '3', 'enter', 'o', '?', 'q']));
    expect(keysOf([whatToDo])).toEqual(expect.arrayContaining(['1', '2', '3', 'w', 'l', '?', 'q']));
    for (const key of ['o', 'w', 'l']) expect(keysOf([why])).not.toContain(key);
  });

  test('names the other port wherever there is one', () => {
    const two: Action = { kind: 'report', report: scaleUp, ports, waitingFor: null, at: noon };
    for (const screen of [[], [why], [whatToDo]] as const) {
      expect(keysOf([two, ...screen])).toContain('p');
      expect(keysOf(screen)).not.toContain('p');
    }
  });

  test('names no key that does nothing', () => {
    for (const key of ['enter', 'o', 'c', 'y', 's']) expect(keysOf([], null), key).not.toContain(key);
    expect(keysOf([], empty)).not.toContain('enter');
    // A pod's details are longer than the screen, those of a list of keys on a tall one are not.
    const covered: Action = { kind: 'overlay', overlay: { kind: 'help' } };
    expect(frameOf(stateOf(scaleUp, [covered]), { columns: 120, rows: 60 }).lines.at(-1)).not.toContain('scroll');
    expect(frameOf(stateOf(scaleUp, [covered]), { columns: 80, rows: 16 }).lines.at(-1)).toContain('scroll');
  });
});

test('content below the screen is announced, and reached by going down', () => {
  for (const screen of [why, whatToDo]) {
    const whole = frameOf(stateOf(scaleUp, [screen]), { columns: 80, rows: 120 });
    const first = frameOf(stateOf(scaleUp, [screen]), { columns: 80, rows: 16 });
    expect(first.lines.join('\n')).toMatch(/^ {2}… \d+ more lines$/m);
    const down = Array.from({ length: first.length }, (): Action => ({ kind: 'move', by: 1, length: first.length }));
    const last = frameOf(stateOf(scaleUp, [screen, ...down]), { columns: 80, rows: 16 });
    expect(last.lines.join('\n')).toMatch(/^ {2}… \d+ lines above$/m);
    expect(last.lines.join('\n')).not.toMatch(/more lines?$/m);
    // What the list ends with.
    const end = whole.lines.slice(0, -3).findLast((line) => line.trim() !== '') ?? '';
    expect(last.lines.map((line) => line.trim())).toContain(end.trim());
  }
});

test('a large screen is filled: under the lists the pods, how many were used, what changed; beside them what words mean', () => {
  for (const screen of [why, whatToDo]) {
    const { lines, length, rowAt } = frameOf(stateOf(scaleUp, [event, screen]), { columns: 200, rows: 60 });
    const text = lines.join('\n');
    for (const part of [/^ {2}POD +LOAD /m, /^ {2}OVER TIME {2}/m, /^ {2}WHAT CHANGED/m]) expect(text).toMatch(part);
    for (const { name } of scaleUp.status.pods) expect(text).toContain(name);
    expect(lines.filter((line) => line.trim() !== '').length).toBeGreaterThan(45);
    // Nothing below the list can be chosen.
    const below = lines.findIndex((line) => line.startsWith('  POD '));
    expect(lines.slice(below).every((_, at) => rowAt(below + at) === null)).toBe(true);
    expect(length).toBeLessThan(lines.length);
  }
  const [cause] = scaleUp.status.causes;
  const beside = textOf(frameOf(stateOf(scaleUp, [why]), { columns: 200, rows: 60 }));
  expect(beside).toMatch(new RegExp(` {2}cause +${cause?.id}$`, 'm'));
  for (const columns of [120, 180])
    expect(textOf(frameOf(stateOf(scaleUp, [why]), { columns, rows: 24 }))).not.toContain('OVER TIME');
});

describe('warnings', () => {
  const warned = (...ids: readonly string[]): SkewReport => ({
    ...scaleUp,
    status: { ...scaleUp.status, warnings: ids.map((id) => ({ id, text: `what ${id} says` })) },
  });
  const three = warned('sidecar-port', 'hpa-blind', 'oom-victim');
  const warnLines = (seen: SkewReport) => frameOf(stateOf(seen)).lines.filter((line) => /^ {2}warn /.test(line));

  test('the first screen has the most harmful of them and how many there are', () => {
    expect(warnLines(three)).toEqual([expect.stringMatching(/^ {2}warn {8}oom-victim: what oom-victim says +1 of 3$/)]);
    expect(warnLines(warned('hpa-blind'))).toEqual(['  warn        hpa-blind: what hpa-blind says']);
    expect(warnLines(scaleUp)).toEqual([]);
  });

  test('the second screen has all, the most harmful first', () => {
    for (const size of [{}, { columns: 120, rows: 36 }, { columns: 200, rows: 60 }]) {
      const text = textOf(frameOf(stateOf(three, [why]), size));
      expect([...text.matchAll(/what (\S+) says/g)].map((found) => found[1])).toEqual([
        'oom-victim',
        'hpa-blind',
        'sidecar-port',
      ]);
    }
    expect(textOf(frameOf(stateOf(scaleUp, [why])))).not.toContain('WARNINGS');
  });

  test('a long one is cut where there is no room, and whole on the second screen', () => {
    const end = 'and this is its end';
    const text = `${'a word and '.repeat(34)}${end}`;
    const long = { ...scaleUp, status: { ...scaleUp.status, warnings: [{ id: 'hpa-blind', text }] } };
    const [line, ...others] = warnLines(long);
    expect(others).toEqual([]);
    expect(line).toMatch(/^ {2}warn {8}hpa-blind: a word .*…$/);
    expect(textOf(frameOf(stateOf(long, [why]))).replaceAll(/\s+/g, ' ')).toContain(end);
  });
});

describe('what a frame says', () => {
  const now = (state: ReturnType<typeof stateOf>) => textOf(frameOf(state, { columns: 120, rows: 36 }));

  test('before the first report: where, which Service, and every step', () => {
    const text = now(stateOf(null));
    for (const word of [
      'prod-eu / shop / svc/echo',
      'LOOKING',
      'endpoints',
      'usage',
      'connections',
      'calls',
      'probes',
      'clients',
    ])
      expect(text).toContain(word);
  });

  test('the ages of figures go on between the looks', () => {
    const at = (seconds: number) =>
      now(stateOf(scaleUp, [{ kind: 'tick', now: noon + seconds * 1000, asleep: false }]));
    const ageIn = (text: string) => Number(/connections (\d+) s/.exec(text)?.[1]);
    expect(ageIn(at(20)) - ageIn(at(0))).toBe(20);
  });

  test('paused, asleep, without an answer: in the title and in words', () => {
    expect(now(stateOf(scaleUp, [{ kind: 'pause' }]))).toMatch(/PAUSED .*\n[\s\S]*nothing is asked of the cluster/);
    expect(now(stateOf(scaleUp, [{ kind: 'tick', now: noon, asleep: true }]))).toMatch(
      /asleep .*\n[\s\S]*no more commands are run in pods/,
    );
  });

  test('a cluster that does not answer: since when, why, and when it is asked again', () => {
    const error = `${'could not connect to 10.0.0.1:6443 '.repeat(5)}and this is its end`;
    const lost = now(
      stateOf(scaleUp, [
        { kind: 'problem', message: error, retry: { at: noon + 71_000, seconds: 4 } },
        { kind: 'tick', now: noon + 72_000, asleep: false },
      ]),
    );
    expect(lost).toMatch(/^.* STALE 1m12s {2}15:44:07Z\n {2}STALE {7}since 15:42:55: could not connect/);
    expect(lost.replaceAll(/\s+/g, ' ')).toContain('and this is its end');
    expect(lost).toContain('no new answer; next try in 3 s');
    expect(lost).not.toContain('all signals seen');
  });

  test('without an answer and without an error for a minute the figures are old, too; not while they are paused', () => {
    const later = (seconds: number, actions: readonly Action[] = []) =>
      now(stateOf(scaleUp, [...actions, { kind: 'tick', now: noon + seconds * 1000, asleep: false }]));
    expect(later(59)).not.toContain('STALE');
    expect(later(60)).toMatch(/ STALE 1m .*\n {2}STALE {7}since 15:42:55: no look has answered/);
    expect(later(600, [{ kind: 'pause' }])).not.toContain('STALE');
  });

  test('old figures step back: nothing but what tells their age has a colour', () => {
    const state = stateOf(scaleUp, [{ kind: 'problem', message: 'no answer in 10 s' }]);
    const { lines } = frameOf(state, { columns: 120, rows: 36, color: true });
    const verdict = lines.find((line) => line.includes('SKEWED')) ?? '';
    expect(new Set(verdict.match(/\u001b\[[0-9;]*m/g))).toEqual(new Set(['\u001b[2m', '\u001b[0m']));
    // The title and what is going on, below, are about now.
    for (const line of lines.slice(1, -3)) expect(line).not.toMatch(/\u001b\[(?:[12];)?3/);
    expect(lines[0]).toMatch(/\u001b\[38;5;136mSTALE 0s/);
  });

  test('what is certain only with what is still missing is likely so far', () => {
    const looking = now(stateOf(null, [{ ...event, report: scaleUp, waitingFor: 'the second sample' }]));
    expect(looking).toMatch(/SKEWED .* likely so far\n {2}missing {5}the second sample/);
    expect(looking).not.toContain('certain');
    expect(now(stateOf(scaleUp))).toMatch(/SKEWED .* certain/);
  });

  test('what is missing, with the right that is missing', () => {
    expect(now(stateOf(forbidden))).toContain('NOT SEEN');
  });

  test('a chosen line has a sign, on every screen', () => {
    for (const action of [{ kind: 'back' } as const, why, whatToDo])
      expect(now(stateOf(scaleUp, [action])).match(/^▸ /gm)).toHaveLength(1);
  });

  test('for a screen reader there are no bars', () => {
    expect(textOf(frameOf(stateOf(scaleUp), { plain: true }))).not.toMatch(/[█▉▊▋▌▍▎▏]/);
  });

  test('names are cut in the list and whole in the details', () => {
    const [first] = longNames.status.pods;
    const name = first?.name ?? '';
    expect(textOf(frameOf(stateOf(longNames)))).toContain('…');
    const details = frameOf(stateOf(longNames, [{ kind: 'open', item: { kind: 'pod', name } }])).lines;
    expect(details.map((line) => line.trim()).join('')).toContain(name);
  });

  test('who owns the clients and their language are on the third screen', () => {
    const text = now(stateOf(balanced, [whatToDo, { kind: 'clients' }, { kind: 'language' }]));
    expect(text).toContain('owned, as you say');
    expect(text).not.toContain('not said');
  });
});

/** The session cleans what comes from the cluster before it becomes an action. */
function clean(action: Action): Action {
  const printable = (text: string) => text.replace(/[^\x20-\x7e]/g, '');
  if (action.kind === 'notice') return { ...action, text: printable(action.text) };
  if (action.kind === 'problem') return { ...action, message: printable(action.message) };
  return action;
}

describe('what the words of a line mean', () => {
  const text = (item: Item, seen = scaleUp) =>
    textOf(frameOf(stateOf(seen, [overlayOf({ kind: 'explain', item })]), { columns: 120, rows: 120 }));

  test('of a pod: its marks, the heads of its figures with what stands there, the words of the verdict', () => {
    const [hot] = scaleUp.status.pods;
    const said = text({ kind: 'pod', name: hot?.name ?? '' });
    expect(said).toMatch(/^ {2}hot +A pod with about/m);
    expect(said).toMatch(/^ {2}SHARE +The part of all load that a pod carries.* \d+ %$/m);
    for (const word of ['SKEWED', 'impact', 'why', 'now', 'fix', 'certain'])
      expect(said, word).toMatch(new RegExp(`^ {2}${word} +\\S`, 'm'));
    expect(text({ kind: 'pod', name: 'gone' })).toContain('it is no longer there');
  });

  test('of the idle ones, a cause and a strategy: all that explain prints', () => {
    expect(text({ kind: 'idle' })).toMatch(/^ {2}term +idle$/m);
    const [cause] = scaleUp.status.causes;
    const said = text({ kind: 'cause', id: cause?.id ?? '' });
    expect(said).toMatch(new RegExp(`^ {2}cause +${cause?.id}$`, 'm'));
    expect(said).toMatch(/^ {2}looks like /m);
    expect(said).toMatch(new RegExp(`^ {2}${cause?.confidence} +\\S`, 'm'));
    const { strategy, action, rule } = scaleUp.status.recommendation;
    const advice = text({ kind: 'strategy', id: strategy });
    expect(advice).toMatch(new RegExp(`^ {2}strategy +${strategy}$`, 'm'));
    for (const word of [action, `rule ${rule}`]) expect(advice).toMatch(new RegExp(`^ {2}${word} +\\S`, 'm'));
  });
});

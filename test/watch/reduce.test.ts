import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { SkewReport } from '../../src/report/schema.ts';
import { type Action, reduce } from '../../src/watch/reduce.ts';
import { podOrders, screens } from '../../src/watch/state.ts';
import { openStore } from '../../src/watch/store.ts';
import { windowAround } from '../../src/watch/window.ts';
import { balanced, scaleUp, twoHundred } from '../render/reports.ts';
import { anyAction, fresh, languageCount, noon, reduced } from './actions.ts';

const at = (report: SkewReport, generatedAt: string): SkewReport => ({
  ...report,
  metadata: { ...report.metadata, generatedAt },
});
const arrives = (report: SkewReport, waitingFor: string | null = null) =>
  ({ kind: 'report', report, waitingFor, at: noon }) as const;

describe('looks', () => {
  test('a step changes its own line only', () => {
    const state = reduced([{ kind: 'step', id: 'endpoints', state: 'done', text: '10 of 10 ready' }]);
    expect(state.steps.filter((step) => step.state !== 'waiting')).toEqual([
      { id: 'endpoints', title: 'endpoints', state: 'done', text: '10 of 10 ready' },
    ]);
  });

  test('before the first report the verdict waits for the first answer', () => {
    expect(fresh()).toMatchObject({ report: null, waitingFor: 'the first answer', events: [] });
    expect(reduced([arrives(scaleUp, 'the second sample')])).toMatchObject({
      report: scaleUp,
      waitingFor: 'the second sample',
      reportedAt: noon,
    });
  });

  test('the samples of the first look are no events, what comes later is', () => {
    const first = reduced([arrives(scaleUp, 'the connections'), arrives(at(balanced, '2026-11-29T15:43:00Z'))]);
    expect(first.events).toEqual([]);
    const later = reduced([arrives(at(scaleUp, '2026-11-29T15:43:03Z'))], first);
    expect(later.events.map((event) => event.time)).toContain('2026-11-29T15:43:03Z');
  });

  test('a report that only answers a toggle is no event, and ages go on from the look', () => {
    const before = reduced([arrives(scaleUp)]);
    const toggled = reduced([{ kind: 'clients' }, { ...arrives(scaleUp), at: noon + 5000 }], before);
    expect(toggled).toMatchObject({ events: [], reportedAt: noon });
  });

  test('a look without an answer leaves the report; the next one with an answer heals', () => {
    const failed = reduced([arrives(scaleUp), { kind: 'problem', message: 'no answer in 10 s' }]);
    expect(failed).toMatchObject({ report: scaleUp, problem: 'no answer in 10 s' });
    expect(reduced([arrives(scaleUp)], failed).problem).toBe('no answer in 10 s');
    expect(reduced([arrives(at(scaleUp, '2026-11-29T15:44:00Z'))], failed).problem).toBeNull();
  });

  test('a chosen pod beyond the end of a shorter list becomes the last one', () => {
    const end = reduced([arrives(twoHundred), { kind: 'move', by: 'end', length: 200 }]);
    expect(end.cursor.now).toBe(199);
    // Three pods carry the load, the seven idle ones stand in the fourth row.
    expect(reduced([arrives(at(scaleUp, '2026-11-29T15:44:00Z'))], end).cursor.now).toBe(3);
  });

  test('the log keeps the newest two hundred events', () => {
    let state = reduced([arrives(scaleUp)]);
    for (let round = 0; round < 300; round++) {
      const time = new Date(noon + round * 3000).toISOString();
      state = reduce(state, arrives(at(round % 2 === 0 ? balanced : scaleUp, time)));
    }
    expect(state.events).toHaveLength(200);
    expect(state.events.at(-1)?.time).toBe(new Date(noon + 299 * 3000).toISOString());
  });

  test('a tick moves the clock and tells who fell asleep', () => {
    expect(reduced([{ kind: 'tick', now: noon + 1000, asleep: true }])).toMatchObject({
      now: noon + 1000,
      asleep: true,
    });
  });
});

describe('several ports', () => {
  const port = (number: number, name: string | null, report: SkewReport): SkewReport => ({
    ...report,
    spec: { ...report.spec, port: { name, port: number, targetPort: number } },
  });
  const hot = port(50_051, 'grpc', scaleUp);
  const calm = port(50_052, null, balanced);
  const ports = [
    { port: 50_051, name: 'grpc', state: 'skewed' },
    { port: 50_052, name: null, state: 'balanced' },
  ] as const;
  const shows = (report: SkewReport, time = '2026-11-29T15:42:55Z') => ({ ...arrives(at(report, time)), ports });

  test('the key goes round, and says what comes', () => {
    const next = reduced([shows(hot), { kind: 'port' }]);
    expect(next).toMatchObject({ chosenPort: 50_052, notice: 'port 50052: balanced' });
    const round = reduced([shows(calm), { kind: 'port' }], next);
    expect(round).toMatchObject({ chosenPort: 50_051, notice: 'port grpc (50051): skewed' });
  });

  test('with one port there is nothing to choose', () => {
    expect(reduced([arrives(hot), { kind: 'port' }])).toMatchObject({
      chosenPort: null,
      notice: expect.stringContaining('one port'),
    });
  });

  test('what differs between two ports is no event, and the choice of a pod is not taken along', () => {
    const first = reduced([
      shows(hot),
      shows(port(50_051, 'grpc', balanced), '2026-11-29T15:43:00Z'),
      { kind: 'move', by: 2, length: 9 },
      { kind: 'open', item: { kind: 'pod', name: 'gone' } },
    ]);
    expect(first.events).not.toEqual([]);
    const other = reduced([shows(calm, '2026-11-29T15:43:05Z')], first);
    expect(other).toMatchObject({ report: { spec: { port: { port: 50_052 } } }, events: [], overlay: null });
    expect(other.cursor.now).toBe(0);
  });
});

describe('keys', () => {
  test('screens: by name and in turn, both ways round', () => {
    expect(reduced([{ kind: 'screen', screen: 'why' }]).screen).toBe('why');
    const round = screens.map(() => ({ kind: 'next-screen', by: 1 }) as const);
    expect(reduced(round).screen).toBe('now');
    expect(reduced([{ kind: 'next-screen', by: -1 }]).screen).toBe('what-to-do');
  });

  test('every screen keeps its own chosen line', () => {
    const state = reduced([
      arrives(scaleUp),
      { kind: 'move', by: 3, length: 10 },
      { kind: 'screen', screen: 'why' },
      { kind: 'move', by: 1, length: 4 },
    ]);
    expect(state.cursor).toEqual({ now: 3, why: 1, 'what-to-do': 0 });
  });

  test('moves end at the ends of the list', () => {
    const move = (by: number | 'start' | 'end', length = 5) => ({ kind: 'move', by, length }) as const;
    expect(reduced([move(-1)]).cursor.now).toBe(0);
    expect(reduced([move(99)]).cursor.now).toBe(4);
    expect(reduced([move('end'), move('start')]).cursor.now).toBe(0);
    expect(reduced([move('end', 0)]).cursor.now).toBe(0);
  });

  test('over a covered screen moves scroll what covers it', () => {
    const state = reduced([
      { kind: 'overlay', overlay: { kind: 'help' } },
      { kind: 'move', by: 2, length: 9 },
    ]);
    expect(state).toMatchObject({ scroll: 2, cursor: { now: 0 } });
    expect(reduced([{ kind: 'back' }], state)).toMatchObject({ scroll: 0, overlay: null });
  });

  test('the key that covers the screen uncovers it again', () => {
    const help = { kind: 'overlay', overlay: { kind: 'help' } } as const;
    expect(reduced([help]).overlay).toEqual({ kind: 'help' });
    expect(reduced([help, help]).overlay).toBeNull();
    expect(reduced([help, { kind: 'overlay', overlay: { kind: 'command' } }]).overlay).toEqual({ kind: 'command' });
    expect(reduced([help, { kind: 'screen', screen: 'why' }]).overlay).toBeNull();
  });

  test('details stay on what was opened', () => {
    const item = { kind: 'pod', name: 'echo-1' } as const;
    expect(reduced([{ kind: 'open', item }]).overlay).toEqual({ kind: 'details', item });
  });

  test('orders come in turn and begin at the top', () => {
    const start = reduced([arrives(scaleUp), { kind: 'move', by: 4, length: 10 }]);
    expect(reduced([{ kind: 'order' }], start)).toMatchObject({ order: 'connections', cursor: { now: 0 } });
    expect(reduced(podOrders.map(() => ({ kind: 'order' }) as const)).order).toBe('load');
  });

  test('a toggle is answered by what it changes in the advice', () => {
    const { recommendation } = scaleUp.status;
    const advising = (changes: Partial<SkewReport['status']>) =>
      arrives({ ...scaleUp, status: { ...scaleUp.status, ...changes } });
    const noticeOf = (answer: Action) => reduced([arrives(scaleUp), { kind: 'clients' }, answer]).notice;
    expect(noticeOf(arrives(scaleUp))).toBe('clients owned: the advice stays');
    expect(noticeOf(advising({ recommendation: { ...recommendation, text: 'L7 proxy / mesh' } }))).toBe(
      'clients owned: the fix is now L7 proxy / mesh',
    );
    expect(noticeOf(advising({ relief: [], avoid: ['do not'] }))).toBe(
      'clients owned: the fix stays; changed: relief, avoid',
    );
    // Whose they are is what was said, not what follows from it.
    expect(
      noticeOf(advising({ recommendation: { ...recommendation, ownership: 'owned', ownershipBasis: 'said' } })),
    ).toBe('clients owned: the advice stays');
  });

  test('a toggle before the first report is said, and a later look is no answer to it', () => {
    const early = reduced([{ kind: 'language' }, arrives(scaleUp)]);
    expect(early.notice).toMatch(/^language \S+$/);
    expect(early.said).toBeNull();
  });

  test('toggles go round', () => {
    expect(reduced([{ kind: 'clients' }]).clients).toBe('owned');
    expect(reduced(Array.from({ length: 4 }, () => ({ kind: 'clients' }) as const)).clients).toBe('inferred');
    expect(reduced(Array.from({ length: languageCount }, () => ({ kind: 'language' }) as const)).language).toBe(
      'unknown',
    );
  });

  test('a pause says what it means, and the next key takes the words away but not the pause', () => {
    const paused = reduced([{ kind: 'pause' }]);
    expect(paused.paused).toBe(true);
    expect(paused.notice).toContain('nothing is asked');
    expect(reduced([{ kind: 'move', by: 1, length: 3 }], paused)).toMatchObject({ paused: true, notice: null });
    expect(reduced([{ kind: 'pause' }], paused)).toMatchObject({ paused: false, notice: null });
  });
});

test('no sequence of looks and keys breaks the state', () => {
  fc.assert(
    fc.property(fc.array(anyAction, { maxLength: 60 }), (actions) => {
      const state = reduced(actions);
      expect(screens).toContain(state.screen);
      expect(podOrders).toContain(state.order);
      expect(state.scroll).toBeGreaterThanOrEqual(0);
      for (const chosen of Object.values(state.cursor)) expect(chosen).toBeGreaterThanOrEqual(0);
      expect(state.events.length).toBeLessThanOrEqual(200);
      expect(state.steps).toHaveLength(fresh().steps.length);
      const reports = actions.filter((action) => action.kind === 'report');
      expect(state.report).toBe(reports.at(-1)?.report ?? null);
    }),
  );
});

test('reducing changes neither the state nor the action', () => {
  fc.assert(
    fc.property(fc.array(anyAction, { maxLength: 10 }), anyAction, (actions, last) => {
      const before = reduced(actions);
      const copy = structuredClone({ before, last });
      reduce(before, last);
      expect({ before, last }).toEqual(copy);
    }),
  );
});

describe('store', () => {
  test('tells who listens about changes, and nobody about none', () => {
    const store = openStore(fresh());
    const heard: boolean[] = [];
    const leave = store.subscribe(() => heard.push(store.get().paused));
    store.dispatch({ kind: 'pause' });
    store.dispatch({ kind: 'pause' });
    leave();
    store.dispatch({ kind: 'pause' });
    expect(heard).toEqual([true, false]);
    expect(store.get().paused).toBe(true);
  });
});

describe('the window of a list', () => {
  test('is around the chosen line, as near to the middle as the ends allow', () => {
    expect(windowAround(0, 100, 10)).toEqual({ first: 0, count: 10 });
    expect(windowAround(50, 100, 10)).toEqual({ first: 45, count: 10 });
    expect(windowAround(99, 100, 10)).toEqual({ first: 90, count: 10 });
    expect(windowAround(2, 3, 10)).toEqual({ first: 0, count: 3 });
    expect(windowAround(0, 0, 10)).toEqual({ first: 0, count: 0 });
  });

  test('always lies in the list and holds the chosen line', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 2000 }),
        fc.nat(2000),
        fc.integer({ min: 1, max: 80 }),
        (length, at, room) => {
          const chosen = Math.min(at, length - 1);
          const { first, count } = windowAround(chosen, length, room);
          expect(count).toBe(Math.min(room, length));
          expect(first).toBeGreaterThanOrEqual(0);
          expect(first + count).toBeLessThanOrEqual(length);
          expect(chosen).toBeGreaterThanOrEqual(first);
          expect(chosen).toBeLessThan(first + count);
        },
      ),
    );
  });
});

import { array, constantFrom, assert as hold, integer, property, record, string } from 'fast-check';
import type { Key } from 'ink';
import { describe, expect, test } from 'vitest';
import { sanitise } from '../../src/render/sanitise.ts';
import { widthOf } from '../../src/render/text.ts';
import type { ScanItem } from '../../src/report/scan.ts';
import { readScanKey } from '../../src/tui/scan-keys.ts';
import { layOutScan } from '../../src/tui/scan-view.ts';
import { nameOf, reduceScan, type ScanAction, type ScanState, scanRows } from '../../src/watch/scan-state.ts';
import { canvasAs, noon } from './frames.ts';
import { impactOf, itemOf, scanOfItems, scanStateOf } from './scans.ts';

const many = Array.from({ length: 40 }, (_, at) => itemOf(`service-${String(at).padStart(2, '0')}`));
const hurt = itemOf('checkout', { state: 'skewed', effectivePods: 2.7, score: 2.2, impact: impactOf('harm') });
const atRisk = itemOf('search', { state: 'skewed', effectivePods: 5, score: 1, impact: impactOf('risk') });
const outage = itemOf('login', {
  ...{
    state: 'not-load-balancing',
    kind: 'outage',
    score: 0,
    effectivePods: null,
    pods: 0,
    impact: impactOf('unknown'),
  },
});

const frameText = (state: ScanState, given: Parameters<typeof canvasAs>[0] = {}) => {
  const { title, body, footer } = layOutScan(state, canvasAs(given));
  return [title, ...body, ...footer];
};

describe('the list', () => {
  test('sorts itself by harm: an outage stands before skew that does not hurt, whatever the scan ranks first', () => {
    expect(scanRows(scanStateOf([atRisk, itemOf('well'), hurt, outage])).map(({ name }) => name)).toEqual([
      'checkout',
      'login',
      'search',
      'well',
    ]);
  });

  test('says how many hurt, and of the chosen one what is known', () => {
    const text = frameText(scanStateOf([atRisk, hurt, itemOf('well')])).join('\n');
    expect(text).toMatch(/6 services, 3 look like gRPC +1 with HARM {2}1 at risk/);
    expect(text).toMatch(/▸ checkout:50051 +HARM +SKEWED +2\.7\/10/);
    expect(text).toMatch(/impact +this is harm +HARM/);
  });

  test('says of how many it is not known whether they hurt, and not that none does', () => {
    const blind = itemOf('blind', { impact: impactOf('unknown') });
    const summaryOf = (...items: readonly ScanItem[]) => frameText(scanStateOf(items))[1];
    expect(summaryOf(blind, itemOf('well'))).toMatch(/like gRPC +1 not known$/);
    expect(summaryOf(blind, hurt)).toMatch(/like gRPC +1 with HARM$/);
    expect(summaryOf(itemOf('well'))).toMatch(/like gRPC +no harm seen$/);
  });

  test.each([
    ['plain', 'p'.repeat(63)],
    ['one that is written longer than it is', `e${'\u0301'.repeat(60)}`],
  ])('a long name is cut, the others are whole, and of the chosen one all is said: %s', (_kind, name) => {
    const names = [name, ...many.slice(0, 3).map((item) => item.name)];
    const items = names.map((one, at) => itemOf(one, { score: 9 - at }));
    const text = frameText(scanStateOf(items), { columns: 80, rows: 24 });
    const rows = text.filter((line) => line.includes('BALANCED  '));
    expect(rows.map((line) => line.slice(2).split(/ {2}/)[0])).toEqual(
      expect.arrayContaining(names.slice(1).map((one) => `${one}:50051`)),
    );
    // A name keeps 36 of 80 columns, and the state stands beside it.
    const cut =
      rows
        .find((line) => line.includes('…'))
        ?.slice(2)
        .split(/ {2}/)[0] ?? '';
    expect(cut).toMatch(/^[pe].*…/);
    expect(widthOf(cut)).toBeGreaterThanOrEqual(36);
    for (const line of text) expect(widthOf(line)).toBeLessThanOrEqual(80);
    if (name.startsWith('p')) expect(text.join('').replaceAll(/\s/g, '')).toContain(`shop/${name}:50051`);
  });

  test('in all namespaces each Service has its own before it', () => {
    const state = [
      { kind: 'scope' },
      { kind: 'scan', scan: scanOfItems([hurt], null), at: noon },
    ] satisfies ScanAction[];
    const text = frameText(state.reduce(reduceScan, scanStateOf([]))).join('\n');
    expect(text).toContain('prod-eu / all namespaces');
    expect(text).toContain('▸ shop/checkout:50051');
  });

  test('the chosen Service stays chosen when others come to hurt more', () => {
    const before = scanStateOf([itemOf('a'), itemOf('b'), itemOf('c')], [{ kind: 'move', by: 1, length: 3 }]);
    const after = reduceScan(before, {
      kind: 'scan',
      scan: scanOfItems([hurt, ...['a', 'b', 'c'].map((name) => itemOf(name))]),
      at: noon,
    });
    expect(scanRows(after)[after.cursor]?.name).toBe('b');
  });

  test('the first line stays the first: what has come to hurt most is chosen where nobody chose', () => {
    const after = reduceScan(scanStateOf([itemOf('a')]), {
      kind: 'scan',
      scan: scanOfItems([hurt, itemOf('a')]),
      at: noon,
    });
    expect(scanRows(after)[after.cursor]?.name).toBe('checkout');
  });

  test('an error keeps the last list, and says how old it is', () => {
    const lost = scanStateOf(
      [hurt],
      [
        { kind: 'problem', problem: { kind: 'failed', message: 'could not list services: gone', hint: null } },
        { kind: 'tick', now: noon + 72_000 },
      ],
    );
    const lines = frameText(lost);
    expect(lines[0]).toMatch(/STALE 1m12s +15:44:07Z/);
    expect(lines.join('\n')).toContain('▸ checkout:50051');
    expect(lines.at(-3)).toContain('no new answer: could not list services: gone');
  });

  test('where nothing looks like gRPC it says so, and how to see more', () => {
    expect(frameText(scanStateOf([])).join(' ').replace(/ +/g, ' ')).toContain(
      'no Service looks like gRPC in namespace shop; a shows all namespaces',
    );
  });
});

const key = (given: Partial<Key> = {}): Key => ({ ...noKey, ...given });
const noKey = Object.fromEntries(
  [
    'upArrow',
    'downArrow',
    'leftArrow',
    'rightArrow',
    'pageDown',
    'pageUp',
    'home',
    'end',
    'return',
    'escape',
    'ctrl',
  ].map((name) => [name, false]),
) as unknown as Key;

/** Types keys, each on what the one before has left. */
function type(state: ScanState, ...keys: readonly (string | Partial<Key>)[]) {
  let now = state;
  const commands: unknown[] = [];
  for (const one of keys) {
    const shown = layOutScan(now, canvasAs());
    const pressed =
      typeof one === 'string' ? readScanKey(one, key(), now, shown) : readScanKey('', key(one), now, shown);
    if (pressed === null) continue;
    if ('command' in pressed) commands.push(pressed.command);
    else now = reduceScan(now, pressed.action);
  }
  return { state: now, commands, names: scanRows(now).map(({ name }) => name) };
}

describe('a Service that was opened', () => {
  const listed = itemOf('checkout', { state: 'unknown', basis: 'cpu', confidence: 'possible' });
  const found = itemOf('checkout', {
    ...{ state: 'skewed', basis: 'bytes', confidence: 'certain', impact: impactOf('harm') },
    ...{ effectivePods: 2.7, cause: 'new-pods-idle', summary: 'as the diagnosis says' },
  } as const);
  const opened = scanStateOf([atRisk, listed], [{ kind: 'diagnosed', item: found, at: noon }]);
  const again = (items: readonly ScanItem[]) =>
    reduceScan(opened, { kind: 'scan', scan: scanOfItems(items), at: noon });

  test('has its diagnosis in its line, with what that rests on, and is sorted by it', () => {
    expect(scanRows(opened)).toEqual([found, atRisk]);
    const text = frameText(opened, { columns: 120 }).join('\n');
    expect(text).toMatch(/SERVICE .* BY$/m);
    expect(text).toMatch(/checkout:50051 .*SKEWED .*certain +bytes$/m);
    expect(text).toMatch(/as the diagnosis says .*certain, diagnosed 15:42:55Z$/m);
    expect(text).toContain('1 with HARM');
    expect(frameText(scanStateOf([atRisk, listed]), { columns: 120 }).join('\n')).not.toMatch(/ BY$/m);
  });

  test('keeps it until the list says something else than before, or has other pods, or no such Service', () => {
    expect(scanRows(again([atRisk, { ...listed, restarts: 3 }]))).toContainEqual(found);
    for (const later of [
      { ...listed, state: 'balanced' as const },
      { ...listed, pods: 11 },
    ])
      expect(scanRows(again([atRisk, later]))).toContainEqual(later);
    expect(scanRows(again([atRisk]))).toEqual([atRisk]);
  });

  test('of which the list knows nothing is not there', () => {
    expect(scanRows(scanStateOf([atRisk], [{ kind: 'diagnosed', item: found, at: noon }]))).toEqual([atRisk]);
  });
});

describe('keys', () => {
  const three = scanStateOf([hurt, atRisk, itemOf('well')]);

  test('enter opens the chosen Service', () => {
    expect(type(three, 'j', { return: true }).commands).toEqual([{ open: atRisk }]);
  });

  test('/ takes letters for a filter, also those that are keys; enter keeps it, esc clears it', () => {
    const typing = type(three, '/', 'q', 'a', { backspace: true }, { backspace: true }, 'S', 'E', 'A');
    expect([typing.names, typing.commands]).toEqual([['search'], []]);
    const kept = type(typing.state, { return: true });
    expect([kept.state.typing, kept.names]).toEqual([false, ['search']]);
    expect(type(kept.state, { return: true }).commands).toEqual([{ open: atRisk }]);
    expect(type(kept.state, { escape: true }).names).toHaveLength(3);
    expect(type(typing.state, { escape: true }).names).toHaveLength(3);
  });

  test('ctrl-c ends also while a filter is typed', () => {
    const { state } = type(three, '/', 'x');
    expect(readScanKey('c', key({ ctrl: true }), state, layOutScan(state, canvasAs()))).toEqual({
      command: 'interrupt',
    });
  });

  test('h covers the list and scrolls with j and k; nothing is opened behind it', () => {
    const open = type(three, 'h', { return: true });
    expect([open.state.overlay, open.commands]).toEqual([{ kind: 'help' }, []]);
    expect(type(open.state, { escape: true }).state.overlay).toBeNull();
  });

  test('? says what the words of the chosen Service mean; again, and where none is chosen, the keys', () => {
    const screen = (state: ScanState) => layOutScan(state, canvasAs({ rows: 60 })).body.join('\n');
    const words = type(three, 'j', '?').state;
    expect(screen(words)).toContain('shop/search:50051');
    expect(screen(words)).toMatch(/^ {2}at risk +How much it hurts now/m);
    expect(screen(words)).toMatch(/^ {2}PODS-USED .* \d+(\.\d)?\/10$/m);
    expect(screen(words).match(/How much it hurts now/g)).toHaveLength(1);
    expect(layOutScan(words, canvasAs()).footer.at(-1)).toMatch(/\? keys/);
    // Another order of the list is no other Service.
    const later = reduceScan(words, { kind: 'scan', scan: scanOfItems([itemOf('other'), atRisk]), at: noon });
    expect(screen(later)).toContain('shop/search:50051');
    const keys = type(words, '?').state;
    expect(screen(keys)).toContain('KEYS');
    expect(type(keys, '?').state.overlay).toBeNull();
    expect(type(scanStateOf([]), '?').state.overlay).toEqual({ kind: 'help' });
  });
});

describe('every frame', () => {
  const items = array(
    record({
      name: string({ maxLength: 300 }).map((text) => sanitise(text) || 'x'),
      level: constantFrom('none', 'unknown', 'risk', 'harm'),
      used: integer({ min: 0, max: 10 }),
    }),
    { maxLength: 60 },
  ).map((all) =>
    all.map(({ name, level, used }, at) =>
      itemOf(`${name}${at}`, { impact: impactOf(level as ScanItem['impact']['level']), effectivePods: used }),
    ),
  );

  test('has exactly the size of the screen and, while there is room, the chosen line', () => {
    hold(
      property(
        items,
        integer({ min: 1, max: 220 }),
        integer({ min: 1, max: 70 }),
        integer({ min: 0, max: 70 }),
        (some, columns, rows, by) => {
          const state = scanStateOf(some, [{ kind: 'move', by, length: some.length }]);
          const lines = frameText(state, { columns, rows });
          expect(lines).toHaveLength(rows);
          for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(columns);
          if (some.length > 0 && rows >= 9 && columns >= 20)
            expect(lines.filter((line) => line.startsWith('▸'))).toHaveLength(1);
        },
      ),
    );
  });

  test('a click finds the Service whose name stands on that row', () => {
    const state = scanStateOf(many, [{ kind: 'move', by: 25, length: many.length }]);
    const { body, rowAt } = layOutScan(state, canvasAs());
    const rows = scanRows(state);
    const listed = body.flatMap((line, at) => {
      const name = /service-\d\d/.exec(line)?.[0];
      return name === undefined ? [] : [[name, rows[rowAt(at + 1) ?? -1]?.name]];
    });
    expect(listed.length).toBeGreaterThan(5);
    for (const [shown, found] of listed) expect(found).toBe(shown);
    expect([rowAt(0), rowAt(23)]).toEqual([null, null]);
  });

  test('a Service is one line wherever it goes', () => {
    hold(
      property(items, (some) => {
        expect(new Set(scanRows(scanStateOf(some)).map(nameOf)).size).toBe(some.length);
      }),
    );
  });
});

import type { Key } from 'ink';
import { describe, expect, test } from 'vitest';
import { readKey } from '../../src/tui/keys.ts';
import { reduce } from '../../src/watch/reduce.ts';
import type { WatchState } from '../../src/watch/state.ts';
import { scaleUp } from '../render/reports.ts';
import { frameOf, stateOf, textOf } from './frames.ts';

const noKey: Key = {
  upArrow: false,
  downArrow: false,
  leftArrow: false,
  rightArrow: false,
  pageDown: false,
  pageUp: false,
  home: false,
  end: false,
  return: false,
  escape: false,
  ctrl: false,
  shift: false,
  tab: false,
  backspace: false,
  delete: false,
  meta: false,
  super: false,
  hyper: false,
  capsLock: false,
  numLock: false,
};

const state = stateOf(scaleUp);
const frame = frameOf(state);
const press = (input: string, key: Partial<Key> = {}, from = state) =>
  readKey(input, { ...noKey, ...key }, from, frameOf(from));
const printable = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index));

describe('help and keys agree', () => {
  const help = textOf(
    frameOf(stateOf(scaleUp, [{ kind: 'overlay', overlay: { kind: 'help' } }]), { columns: 120, rows: 40 }),
  );
  const named = new Set(help.split(/[^\w?/]+/));

  test('each key that does something is in the help', () => {
    const working = printable.filter((input) => press(input) !== null);
    expect(working.length).toBeGreaterThan(15);
    expect(working.filter((input) => !named.has(input === ' ' ? 'space' : input))).toEqual([]);
  });

  test('each key at the bottom of the screen does something', () => {
    const bottom =
      textOf(frameOf(state, { columns: 200, rows: 40 }))
        .trimEnd()
        .split('\n')
        .at(-1) ?? '';
    const keys = bottom.match(/(?<=^| {2}|\[)([1-9a-z?])(?= )/g) ?? [];
    expect(keys.length).toBeGreaterThan(7);
    for (const key of keys) expect(press(key), key).not.toBeNull();
  });
});

describe('what a key does', () => {
  test('moves know how long the list and a page are', () => {
    expect(press('j')).toEqual({ action: { kind: 'move', by: 1, length: frame.length } });
    expect(press('', { pageDown: true })).toEqual({ action: { kind: 'move', by: frame.page, length: frame.length } });
    expect(press('G')).toEqual(press('', { end: true }));
  });

  test('enter opens what is chosen, and nothing over something open', () => {
    const item = { kind: 'pod', name: scaleUp.status.pods[0]?.name } as const;
    expect(press('', { return: true })).toEqual({ action: { kind: 'open', item } });
    const covered = stateOf(scaleUp, [{ kind: 'overlay', overlay: { kind: 'help' } }]);
    expect(press('', { return: true }, covered)).toBeNull();
    expect(press('', { return: true }, stateOf(null))).toBeNull();
  });

  test('? says what the words of the chosen line mean; again, and where none is chosen, it names the keys', () => {
    const keys = { action: { kind: 'overlay', overlay: { kind: 'help' } } };
    const pod = { kind: 'pod', name: scaleUp.status.pods[0]?.name ?? '' } as const;
    expect(press('?')).toEqual({ action: { kind: 'overlay', overlay: { kind: 'explain', item: pod } } });
    const words = stateOf(scaleUp, [{ kind: 'overlay', overlay: { kind: 'explain', item: pod } }]);
    expect(press('?', {}, words)).toEqual(keys);
    expect(press('h')).toEqual(keys);
    expect(press('?', {}, stateOf(null))).toEqual(keys);
    const cause = { kind: 'cause', id: scaleUp.status.causes[0]?.id ?? '' } as const;
    const details = stateOf(scaleUp, [{ kind: 'open', item: cause }]);
    expect(press('?', {}, details)).toEqual({ action: { kind: 'overlay', overlay: { kind: 'explain', item: cause } } });
  });

  test('q and ctrl-c quit, a c alone does not', () => {
    expect(press('q')).toEqual({ command: 'quit' });
    expect(press('c', { ctrl: true })).toEqual({ command: 'quit' });
    expect(press('c')).toEqual({ action: { kind: 'overlay', overlay: { kind: 'command' } } });
  });

  test('/ takes letters for a filter of pods and clients, also those that are keys; enter keeps it, esc clears it', () => {
    const type = (from: WatchState, ...keys: readonly (string | Partial<Key>)[]) =>
      keys.reduce((now: WatchState, one) => {
        const pressed = typeof one === 'string' ? press(one, {}, now) : press('', one, now);
        return pressed !== null && 'action' in pressed ? reduce(now, pressed.action) : now;
      }, from);
    const name = scaleUp.status.pods[4]?.name ?? '';
    const end = name.slice(-5);
    const typing = type(state, '/', 'q', { backspace: true }, ...end);
    expect([typing.filter, typing.typing, frameOf(typing).length]).toEqual([end, true, 1]);
    expect(textOf(frameOf(typing))).toMatch(new RegExp(`^▸ ${name} `, 'm'));
    const kept = type(typing, { return: true });
    expect([kept.filter, kept.typing]).toEqual([end, false]);
    expect(press('q', {}, kept)).toEqual({ command: 'quit' });
    for (const from of [typing, kept]) expect(frameOf(type(from, { escape: true })).length).toBe(frame.length);
    const [client] = scaleUp.status.clients;
    const clients = type(state, '2', '/', ...'no such client');
    expect(textOf(frameOf(clients))).toContain('has no such client in its name');
    expect(textOf(frameOf(type(state, '2', '/', ...(client?.workload ?? ''))))).toContain(client?.workload);
    expect(press('/', {}, type(state, '3'))).toBeNull();
  });

  test('other keys with ctrl or meta do nothing, nor do names of what every object has', () => {
    expect(press('q', { ctrl: true })).toBeNull();
    expect(press('s', { meta: true })).toBeNull();
    expect(press('constructor')).toBeNull();
  });
});

import { render } from 'ink-testing-library';
import { createElement } from 'react';
import { expect, onTestFinished, test, vi } from 'vitest';
import { App } from '../../src/tui/app.tsx';
import type { Command } from '../../src/tui/keys.ts';
import type { Action } from '../../src/watch/reduce.ts';
import { openStore } from '../../src/watch/store.ts';
import { scaleUp } from '../render/reports.ts';
import { noon, stateOf } from './frames.ts';

const style = { color: false, unicode: true, plain: false };

function show(actions: readonly Action[] = []) {
  const store = openStore(stateOf(scaleUp, actions));
  const commands: Command[] = [];
  const onKey = vi.fn();
  const props = { store, style, onKey, onCommand: (command: Command) => commands.push(command) };
  const app = render(createElement(App, props));
  onTestFinished(() => app.unmount());
  return { ...app, store, commands, onKey };
}

test('draws the state, and draws it anew when it changes', async () => {
  const { lastFrame, store } = show();
  expect(lastFrame()).toContain('10 pods do the work of 2.7');
  store.dispatch({ kind: 'notice', text: 'saved as x.json' });
  await expect.poll(lastFrame).toContain('saved as x.json');
});

test('keys become actions; every key is noted, also one that does nothing', async () => {
  const { stdin, lastFrame, onKey } = show();
  await expect.poll(lastFrame).toContain('[1 now]');
  stdin.write('2');
  await expect.poll(lastFrame).toContain('[2 why]');
  stdin.write('x');
  await expect.poll(() => onKey.mock.calls.length).toBe(2);
});

test('keys that come as one input all count, each on what the one before has left', async () => {
  const { stdin, lastFrame, store } = show();
  await expect.poll(lastFrame).toContain('[1 now]');
  stdin.write('jjj');
  await expect.poll(() => store.get().cursor.now).toBe(3);
  stdin.write('3jj');
  await expect.poll(() => store.get().cursor['what-to-do']).toBe(2);
});

test('commands go to the session', async () => {
  const { stdin, lastFrame, commands } = show();
  await expect.poll(lastFrame).toContain('[1 now]');
  for (const key of ['y', 's', 'r', '\u0003', 'q']) {
    const before = commands.length;
    stdin.write(key);
    await expect.poll(() => commands.length).toBe(before + 1);
  }
  expect(commands).toEqual(['copy', 'save', 'again', 'quit', 'quit']);
});

test.each([
  ['in brackets, as terminals mark it', '\u001b[200~squy2\u001b[201~'],
  ['as it is, by a terminal that knows no brackets', 'squy2'.repeat(20)],
])('a pasted text is no keys: %s', async (_name, text) => {
  const { stdin, lastFrame, commands, onKey, store } = show();
  await expect.poll(lastFrame).toContain('[1 now]');
  stdin.write(text);
  await expect.poll(() => onKey.mock.calls.length).toBe(1);
  expect({ commands, screen: store.get().screen }).toEqual({ commands: [], screen: 'now' });
  stdin.write('3');
  await expect.poll(() => store.get().screen).toBe('what-to-do');
});

test('a tick changes the clock and the ages, and no other line', async () => {
  const { lastFrame, store } = show();
  const before = (lastFrame() ?? '').split('\n');
  store.dispatch({ kind: 'tick', now: noon + 10_000, asleep: false });
  await expect.poll(lastFrame).toContain('15:43:05Z');
  const after = (lastFrame() ?? '').split('\n');
  const changed = after.flatMap((line, row) => (line === before[row] ? [] : [row]));
  expect(changed).toEqual([0, before.length - 2]);
});

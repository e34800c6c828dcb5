import { describe, expect, test } from 'vitest';
import { completionAt } from '../../src/cli/complete.ts';
import type { Flag } from '../../src/cli/flag.ts';
import { type CommandName, commands, outputs } from '../../src/cli/flags.ts';
import { strategyIds } from '../../src/report/ids.ts';

const own = [{ value: 'scale-up', help: 'Scaled up' }];
const at = (...words: readonly string[]) => completionAt(words, own);
const values = (...words: readonly string[]) => at(...words).words.map(({ value }) => value);

describe('the first word', () => {
  test('is a command or a Service', () => {
    expect(at('')).toMatchObject({ live: 'service', files: false, typed: '', lead: '' });
    const named = (Object.keys(commands) as CommandName[]).filter((command) => command !== 'diagnose');
    expect(values('')).toEqual([...named, 'version', 'help']);
  });

  test('behind a flag it is a Service alone: run.ts takes only the very first word for a command', () => {
    expect(at('-n', 'shop', '')).toMatchObject({ words: [], live: 'service' });
  });

  test.each([
    ['deploy/', 'deployment', 'deploy/', ''],
    ['svc/ec', 'service', 'svc/', 'ec'],
    ['po/echo-', 'pod', 'po/', 'echo-'],
    ['sts/x', 'statefulset', 'sts/', 'x'],
    ['ds/x', 'daemonset', 'ds/', 'x'],
  ] as const)('%s', (word, live, lead, typed) => {
    expect(at(word)).toMatchObject({ live, lead, typed, words: [] });
  });

  test('a type that cannot be diagnosed has no names', () => {
    expect(at('secret/')).toMatchObject({ live: null, words: [] });
  });
});

test('TYPE NAME, and no third', () => {
  expect(at('deploy', '')).toMatchObject({ live: 'deployment', lead: '' });
  expect(at('deploy', 'echo', '')).toMatchObject({ live: null, words: [] });
  expect(at('echo', '')).toMatchObject({ live: null, words: [] });
  expect(at('fix', '')).toMatchObject({ live: 'service', words: [] });
});

test('commands that name things of their own', () => {
  expect(at('lab', '').words).toEqual(own);
  expect(at('explain', '').words).toEqual(own);
  expect(values('completion', '')).toEqual(['kubectl', 'bash', 'zsh', 'fish']);
  expect(at('scan', '')).toMatchObject({ words: [], live: null });
  expect(at('lab', 'scale-up', '')).toMatchObject({ words: [], live: null });
});

describe('flags', () => {
  test.each(Object.keys(commands) as CommandName[])('all of %s, with their help', (command) => {
    const flags: readonly Flag[] = commands[command];
    const words = command === 'diagnose' ? ['--'] : [command, '--'];
    // The word being typed is --; behind a -- of its own there are no flags.
    expect(at(...words).words).toEqual(
      flags.map((flag) => ({ value: flag.name === 'v' ? '-v' : `--${flag.name}`, help: flag.help })),
    );
  });

  test('each once, save those that may be repeated', () => {
    expect(values('echo', '--output=json', '--as-group', 'x', '--')).not.toContain('--output');
    expect(values('echo', '--output=json', '--as-group', 'x', '--')).toContain('--as-group');
  });

  test('behind -- there are arguments alone', () => {
    expect(at('--', '')).toMatchObject({ words: [], live: 'service' });
    expect(at('--', '-')).toMatchObject({ words: [], live: 'service' });
  });

  test.each([[['echo', '-o', '']], [['echo', '--output', '']], [['echo', '--output=']]])(
    '%j: the values it allows',
    (words) => {
      expect(values(...words)).toEqual(outputs);
    },
  );

  test('of a command, not of another', () => {
    expect(values('fix', 'echo', '-o', '')).toEqual(['yaml']);
    expect(values('fix', 'echo', '--strategy', '')).toEqual(strategyIds);
  });

  test('a letter behind switches, and underscores', () => {
    expect(values('scan', '-Ao', '')).toContain('json');
    expect(values('echo', '--fail_on', '')).toContain('skewed');
  });

  test('several values with commas: the rest of them', () => {
    const completion = at('echo', '--languages', 'go,rust,j');
    expect(completion).toMatchObject({ lead: 'go,rust,', typed: 'j' });
    const left = completion.words.map(({ value }) => value);
    expect(left).toContain('java');
    expect(left).not.toContain('go');
  });

  test('switches take a value only with an equals sign', () => {
    expect(values('echo', '--no-exec=')).toEqual(['true', 'false']);
    expect(at('--no-exec', '')).toMatchObject({ live: 'service' });
  });

  test.each([
    [['-n', ''], 'namespaces'],
    [['--namespace=s'], 'namespaces'],
    [['--context', ''], 'contexts'],
    [['--cluster', ''], 'clusters'],
    [['--user', ''], 'users'],
    [['--token', ''], null],
    [['--window', ''], null],
  ] as const)('%j: names from outside', (words, live) => {
    expect(at(...words)).toMatchObject({ live, words: [], files: false });
  });

  test.each(['--kubeconfig', '--record', '--from', '--baseline'])('%s: files', (flag) => {
    expect(at('echo', flag, '')).toMatchObject({ files: true, live: null });
    expect(at('echo', `${flag}=x`)).toMatchObject({ files: true, typed: 'x' });
  });
});

test('the words before say which cluster; a flag that waits for its value does not', () => {
  expect(at('--context', 'prod', '-n', '')).toMatchObject({ before: ['--context', 'prod'], command: 'diagnose' });
  expect(at('fix', '-n', 'shop', '')).toMatchObject({ before: ['fix', '-n', 'shop'], command: 'fix' });
});

/** Every command is what it says: a real shell reads the very words, however it was broken into lines. */
import { globSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { behindMargin, command, screenFor } from '../../src/render/lines.ts';
import { sanitise } from '../../src/render/sanitise.ts';
import { painter, signs } from '../../src/render/style.ts';
import { widthOf } from '../../src/render/text.ts';
import { kubectl } from '../../src/report/command.ts';
import { commandsOn, runIn, shells } from './shell.ts';

const usual = fc.constantFrom(
  ...[
    'prod',
    'eu-1',
    ' ',
    '(blue)',
    '$(touch x)',
    '`id`',
    "'",
    '"',
    '\\',
    '\\\\',
    '!',
    '!!',
    '#',
    '&&',
    '|',
    ';',
    '>x',
  ],
  ...[
    '<',
    '*',
    '?',
    '[a]',
    '{b,c}',
    "'{",
    '{"a": ',
    '~',
    '$HOME',
    '%',
    '=',
    '-',
    '--all',
    ':',
    '@',
    'é',
    '漢',
    '…',
    ' -p ',
  ],
);
const unshown = fc.constantFrom('\n', '\r\n', '\t', '\u001b[2J', '\u202e', '\u00a0', '\u200b', '\u0000');
const part = fc.oneof({ weight: 200, arbitrary: usual }, { weight: 1, arbitrary: unshown });
const word = fc
  .array(part, { minLength: 1, maxLength: 40 })
  .map((parts) => parts.join(''))
  .filter((text) => text !== '');
const name = fc.stringMatching(/^[a-z]([-a-z0-9]{0,60}[a-z0-9])?$/);

interface Asked {
  readonly context: string;
  readonly namespace: string;
  readonly pod: string;
  readonly more: readonly string[];
}

const asked: fc.Arbitrary<Asked> = fc.record({
  context: word,
  namespace: name,
  pod: name,
  more: fc.array(word, { maxLength: 4 }),
});

const expected = ({ context, namespace, pod, more }: Asked) => [
  ...['delete', 'pod', pod, '-n', namespace],
  // Behind a flag of its own a leading dash would be another flag, for some parsers.
  ...(context.startsWith('-') ? [`--context=${context}`] : ['--context', context]),
  ...more,
];
const written = ({ context, namespace, pod, more }: Asked) =>
  kubectl({ context, namespace }, ['delete', 'pod', pod], more);
const isPrintable = ({ context, more }: Asked) => [context, ...more].every((each) => sanitise(each) === each);

const samples = fc.sample(asked, { numRuns: 1500, seed: 7 });

test('a word that a terminal cannot show as it is makes no command, any other does', () => {
  for (const sample of samples) expect(written(sample) === null, JSON.stringify(sample)).toBe(!isPrintable(sample));
  expect(samples.filter(isPrintable).length).toBeGreaterThan(200);
});

describe.each(shells)('%s', (shell) => {
  const printed = samples.filter(isPrintable);

  test('reads the words that were meant', () => {
    expect(
      runIn(
        shell,
        printed.map((sample) => written(sample) ?? ''),
      ),
    ).toEqual(printed.map(expected));
  });

  test.each([
    [60, ''],
    [80, ''],
    [80, '  '],
    [140, '    '],
  ] as const)('reads them from lines of %i columns behind the margin %j', (columns, margin) => {
    const screen = screenFor({ columns, paint: painter(false), signs: signs(true) });
    const lines = printed.flatMap((sample) => behindMargin(command(screen, written(sample) ?? ''), margin));
    for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(columns + margin.length);
    expect(runIn(shell, lines)).toEqual(printed.map(expected));
    expect(commandsOn(lines)).toHaveLength(printed.length);
  });
});

test('what is no name of an object makes no command', () => {
  for (const bad of ['', '-A', '--all', 'a b', 'a;b', 'a\nb', '$(id)', 'a,b'])
    expect([
      kubectl({ context: 'prod', namespace: 'shop' }, ['delete', 'pod', bad]),
      kubectl({ context: 'prod', namespace: bad }, ['delete', 'pod', 'web']),
    ]).toEqual([null, null]);
});

test('a context that is not known is one that no kubeconfig has', () => {
  for (const context of [null, ''])
    expect(kubectl({ context, namespace: null }, ['get', 'nodes'])).toBe('kubectl get nodes --context CONTEXT');
});

test('JSON is broken at its blanks, a usual command between its words', () => {
  const screen = screenFor({ columns: 80, paint: painter(false), signs: signs(true) });
  const patch = ['--type=merge', '-p', '{"spec": {"template": {"metadata": {"labels": {"a": null}}}}}'];
  const text = kubectl({ context: 'prod (eu)', namespace: 'shop' }, ['patch', 'deployment', 'web'], patch) ?? '';
  expect(command(screen, text)).toEqual([
    "            kubectl patch deployment web -n shop --context 'prod (eu)' \\",
    '              --type=merge -p \'{"spec": {"template": {"metadata": {"labels":',
    '              {"a": null}}}}}\'',
  ]);
});

test('no other file puts a command for a cluster together', () => {
  // Those of ours that reach no cluster, and those with a word in capitals that stands for what is to be written there.
  const harmless =
    /^kubectl grpc-skew (?:[A-Z]|fix [A-Z]|help\b|asks\b|lab\b|--help|explain\b|completion\b)|^kubectl grpc-skew$/;
  const files = globSync('src/**/*.{ts,tsx}').filter(
    (file) => !/^src\/(lab\/|cli\/(help|completion-scripts)\.ts|report\/command\.ts)/.test(file),
  );
  const found = files.flatMap((file) => {
    const text = readFileSync(file, 'utf8').replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
    const commands = text.match(
      /\b(?:kubectl|istioctl) (?:grpc-skew \S*(?: [A-Z]\w*)?|(?:get|describe|delete|apply|patch|label|annotate|rollout|exec|top|wait|config|port-forward|auth|logs|scale|edit|create|proxy-config)\b)/g,
    );
    return (commands ?? []).filter((command) => !harmless.test(command)).map((command) => `${file}: ${command}`);
  });
  expect(found).toEqual([]);
});

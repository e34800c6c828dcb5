import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { kubeconfigFault } from '../../src/kube/config/published.ts';
import { misshapen } from '../../src/kube/config/shape.ts';
import { mostOfCredential, parseYaml } from '../../src/kube/config/yaml.ts';

describe('YAML', () => {
  // What Go's parser makes of each, by the types of YAML 1.1 without its times and dates.
  test.each([
    ['yes', true],
    ['Off', false],
    ['y', true],
    ['"yes"', 'yes'],
    ['010', 8],
    ['0o17', 15],
    ['1_000', 1000],
    ['12:30:45', '12:30:45'],
    ['2020-01-01', '2020-01-01'],
    ['~', null],
    ['!vault 12', '12'],
    ['!!binary dG9r', 'tok'],
  ])('%s', (text, value) => {
    expect(parseYaml(`a: ${text}`)).toEqual({ ok: true, value: { a: value } });
  });

  test.each([
    ['a: 1\na: 2', { a: 2 }],
    ['a: 1\n---\nb: [', { a: 1 }],
    ['p: &p {a: 1}\nq: {<<: *p, b: 2}', { p: { a: 1 }, q: { a: 1, b: 2 } }],
    ['', null],
    ['# nothing', null],
  ])('%j', (text, value) => {
    expect(parseYaml(text)).toEqual({ ok: true, value });
  });

  test.each(['[', '- ', '{a: '])('a million levels of %j end at once, and a hundred are read', (open) => {
    const startedAt = performance.now();
    expect(parseYaml(open.repeat(1_000_000))).toEqual({ ok: false, error: 'nested deeper than 1000 levels' });
    expect(performance.now() - startedAt).toBeLessThan(1000);
    expect(parseYaml(`${'['.repeat(100)}${']'.repeat(100)}`).ok).toBe(true);
  });

  test('what is longer than it may be is read no further', () => {
    expect(parseYaml('- a\n'.repeat(20_000), mostOfCredential)).toEqual({
      ok: false,
      error: 'more than 10000 words and signs',
    });
    expect(parseYaml('- a\n'.repeat(1000), mostOfCredential).ok).toBe(true);
    // One word each, however long.
    expect(parseYaml(`token: ${'x'.repeat(1 << 20)}\n`, mostOfCredential).ok).toBe(true);
  });

  test('of many documents the first is read, and no other', () => {
    expect(parseYaml(`a: 1\n${'---\nb: 2\n'.repeat(100_000)}`)).toEqual({ ok: true, value: { a: 1 } });
    const begun = process.cpuUsage();
    expect(parseYaml(`a: 1\n${'---\nb: 2\n'.repeat(900_000)}`)).toEqual({ ok: true, value: { a: 1 } });
    expect(process.cpuUsage(begun).user).toBeLessThan(500_000);
  });

  test.each([
    ['a: [', 1],
    ['a: 1\nb: [1, 2', 2],
    ['a: 1\n\n\nb: "x\n', 5],
  ])('a fault in %j is in line %i', (text, line) => {
    expect(parseYaml(text)).toMatchObject({ ok: false, error: expect.stringContaining(` at line ${line}, column `) });
  });

  test('a fault never quotes what it is about', () => {
    const piece = fc.constantFrom(
      's3cret',
      '*s3cret',
      '&s3cret',
      '!s3cret ',
      '"',
      "'",
      '{',
      '[',
      ']',
      '}',
      ': ',
      '- ',
      ',',
    );
    const space = fc.constantFrom(
      '',
      ' ',
      '\n',
      '\n  ',
      '\t',
      '\n---\n',
      '\n%s3cret\n',
      '\\q',
      '|',
      '>',
      '@',
      '`',
      '? ',
    );
    const texts = fc.array(fc.tuple(piece, space), { maxLength: 12 }).map((parts) => parts.flat().join(''));
    fc.assert(
      fc.property(texts, (text) => {
        const parsed = parseYaml(text);
        if (!parsed.ok) expect(parsed.error).not.toContain('s3cret');
        else expect(kubeconfigFault(parsed.value) ?? '').not.toContain('s3cret');
      }),
      { numRuns: 2000 },
    );
  });
});

describe('shape', () => {
  test.each([
    ['QQ==', undefined],
    ['Q\nQ=\r\n=', undefined],
    ['', undefined],
    ['QQ', 'a is not valid base64'],
    ['QQ=', 'a is not valid base64'],
    ['QQ== ', 'a is not valid base64'],
    ['Q-==', 'a is not valid base64'],
    ['=QQ=', 'a is not valid base64'],
    [5, 'a is a number, not a text'],
    [null, undefined],
  ])('%j as base64', (value, fault) => {
    expect(misshapen(value, 'base64', 'a')).toBe(fault);
  });

  test('says where', () => {
    expect(kubeconfigFault({ users: [{ name: 'u' }, { name: 'v', user: { token: 5 } }] })).toBe(
      'users[1].user.token is a number, not a text',
    );
    expect(kubeconfigFault({ contexts: [{ name: 'a' }, { name: 'a' }] })).toBe('contexts holds two entries named "a"');
    expect(kubeconfigFault('x')).toBe('the document is a text, not a mapping');
    expect(kubeconfigFault({ users: [{ user: { 'as-user-extra': { s3cret: 'x' } } }] })).toBe(
      'a value of users[0].user.as-user-extra is a text, not a list',
    );
  });
});

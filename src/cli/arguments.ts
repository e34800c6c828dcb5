import { parseArgs } from 'node:util';
import { err, ok, type Result, wrongUsage } from '../result/result.ts';
import { didYouMean, nearest } from '../spelling/nearest.ts';
import type { Flag } from './flag.ts';

/** Flags and arguments as given, by the rules of kubectl's own flag parser. */
export interface Arguments {
  readonly positionals: readonly string[];
  text(name: string): string | null;
  list(name: string): readonly string[];
  isSet(name: string): boolean;
  /** Of a flag that has a reader; null: neither given nor with a default. */
  number(name: string): number | null;
  /** How a message names what gave it: the flag, or the environment variable. */
  named(name: string): string;
}

/**
 * Reads a command line: `--x=y`, `--x y`, `-ny`, `-n=y`, `-n y`, clustered switches, `--` ends flags, flags may follow
 * arguments, a switch takes a value only as `--x=false`, underscores in long flags count as dashes. `variables` give what
 * the line does not.
 */
export function readArguments(
  argv: readonly string[],
  flags: readonly Flag[],
  variables: ReadonlyMap<string, Variable> = new Map(),
): Result<Arguments> {
  const options = Object.fromEntries(
    flags.map((flag) => [
      flag.name,
      {
        type: flag.kind === 'switch' ? ('boolean' as const) : ('string' as const),
        multiple: true,
        ...(flag.short !== undefined && { short: flag.short }),
      },
    ]),
  );
  const { tokens } = parseArgs({
    args: argv.map(withDashes),
    options,
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const values = new Map<string, string[]>();
  const positionals: string[] = [];
  for (const token of tokens) {
    if (token.kind === 'positional') positionals.push(token.value);
    if (token.kind !== 'option') continue;
    const flag = flags.find((entry) => entry.name === token.name);
    if (flag === undefined) {
      return err(wrongUsage(`unknown flag ${token.rawName}`, suggest(token.name, flags)));
    }
    const read = readValue(flag, token.value, token.inlineValue === true);
    if (!read.ok) return read;
    values.set(flag.name, [...(values.get(flag.name) ?? []), read.value]);
  }
  const named = new Map<string, string>();
  for (const [name, { variable, value }] of variables) {
    if (values.has(name)) continue;
    if (!value.ok) return value;
    values.set(name, [value.value]);
    named.set(name, variable);
  }
  const flagOf = (name: string) => flags.find((flag) => flag.name === name);
  const text = (name: string) => values.get(name)?.at(-1) ?? flagOf(name)?.default ?? null;
  return ok({
    positionals,
    text,
    list: (name) => values.get(name) ?? [],
    isSet: (name) => values.get(name)?.at(-1) === 'true',
    number: (name) => flagOf(name)?.number?.read(text(name) ?? '') ?? null,
    named: (name) => named.get(name) ?? `--${name}`,
  });
}

/** What an environment variable gives for a flag. */
export interface Variable {
  readonly variable: string;
  readonly value: Result<string>;
}

/** A value as it is given, or what is wrong with it; `written` is how the message names what gave it. */
export function readValue(
  flag: Flag,
  given: string | undefined,
  inline: boolean,
  written = `${flag.name === flag.short ? '-' : '--'}${flag.name}`,
): Result<string> {
  if (flag.kind === 'switch') {
    const value = given ?? 'true';
    if (['true', 'false', '1', '0', 't', 'f', 'T', 'F', 'TRUE', 'FALSE', 'True', 'False'].includes(value)) {
      return ok(String(/^(true|1|t)$/i.test(value)));
    }
    return err(
      wrongUsage(`${written} takes true or false, not ${value}`, `write --${flag.name} or --${flag.name}=false`),
    );
  }
  // parseArgs hands over `-n=shop` as `=shop`; kubectl takes the equals sign for a separator there, too.
  const value = inline && given?.startsWith('=') === true ? given.slice(1) : given;
  // kubectl takes an empty connection flag, as of an unset variable in a script, for one that is not given.
  if (value === undefined || (value === '' && flag.allowed === undefined && flag.group !== 'connection'))
    return err(wrongUsage(`${written} needs a value`, `write --${flag.name} ${flag.value ?? 'VALUE'}`));
  const { number } = flag;
  if (number !== undefined && number.read(value) === null)
    return err(wrongUsage(`${written} takes ${number.takes}, not ${value}`, number.hint));
  const values = flag.many === true ? value.split(',') : [value];
  const wrong = flag.allowed === undefined ? undefined : values.find((entry) => flag.allowed?.includes(entry) !== true);
  if (wrong !== undefined) {
    const hints = [didYouMean(wrong, flag.allowed ?? []), `it takes ${[...(flag.allowed ?? [])].sort().join(', ')}`];
    return err(
      wrongUsage(
        `${written} does not know ${wrong === '' ? 'an empty value' : wrong}`,
        hints.filter((part) => part !== null).join(' '),
      ),
    );
  }
  return ok(value);
}

function withDashes(argument: string): string {
  const match = /^--([^=]+)(=.*)?$/s.exec(argument);
  return match === null ? argument : `--${match[1]?.replaceAll('_', '-')}${match[2] ?? ''}`;
}

/** The nearest flag; a letter or two are near to everything. */
function suggest(name: string, flags: readonly Flag[]): string {
  const long = flags.filter((flag) => flag.name !== flag.short);
  const [found] = nearest(
    name,
    long.map((flag) => flag.name),
  );
  return found === undefined ? 'see kubectl grpc-skew help flags' : `did you mean --${found}?`;
}

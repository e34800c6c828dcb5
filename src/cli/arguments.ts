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
}

/**
 * Reads a command line: `--x=y`, `--x y`, `-ny`, `-n=y`, `-n y`, clustered switches, `--` ends flags, flags may follow
 * arguments, a switch takes a value only as `--x=false`, underscores in long flags count as dashes.
 */
export function readArguments(argv: readonly string[], flags: readonly Flag[]): Result<Arguments> {
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
  return ok({
    positionals,
    text: (name) => values.get(name)?.at(-1) ?? null,
    list: (name) => values.get(name) ?? [],
    isSet: (name) => values.get(name)?.at(-1) === 'true',
  });
}

function readValue(flag: Flag, given: string | undefined, inline: boolean): Result<string> {
  if (flag.kind === 'switch') {
    const value = given ?? 'true';
    if (['true', 'false', '1', '0', 't', 'f', 'T', 'F', 'TRUE', 'FALSE', 'True', 'False'].includes(value)) {
      return ok(String(/^(true|1|t)$/i.test(value)));
    }
    return err(
      wrongUsage(`--${flag.name} takes true or false, not ${value}`, `write --${flag.name} or --${flag.name}=false`),
    );
  }
  // parseArgs hands over `-n=shop` as `=shop`; kubectl takes the equals sign for a separator there, too.
  const value = inline && given?.startsWith('=') === true ? given.slice(1) : given;
  // kubectl takes an empty connection flag, as of an unset variable in a script, for one that is not given.
  if (value === undefined || (value === '' && flag.allowed === undefined && flag.group !== 'connection'))
    return err(wrongUsage(`--${flag.name} needs a value`, `write --${flag.name} ${flag.value ?? 'VALUE'}`));
  const values = flag.many === true ? value.split(',') : [value];
  const wrong = flag.allowed === undefined ? undefined : values.find((entry) => flag.allowed?.includes(entry) !== true);
  if (wrong !== undefined) {
    const hints = [didYouMean(wrong, flag.allowed ?? []), `it takes ${[...(flag.allowed ?? [])].sort().join(', ')}`];
    return err(
      wrongUsage(
        `--${flag.name} does not know ${wrong === '' ? 'an empty value' : wrong}`,
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
  return found === undefined ? 'see kubectl grpc-skew --help' : `did you mean --${found}?`;
}

import { shells } from './completion-scripts.ts';
import type { Flag } from './flag.ts';
import { type CommandName, commandNames, commandOf, commands } from './flags.ts';
import { summaryOf } from './help.ts';
import { kindOf, type Subject } from './target.ts';

/** One word that may come next, and what it means. */
export interface Word {
  readonly value: string;
  readonly help?: string;
}

/** Names that only the kubeconfig or the cluster knows. */
export type Live = 'contexts' | 'clusters' | 'users' | 'namespaces' | Subject['kind'];

/** What may stand in the place of the last word. */
export interface Completion {
  /** What of the last word is kept and comes before each of the words: `go,` of `go,ja`. */
  readonly lead: string;
  /** What the words must begin with: `ja` of `go,ja`. */
  readonly typed: string;
  readonly words: readonly Word[];
  readonly live: Live | null;
  /** The shell may complete names of files. */
  readonly files: boolean;
  /** The words before, without a flag that waits for its value: these say which cluster is meant. */
  readonly before: readonly string[];
  readonly command: CommandName;
}

type Wanted = Pick<Completion, 'words' | 'live' | 'files'> & { readonly lead?: string };

const nothing: Wanted = { words: [], live: null, files: false };
const only = (words: readonly Word[]): Wanted => ({ ...nothing, words });

/**
 * What may come next on a command line, by the table of flags. The last word is the one being typed, empty when nothing
 * of it is there (cobra's protocol, which kubectl speaks with plugins). `own` are the words that
 * the command itself knows: scenarios of the lab, what can be explained.
 */
export function completionAt(words: readonly string[], own: readonly Word[]): Completion {
  const last = words.at(-1) ?? '';
  const given = words.slice(0, -1);
  const command = commandOf(given[0]);
  const { waiting, ended, positionals } = walk(command === 'diagnose' ? given : given.slice(1), commands[command]);
  const before = waiting === null ? given : given.slice(0, -1);
  const place = { before, command };
  const finish = (wanted: Wanted, typed: string): Completion => {
    const lead = wanted.lead ?? '';
    return { ...place, ...wanted, lead, typed: typed.slice(lead.length) };
  };
  if (waiting !== null) return finish(valuesOf(waiting, last), last);
  const inline = /^(--[^=]+)=(.*)$/s.exec(last);
  if (!ended && inline !== null) {
    const [, name = '', value = ''] = inline;
    const flag = flagOf(name, commands[command]);
    return finish(flag === undefined ? nothing : valuesOf(flag, value), value);
  }
  if (!ended && last.startsWith('-')) return finish(only(flagWords(commands[command], given)), last);
  return finish(argumentsOf(command, positionals, given.length === 0, last, own), last);
}

interface Walked {
  /** The flag whose value comes next. */
  readonly waiting: Flag | null;
  /** Behind `--` there are no flags. */
  readonly ended: boolean;
  readonly positionals: readonly string[];
}

function walk(words: readonly string[], flags: readonly Flag[]): Walked {
  let waiting: Flag | null = null;
  let ended = false;
  const positionals: string[] = [];
  for (const word of words) {
    if (waiting !== null) waiting = null;
    else if (ended || !word.startsWith('-') || word === '-') positionals.push(word);
    else if (word === '--') ended = true;
    else {
      const flag = flagOf(word, flags);
      if (flag !== undefined && flag.kind !== 'switch') waiting = flag;
    }
  }
  return { waiting, ended, positionals };
}

/** The flag that a word names and whose value, if it takes one, is not in the same word: `--output`, `-o`, `-Ao`. */
function flagOf(word: string, flags: readonly Flag[]): Flag | undefined {
  if (word.startsWith('--')) return flags.find((flag) => flag.name === word.slice(2).replaceAll('_', '-'));
  const [last = '', ...switches] = [...word.slice(1)].reverse();
  const byLetter = (letter: string) => flags.find((flag) => flag.short === letter);
  return switches.every((letter) => byLetter(letter)?.kind === 'switch') ? byLetter(last) : undefined;
}

function flagWords(flags: readonly Flag[], given: readonly string[]): Word[] {
  return flags
    .filter((flag) => flag.kind === 'list' || !given.some((word) => word.split('=')[0] === `--${flag.name}`))
    .map((flag) => ({ value: flag.name === flag.short ? `-${flag.short}` : `--${flag.name}`, help: flag.help }));
}

const liveFlags: ReadonlyMap<string, Live> = new Map([
  ['namespace', 'namespaces'],
  ['context', 'contexts'],
  ['cluster', 'clusters'],
  ['user', 'users'],
]);

function valuesOf(flag: Flag, typed: string): Wanted {
  if (flag.allowed !== undefined) {
    const lead = flag.many === true ? typed.slice(0, typed.lastIndexOf(',') + 1) : '';
    const taken = lead.split(',');
    return { ...only(flag.allowed.filter((value) => !taken.includes(value)).map((value) => ({ value }))), lead };
  }
  if (flag.kind === 'switch') return only([{ value: 'true' }, { value: 'false' }]);
  if (/^(FILE|DIR)\b/.test(flag.value ?? '')) return { ...nothing, files: true };
  return { ...nothing, live: liveFlags.get(flag.name) ?? null };
}

function argumentsOf(
  command: CommandName,
  positionals: readonly string[],
  isFirstWord: boolean,
  typed: string,
  own: readonly Word[],
): Wanted {
  const [first] = positionals;
  switch (command) {
    case 'lab':
    case 'explain':
      return first === undefined ? only(own) : nothing;
    case 'completion':
      return first === undefined ? only(shells.map((value) => ({ value }))) : nothing;
    case 'diagnose':
    case 'fix': {
      if (positionals.length > 1) return nothing;
      if (command === 'diagnose' && first === 'help') return only([...commandWords(), helpOfFlags]);
      if (first !== undefined) return { ...nothing, live: kindOf(first) ?? null };
      const [type = '', name] = typed.split('/');
      if (name !== undefined) return { ...nothing, live: kindOf(type) ?? null, lead: `${type}/` };
      return { ...nothing, words: isFirstWord ? commandWords() : [], live: 'service' };
    }
    default:
      return nothing;
  }
}

const helpOfFlags: Word = { value: 'flags', help: 'All flags of a diagnosis, and those of kubectl' };

/** A command is one only as the first word. */
function commandWords(): Word[] {
  return [
    ...commandNames.map((command) => ({ value: command, help: summaryOf(command) })),
    { value: 'version', help: 'Show the version' },
    { value: 'help', help: 'Show the help' },
  ];
}

/** Commands that are printed for people to paste: the one place that quotes words for a shell and puts commands together. */
import type { SkewReport } from './schema.ts';

/** Where a command acts. */
export interface CommandPlace {
  /** Of the kubeconfig; null where it is not known. */
  readonly context: string | null;
  /** Null for objects of the whole cluster. */
  readonly namespace: string | null;
  /** Flags of kubectl that say which cluster is meant, where these were given: without them a command may act on another. */
  readonly connection?: readonly string[] | undefined;
  /** The names were changed to be shown: whatever is made of them would act somewhere else. */
  readonly altered?: boolean;
}

/**
 * Stands for a context that is not known. kubectl knows none of that name: pasted as it is the command ends in an error,
 * where one without a context would act on whatever cluster is the current one.
 */
export const unknownContext = 'CONTEXT';

/**
 * A kubectl command with its context and namespace: `kubectl WORDS -n NAMESPACE --context CONTEXT AFTER`. Null where a
 * word cannot be printed as it is, or is none that an object can have for a name.
 */
export function kubectl(
  { context, namespace, connection = [], altered }: CommandPlace,
  words: readonly string[],
  after: readonly string[] = [],
): string | null {
  const names = [...words, ...(namespace === null ? [] : [namespace])];
  if (altered || names.some((word) => !name.test(word))) return null;
  const known = context === null || context === '' ? unknownContext : context;
  const at = [...(namespace === null ? [] : ['-n', namespace]), ...flag('context', known), ...connection];
  return shellCommand(['kubectl', ...words, ...at, ...after]);
}

/** A flag of a command line and its value, which may begin as a flag does. */
export function flag(name: string, value: string): readonly string[] {
  return value.startsWith('-') ? [`--${name}=${value}`] : [`--${name}`, value];
}

/** The command that diagnoses the Service of a report again, with its port where there are several. */
export function diagnoseCommand(
  { metadata, spec, status }: SkewReport,
  after: readonly string[] = [],
  words: readonly string[] = [`svc/${metadata.name}`],
): string | null {
  const ports = status.service.ports.filter(({ protocol }) => protocol === 'TCP').length;
  const port = spec.port === null || ports < 2 ? [] : ['--port', String(spec.port.port)];
  return kubectl(metadata, ['grpc-skew', ...words], [...port, ...after]);
}

/** A name, perhaps with its type before it, or a word of a command. */
const name = /^[A-Za-z0-9]([\w./:-]*[A-Za-z0-9])?$/;

/** A command of these words, each quoted where a shell would read something else in it; null where one cannot be printed. */
export function shellCommand(words: readonly string[]): string | null {
  return words.every((word) => !unprintable.test(word)) ? words.map(shellWord).join(' ') : null;
}

/** Several commands as one, ` | ` or ` && ` between them; null where one of them is not there. */
export function joined(commands: readonly (string | null)[], by: '|' | '&&'): string | null {
  return commands.length > 0 && commands.every((command) => command !== null) ? commands.join(` ${by} `) : null;
}

/** What a terminal obeys, hides or shows as something else: such a word would not be pasted as it is meant. */
const unprintable = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]|(?! )\p{Zs}/u;

/** Words that every shell takes as they are; at their beginning zsh reads something in an equals sign. */
const plain = /^(=|[\w@%+:,./-][\w@%+=:,./-]*)$/;

function shellWord(text: string): string {
  return plain.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

/** What a printed command is made of: a quotation, a backslash with what it quotes, or any other sign. */
const parts = /'[^']*'|\\.|[^'\\]/gsu;

/** The command with its quotations changed: none of their blanks parts one word from the next. */
export function changeQuotations(command: string, change: (quoted: string) => string): string {
  return command.replace(parts, (part) => (part.startsWith("'") ? change(part) : part));
}

/** Whether a beginning of a command ends within a quotation. */
export function endsQuoted(beginning: string): boolean {
  return beginning.replace(parts, '') !== '';
}

export interface ShellSign {
  readonly text: string;
  readonly quoted: boolean;
}

/** The signs of a command one by one, each with whether it is quoted, without the quotation marks. */
export function shellSigns(command: string): readonly ShellSign[] {
  return (command.match(parts) ?? []).flatMap((part): ShellSign[] =>
    part.length > 2 && part.startsWith("'")
      ? Array.from(part.slice(1, -1), (text) => ({ text, quoted: true }))
      : [{ text: part, quoted: false }],
  );
}

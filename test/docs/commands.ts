import { pages, prose } from './pages.ts';

/** A fenced block: what is run in it, in order. */
export interface Fence {
  readonly page: string;
  /** 1 for the first line of the page. */
  readonly line: number;
  /** Whole shell scripts (one entry), or single commands. */
  readonly commands: readonly string[];
}

/** What makes a line of a block without a language a command of ours; of `sh` blocks every line is one. */
const ours = /\bkubectl[ -]grpc[-_]skew\b|^\s*npm |^\s*npx |^\s*node /;

/** All fenced blocks that hold commands. A block with a compound command is one script. */
export const fences: readonly Fence[] = pages.flatMap((page) =>
  [...page.text.matchAll(/^( *)```([a-z]*)\n([\s\S]*?)^\1```$/gm)].flatMap((found): Fence[] => {
    const [, , language = '', body = ''] = found;
    const line = page.text.slice(0, found.index).split('\n').length + 1;
    const isScript = language === 'sh' && /(\bdo|\{)\s*(#.*)?$/m.test(body);
    const commands = isScript
      ? [body]
      : linesOf(body).filter((text) => (language === 'sh' ? true : language === '' && ours.test(text)));
    return commands.length === 0 ? [] : [{ page: page.path, line, commands }];
  }),
);

/** Lines without blank ones and comments; a line that ends in a backslash goes on in the next. */
function linesOf(body: string): readonly string[] {
  return body
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .map((line) => line.replace(/\s+# .*$/, '').trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
}

/** Commands in running text and in tables. `… -o wide` stands for the command before it on the page, with that flag. */
export const inlineCommands: readonly string[] = pages.flatMap((page) => {
  let last = '';
  return [...prose(page).matchAll(/`([^`\n]+)`/g)].flatMap((found) => {
    const text = (found[1] ?? '').replaceAll('\\|', '|');
    if (text.startsWith('… -')) return [`${last}${text.slice(1)}`];
    if (!/^kubectl[ -]grpc[-_]skew /.test(text) && !text.startsWith('npm ')) return [];
    last = text;
    return [text];
  });
});

/** The words of the program's own part of each simple command in a line, after its name. */
export function argumentsOf(command: string): readonly (readonly string[])[] {
  return simpleCommands(command).flatMap((words) => {
    const [first, second] = words;
    if (first === 'kubectl' && second === 'grpc-skew') return [words.slice(2)];
    return first === 'kubectl-grpc_skew' ? [words.slice(1)] : [];
  });
}

/** Names of the npm scripts that a line runs. */
export function npmScriptsOf(command: string): readonly string[] {
  return simpleCommands(command).flatMap((words) => {
    if (words[0] !== 'npm') return [];
    const rest = words.slice(1).filter((word) => !word.startsWith('-'));
    if (rest[0] === 'run') return rest[1] === undefined ? [] : [rest[1]];
    return rest[0] === 'test' ? ['test'] : [];
  });
}

/** Splits a line at `|`, `&&`, `;` and newlines into words; redirections are left out, quotes are taken off. */
function simpleCommands(line: string): readonly (readonly string[])[] {
  const tokens = [...line.matchAll(/\|\||&&|[|;\n]|\d?>{1,2}\s*\S+|(?:"[^"]*"|'[^']*'|[^\s|;&>"'])+/g)].map(String);
  const commands: string[][] = [[]];
  for (const token of tokens) {
    if (/^(\|\||&&|[|;\n])$/.test(token)) commands.push([]);
    else if (!/^\d?>/.test(token)) commands.at(-1)?.push(token.replaceAll(/["']/g, ''));
  }
  return commands;
}

/** Printed commands as a shell reads them: each `kubectl` that it would run, as its words. */
import { spawnSync } from 'node:child_process';

export const shells = ['sh', 'bash'] as const;

/** Writes its words down, after what comes through a pipe; all else of a pipe hands it on. */
const stubs = `kubectl() { [ "$1" != apply ] || cat > /dev/null; printf '%s\\0' "$@" >&3; printf '\\0' >&3; }
sed() { cat; }
`;

/** What a shell runs when these texts are pasted into it. */
export function runIn(shell: (typeof shells)[number], commands: readonly string[]): string[][] {
  const run = spawnSync(shell, [], {
    input: `${stubs}${commands.join('\n')}\n`,
    stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
  });
  if (run.status !== 0 || run.stderr.length > 0 || run.stdout.length > 0)
    throw new Error(`${shell}: ${run.stderr.toString()}${run.stdout.toString()}`);
  const text = (run.output[3] as unknown as Buffer).toString();
  return text
    .split('\0\0')
    .slice(0, -1)
    .map((words) => words.split('\0'));
}

/** The commands of a page or screen, with the lines that belong to them: what somebody would copy. */
export function commandsOn(lines: readonly string[]): string[] {
  const found: string[] = [];
  let command: string | null = null;
  for (const line of lines) {
    if (command !== null) command += `\n${line}`;
    else {
      const [, own] = /^(?:rights +| {4} {2}| *\* `| *#? *)?(kubectl .*?)`?$/.exec(line) ?? [];
      command = own ?? null;
    }
    if (command === null || goesOn(command)) continue;
    found.push(command);
    command = null;
  }
  return found;
}

/** Whether a shell would wait for a further line. */
function goesOn(text: string): boolean {
  let inQuotes = false;
  for (let at = 0; at < text.length; at++) {
    if (!inQuotes && text[at] === '\\') {
      if (at === text.length - 1) return true;
      at++;
    } else if (text[at] === "'") inQuotes = !inQuotes;
  }
  return inQuotes;
}

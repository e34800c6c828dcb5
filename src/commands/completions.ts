import { readArguments } from '../cli/arguments.ts';
import { type Completion, completionAt, type Live, type Word } from '../cli/complete.ts';
import { exitCodes } from '../cli/exit-codes.ts';
import { commands } from '../cli/flags.ts';
import { connectionFlags } from '../cli/options.ts';
import { isName } from '../cli/target.ts';
import { readVariables } from '../cli/variables.ts';
import { kubeconfigNames } from '../kube/config/files.ts';
import { openKube } from '../kube/open.ts';
import { parseRequestTimeout } from '../kube/requests/request-timeout.ts';
import type { ConnectionFlags, KubeHost } from '../kube/types.ts';
import { sanitise } from '../render/sanitise.ts';
import type { Host } from './host.ts';
import { kubeHost } from './kube.ts';

/** Longer than this nobody waits for a completion, in milliseconds, unless the line itself says how long: --request-timeout. */
const usualPatience = 1000;
/** That may say "for ever". */
const longestPatience = 60_000;

/** What the last line tells the shell (cobra's ShellCompDirective): names of files may come, or they may not. */
const directives = { files: ':0', noFiles: ':4' } as const;

/**
 * `grpc-skew __complete WORD...`: what may come next, one on a line. Never fails, and says nothing on stderr. `isQuoted`:
 * who asks quotes what it puts into the line; else there is nothing in which a shell would read more than a word.
 */
export async function printCompletions(words: readonly string[], host: Host, isQuoted: boolean): Promise<number> {
  const completion = completionAt(words, await ownWords(words[0]));
  const names = completion.live === null ? [] : await liveNames(completion.live, completion, host).catch(() => []);
  const found = [...completion.words, ...names.map((value): Word => ({ value }))];
  const lines = found
    .filter(({ value }) => value.startsWith(completion.typed) && sanitise(value) === value)
    .filter(({ value }) => isQuoted || !read.test(value))
    .map(({ value, help }) => `${completion.lead}${value}${help === undefined ? '' : `\t${help}`}`);
  const directive = completion.files ? directives.files : directives.noFiles;
  host.stdout([...lines.map(sanitiseLine), directive, ''].join('\n'));
  return exitCodes.done;
}

/**
 * What a shell reads something in. Scripts of kubectl before 1.33 put words in as they are, those since then quote them:
 * only what needs no quotes is right in both.
 */
const read = /[^\w@%+=:,./\u0080-\u{10ffff}-]/u;

/** The tab between a word and its meaning is ours. */
const sanitiseLine = (line: string) => line.split('\t').map(sanitise).join('\t');

/** The words that a command itself knows. */
async function ownWords(command: string | undefined): Promise<Word[]> {
  switch (command) {
    case 'lab': {
      const { scenarios } = await import('../lab/scenarios.ts');
      return scenarios.map(({ id, title }) => ({ value: id, help: title }));
    }
    case 'explain': {
      const { explainAll } = await import('../explain/explain.ts');
      return explainAll().items.map(({ id, title }) => ({ value: id, help: title }));
    }
    default:
      return [];
  }
}

const paths: Readonly<
  Record<Exclude<Live, 'contexts' | 'clusters' | 'users' | 'namespaces'>, readonly [string, string]>
> = {
  service: ['/api/v1', 'services'],
  pod: ['/api/v1', 'pods'],
  deployment: ['/apis/apps/v1', 'deployments'],
  statefulset: ['/apis/apps/v1', 'statefulsets'],
  daemonset: ['/apis/apps/v1', 'daemonsets'],
};

async function liveNames(live: Live, { before, command }: Completion, host: Host): Promise<readonly string[]> {
  const words = command === 'diagnose' ? before : before.slice(1);
  const parsed = readArguments(words, commands[command], readVariables(command, host.env));
  const flags: ConnectionFlags = parsed.ok ? connectionFlags(parsed.value) : {};
  // A plugin for credentials must not ask questions in the middle of a command line: the screen is the shell's.
  const quiet: KubeHost = { ...kubeHost(host, 0, () => true), stdinIsTerminal: false, log: () => {} };
  if (live === 'contexts' || live === 'clusters' || live === 'users')
    return (await kubeconfigNames(flags, quiet))[live];
  const opened = await openKube(flags, quiet);
  if (!opened.ok) return [];
  const kube = opened.value;
  try {
    const [group, resource] = live === 'namespaces' ? ['/api/v1', 'namespaces'] : paths[live];
    const place = live === 'namespaces' ? '' : `/namespaces/${encodeURIComponent(kube.namespace)}`;
    const said = flags.requestTimeout == null ? null : parseRequestTimeout(flags.requestTimeout);
    const patience = Math.min(said ?? usualPatience, longestPatience);
    const signal = AbortSignal.any([host.interrupted, AbortSignal.timeout(Math.ceil(patience))]);
    const list = await kube.list(`${group}${place}/${resource}`, { request: `list ${resource}`, signal });
    return list.ok ? list.value.items.map(nameOf).filter(isName).sort() : [];
  } finally {
    await kube.close();
  }
}

function nameOf(item: unknown): string {
  const { metadata } = item as { readonly metadata?: { readonly name?: unknown } };
  return typeof metadata?.name === 'string' ? metadata.name : '';
}

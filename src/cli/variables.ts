import { type Problem, wrongUsage } from '../result/result.ts';
import { didYouMean } from '../spelling/nearest.ts';
import { readValue, type Variable } from './arguments.ts';
import type { Flag } from './flag.ts';
import { type CommandName, commands } from './flags.ts';

/** The environment variable that gives a flag where the command line does not: `GRPC_SKEW_METRICS_PORT`. */
export function variableOf({ name }: Pick<Flag, 'name'>): string {
  return `GRPC_SKEW_${name.toUpperCase().replaceAll('-', '_')}`;
}

/** The flags of a command that a variable may give. None in the lab, where flags of the same names mean other things. */
export function flagsByVariable(command: CommandName): readonly Flag[] {
  if (command === 'lab') return [];
  const flags: readonly Flag[] = commands[command];
  return flags.filter(({ variable }) => variable !== false);
}

/**
 * What variables give a command, by the names of its flags. An empty one counts for none. A value that the flag of this
 * name takes only with another command (`wide` of --output, with `probes`) is meant for that one and is left out here.
 */
export function readVariables(
  command: CommandName,
  env: Readonly<Record<string, string | undefined>>,
): ReadonlyMap<string, Variable> {
  const given = new Map<string, Variable>();
  for (const flag of flagsByVariable(command)) {
    const variable = variableOf(flag);
    const text = env[variable];
    if (!text || ofService.test(text)) continue;
    const value = readValue(flag, text, false, variable);
    if (value.ok || !isForAnother(flag, text)) given.set(flag.name, { variable, value });
  }
  return given;
}

/**
 * A variable of ours that no flag has, but nearly: as dangerous as a misspelt flag, and as quiet as none. null: there is none.
 * Others of the same beginning are kubelet's, or a later version's.
 */
export function misspeltVariable(env: Readonly<Record<string, string | undefined>>): Problem | null {
  const known = new Set(
    (Object.keys(commands) as CommandName[]).flatMap((command) => commands[command].map(variableOf)),
  );
  for (const name of Object.keys(env).sort()) {
    if (!name.startsWith('GRPC_SKEW_') || known.has(name) || !env[name]) continue;
    const meant = didYouMean(name, [...known]);
    if (meant !== null) return wrongUsage(`the variable ${name} gives no flag`, `${meant} Correct it, or unset it`);
  }
  return null;
}

/** What kubelet writes into the variables of each pod for a Service that is called grpc-skew: no value of ours. */
const ofService = /^(?:tcp|udp|sctp):\/\/[^/]+:\d+$/;

function isForAnother({ name }: Flag, text: string): boolean {
  return (Object.keys(commands) as CommandName[]).some((command) =>
    flagsByVariable(command).some((flag) => flag.name === name && readValue(flag, text, false).ok),
  );
}

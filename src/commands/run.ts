import { type Arguments, readArguments } from '../cli/arguments.ts';
import { exitCodes } from '../cli/exit-codes.ts';
import { commandNames, commandOf, commands } from '../cli/flags.ts';
import { helpText } from '../cli/help.ts';
import { toolVersion } from '../cli/version.ts';
import { renderError } from '../render/error.ts';
import { didYouMean, nearest } from '../spelling/nearest.ts';
import type { Host } from './host.ts';

/** Runs one command line and answers its exit code. The parts of a command are loaded when it runs, not before. */
export async function run(argv: readonly string[], host: Host): Promise<number> {
  // kubectl's protocol for the completion of plugins, and the same for our own scripts.
  if (argv[0] === '__complete' || argv[0] === '__complete-raw') {
    const { runComplete } = await import('./complete.ts');
    return runComplete(argv.slice(1), host, argv[0] === '__complete-raw');
  }
  if (argv[0] === 'help') return help(argv.slice(1), host);
  const command = commandOf(argv[0]);
  const parsed = readArguments(command === 'diagnose' ? argv : argv.slice(1), commands[command]);
  if (!parsed.ok) return usage(host, command === 'diagnose' ? orMeantCommand(argv[0], parsed) : parsed);
  const given = parsed.value;
  if (given.isSet('version')) return printVersion(host, given);
  switch (command) {
    case 'lab': {
      const { runLab, labHelp } = await import('./lab.ts');
      return given.isSet('help') ? print(host, await labHelp()) : runLab(given, host);
    }
    case 'fix': {
      if (given.isSet('help')) return print(host, helpText('fix'));
      const { runFix } = await import('./fix.ts');
      return runFix(given, host);
    }
    case 'scan': {
      if (given.isSet('help')) return print(host, helpText('scan'));
      const { runScan } = await import('./scan.ts');
      return runScan(given, host);
    }
    case 'probes': {
      if (given.isSet('help')) return print(host, helpText('probes'));
      const { runProbes } = await import('./probes.ts');
      return runProbes(given, host);
    }
    case 'explain': {
      if (given.isSet('help')) return print(host, helpText('explain'));
      const { runExplain } = await import('./explain.ts');
      return runExplain(given, host);
    }
    case 'rbac': {
      if (given.isSet('help')) return print(host, helpText('rbac'));
      const { runRbac } = await import('./rbac.ts');
      return runRbac(given, host);
    }
    case 'completion': {
      if (given.isSet('help')) return print(host, helpText('completion'));
      const { runCompletion } = await import('./completion.ts');
      return runCompletion(given, host);
    }
    default:
      return diagnose(given, host);
  }
}

/** `help COMMAND` is `COMMAND --help`; without a command it is the help of a diagnosis. */
async function help(words: readonly string[], host: Host): Promise<number> {
  const topic = words.find((word) => !word.startsWith('-'));
  if (topic === undefined || topic === 'diagnose' || topic === 'help') return print(host, helpText('diagnose'));
  if (commandOf(topic) !== 'diagnose') return run([topic, '--help'], host);
  const meant = didYouMean(topic, commandNames);
  return usage(host, {
    message: `there is no command ${topic}`,
    hint: meant ?? `the commands are ${commandNames.join(', ')}; kubectl grpc-skew help is about all of them`,
  });
}

/** Flags of a command whose name is misspelt are unknown to a diagnosis. */
function orMeantCommand<T extends { readonly hint: string }>(word: string | undefined, problem: T): T {
  const [command] = nearest(word ?? '', commandNames);
  return command === undefined ? problem : { ...problem, hint: `did you mean the command ${command}? ${problem.hint}` };
}

async function diagnose(given: Arguments, host: Host): Promise<number> {
  if (given.positionals[0] === 'version') return printVersion(host, given);
  if (given.isSet('help')) return print(host, helpText('diagnose'));
  if (given.positionals.length === 0 && given.text('from') === null) {
    host.stderr(helpText('diagnose'));
    return usage(host, {
      message: 'no Service is named',
      hint: 'name one, or try kubectl grpc-skew lab without a cluster',
    });
  }
  const { runDiagnosis } = await import('./diagnosis.ts');
  return runDiagnosis(given, host);
}

/** Wrong usage: one line on stderr. */
export function usage(host: Host, problem: { readonly message: string; readonly hint: string | null }): number {
  host.stderr(renderError(problem));
  return exitCodes.usage;
}

function print(host: Host, text: string): number {
  host.stdout(text);
  return exitCodes.done;
}

function printVersion(host: Host, given: Arguments): number {
  const version = { version: toolVersion };
  switch (given.text('output')) {
    case 'json':
      return print(host, `${JSON.stringify(version, null, 4)}\n`);
    case 'yaml':
      return print(host, `version: ${toolVersion}\n`);
    default:
      return print(host, `grpc-skew ${toolVersion}\n`);
  }
}

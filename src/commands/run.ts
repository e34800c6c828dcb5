import { type Arguments, readArguments } from '../cli/arguments.ts';
import { exitCodes } from '../cli/exit-codes.ts';
import { type CommandName, commandNames, commandOf, commands } from '../cli/flags.ts';
import { flagsText, helpText, usage } from '../cli/help.ts';
import { misspeltVariable, readVariables } from '../cli/variables.ts';
import { toolVersion } from '../cli/version.ts';
import { err, ok, type Problem, type Result, wrongUsage } from '../result/result.ts';
import { didYouMean, nearest } from '../spelling/nearest.ts';
import { fail } from './fail.ts';
import type { Host } from './host.ts';

/** Runs one command line and answers its exit code. The parts of a command are loaded when it runs, not before. */
export async function run(argv: readonly string[], host: Host): Promise<number> {
  // kubectl's protocol for the completion of plugins, and the same for our own scripts.
  if (argv[0] === '__complete' || argv[0] === '__complete-raw') {
    const { printCompletions } = await import('./completions.ts');
    return printCompletions(argv.slice(1), host, argv[0] === '__complete-raw');
  }
  if (argv[0] === 'help') return help(argv.slice(1), host);
  const command = commandOf(argv[0]);
  const words = command === 'diagnose' ? argv : argv.slice(1);
  const parsed = readArguments(words, commands[command], readVariables(command, host.env));
  if (!parsed.ok) return fail(host, command === 'diagnose' ? orMeantCommand(argv[0], parsed.error) : parsed.error);
  const given = parsed.value;
  const [first] = given.positionals;
  if (given.isSet('version') || (command === 'diagnose' && first === 'version')) return printVersion(host, given);
  const { load, help: helpOf = () => helpText(command) } = table[command];
  if (given.isSet('help')) return print(host, await helpOf());
  const misspelt = command === 'lab' ? null : misspeltVariable(host.env);
  if (misspelt !== null) return fail(host, misspelt);
  if (command === 'diagnose' && first === undefined && given.text('from') === null) {
    const onList = screenForList(given, host);
    if (!onList.ok) return withUsage(host, onList.error);
    const { runLiveScan } = await import('./watch-scan.ts');
    return runLiveScan(given, host, onList.value);
  }
  const carryOut = await load();
  return carryOut(given, host);
}

/** What only a diagnosis of one Service understands. */
const ofOneService = ['port', 'record', 'baseline', 'output', 'fail-on', 'redact', 'watch', 'until', 'for'];

/** The terminal that can show the Services as a live list; else why nothing can be shown. */
function screenForList(given: Arguments, { terminal, env }: Host): Result<NonNullable<Host['terminal']>> {
  // A variable may be set for all runs, and stands back here.
  const flag = ofOneService.find((name) => given.list(name).length > 0 && given.named(name).startsWith('--'));
  if (flag !== undefined) return err(wrongUsage(`--${flag} is about one Service, and none is named`, 'name it'));
  if (terminal !== null && env['TERM'] !== 'dumb') return ok(terminal);
  return err(wrongUsage('no Service is named', 'name one, or try kubectl grpc-skew lab without a cluster'));
}

function withUsage(host: Host, problem: Problem): number {
  host.stderr(usage);
  return fail(host, problem);
}

interface Entry {
  /** What carries the command out; nothing of it is loaded before. */
  load(): Promise<(given: Arguments, host: Host) => number | Promise<number>>;
  /** Help that knows more than the table of flags. */
  help?(): Promise<string>;
}

const table: Readonly<Record<CommandName, Entry>> = {
  diagnose: { load: async () => (await import('./diagnosis.ts')).runDiagnosis },
  fix: { load: async () => (await import('./fix.ts')).runFix },
  scan: { load: async () => (await import('./scan.ts')).runScan },
  probes: { load: async () => (await import('./probes.ts')).runProbes },
  explain: { load: async () => (await import('./explain.ts')).runExplain },
  rbac: { load: async () => (await import('./rbac.ts')).runRbac },
  completion: { load: async () => (await import('./completion-script.ts')).printCompletionScript },
  lab: {
    load: async () => (await import('./lab.ts')).runLab,
    help: async () => (await import('./lab.ts')).labHelp(),
  },
};

/** `help COMMAND` is `COMMAND --help`; without a command it is the help of a diagnosis. */
async function help(words: readonly string[], host: Host): Promise<number> {
  const topic = words.find((word) => !word.startsWith('-'));
  if (topic === undefined || topic === 'diagnose' || topic === 'help') return print(host, helpText('diagnose'));
  if (topic === 'flags') return print(host, flagsText());
  if (commandOf(topic) !== 'diagnose') return run([topic, '--help'], host);
  const meant = didYouMean(topic, commandNames);
  return fail(
    host,
    wrongUsage(
      `there is no command ${topic}`,
      meant ?? `the commands are ${commandNames.join(', ')}; kubectl grpc-skew help is about all of them`,
    ),
  );
}

/** Flags of a command whose name is misspelt are unknown to a diagnosis. */
function orMeantCommand(word: string | undefined, problem: Problem): Problem {
  const [command] = nearest(word ?? '', commandNames);
  return command === undefined ? problem : { ...problem, hint: `did you mean the command ${command}? ${problem.hint}` };
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

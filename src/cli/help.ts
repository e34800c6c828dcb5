import type { Flag } from './flag.ts';
import { type CommandName, commands } from './flags.ts';

/** What stands on stderr where nothing was asked for. */
export const usage = `Usage:
  kubectl grpc-skew SERVICE         why the traffic of a Service sits on a few pods
  kubectl grpc-skew                 in a terminal: the Services that look like gRPC, live
  kubectl grpc-skew scan [-A]       the Services that look like gRPC, worst first
  kubectl grpc-skew lab             try it without a cluster
  kubectl grpc-skew --help          all commands
`;

/** What a command does, in one line. */
export function summaryOf(command: CommandName): string {
  return (about[command][0] ?? '').replace(/\.$/, '');
}

/** What a command is for, in a few words. */
const inShort: Readonly<Record<Exclude<CommandName, 'diagnose'>, string>> = {
  scan: 'Rank the Services of a namespace, or of the cluster, by what hurts',
  fix: 'Print the change of the recommended strategy, ready to use',
  probes: 'Count the probes, and say what is wrong with them',
  explain: 'Say what a word of a report means',
  rbac: 'Print the least Role for what you want to see',
  lab: 'Diagnose a Service of an embedded cluster: no Kubernetes is needed',
  completion: 'Print what sets up completion in the shell',
};

const about: Readonly<Record<CommandName | 'flags', readonly string[]>> = {
  diagnose: [
    'Find out why the gRPC traffic of a Service sits on a few pods while others idle.',
    '',
    'Usage:',
    '  kubectl grpc-skew SERVICE [-n NAMESPACE] [flags]  or deploy/NAME, sts, ds, pod',
    '  kubectl grpc-skew [COMMAND] [flags]               alone: the Services, live',
    '',
    'Commands:',
    ...Object.entries({ ...inShort, version: 'Show the version' }).map(
      ([command, text]) => `  ${command.padEnd(12)}${text}`,
    ),
    '',
    'Examples:',
    '  kubectl grpc-skew checkout -n shop                           # the live view',
    '  kubectl grpc-skew checkout -n shop -o json --fail-on skewed  # for scripts',
    '  kubectl grpc-skew checkout -n shop --record now.json         # for --from',
    '  kubectl grpc-skew                                            # which Service',
    '',
    'It reads only; it runs ss in pods (--no-exec leaves that out).',
    'All flags: kubectl grpc-skew help flags. More: kubectl grpc-skew help COMMAND.',
  ],
  flags: [
    'The flags of a diagnosis: kubectl grpc-skew SERVICE [flags]',
    '',
    'Usage:',
    '  kubectl grpc-skew SERVICE [flags]',
    '  kubectl grpc-skew TYPE/NAME [flags]',
    '  kubectl grpc-skew --from FILE|DIR [flags]',
    '',
    'Examples:',
    '  # Keep what was seen, and diagnose it again later without the cluster',
    '  kubectl grpc-skew checkout --record checkout.json',
    '  kubectl grpc-skew --from checkout.json',
    '',
    '  # Wait for a fix: 0 when it is there, 5 when it is not within ten minutes',
    '  kubectl grpc-skew checkout -n shop -w -o json --until balanced --for 10m',
    '',
    '  # Prove a change: exit code 3 when it is no better than before',
    '  kubectl grpc-skew checkout -n shop --baseline checkout.json --fail-on unchanged,worse',
    '',
    'It looks into pods by running ss (or netstat, or cat) in them; --no-exec leaves that out.',
    'TYPE is svc, deploy, sts, ds or pod. A workload stands for the one Service that selects its pods.',
    'A Service that bears the name of a command is reached as svc/NAME.',
    'An environment variable gives a flag that the command line does not: GRPC_SKEW_FAIL_ON for --fail-on.',
  ],
  fix: [
    'Print the change of the recommended strategy for a Service, ready to use: manifests, code, the order, the way back.',
    'It diagnoses first, and it only prints: nothing is applied.',
    '',
    'Usage:',
    '  kubectl grpc-skew fix SERVICE [flags]',
    '',
    'Examples:',
    '  # What to change, with code for clients and server in Go',
    '  kubectl grpc-skew fix checkout -n shop --language go',
    '',
    '  # The manifests alone, checked by the API server but not applied',
    '  kubectl grpc-skew fix checkout -n shop -o yaml | kubectl apply --server-side --dry-run=server -f -',
  ],
  scan: [
    'Rank the Services of a namespace or of the cluster that look like gRPC: those that hurt most by skew come first.',
    '',
    'Usage:',
    '  kubectl grpc-skew scan [-n NAMESPACE | -A] [flags]',
    '  kubectl grpc-skew scan --from FILE|DIR [flags]',
    '',
    'It judges by endpoints and CPU and runs nothing in any pod, unless --connections is given. What looks like gRPC: a port',
    'with appProtocol or a name for it, with a gRPC probe behind it, or one that leads to 50051.',
  ],
  probes: [
    'Count the probes of a namespace or of the cluster by kind, list those that speak gRPC, and say what is wrong with them.',
    '',
    'Usage:',
    '  kubectl grpc-skew probes [-n NAMESPACE | -A] [flags]',
    '  kubectl grpc-skew probes --from FILE|DIR [flags]',
    '',
    'It lists pods and Events, page by page, and runs nothing in any pod.',
  ],
  explain: [
    'Explain a word of a report: a cause, strategy, signal, state, figure, line, column, mark of a pod, warning or rule.',
    '',
    'Usage:',
    '  kubectl grpc-skew explain [NAME] [flags]',
    '',
    'NAME is an id, or a word as the screen writes it: FAULT, by setting, harm, pods used, CALLS/S, rule 9.',
    'Without a name it lists all that there is.',
  ],
  rbac: [
    'Print the least Role for what you want to see, each rule with the signal that needs it.',
    '',
    'Usage:',
    '  kubectl grpc-skew rbac [--for SIGNALS] [-n NAMESPACE]',
  ],
  completion: [
    'Print what sets up completion in the shell.',
    '',
    'Usage:',
    '  kubectl grpc-skew completion kubectl|bash|zsh|fish',
    '',
    'Examples:',
    '  # For kubectl grpc-skew: kubectl runs this file, from PATH, where its own completion is set up',
    '  kubectl grpc-skew completion kubectl > ~/bin/kubectl_complete-grpc_skew',
    '  chmod +x ~/bin/kubectl_complete-grpc_skew',
    '',
    '  # For the program itself, kubectl-grpc_skew',
    '  source <(kubectl grpc-skew completion bash)',
  ],
  lab: [
    'Diagnose a Service in an embedded cluster with real gRPC traffic; no Kubernetes is needed.',
    '',
    'Usage:',
    '  kubectl grpc-skew lab [SCENARIO] [flags]',
  ],
};

const groups: readonly (readonly [Flag['group'], string])[] = [
  ['lab', 'Lab'],
  ['fix', 'Fix'],
  ['rights', 'Rights'],
  ['selection', 'Selection'],
  ['diagnosis', 'Diagnosis'],
  ['output', 'Output'],
  ['connection', 'Connection, as in kubectl'],
];

/** The help text of a command, generated from the table of flags; that of a diagnosis is one screen without them. */
export function helpText(command: CommandName, more: readonly string[] = []): string {
  const lines = [...about[command], ...more];
  if (command === 'diagnose') return textOf(lines);
  const flags: readonly Flag[] = commands[command];
  const shown = flags.filter(({ group, name }) => group !== 'connection' || usual.has(name));
  const rest = shown.length === flags.length ? [] : ['', 'The other connection flags: kubectl grpc-skew help flags'];
  return textOf([...lines, ...flagLines(shown), ...rest]);
}

/** Every flag of a diagnosis, those of kubectl among them. */
export function flagsText(): string {
  return textOf([...about.flags, ...flagLines(commands.diagnose)]);
}

/** The connection flags that most people need. */
const usual: ReadonlySet<string> = new Set(['namespace', 'context', 'kubeconfig']);

const textOf = (lines: readonly string[]) => `${lines.join('\n')}\n`;

function flagLines(flags: readonly Flag[]): string[] {
  const width = flags.reduce((most, flag) => Math.max(most, synopsis(flag).length), 0);
  return groups.flatMap(([group, title]) => {
    const members = flags.filter((flag) => flag.group === group);
    const lines = members.map((flag) => `  ${synopsis(flag).padEnd(width)}  ${describe(flag)}`);
    return lines.length === 0 ? [] : ['', `${title}:`, ...lines];
  });
}

function synopsis(flag: Flag): string {
  const short = flag.short === undefined ? '    ' : `-${flag.short}, `;
  const name = flag.name === flag.short ? `-${flag.short}` : `${short}--${flag.name}`;
  return flag.value === undefined ? name : `${name} ${flag.value}`;
}

function describe(flag: Flag): string {
  return flag.allowed === undefined ? flag.help : `${flag.help}: ${flag.allowed.join(', ')}`;
}

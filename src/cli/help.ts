import type { Flag } from './flag.ts';
import { type CommandName, commands } from './flags.ts';

/** What a command does, in one line. */
export function summaryOf(command: CommandName): string {
  return (about[command][0] ?? '').replace(/\.$/, '');
}

const about: Readonly<Record<CommandName, readonly string[]>> = {
  diagnose: [
    'Find out why the gRPC traffic of a Service sits on a few pods while the others idle.',
    '',
    'Usage:',
    '  kubectl grpc-skew SERVICE [flags]',
    '  kubectl grpc-skew TYPE/NAME [flags]',
    '  kubectl grpc-skew fix SERVICE [flags]',
    '  kubectl grpc-skew lab [SCENARIO] [flags]',
    '  kubectl grpc-skew scan [-n NAMESPACE | -A]',
    '  kubectl grpc-skew probes [-n NAMESPACE | -A]',
    '  kubectl grpc-skew explain [NAME]',
    '  kubectl grpc-skew rbac [--for SIGNALS]',
    '  kubectl grpc-skew completion SHELL',
    '  kubectl grpc-skew version',
    '  kubectl grpc-skew help [COMMAND]',
    '',
    'Examples:',
    '  # Diagnose the Service checkout of the namespace shop',
    '  kubectl grpc-skew checkout -n shop',
    '',
    '  # The Service in front of a workload',
    '  kubectl grpc-skew deploy/checkout -n shop',
    '',
    '  # For scripts: exit code 3 when the load is skewed',
    '  kubectl grpc-skew checkout -n shop -o json --fail-on skewed',
    '',
    '  # Keep what was seen, and diagnose it again later without the cluster',
    '  kubectl grpc-skew checkout --record checkout.json',
    '  kubectl grpc-skew --from checkout.json',
    '',
    '  # Prove a change: exit code 3 when it is no better than before',
    '  kubectl grpc-skew checkout -n shop --baseline checkout.json --fail-on unchanged,worse',
    '',
    '  # Without a cluster: a skewed Service in an embedded lab',
    '  kubectl grpc-skew lab',
    '',
    'It reads only. It looks into pods by running ss (or netstat, or cat) in them; --no-exec leaves that out.',
    'TYPE is svc, deploy, sts, ds or pod. A workload stands for the one Service that selects its pods.',
    'A Service that bears the name of a command is reached as svc/NAME.',
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
    'Explain a cause, strategy, signal, state, figure, mark of a pod or warning: what it looks like, how sure it can be, what it presupposes, what it needs.',
    '',
    'Usage:',
    '  kubectl grpc-skew explain [NAME] [flags]',
    '',
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

/** The help text of a command, generated from the table of flags. */
export function helpText(command: CommandName, more: readonly string[] = []): string {
  const lines = [...about[command], ...more];
  const width = commands[command].reduce((most, flag) => Math.max(most, synopsis(flag).length), 0);
  for (const [group, title] of groups) {
    const members = commands[command].filter((flag) => flag.group === group);
    if (members.length === 0) continue;
    lines.push('', `${title}:`);
    for (const flag of members) lines.push(`  ${synopsis(flag).padEnd(width)}  ${describe(flag)}`);
  }
  return `${lines.join('\n')}\n`;
}

function synopsis(flag: Flag): string {
  const short = flag.short === undefined ? '    ' : `-${flag.short}, `;
  const name = flag.name === flag.short ? `-${flag.short}` : `${short}--${flag.name}`;
  return flag.value === undefined ? name : `${name} ${flag.value}`;
}

function describe(flag: Flag): string {
  return flag.allowed === undefined ? flag.help : `${flag.help}: ${flag.allowed.join(', ')}`;
}

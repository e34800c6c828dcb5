import { signalIds } from '../evidence/signal-ids.ts';
import { meshes } from '../fix/meshes.ts';
import {
  comparisonResults,
  languageIds,
  languages,
  scanOrders,
  states,
  strategyIds,
  verdictKinds,
} from '../report/ids.ts';
import { longestWindow } from '../report/window.ts';
import { parseDuration } from '../spelling/duration.ts';
import { kubectlFlags } from './connection-flags.ts';
import type { Flag, NumberReader } from './flag.ts';

export const outputs = ['table', 'wide', 'json', 'yaml', 'markdown', 'chat', 'html'] as const;
export type Output = (typeof outputs)[number];

/** What --fail-on may name of a verdict; `unknown` always exits 4 when --fail-on is given. */
const failStates = [...states.filter((state) => state !== 'balanced' && state !== 'unknown'), ...verdictKinds];

/** What --fail-on may name beside them where there is a baseline; `cannot-tell` exits 4, as `unknown` does. */
const failComparisons = ['unchanged', 'worse'] as const;

export const ownerships = ['owned', 'third-party', 'mixed'] as const;

const windowOfScan = 'Distance of the two samples, in seconds or as 1m30s, up to 10m; 0 takes one sample (default 3)';

const durationReader = (most: number, takes: string, hint: string): NumberReader => ({
  takes,
  hint,
  read(text) {
    const ms = /^\d+(?:\.\d+)?$/.test(text) ? Number(text) * 1000 : parseDuration(text);
    return ms === null || ms > most * 1000 ? null : ms / 1000;
  },
});

const windowReader = durationReader(
  longestWindow,
  `seconds or a duration, up to ${longestWindow / 60}m`,
  'write --window 10 or --window 1m30s',
);

const whole = (takes: string, hint: string, pattern: RegExp, most = 999_999_999): NumberReader => ({
  takes,
  hint,
  read: (text) => (pattern.test(text) && Number(text) <= most ? Number(text) : null),
});

const diagnosis: readonly Flag[] = [
  {
    name: 'port',
    kind: 'text',
    value: 'PORT',
    help: 'Port of the Service, by number or name; without it, each port that looks like gRPC',
    group: 'diagnosis',
  },
  {
    name: 'window',
    kind: 'text',
    value: 'DURATION',
    help: 'Distance of the two samples, in seconds or as 1m30s, up to 10m; 0 takes one sample (default 3, and on until the state is decided, 20 at most; with --baseline 60)',
    group: 'diagnosis',
    number: windowReader,
  },
  {
    name: 'metrics-port',
    kind: 'text',
    value: 'PORT',
    help: 'Port of the metrics pages of the pods, where they do not name it themselves',
    group: 'diagnosis',
    number: whole('a port', 'write --metrics-port 9090', /^0*[1-9]\d*$/, 65_535),
  },
  {
    name: 'probe-metrics',
    kind: 'switch',
    help: 'Ask kubelets for their counters of probes: needs get nodes/proxy, a right as powerful as exec',
    group: 'diagnosis',
  },
  {
    name: 'prometheus',
    kind: 'text',
    value: 'URL|none',
    help: 'Ask this Prometheus instead of one that is found in the cluster; none asks none',
    group: 'diagnosis',
  },
  {
    name: 'prometheus-token-file',
    kind: 'text',
    value: 'FILE',
    help: 'File with the bearer token for --prometheus URL',
    group: 'diagnosis',
  },
  { name: 'no-exec', kind: 'switch', help: 'Run no command in any pod: connections stay unseen', group: 'diagnosis' },
  {
    name: 'inspect-clients',
    kind: 'switch',
    help: 'Look into up to 5 client pods, too: what they dial, and their language',
    group: 'diagnosis',
  },
  {
    name: 'inspect-proxies',
    kind: 'switch',
    help: 'Ask up to 3 Cilium agents (by exec in kube-system) and istiod even where their answer decides nothing',
    group: 'diagnosis',
  },
  { name: 'all-pods', kind: 'switch', help: 'Look into all pods, not only 50 of them', group: 'diagnosis' },
  {
    name: 'clients',
    kind: 'text',
    value: 'WHOSE',
    help: 'Who can change the clients, where it should not be inferred',
    group: 'diagnosis',
    allowed: ownerships,
  },
  {
    name: 'languages',
    kind: 'text',
    value: 'LANG[,LANG]',
    help: 'Languages of the clients',
    group: 'diagnosis',
    allowed: languageIds,
    many: true,
  },
  {
    name: 'record',
    kind: 'text',
    value: 'FILE',
    help: 'Write the evidence to a file, also when the diagnosis fails',
    group: 'diagnosis',
  },
  {
    name: 'from',
    kind: 'text',
    value: 'FILE|DIR',
    help: 'Diagnose recorded evidence, or a folder of raw answers, instead of a cluster',
    group: 'diagnosis',
  },
];

const baseline: Flag = {
  name: 'baseline',
  kind: 'text',
  value: 'FILE',
  help: 'Compare with an earlier run: a file that --record or -o json wrote',
  group: 'diagnosis',
};

const failOn: Flag = {
  name: 'fail-on',
  kind: 'text',
  value: 'STATE[,STATE]',
  help: 'Exit with 4 when the state, or the comparison with --baseline, cannot be told, with 3 when it is one of these',
  group: 'output',
  allowed: [...failStates, ...failComparisons],
  many: true,
};

/** Longest watch, in seconds: what goes on for longer is a monitor. */
const longestWatch = 86_400;

const watch: readonly Flag[] = [
  {
    name: 'watch',
    short: 'w',
    kind: 'switch',
    help: 'Look again every 30 s (every 10 s with --no-exec), and print each look: -o json one document a line',
    group: 'output',
  },
  {
    name: 'until',
    kind: 'text',
    value: 'STATE[,STATE]',
    help: 'With --watch, which --fail-on ends with 3: end with 0 when the state of every port is one of these',
    group: 'output',
    allowed: [...states, ...verdictKinds, ...comparisonResults],
    many: true,
  },
  {
    name: 'for',
    kind: 'text',
    value: 'DURATION',
    help: 'With --watch: end after this time, with 5 when --until was not met',
    group: 'output',
    number: durationReader(longestWatch, `seconds or a duration, up to ${longestWatch / 3600}h`, 'write --for 10m'),
  },
];

const output: readonly Flag[] = [
  {
    name: 'output',
    short: 'o',
    kind: 'text',
    value: 'FORMAT',
    help: 'Output format',
    group: 'output',
    allowed: outputs,
  },
  {
    name: 'fail-on',
    kind: 'text',
    value: 'STATE[,STATE]',
    help: 'Exit with 4 when the state is unknown, with 3 when it is one of these',
    group: 'output',
    allowed: failStates,
    many: true,
  },
  {
    name: 'color',
    kind: 'text',
    value: 'WHEN',
    help: 'Use colours',
    group: 'output',
    allowed: ['auto', 'always', 'never'],
  },
  {
    name: 'v',
    short: 'v',
    kind: 'text',
    value: 'LEVEL',
    help: 'Log to stderr; 6 shows every request',
    group: 'output',
    default: '0',
    number: whole('a number', 'write -v 6 to see every request', /^\d+$/),
  },
  {
    name: 'redact',
    kind: 'switch',
    help: 'Put numbers in the place of names and addresses, in what is printed and recorded',
    group: 'output',
  },
  { name: 'no-mouse', kind: 'switch', help: 'Live view: leave the mouse to the terminal', group: 'output' },
  { name: 'help', short: 'h', kind: 'switch', help: 'Show this help', group: 'output', variable: false },
  { name: 'version', kind: 'switch', help: 'Show the version', group: 'output', variable: false },
];

const count = (name: string) => whole('a number', `write --${name} 4`, /^\d{1,9}$/);

const lab: readonly Flag[] = [
  { name: 'serve', kind: 'switch', help: 'Keep the lab running and print how to reach it', group: 'lab' },
  { name: 'clients', kind: 'text', value: 'N', help: 'Number of clients', group: 'lab', number: count('clients') },
  { name: 'from', kind: 'text', value: 'P', help: 'Pods before the scale-up', group: 'lab', number: count('from') },
  { name: 'to', kind: 'text', value: 'P', help: 'Pods after the scale-up', group: 'lab', number: count('to') },
  {
    name: 'seed',
    kind: 'text',
    value: 'N',
    help: 'Leave the placement to chance, from this seed',
    group: 'lab',
    number: count('seed'),
  },
];

const fix: readonly Flag[] = [
  {
    name: 'strategy',
    kind: 'text',
    value: 'STRATEGY',
    help: 'Print the change of this strategy instead of the recommended one',
    group: 'fix',
    allowed: strategyIds,
  },
  {
    name: 'language',
    kind: 'text',
    value: 'LANG',
    help: 'Language of the code to print',
    group: 'fix',
    allowed: languages,
  },
  {
    name: 'mesh',
    kind: 'text',
    value: 'MESH',
    help: 'What chooses the pod for each call, where it was not seen',
    group: 'fix',
    allowed: meshes,
  },
];

const selection: readonly Flag[] = [
  {
    name: 'all-namespaces',
    short: 'A',
    kind: 'switch',
    help: 'All namespaces instead of one',
    group: 'selection',
  },
];

const documentOutput: Flag = {
  name: 'output',
  short: 'o',
  kind: 'text',
  value: 'FORMAT',
  help: 'Output format',
  group: 'output',
  allowed: ['table', 'json', 'yaml'],
};

const from: Flag = {
  name: 'from',
  kind: 'text',
  value: 'FILE|DIR',
  help: 'Read recorded evidence, or a folder of raw answers, instead of a cluster',
  group: 'diagnosis',
};

const named = (flags: readonly Flag[], ...names: readonly string[]) =>
  flags.filter((flag) => names.includes(flag.name));

/** What each command understands. */
export const commands = {
  diagnose: [
    ...diagnosis,
    baseline,
    ...output.map((flag) => (flag.name === failOn.name ? failOn : flag)),
    ...watch,
    ...kubectlFlags,
  ],
  rbac: [
    {
      name: 'for',
      kind: 'text',
      value: 'SIGNAL[,SIGNAL]',
      help: 'Signals that the rights are for (default: all but those as powerful as exec outside the namespace)',
      group: 'rights',
      variable: false,
      allowed: signalIds,
      many: true,
    },
    {
      name: 'user',
      kind: 'list',
      value: 'NAME',
      help: 'User who gets the rights; repeatable',
      group: 'rights',
      variable: false,
    },
    {
      name: 'group',
      kind: 'list',
      value: 'NAME',
      help: 'Group that gets the rights; repeatable',
      group: 'rights',
      variable: false,
    },
    {
      name: 'serviceaccount',
      kind: 'list',
      value: 'NAMESPACE:NAME',
      help: 'ServiceAccount that gets the rights; repeatable',
      group: 'rights',
      variable: false,
    },
    ...named(kubectlFlags, 'namespace', 'kubeconfig', 'context'),
    ...named(output, 'help'),
  ],
  fix: [
    ...fix,
    ...diagnosis,
    {
      name: 'output',
      short: 'o',
      kind: 'text',
      value: 'FORMAT',
      help: 'yaml prints the manifests alone',
      group: 'output',
      allowed: ['yaml'],
    },
    ...output.filter((flag) => ['color', 'v', 'help'].includes(flag.name)),
    ...kubectlFlags,
  ],
  explain: [documentOutput, ...named(output, 'color', 'help')],
  scan: [
    ...selection,
    {
      name: 'selector',
      short: 'l',
      kind: 'text',
      value: 'SELECTOR',
      help: 'Labels of the Services, as in kubectl: team=web,tier!=test',
      group: 'selection',
    },
    {
      name: 'connections',
      kind: 'switch',
      help: 'Look into the pods of each Service as a diagnosis does, one Service after the other',
      group: 'diagnosis',
    },
    ...named(diagnosis, 'window').map((flag) => ({ ...flag, help: windowOfScan })),
    from,
    { ...documentOutput, allowed: ['table', 'wide', 'json', 'yaml', 'name'] },
    {
      name: 'sort-by',
      kind: 'text',
      value: 'FIELD',
      help: 'Order of the Services, the worst first (default harm)',
      group: 'output',
      allowed: scanOrders,
      default: 'harm',
    },
    {
      name: 'no-headers',
      kind: 'switch',
      help: 'Print rows alone, each with all columns on one line',
      group: 'output',
    },
    ...named(output, 'fail-on', 'color', 'v', 'help'),
    ...kubectlFlags,
  ],
  probes: [
    ...selection,
    ...named(diagnosis, 'probe-metrics'),
    {
      name: 'window',
      kind: 'text',
      value: 'DURATION',
      help: 'Distance of the two looks at the counters of kubelets, in seconds or as 1m30s; 0 takes one look (default 10)',
      group: 'diagnosis',
      // Probes have periods of seconds: a shorter window sees none of most.
      default: '10',
      number: windowReader,
    },
    from,
    documentOutput,
    ...named(output, 'color', 'v', 'help'),
    ...kubectlFlags,
  ],
  completion: named(output, 'help'),
  lab: [
    ...lab,
    ...named(
      diagnosis,
      'window',
      'prometheus',
      'probe-metrics',
      'inspect-clients',
      'inspect-proxies',
      'no-exec',
      'record',
    ),
    ...output,
  ],
} as const satisfies Readonly<Record<string, readonly Flag[]>>;
export type CommandName = keyof typeof commands;

/** The words that are commands, but for the one that is left out. */
export const commandNames: readonly CommandName[] = (Object.keys(commands) as CommandName[]).filter(
  (command) => command !== 'diagnose',
);

/** The first word names a command; anything else is the Service to diagnose. */
export function commandOf(word: string | undefined): CommandName {
  return commandNames.find((name) => name === word) ?? 'diagnose';
}

import { parseRequestTimeout } from '../kube/requests/request-timeout.ts';
import type { ConnectionFlags } from '../kube/types.ts';
import { type PrometheusAddress, readAddress } from '../prometheus/address.ts';
import { flag } from '../report/command.ts';
import { comparisonResults, type LanguageId } from '../report/ids.ts';
import { err, ok, type Problem, type Result, wrongUsage } from '../result/result.ts';
import type { Arguments } from './arguments.ts';
import type { Output, ownerships } from './flags.ts';
import { isName } from './target.ts';

/** How long is looked again and again. */
interface Watch {
  /** Null: until somebody interrupts. */
  readonly forSeconds: number | null;
  /** States, kinds and results of a comparison, any of which ends it. */
  readonly until: readonly string[] | null;
}

/** What a diagnosis was asked for, typed. */
export interface DiagnosisOptions {
  readonly port: string | null;
  /** Distance of the two samples. */
  readonly windowSeconds: number;
  /** Until when it may grow while nothing is decided; null: --window fixes it. */
  readonly longestWindowSeconds: number | null;
  readonly exec: boolean;
  readonly allPods: boolean;
  readonly metricsPort: number | null;
  readonly inspectClients: boolean;
  readonly inspectProxies: boolean;
  readonly probeMetrics: boolean;
  /** `find`: not said, so the one of the cluster. */
  readonly prometheus: PrometheusAddress | 'find' | 'none';
  readonly prometheusTokenFile: string | null;
  readonly clients: (typeof ownerships)[number] | null;
  readonly record: string | null;
  /** The file of an earlier run. */
  readonly baseline: string | null;
  readonly language: LanguageId | null;
  /** Null: not said, so the terminal UI where there is a terminal, else the table. */
  readonly output: Output | null;
  /** --watch: null, one look. */
  readonly watch: Watch | null;
  readonly color: 'auto' | 'always' | 'never';
  readonly failOn: readonly string[] | null;
  readonly verbosity: number;
  readonly redact: boolean;
  /** A live view hears the mouse. */
  readonly mouse: boolean;
  /** Flags that printed commands carry: none with --redact, nor where no cluster is asked. */
  readonly connection: readonly string[];
}

export function readDiagnosisOptions(given: Arguments): Result<DiagnosisOptions> {
  const failOn = given.text('fail-on')?.split(',') ?? null;
  const alone = comparedWithout(given);
  if (alone !== null) return err(alone);
  const watch = readWatch(given);
  if (!watch.ok) return watch;
  if (given.isSet('redact') && given.text('baseline') !== null) {
    return err(
      wrongUsage(
        '--redact and --baseline exclude each other: pods under other names cannot be compared',
        'leave one of them out',
      ),
    );
  }
  const prometheus = readPrometheus(given);
  if (!prometheus.ok) return prometheus;
  return ok({
    port: given.text('port'),
    ...readWindow(given),
    exec: !given.isSet('no-exec'),
    allPods: given.isSet('all-pods'),
    metricsPort: given.number('metrics-port'),
    inspectClients: given.isSet('inspect-clients'),
    inspectProxies: given.isSet('inspect-proxies'),
    probeMetrics: given.isSet('probe-metrics'),
    ...prometheus.value,
    // The table of flags has checked the values of those that allow only some.
    clients: given.text('clients') as DiagnosisOptions['clients'],
    record: given.text('record'),
    baseline: given.text('baseline'),
    language: readLanguage(given.text('languages')),
    output: given.text('output') as Output | null,
    watch: watch.value,
    color: (given.text('color') ?? 'auto') as DiagnosisOptions['color'],
    failOn,
    verbosity: given.number('v') ?? 0,
    redact: given.isSet('redact'),
    mouse: !given.isSet('no-mouse'),
    connection: given.isSet('redact') || given.text('from') !== null ? [] : clusterFlags(given),
  });
}

/** What decides takes this long where calls come often, in seconds. */
const firstWindow = 3;
/** Somebody waits for it. To prove a change is worth more of their time than to see where one stands. */
const longestWindows = { alone: 20, withBaseline: 60 } as const;

function readWindow(given: Arguments): Pick<DiagnosisOptions, 'windowSeconds' | 'longestWindowSeconds'> {
  const asked = given.number('window');
  if (asked !== null) return { windowSeconds: asked, longestWindowSeconds: null };
  const { alone, withBaseline } = longestWindows;
  return {
    windowSeconds: firstWindow,
    longestWindowSeconds: given.text('baseline') === null ? alone : withBaseline,
  };
}
/** A result of a comparison is waited for, or fails on, where there is something to compare with. */
function comparedWithout(given: Arguments): Problem | null {
  if (given.text('baseline') !== null) return null;
  for (const flag of ['fail-on', 'until']) {
    const compared = given
      .text(flag)
      ?.split(',')
      .find((entry) => comparisonResults.some((result) => result === entry));
    if (compared !== undefined)
      return wrongUsage(
        `${given.named(flag)} ${compared} compares with an earlier run`,
        'name its file with --baseline FILE',
      );
  }
  return null;
}

function readWatch(given: Arguments): Result<Watch | null> {
  const until = given.text('until')?.split(',') ?? null;
  const forSeconds = given.number('for');
  if (!given.isSet('watch')) {
    const alone = until !== null ? 'until' : forSeconds !== null ? 'for' : null;
    return alone === null
      ? ok(null)
      : err(wrongUsage(`${given.named(alone)} goes with --watch`, 'add -w, or leave it out'));
  }
  if (given.text('from') !== null) {
    const message = '--watch looks again and again, and what --from names does not change';
    return err(wrongUsage(message, 'leave one of them out'));
  }
  const output = given.text('output');
  if (output !== null && !watchOutputs.has(output)) {
    const message = `--watch prints ${[...watchOutputs].sort().join(', ')}, and no ${output}`;
    return err(wrongUsage(message, `leave -w out for one look as ${output}`));
  }
  return ok({ forSeconds, until });
}

/** Those of which several can follow each other. */
const watchOutputs: ReadonlySet<string> = new Set<Output>(['table', 'wide', 'json', 'yaml']);

/** --prometheus and its token, as far as they fit together. */
function readPrometheus(given: Arguments): Result<Pick<DiagnosisOptions, 'prometheus' | 'prometheusTokenFile'>> {
  const text = given.text('prometheus');
  const prometheusTokenFile = given.text('prometheus-token-file');
  if (text === null || text === 'none') {
    if (prometheusTokenFile === null) return ok({ prometheus: text === null ? 'find' : 'none', prometheusTokenFile });
    const message = '--prometheus-token-file goes with --prometheus URL';
    return err(wrongUsage(message, 'inside the cluster the rights of the user count: no token is needed'));
  }
  if (given.text('from') !== null) {
    const message = '--from diagnoses what was recorded, --prometheus asks one that runs';
    return err(wrongUsage(message, 'leave --prometheus out'));
  }
  const address = readAddress(text);
  if (!address.ok) {
    const { message } = address.error;
    return err({ ...address.error, message: message.replace('--prometheus', given.named('prometheus')) });
  }
  if (address.value.authorization !== null && prometheusTokenFile !== null) {
    const message = 'the URL of --prometheus has a user, and --prometheus-token-file a token';
    return err(wrongUsage(message, 'give one of them'));
  }
  return ok({ prometheus: address.value, prometheusTokenFile });
}

/** Several languages count as mixed: what each needs differs. */
function readLanguage(text: string | null): LanguageId | null {
  if (text === null) return null;
  const languages = [...new Set(text.split(','))];
  return languages.length === 1 ? (languages[0] as LanguageId) : 'mixed';
}

/** The connection flags, as `kube/` takes them. */
export function connectionFlags(given: Arguments): ConnectionFlags {
  const texts = {
    kubeconfig: given.text('kubeconfig'),
    context: given.text('context'),
    cluster: given.text('cluster'),
    user: given.text('user'),
    namespace: given.text('namespace'),
    server: given.text('server'),
    tlsServerName: given.text('tls-server-name'),
    certificateAuthority: given.text('certificate-authority'),
    clientCertificate: given.text('client-certificate'),
    clientKey: given.text('client-key'),
    token: given.text('token'),
    as: given.text('as'),
    asUid: given.text('as-uid'),
    requestTimeout: given.text('request-timeout'),
  };
  return {
    ...Object.fromEntries(Object.entries(texts).filter(([, value]) => value !== null)),
    ...(given.list('as-group').length > 0 && { asGroups: given.list('as-group') }),
    ...(given.list('as-user-extra').length > 0 && { asUserExtra: given.list('as-user-extra') }),
    ...(given.isSet('insecure-skip-tls-verify') && { insecureSkipTlsVerify: true }),
    ...(given.isSet('disable-compression') && { disableCompression: true }),
  };
}

/** The flags that say which cluster is meant, for commands that are printed; a password in a URL stays out. */
function clusterFlags(given: Arguments): readonly string[] {
  return ['kubeconfig', 'cluster', 'user', 'server'].flatMap((name) => {
    const value = given.text(name)?.replace(/^([a-z]+:\/\/)[^/?#]*@/i, '$1');
    return value ? flag(name, value) : [];
  });
}

/** What is wrong with the values of connection flags, as far as that shows without a kubeconfig. */
export function connectionProblem(given: Arguments): Problem | null {
  const namespace = given.text('namespace');
  const requestTimeout = given.text('request-timeout');
  if (namespace && !isName(namespace)) {
    const named = given.named('namespace');
    const where = named.startsWith('--') ? '' : `${named}: `;
    const message = `${where}${JSON.stringify(namespace)} is no name of a namespace`;
    return wrongUsage(message, 'names have lower-case letters, digits and dashes');
  }
  if (requestTimeout && parseRequestTimeout(requestTimeout) === null) {
    const message = `${given.named('request-timeout')} takes a number of seconds or a duration, not ${requestTimeout}`;
    return wrongUsage(message, 'write --request-timeout 30s');
  }
  return null;
}

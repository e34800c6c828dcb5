import type { Arguments } from '../cli/arguments.ts';
import { exitCodes } from '../cli/exit-codes.ts';
import { connectionFlags, connectionProblem, type DiagnosisOptions, readDiagnosisOptions } from '../cli/options.ts';
import { problemOf } from '../collect/problem.ts';
import { openKube } from '../kube/open.ts';
import type { KubeClient } from '../kube/types.ts';
import { sanitise, sanitiseAll, toAscii } from '../render/sanitise.ts';
import { colorChoice, unicodeChoice } from '../render/style.ts';
import type { ScanItem, SkewScan } from '../report/scan.ts';
import type { SkewReport } from '../report/schema.ts';
import { err, ok, type Problem, type Result } from '../result/result.ts';
import { scanItem } from '../scan/rank.ts';
import { mountScan, type ScanScreen, type Terminal } from '../tui/mount.tsx';
import type { ScanCommand } from '../tui/scan-keys.ts';
import { initialScanState, reduceScan, type ScanAction, type ScanState } from '../watch/scan-state.ts';
import { type Store, storeOf } from '../watch/store.ts';
import { fail } from './fail.ts';
import { type HeldStderr, holdStderr } from './held-stderr.ts';
import type { Host } from './host.ts';
import { kubeHost, notOpened } from './kube.ts';
import { missingOf } from './namespaces.ts';
import { openPrometheus } from './prometheus.ts';
import { pause, type Sources } from './request.ts';
import { takeScan } from './scan.ts';
import { watchService } from './watch.ts';

/** Seconds between two looks of the live list; a look that took long is followed by a rest of so many times that. */
const listPace = { rest: 10, timesTheLook: 10 } as const;

/** `grpc-skew` alone, in a terminal: the Services that look like gRPC as a live list, from which each can be diagnosed. */
export async function runLiveScan(given: Arguments, host: Host, terminal: Terminal): Promise<number> {
  const read = readDiagnosisOptions(given);
  if (!read.ok) return fail(host, read.error);
  const options = read.value;
  const flags = connectionFlags(given);
  const problem = connectionProblem(given);
  if (problem !== null) return fail(host, problem);
  const stderr = holdStderr(host.stderr);
  const about = kubeHost({ ...host, stderr: stderr.write }, options.verbosity, stderr.isHeld);
  const prometheus = await openPrometheus(options, about, host.interrupted);
  if (host.interrupted.aborted) return exitCodes.interrupted;
  if (!prometheus.ok) return fail(host, prometheus.error);
  const opened = await openKube(flags, about);
  if (host.interrupted.aborted) return exitCodes.interrupted;
  if (!opened.ok) return fail(host, notOpened(opened.error));
  const sources = { kube: opened.value, prometheus: prometheus.value };
  try {
    // A credential plugin may ask for a login: it needs the terminal as it is.
    const signedIn = await sources.kube.signIn(host.interrupted);
    if (host.interrupted.aborted) return exitCodes.interrupted;
    if (!signedIn.ok) return fail(host, notOpened(signedIn.error));
    return await watchList(sources, options, host, { terminal, stderr });
  } finally {
    if (typeof sources.prometheus !== 'string') await sources.prometheus.close();
    await sources.kube.close();
  }
}

interface Ends {
  readonly terminal: Terminal;
  readonly stderr: HeldStderr;
}

async function watchList(sources: Sources, options: DiagnosisOptions, host: Host, ends: Ends): Promise<number> {
  const { kube } = sources;
  const unicode = unicodeChoice(host.env);
  const clean = (text: string) => (unicode ? sanitise(text) : toAscii(sanitise(text)));
  const place = sanitiseAll({ context: kube.context, namespace: kube.namespace }, clean);
  const store = storeOf(initialScanState(place, host.now()), reduceScan);
  const plain = host.env['INK_SCREEN_READER'] === 'true';
  const style = {
    ...{ color: colorChoice({ flag: options.color, env: host.env, isTerminal: true }), weights: true, unicode, plain },
    mouse: !plain && options.mouse,
  };
  const wishes = openWishes(store);
  ends.stderr.hold();
  const screen = mountScan(store, ends.terminal, { style, onCommand: wishes.hear });
  const leave = () => screen.unmount();
  host.interrupted.addEventListener('abort', leave, { once: true });
  wishes.left.addEventListener('abort', leave, { once: true });
  const ticking = setInterval(() => store.dispatch({ kind: 'tick', now: host.now() }), 1000);
  const ended = AbortSignal.any([host.interrupted, wishes.left]);
  const open = (item: ScanItem) =>
    openService(sources, item, options, host, { ...ends, store, clean, mount: screen.over });
  try {
    const failed = new Promise<never>((_, reject) => screen.left.catch(reject));
    const code = await Promise.race([
      lookUntilLeft(kube, options, host, { store, wishes, ended, clean, open }),
      failed,
    ]);
    if (code !== null) return code;
    return host.interrupted.aborted || wishes.isInterrupted() ? exitCodes.interrupted : exitCodes.done;
  } catch (error) {
    ends.stderr.release();
    const message = `the terminal UI failed: ${error instanceof Error ? error.message : String(error)}`;
    return fail(host, { kind: 'failed', message, hint: 'use the command scan, and report this' });
  } finally {
    clearInterval(ticking);
    leave();
    ends.stderr.release();
  }
}

/** What keys have asked for and the looks have not answered yet. */
interface Wishes {
  hear(command: ScanCommand): void;
  /** Aborts when somebody leaves. */
  readonly left: AbortSignal;
  isInterrupted(): boolean;
  /** The Service that is to be opened; asked once, it is forgotten. */
  opened(): ScanItem | null;
  /** Whether to look although there is a pause; asked once, it is forgotten. */
  asked(): boolean;
  /** Aborts when there is something more urgent than the look, or the rest, that is under way. */
  urgent(): AbortSignal;
}

function openWishes(store: Store<ScanState, ScanAction>): Wishes {
  const left = new AbortController();
  let urgent = new AbortController();
  let isInterrupted = false;
  let isAsked = false;
  let item: ScanItem | null = null;
  return {
    hear(command) {
      if (command === 'quit' || command === 'interrupt') {
        isInterrupted = command === 'interrupt';
        left.abort();
        return;
      }
      if (command === 'scope') store.dispatch({ kind: 'scope' });
      else if (command === 'again') isAsked = true;
      else item = command.open;
      urgent.abort();
    },
    left: left.signal,
    isInterrupted: () => isInterrupted,
    opened() {
      const wanted = item;
      item = null;
      return wanted;
    },
    asked() {
      const was = isAsked;
      isAsked = false;
      return was;
    },
    urgent() {
      if (urgent.signal.aborted) urgent = new AbortController();
      return urgent.signal;
    },
  };
}

interface Looking {
  readonly store: Store<ScanState, ScanAction>;
  readonly wishes: Wishes;
  readonly ended: AbortSignal;
  readonly clean: (text: string) => string;
  /** Diagnoses a Service on the screen; answers an exit code when that is the end of all, null when the list is back. */
  readonly open: (item: ScanItem) => Promise<number | null>;
}

/** Lists again and again, and opens what is chosen; answers an exit code when a Service was left to quit. */
async function lookUntilLeft(
  kube: KubeClient,
  options: DiagnosisOptions,
  host: Host,
  looking: Looking,
): Promise<number | null> {
  const { store, wishes, ended, clean, open } = looking;
  while (!ended.aborted) {
    const item = wishes.opened();
    if (item !== null) {
      const code = await open(item);
      if (code !== null) return code;
      continue;
    }
    const urgent = wishes.urgent();
    const signal = AbortSignal.any([ended, urgent]);
    const began = host.now();
    if (wishes.asked() || !store.get().paused) {
      store.dispatch({ kind: 'asking', text: 'asking for Services and pods' });
      const found = await scanNow(kube, options, host, { everywhere: store.get().everywhere, signal, store, clean });
      if (signal.aborted) continue;
      store.dispatch(
        found.ok
          ? { kind: 'scan', scan: sanitiseAll(found.value, clean), at: host.now() }
          : { kind: 'problem', problem: sanitiseAll(found.error, clean) },
      );
    }
    const rest = Math.max(listPace.rest, (listPace.timesTheLook * (host.now() - began)) / 1000);
    store.dispatch({ kind: 'resting', until: host.now() + rest * 1000 });
    await pause(rest, signal);
  }
  return null;
}

interface Now {
  readonly everywhere: boolean;
  readonly signal: AbortSignal;
  readonly store: Looking['store'];
  readonly clean: Looking['clean'];
}

/** One scan; a namespace that is not there has none. */
async function scanNow(
  kube: KubeClient,
  { connection }: DiagnosisOptions,
  host: Host,
  { everywhere, signal, store, clean }: Now,
): Promise<Result<SkewScan>> {
  const namespace = everywhere ? null : kube.namespace;
  const found = await takeScan({
    ...{ kube, signal, namespace, connection, connections: null, now: host.now },
    wait: (seconds) => pause(seconds, signal),
    say: (text) => store.dispatch({ kind: 'asking', text: clean(text) }),
  });
  if (!found.ok) return err(problemOf(found.error));
  const missing =
    found.value.status.services > 0 || signal.aborted
      ? null
      : await missingOf(kube, namespace, { ...host, interrupted: signal });
  return missing === null ? ok(found.value) : err(missing);
}

/** The live view on one Service, over the list. Null: the list is back, with why there is no view, if there is none. */
async function openService(
  sources: Sources,
  { namespace, name, port, sign }: ScanItem,
  options: DiagnosisOptions,
  host: Host,
  {
    terminal,
    stderr,
    store,
    mount,
    clean,
  }: Ends & Pick<Looking, 'store' | 'clean'> & { readonly mount: ScanScreen['over'] },
): Promise<number | null> {
  let isBack = false;
  const back = (problem: Problem | null, reports: readonly SkewReport[]) => {
    isBack = true;
    const report = reports.find(({ spec }) => spec.port?.port === port.port);
    if (report !== undefined) {
      const item = sanitiseAll(scanItem({ sign, port }, report), clean);
      store.dispatch({ kind: 'diagnosed', item, at: Date.parse(report.metadata.generatedAt) });
    }
    if (problem !== null) store.dispatch({ kind: 'notice', text: clean(`svc/${name}: ${problem.message}`) });
  };
  const subject = { name, namespace, context: sources.kube.context };
  const ofPort = { ...options, port: port.name ?? String(port.port) };
  const code = await watchService(sources, subject, ofPort, host, { terminal, stderr, list: { mount, back } });
  return isBack ? null : code;
}

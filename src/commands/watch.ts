import { exitCodeFor, exitCodeForReports, exitCodes } from '../cli/exit-codes.ts';
import type { DiagnosisOptions } from '../cli/options.ts';
import { newDraft } from '../collect/draft.ts';
import { collectLive, livePace } from '../collect/live.ts';
import type { DiagnoseOptions } from '../diagnose.ts';
import type { Redactor } from '../evidence/redact.ts';
import type { SkewEvidence } from '../evidence/schema.ts';
import { renderReports } from '../render/report.ts';
import { sanitise, sanitiseAll, toAscii } from '../render/sanitise.ts';
import { colorChoice, unicodeChoice } from '../render/style.ts';
import type { State } from '../report/ids.ts';
import type { SkewReport } from '../report/schema.ts';
import type { Problem } from '../result/result.ts';
import type { Command } from '../tui/keys.ts';
import { mount, type Screen, type Terminal } from '../tui/mount.tsx';
import { provisional, shownReport } from '../watch/shown.ts';
import { initialState, type PortVerdict } from '../watch/state.ts';
import { openStore, type Store } from '../watch/store.ts';
import { fail } from './fail.ts';
import { copyCommand, copyNote, save } from './hand-over.ts';
import type { HeldStderr } from './held-stderr.ts';
import type { Host } from './host.ts';
import { notOpened } from './kube.ts';
import { recordEvidence } from './record.ts';
import { collectRequest, type DiagnosisSubject, pause, type RunOptions, redactorOf, type Sources } from './request.ts';
import { openThread } from './thread.ts';

/**
 * The live terminal UI on one Service: takes the screen, looks until somebody quits, gives the screen back and prints the
 * last verdict. Answers the exit code.
 */
export async function watchService(
  sources: Sources,
  subject: DiagnosisSubject,
  options: RunOptions,
  host: Host,
  { terminal, stderr, list }: WatchEnds,
): Promise<number> {
  // A credential plugin may ask for a login: it needs the terminal as it is.
  const { kube } = sources;
  const signedIn = await kube.signIn(host.interrupted);
  if (host.interrupted.aborted) return exitCodes.interrupted;
  if (!signedIn.ok) return fail(host, notOpened(signedIn.error));
  const unicode = unicodeChoice(host.env);
  const redactor = await redactorOf(options);
  const named = { ...subject, context: subject.context ?? kube.context };
  const { metadata } = redactor.evidence(newDraft(collectRequest(named, options)).evidence);
  const place = {
    context: metadata.context ?? named.context,
    namespace: metadata.namespace,
    service: metadata.name,
    port: options.port,
  };
  const clean = (text: string) => {
    const words = sanitise(redactor.words(text));
    return unicode ? words : toAscii(words);
  };
  const store = openStore({ ...initialState(sanitiseAll(place, clean), host.now()), overList: list !== undefined });
  const quit = new AbortController();
  let isBack = false;
  const plain = host.env['INK_SCREEN_READER'] === 'true';
  const session = openSession(sources, subject, options, host, store, {
    signal: AbortSignal.any([quit.signal, host.interrupted]),
    clean,
    redactor,
    restSeconds: plain ? spokenEvery : 0,
  });
  const color = colorChoice({ flag: options.color, env: host.env, isTerminal: true });
  const style = { color, weights: true, unicode, plain, mouse: options.mouse && !plain };
  stderr.hold();
  const screen = (list?.mount ?? mount)(store, terminal, {
    style,
    onKey: session.touched,
    onCommand(command) {
      isBack = command === 'back';
      if (command === 'back' || command === 'quit') quit.abort();
      else void session.command(command, terminal).then((lasting) => lasting && stderr.write(`${clean(lasting)}\n`));
    },
  });
  const failure = await runUntilLeft(session, screen, quit, host, plain ? spokenEvery : 2);
  await session.ended;
  if (list !== undefined && failure === null && (isBack || session.problem() !== null)) {
    list.back(session.problem(), asFarAs(session.reports() ?? [], store.get().waitingFor));
    return exitCodes.done;
  }
  stderr.release();
  if (failure !== null) {
    const message = `the terminal UI failed: ${failure}`;
    return fail(host, { kind: 'failed', message, hint: 'use -o table, and report this' });
  }
  return conclude(session, store.get().waitingFor, options, host);
}

/** Where the view is drawn, and what is behind it. */
interface WatchEnds {
  readonly terminal: Terminal;
  readonly stderr: HeldStderr;
  /**
   * The list of Services: `back` is called in the place of an end of the program, with why there was no view, and with the
   * reports as they were shown last.
   */
  readonly list?: {
    readonly mount: typeof mount;
    readonly back: (problem: Problem | null, reports: readonly SkewReport[]) => void;
  };
}

/** A screen reader reads out all that changes: figures that only went on may change so often, in seconds. */
const spokenEvery = 30;

/** Waits until the screen is left, by a key, a signal or a failure; answers the message of a failure. */
async function runUntilLeft(
  session: Session,
  screen: Screen,
  quit: AbortController,
  host: Host,
  tickSeconds: number,
): Promise<string | null> {
  const leave = () => screen.unmount();
  quit.signal.addEventListener('abort', leave, { once: true });
  host.interrupted.addEventListener('abort', leave, { once: true });
  const ticking = setInterval(session.tick, tickSeconds * 1000);
  try {
    await Promise.race([screen.left, session.run()]);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    clearInterval(ticking);
    quit.abort();
    leave();
  }
}

interface Session {
  /** Looks until the signal aborts, or until it is clear that there can be no first report. */
  run(): Promise<void>;
  tick(): void;
  touched(): void;
  /** Answers what is to be said of it once the screen is given back. */
  command(command: Exclude<Command, 'quit' | 'back'>, terminal: Terminal): Promise<string | undefined>;
  /** Settles when nothing is being asked any more. */
  readonly ended: Promise<void>;
  /** Of the last look that gave a report; without any report, what was seen. */
  evidence(): SkewEvidence | null;
  reports(): readonly SkewReport[] | null;
  /** Why there is no report. */
  problem(): Problem | null;
}

interface SessionSettings {
  readonly signal: AbortSignal;
  readonly clean: (text: string) => string;
  readonly redactor: Redactor;
  /** Between two reports of the watch, once the first look is whole. */
  readonly restSeconds: number;
}

/** The looks behind the screen: the same stream that a one-shot diagnosis reads, going on. */
function openSession(
  { kube, prometheus }: Sources,
  subject: DiagnosisSubject,
  options: RunOptions,
  host: Host,
  store: Store,
  { signal, clean, redactor, restSeconds }: SessionSettings,
): Session {
  let evidence: SkewEvidence | null = null;
  let last: readonly SkewReport[] | null = null;
  let problem: Problem | null = null;
  let lastKey = host.now();
  let reportedAt = 0;
  let askAgain: () => void = () => {};
  let toggles = togglesOf(store);
  let finish: () => void = () => {};
  const ended = new Promise<void>((resolve) => {
    finish = resolve;
  });

  // Nothing here is left to signals: the screen has to be given back.
  const thread = openThread(host, signal);
  const publish = async (seen: SkewEvidence, waitingFor: string | null) => {
    // Keys are heard first, and by what they have said until then the evidence is read.
    const first = await thread.diagnose(seen, () => saidBy(store, options));
    if (first === null) return;
    const diagnosis = first.ok ? (options.compared?.compareAll(first.value) ?? first) : first;
    if (!diagnosis.ok) return cannot(seen, diagnosis.error);
    const reports = sanitiseAll(diagnosis.value, clean);
    const report = ofPort(reports, store.get().chosenPort);
    if (report === undefined) return;
    evidence = seen;
    last = diagnosis.value;
    reportedAt = host.now();
    store.dispatch({ kind: 'report', report, ports: reports.flatMap(portVerdict), waitingFor, at: reportedAt });
  };
  const isTimely = () => store.get().waitingFor !== null || host.now() >= reportedAt + restSeconds * 1000;
  const cannot = (seen: SkewEvidence, reason: Problem) => {
    if (store.get().report !== null)
      store.dispatch({
        kind: 'problem',
        message: clean(reason.message),
        retry: { at: host.now(), seconds: livePace.lists },
      });
    else {
      evidence = seen;
      problem = redactor.problem(reason);
    }
  };

  const handOver = (command: 'copy' | 'copy-command' | 'save', terminal: Terminal) => {
    // What is copied is what the screen shows.
    const report = shownReport(store.get());
    if (command === 'save') return save(evidence, host);
    return command === 'copy' ? copyNote(report, host, terminal) : copyCommand(report, host, terminal);
  };
  store.subscribe(() => {
    const now = togglesOf(store);
    if (now === toggles) return;
    toggles = now;
    if (evidence !== null) void publish(evidence, store.get().waitingFor);
  });
  const idleSeconds = () => (host.now() - lastKey) / 1000;

  return {
    ended,
    evidence: () => evidence,
    reports: () => last,
    problem: () => problem,
    tick: () =>
      store.dispatch({ kind: 'tick', now: host.now(), asleep: options.exec && idleSeconds() >= livePace.sleepAfter }),
    touched: () => {
      lastKey = host.now();
    },
    async run() {
      const looks = collectLive(
        collectRequest(subject, options),
        {
          kube,
          prometheus,
          signal,
          now: host.now,
          wait: (seconds) => pause(seconds, signal),
          beforeExecs: () => {},
          progress: (id, state, text) => store.dispatch({ kind: 'step', id, state, text: clean(text) }),
        },
        {
          paused: () => store.get().paused,
          idleSeconds,
          again: () =>
            new Promise((resolve) => {
              askAgain = resolve;
            }),
        },
      );
      try {
        for await (const collected of looks) {
          if (signal.aborted) return;
          if (collected.problem !== null) cannot(redactor.evidence(collected.evidence), collected.problem);
          else if (isTimely())
            await publish(redactor.evidence(collected.evidence), waitingFor(collected.stage, options));
          if (problem !== null) return;
        }
      } finally {
        finish();
      }
    },
    async command(command, terminal) {
      if (command === 'again') {
        store.dispatch({ kind: 'notice', text: 'looking again' });
        reportedAt = 0;
        askAgain();
        return undefined;
      }
      const { notice, lasting } = await handOver(command, terminal);
      store.dispatch({ kind: 'notice', text: clean(notice) });
      return lasting;
    },
  };
}

/** What the keys have said of the clients goes over what the flags said. */
function saidBy(store: Store, options: DiagnosisOptions): DiagnoseOptions {
  const { clients, language } = store.get();
  return {
    ...options,
    clients: clients === 'inferred' ? options.clients : clients,
    language: language === 'unknown' ? options.language : language,
  };
}

function togglesOf(store: Store): string {
  const { clients, language, chosenPort } = store.get();
  return `${clients} ${language} ${chosenPort}`;
}

/** The worst first; of equal ones the first of the Service. */
const badness: readonly State[] = ['skewed', 'not-load-balancing', 'unknown', 'no-traffic', 'balanced'];

/** The report of the chosen port; without a choice, or where that port is gone, the worst. */
function ofPort(reports: readonly SkewReport[], chosen: number | null): SkewReport | undefined {
  const rank = (report: SkewReport) => badness.indexOf(report.status.verdict.state);
  return reports.find(({ spec }) => spec.port?.port === chosen) ?? reports.toSorted((a, b) => rank(a) - rank(b))[0];
}

function portVerdict({ spec, status }: SkewReport): PortVerdict[] {
  return spec.port === null ? [] : [{ port: spec.port.port, name: spec.port.name, state: status.verdict.state }];
}

function waitingFor(stage: 'cluster' | 'first-sample' | 'second-sample', options: DiagnosisOptions): string | null {
  if (stage === 'cluster') return options.exec ? 'the connections' : null;
  return stage === 'first-sample' && options.windowSeconds > 0 ? 'the second sample' : null;
}

/** Reports that still wait for something are provisional. */
function asFarAs(reports: readonly SkewReport[], missing: string | null): readonly SkewReport[] {
  return missing === null ? reports : reports.map(provisional);
}

/** Back on the normal screen: the record that was asked for, the last verdict and what it still waits for, the exit code. */
async function conclude(session: Session, missing: string | null, options: RunOptions, host: Host): Promise<number> {
  const evidence = session.evidence();
  const recorded =
    options.record === null || evidence === null || (await recordEvidence(options.record, evidence, host));
  const problem = session.problem();
  if (problem !== null) return fail(host, problem);
  const reports = session.reports();
  if (reports === null)
    return options.failOn === null ? exitCodes.interrupted : exitCodeFor({ state: 'unknown' }, options.failOn);
  const said = asFarAs(reports, missing);
  host.stdout(renderReports(said, { output: 'table', color: options.color, missing }, host));
  return recorded ? exitCodeForReports(reports, options.failOn) : exitCodes.failed;
}

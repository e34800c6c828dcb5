import type { Arguments } from '../cli/arguments.ts';
import { exitCodeForReports, exitCodes } from '../cli/exit-codes.ts';
import { commandNames } from '../cli/flags.ts';
import { connectionFlags, connectionProblem, readDiagnosisOptions } from '../cli/options.ts';
import { readTarget, type Subject } from '../cli/target.ts';
import { collect } from '../collect/collect.ts';
import { newDraft } from '../collect/draft.ts';
import { resolveService } from '../collect/resolve.ts';
import { diagnose, diagnosePorts } from '../diagnose.ts';
import { choosePort } from '../evidence/ports.ts';
import type { SkewEvidence } from '../evidence/schema.ts';
import { maxOf } from '../figures/extremes.ts';
import { openKube } from '../kube/open.ts';
import type { ConnectionFlags } from '../kube/types.ts';
import { recordedPrometheus } from '../prometheus/recorded.ts';
import { renderReports } from '../render/report.ts';
import { ok, type Problem, type Result, wrongUsage } from '../result/result.ts';
import { nearest } from '../spelling/nearest.ts';
import { announceExecs, announceLonger } from './announce.ts';
import { compute } from './compute.ts';
import { fail } from './fail.ts';
import { type HeldStderr, holdStderr } from './held-stderr.ts';
import type { Host } from './host.ts';
import { kubeHost, notOpened, say } from './kube.ts';
import { openPrometheus } from './prometheus.ts';
import { recordEvidence } from './record.ts';
import { openRecording } from './recorded.ts';
import {
  collectRequest,
  type DiagnosisSubject,
  type EachLook,
  type Finish,
  pause,
  type RunOptions,
  redactorOf,
  type Sources,
} from './request.ts';
import { openThread } from './thread.ts';

/** `grpc-skew SERVICE` and `grpc-skew --from`: from arguments to the exit code. With `finish`, once and not live. */
export async function runDiagnosis(given: Arguments, host: Host, finish?: Finish): Promise<number> {
  const read = readDiagnosisOptions(given);
  if (!read.ok) return fail(host, read.error);
  const asked: RunOptions =
    finish === undefined ? read.value : { ...read.value, output: read.value.output ?? 'table', finish };
  const opened = await withBaseline(asked, host);
  if (host.interrupted.aborted) return exitCodes.interrupted;
  if (!opened.ok) return fail(host, opened.error);
  const options = opened.value;
  const from = given.text('from');
  if (from !== null) {
    if (given.positionals.length > 0)
      return fail(host, wrongUsage(`--from ${from} names its own Service`, `leave ${given.positionals[0]} out`));
    return diagnoseRecorded(from, options, host);
  }
  const target = readTarget(given.positionals);
  if (!target.ok) return fail(host, target.error);
  const flags = connectionFlags(given);
  const problem = connectionProblem(given);
  if (problem !== null) return fail(host, problem);
  const subject = finish === undefined ? withMeantCommand(target.value, given.positionals) : target.value;
  return diagnoseCluster(flags, subject, options, host);
}

/** A bare word that is nearly a command may have been meant for one: said where no Service bears that name. */
function withMeantCommand(subject: Subject, words: readonly string[]): Subject & Pick<DiagnosisSubject, 'meant'> {
  const [command] = words.length === 1 && words[0] === subject.name ? nearest(subject.name, commandNames) : [];
  return command === undefined ? subject : { ...subject, meant: `there is a command ${command}` };
}

/** A baseline that cannot be read is known before anything is asked of a cluster. */
async function withBaseline(options: RunOptions, host: Host): Promise<Result<RunOptions>> {
  if (options.baseline === null) return ok(options);
  const { openBaseline } = await import('./baseline.ts');
  const opened = await openBaseline(options.baseline, options, host);
  return opened.ok ? ok({ ...options, compared: opened.value }) : opened;
}

/** Diagnoses a Service of the cluster that the flags name, or the one in front of a workload. */
export async function diagnoseCluster(
  flags: ConnectionFlags,
  subject: Subject & Pick<DiagnosisSubject, 'meant'>,
  options: RunOptions,
  host: Host,
): Promise<number> {
  const stderr = holdStderr(host.stderr);
  const about = kubeHost({ ...host, stderr: stderr.write }, options.verbosity, stderr.isHeld);
  const prometheus = await openPrometheus(options, about, host.interrupted);
  if (host.interrupted.aborted) return exitCodes.interrupted;
  if (!prometheus.ok) return fail(host, prometheus.error);
  const kube = await openKube(flags, about);
  if (host.interrupted.aborted) return exitCodes.interrupted;
  if (!kube.ok) return fail(host, notOpened(kube.error));
  const sources = { kube: kube.value, prometheus: prometheus.value };
  const { namespace, context } = kube.value;
  const { kind, meant } = subject;
  const lookAt = (name: string, services?: DiagnosisSubject['services']) =>
    diagnoseOrWatch(
      sources,
      { name, namespace, context, ...(services && { services }), ...(meant && { meant }) },
      options,
      host,
      stderr,
    );
  try {
    if (kind === 'service') return await lookAt(subject.name);
    const resolved = await resolveService(kube.value, namespace, { kind, name: subject.name }, host.interrupted);
    if (host.interrupted.aborted) return exitCodes.interrupted;
    const redactor = await redactorOf(options);
    redactor.evidence(newDraft(collectRequest({ name: subject.name, namespace, context }, options)).evidence);
    if (!resolved.ok) return fail(host, redactor.problem(resolved.error));
    if (!options.redact)
      say(host, `${kind} ${subject.name} is behind service ${resolved.value.service}: diagnosing that`);
    return await lookAt(resolved.value.service, resolved.value.services);
  } finally {
    if (typeof prometheus.value !== 'string') await prometheus.value.close();
    await kube.value.close();
  }
}

/** Live in a terminal, once everywhere else and wherever a format is asked for. */
async function diagnoseOrWatch(
  sources: Sources,
  subject: DiagnosisSubject,
  options: RunOptions,
  host: Host,
  stderr: HeldStderr,
): Promise<number> {
  const other = options.compared?.other(subject) ?? null;
  if (other !== null) return fail(host, other);
  if (options.watch !== null) {
    const { lookAgain } = await import('./again.ts');
    const redactor = await redactorOf(options);
    const once = (each: EachLook, on: Host) => collectAndDiagnose(sources, subject, { ...options, each, redactor }, on);
    return lookAgain(once, options, host);
  }
  if (options.output !== null || !host.stdoutIsTerminal) return collectAndDiagnose(sources, subject, options, host);
  if (host.terminal === null || host.env['TERM'] === 'dumb') {
    host.stderr('no live view: this terminal cannot be drawn on; printing the table instead\n');
    return collectAndDiagnose(sources, subject, options, host);
  }
  const { watchService } = await import('./watch.ts');
  return watchService(sources, subject, options, host, { terminal: host.terminal, stderr });
}

async function diagnoseRecorded(path: string, options: RunOptions, host: Host): Promise<number> {
  const recorded = await openRecording(path, host);
  if (recorded === null) return exitCodes.interrupted;
  if (!recorded.ok) return fail(host, recorded.error);
  const { value } = recorded;
  if (value.kind === 'folder') {
    const { service: name, namespace } = value.kube;
    const prometheus = options.prometheus === 'none' ? ('none' as const) : recordedPrometheus(path);
    const sources = { kube: value.kube, prometheus };
    return collectAndDiagnose(sources, { name, namespace, context: null }, options, { ...host, recorded: true });
  }
  const read = value.evidence;
  const evidence = options.port === null ? read : { ...read, spec: { ...read.spec, port: options.port } };
  return conclude((await redactorOf(options)).evidence(evidence), options, host);
}

async function collectAndDiagnose(
  { kube, prometheus }: Sources,
  subject: DiagnosisSubject,
  options: RunOptions,
  host: Host & { readonly recorded?: boolean },
): Promise<number> {
  const asked = collectRequest(subject, options);
  // In a recording kubelet's counters cost no right: they are taken where they are there.
  const request =
    host.recorded === true
      ? { ...asked, probeMetrics: asked.probeMetrics || ('if-there' as const), longestWindowSeconds: null }
      : asked;
  const stream = collect(request, {
    kube,
    prometheus,
    signal: host.interrupted,
    now: host.now,
    wait: (seconds) => (host.recorded === true ? Promise.resolve() : pause(seconds, host.interrupted)),
    progress: (signal, _state, text) => options.verbosity > 0 && say(host, `${signal}: ${text}`),
    beforeExecs: (pods, samples, command = 'ss') =>
      host.recorded !== true &&
      options.each?.isFirst !== false &&
      announceExecs(host, options, command, { pods, samples }),
    enoughSeconds: (seen) => enoughSeconds(seen, options, host),
    beforeLonger: (longer) => options.each?.isFirst !== false && announceLonger(host, options, longer),
  });
  let last: {
    evidence: SkewEvidence;
    problem: Problem | null;
  } | null = null;
  for await (const state of stream) {
    last = state;
    // One change is for one port: where that is not clear, no command runs in any pod.
    if (options.finish !== undefined && !hasOnePort(state.evidence)) break;
  }
  if (last === null) return exitCodes.failed;
  const redactor = options.redactor ?? (await redactorOf(options));
  const seen = redactor.evidence(last.evidence);
  if (last.problem === null && !host.interrupted.aborted) return conclude(seen, options, host);
  // Of several looks the last whole one is kept.
  if (options.record !== null && options.each?.isFirst !== false) await recordEvidence(options.record, seen, host);
  if (host.interrupted.aborted || last.problem === null) return exitCodes.interrupted;
  return fail(host, redactor.problem(last.problem));
}

/** The window that would probably settle the state of each port, and its comparison with the baseline. */
async function enoughSeconds(evidence: SkewEvidence, options: RunOptions, host: Host): Promise<number | null> {
  // Nothing of it is recorded yet: no signal may end the program meanwhile.
  const done = new AbortController();
  const thread = openThread(host, AbortSignal.any([host.interrupted, done.signal]));
  const diagnosis = await thread.diagnose(evidence, () => options).finally(() => done.abort());
  if (diagnosis?.ok !== true) return null;
  const compared = options.compared?.compareAll(diagnosis.value) ?? diagnosis;
  const open = (compared.ok ? compared.value : []).flatMap(({ status: { verdict, comparison } }) => [
    verdict.settledInSeconds ?? 0,
    comparison?.settledInSeconds ?? 0,
  ]);
  return maxOf(open, 0) || null;
}

function hasOnePort({ service, spec }: SkewEvidence): boolean {
  return service === null || choosePort(service, spec.port).ok;
}

/** From evidence to output and exit code; the record is written first, so that nothing is lost. */
async function conclude(evidence: SkewEvidence, options: RunOptions, host: Host): Promise<number> {
  const recorded = options.record === null || (await recordEvidence(options.record, evidence, host));
  if (options.finish !== undefined) {
    const diagnosis = await compute(host, evidence, () => diagnose(evidence, options));
    if (diagnosis === null) return exitCodes.interrupted;
    if (!diagnosis.ok) return fail(host, diagnosis.error);
    return recorded ? options.finish(diagnosis.value, options) : exitCodes.failed;
  }
  const diagnosis = await compute(host, evidence, () => diagnosePorts(evidence, options));
  if (diagnosis === null) return exitCodes.interrupted;
  if (!diagnosis.ok) return fail(host, diagnosis.error);
  const compared = options.compared?.compareAll(diagnosis.value) ?? diagnosis;
  if (!compared.ok) return fail(host, compared.error);
  const reports = compared.value;
  const output = options.output ?? 'table';
  const text = await compute(host, evidence, () => {
    return options.each?.render(reports) ?? renderReports(reports, { output, color: options.color }, host);
  });
  if (text === null) return exitCodes.interrupted;
  host.stdout(text);
  return recorded ? exitCodeForReports(reports, options.failOn) : exitCodes.failed;
}

import { answerClients, answerLeftOut } from './answers/clients.ts';
import { readImpact, readSince, readTimeline } from './answers/impact.ts';
import { answerPath } from './answers/path.ts';
import { answerDistribution, answerPods, roundedTo } from './answers/pods.ts';
import { answerProbes } from './answers/probes.ts';
import { answerPrometheus } from './answers/prometheus.ts';
import { answerService } from './answers/service.ts';
import { findCauses, type NamedCause, rivalsOf } from './causes/all.ts';
import { type Conclusion, mostCertainFirst } from './causes/consequences.ts';
import type { SocketWay } from './evidence/looks.ts';
import { choosePort, choosePorts, portName } from './evidence/ports.ts';
import type { SignalState, SkewEvidence } from './evidence/schema.ts';
import { millisecondsOf } from './evidence/times.ts';
import { changeOf } from './facts/changes.ts';
import { type Facts, gatherFacts, isLittleUneven } from './facts/facts.ts';
import { limits } from './facts/limits.ts';
import { usageSource } from './facts/prometheus.ts';
import { reportApiVersion } from './report/api-version.ts';
import type { CauseId, LanguageId } from './report/ids.ts';
import type { SkewReport } from './report/schema.ts';
import { applying, listed } from './report/words.ts';
import { err, ok, type Result } from './result/result.ts';
import { signalFacts } from './signals/catalogue.ts';
import { recommend } from './strategies/choose.ts';
import { languageOfClients } from './strategies/languages.ts';
import { inferOwnership, type Ownership } from './strategies/ownership.ts';
import { findAvoid, findRelief } from './strategies/relief.ts';
import { answerSiblings } from './strategies/siblings.ts';
import { decideState } from './verdict/state.ts';
import { findWarnings } from './warnings/warnings.ts';

export interface DiagnoseOptions {
  /** What the user says of the clients; null infers it. */
  readonly clients: Ownership['whose'] | null;
  /** The language of the clients, where the user says it. */
  readonly language?: LanguageId | null;
  /** Flags of kubectl that say which cluster was looked at, where these were given: for printed commands. */
  readonly connection?: readonly string[];
}

/** As `diagnose`; where no port was asked for and several look like gRPC, each gets its own, in the order of the Service. */
export function diagnosePorts(
  evidence: SkewEvidence,
  options: DiagnoseOptions = { clients: null },
): Result<readonly SkewReport[]> {
  const choice =
    evidence.service === null ? null : choosePorts(evidence.service, evidence.spec.port, evidence.endpointSlices);
  if (choice?.ok !== true || evidence.spec.port !== null) {
    const only = diagnose(evidence, options);
    return only.ok ? ok([only.value]) : only;
  }
  const reports: SkewReport[] = [];
  const { ports, note } = choice.value;
  for (const port of ports) {
    const diagnosis = diagnose({ ...evidence, spec: { ...evidence.spec, port: portName(port) } }, options);
    if (!diagnosis.ok) return diagnosis;
    const portNote =
      ports.length === 1
        ? note
        : `one of ${ports.length} ports that look like gRPC, each with its own verdict; choose one with --port`;
    reports.push({ ...diagnosis.value, spec: { ...diagnosis.value.spec, portNote } });
  }
  return ok(reports);
}

/**
 * From Evidence to Report. No I/O, no clock: now is the time of the last look; the same Evidence gives the same Report.
 * Evidence that lacks a Service, or whose port is not clear, gives a reason instead of a Report.
 */
export function diagnose(evidence: SkewEvidence, options: DiagnoseOptions = { clients: null }): Result<SkewReport> {
  const { service } = evidence;
  if (service === null || evidence.endpointSlices === null || evidence.pods === null) {
    const broken = evidence.signals.find(
      (signal) => signal.state !== 'complete' && (signal.id === 'service' || signal.id === 'endpoints'),
    );
    const message = `the evidence has no ${service === null ? 'Service' : 'endpoints and pods'}`;
    return err({ kind: 'failed', message, hint: broken?.reason ?? null });
  }
  const choice = choosePort(service, evidence.spec.port);
  if (!choice.ok) {
    const { problem, message, hint } = choice.error;
    return err({ kind: problem === 'ambiguous' || problem === 'no-such-port' ? 'usage' : 'failed', message, hint });
  }
  const { port, note } = choice.value;
  const facts = gatherFacts(evidence, service, port, options.connection ?? []);
  const found = findCauses(facts);
  const state = decideState(facts, found);
  const relevant = relevantCauses(found, state, facts);
  const causes = mostCertainFirst(relevant);
  // A cause that is certain is told apart already.
  const open = causes.filter((entry) => entry.finding.confidence !== 'certain').map((entry) => entry.unit.id);
  const language = options.language ?? languageOfClients(evidence.clientLooks?.looks ?? []);
  const ownership = inferOwnership(facts, options.clients, language);
  const recommendation = recommend(facts, state.state, relevant, ownership, state.settledBy, language);
  const relief = findRelief(facts, state.state, relevant, ownership.whose);
  const avoid = findAvoid(facts, state.state, relevant);
  const signals = answerSignals(evidence, facts);
  const targetPort = facts.replicas[0]?.backend.port ?? (typeof port.targetPort === 'number' ? port.targetPort : null);
  const wayOf = new Map(evidence.connections?.looks.map((look) => [look.podUid, look.way]));
  const report: SkewReport = {
    apiVersion: reportApiVersion,
    kind: 'SkewReport',
    metadata: {
      name: service.name,
      namespace: service.namespace,
      context: evidence.metadata.context,
      ...(facts.connection.length > 0 && { connection: [...facts.connection] }),
      generatedAt: evidence.metadata.now,
      toolVersion: evidence.metadata.toolVersion,
    },
    spec: {
      port: { name: port.name, port: port.port, targetPort },
      portNote: note,
      windowSeconds: roundedTo(facts.loads.distributions.find((entry) => entry.span === 'window')?.seconds ?? null, 1),
    },
    status: {
      service: { ...answerService(facts), ...answerSiblings(facts) },
      verdict: {
        state: state.state,
        kind: state.kind,
        basis: facts.loads.basis?.basis ?? null,
        source: facts.loads.basis?.source ?? null,
        span: facts.loads.basis?.span ?? null,
        confidence: state.confidence,
        summary: state.summary,
        settledBy: state.settledBy,
        settledInSeconds: settledIn(state, facts),
      },
      headline: {
        since: whenItBegan(state, causes, facts),
        why: causes[0]?.finding.text ?? whyNothing(state, facts),
        whyConfidence: causes[0]?.finding.confidence ?? null,
        now: describeNow(state, relief, avoid, recommendation.first, isLittleUneven(facts)),
        fix: recommendation.text,
        notSeen: signals.flatMap((signal) => (isNotWorthALine(signal) ? [] : [describeNotSeen(signal)])),
      },
      impact: readImpact(facts),
      skew: answerSkew(facts),
      distributions: facts.loads.distributions.map(answerDistribution),
      pods: answerPods(facts),
      clients: answerClients(facts),
      path: answerPath(facts),
      leftOut: answerLeftOut(facts),
      causes: causes.map(({ unit, finding }) => ({
        id: unit.id,
        title: unit.title,
        confidence: finding.confidence,
        text: finding.text,
        evidence: applying(finding.evidence),
        against: applying(finding.against),
        settledBy: [
          ...applying(finding.settledBy),
          ...(finding.confidence === 'certain' ? [] : rivalChecks(rivalsOf(unit), open)),
        ],
      })),
      recommendation,
      relief,
      avoid,
      probes: answerProbes(facts),
      prometheus: answerPrometheus(facts),
      timeline: readTimeline(facts),
      signals,
      warnings: findWarnings(facts),
      execs: evidence.connections?.execs ?? 0,
      execPods: wayOf.size,
      execsElsewhere: [...(evidence.connections?.elsewhere ?? [])],
      execWays: countWays([...wayOf.values()]),
      limits: { ...limits },
    },
  };
  return ok(report);
}

/** The setting of the Service that makes it so, now. */
function settingOf([first]: readonly NamedCause[]): NonNullable<NamedCause['unit']['setting']> | null {
  return first === undefined || first.finding.past === true ? null : (first.unit.setting ?? null);
}

/** Of a load that is uneven; and of one that lies as a setting leads it, where the API knows when that was changed. */
function whenItBegan({ state }: Conclusion, causes: readonly NamedCause[], facts: Facts): string | null {
  const setting = settingOf(causes);
  const isDirected = state === 'not-load-balancing' && setting !== null && changeOf(facts.service, setting) !== null;
  return state === 'skewed' || state === 'unknown' || isDirected ? readSince(facts, setting) : null;
}

/** What would probably be long enough to count. Where no client is connected, minutes tell more than a window. */
function settledIn(state: Conclusion, { loads, allConnections }: Facts): number | null {
  const isSettled = state.confidence === 'certain' || (state.state === 'no-traffic' && allConnections.length === 0);
  return isSettled || loads.enoughSeconds === null ? null : Math.ceil(loads.enoughSeconds);
}

/**
 * Causes explain an uneven load, also one that is only a little so; where it is even, only faults of another kind are still
 * worth saying, and the setting that explains why the pods carry unequal parts.
 */
function relevantCauses(found: readonly NamedCause[], state: Conclusion, facts: Facts): readonly NamedCause[] {
  if (state.state === 'skewed' || state.state === 'unknown') return found;
  const isLittle = state.state === 'balanced' && isLittleUneven(facts);
  return found.filter(
    ({ unit }) =>
      (isLittle && unit.curedBy !== undefined) ||
      unit.family === 'health' ||
      unit.family === 'not-load-balancing' ||
      (unit.explains !== undefined && unit.explains === facts.intendedSkew?.by),
  );
}

/** Two causes that explain the same evidence: the look that tells them apart. */
function rivalChecks(rivals: ReturnType<typeof rivalsOf>, found: readonly CauseId[]): string[] {
  return rivals.filter((rival) => found.includes(rival.id)).map((rival) => `against ${rival.id}: ${rival.toldApartBy}`);
}

function answerSkew(facts: Facts): SkewReport['status']['skew'] {
  const { basis } = facts.loads;
  if (facts.replicas.length === 0) return null;
  return {
    pods: facts.replicas.length,
    seenPods: basis?.seen ?? 0,
    idlePods: basis?.idle.length ?? 0,
    effectivePods: roundedTo(basis?.effectivePods ?? null, 2),
    effectivePodsRange:
      basis?.effectiveRange == null ? null : [round2(basis.effectiveRange[0]), round2(basis.effectiveRange[1])],
    peakToMean: roundedTo(basis?.peakToMean ?? null, 2),
    gini: roundedTo(basis?.gini ?? null, 2),
    chance: {
      ...facts.chance,
      probability: significant(facts.chance.probability),
      expectedEffectivePods: roundedTo(facts.chance.expectedEffectivePods, 2),
    },
    against: facts.intendedSkew?.words ?? null,
    ageOrder:
      facts.youngestEmpty === null
        ? null
        : { youngestIdle: facts.youngestEmpty.count, probability: significant(facts.youngestEmpty.probability) ?? 0 },
  };
}

const round2 = (value: number): number => Number(value.toFixed(2));

/** Probabilities span many orders of magnitude: three significant digits instead of decimals. */
function significant(value: number | null): number | null {
  return value === null ? null : Number(value.toPrecision(3));
}

function answerSignals(evidence: SkewEvidence, facts: Facts): SkewReport['status']['signals'] {
  return evidence.signals
    .map(settledBy(facts))
    .map(standIn(facts))
    .map((signal) => ({
      id: signal.id,
      state: signal.state,
      reason: signal.reason,
      needs: signal.needs,
      settles: signal.state === 'complete' ? null : signalFacts(signal.id).settles,
      ageSeconds: ageOf(signal.lookedAt, facts.now),
    }));
}

function ageOf(time: string | null, now: number): number | null {
  const at = millisecondsOf(time);
  return at === null ? null : Math.max(0, Math.round((now - at) / 1000));
}

/** Asked only one namespace, but it named every client: then nothing is missing. */
function settledBy(facts: Facts): (signal: SignalState) => SignalState {
  const allNamed = facts.clients.every((client) => client.peer.kind !== 'address' && client.peer.kind !== 'outside');
  return (signal) =>
    signal.id === 'clients' && signal.state === 'partial' && allNamed
      ? { ...signal, state: 'complete', reason: null, needs: null }
      : signal;
}

/** A cluster without a Prometheus is a cluster like others: the list of signals tells it, not the headline. */
function isNotWorthALine({ id, state }: SkewReport['status']['signals'][number]): boolean {
  return state === 'complete' || (id === 'prometheus' && state === 'skipped');
}

/** What the cluster did not give, and Prometheus has for all pods: then nothing is missing, and the reason says whence. */
function standIn({ evidence, index, loads, replicas }: Facts): (signal: SignalState) => SignalState {
  const isWhole = (basis: 'calls' | 'cpu') =>
    loads.distributions.some((entry) => entry.basis === basis && entry.seen === replicas.length);
  const byPrometheus = new Set<SignalState['id']>([
    ...(usageSource(evidence.usage) === 'prometheus' && isWhole('cpu') ? (['usage'] as const) : []),
    ...(index.calls.source === 'prometheus' && isWhole('calls') ? (['calls'] as const) : []),
  ]);
  const lookedAt = evidence.signals.find((signal) => signal.id === 'prometheus')?.lookedAt ?? null;
  return (signal) =>
    byPrometheus.has(signal.id) && signal.state !== 'complete'
      ? { ...signal, state: 'complete', reason: `by Prometheus; else: ${signal.reason ?? ''}`, needs: null, lookedAt }
      : signal;
}

function describeNotSeen(signal: SkewReport['status']['signals'][number]): string {
  const needs = signal.needs === null ? '' : ` (needs ${signal.needs})`;
  const partly = signal.state === 'partial' ? ' in part' : '';
  return `${signal.id}${partly}${needs}: ${signal.needs === null ? (signal.reason ?? 'not seen') : (signal.settles ?? '')}`;
}

function whyNothing(state: Conclusion, facts: Facts): string {
  switch (state.state) {
    case 'skewed':
      if (facts.allConnections.length === 0 && comeThroughPod(facts))
        return 'clients come through something inside the pod, so the mechanism is not known';
      if (facts.allConnections.length === 0) return 'the connections could not be seen, so the mechanism is not known';
      return facts.siblings.length > 0
        ? `no cause of its own: ${bySiblings(facts)}`
        : 'no known cause fits what was seen';
    case 'balanced':
      if (!isLittleUneven(facts)) return 'nothing to explain';
      return `a little uneven, for no ${facts.siblings.length > 0 ? `cause of its own: ${bySiblings(facts)}` : 'known cause'}`;
    case 'no-traffic':
      return 'no client calls this Service now, or clients reach it by another Service';
    default:
      return 'not enough was seen to say';
  }
}

function bySiblings({ siblings }: Facts): string {
  return `${listed(siblings.map(({ name }) => name))} ${siblings.length === 1 ? 'stands' : 'stand'} before the same pods, and what comes through ${siblings.length === 1 ? 'it' : 'them'} counts here, too`;
}

function comeThroughPod({ replicas }: Facts): boolean {
  return replicas.some(({ sockets }) => (sockets?.inside.length ?? 0) > 0);
}

/** What to do in the next minutes. */
function describeNow(
  state: Conclusion,
  relief: SkewReport['status']['relief'],
  avoid: readonly string[],
  first: readonly string[],
  isLittle: boolean,
): string {
  if (state.state === 'balanced') return isLittle ? 'nothing urgent' : 'nothing to do';
  if (state.state === 'no-traffic' && state.settledBy === null) return 'nothing to do';
  const helps = relief.slice(0, 1).map((best) => `${best.action}: ${best.prediction}`);
  const leave = avoid.slice(0, 1).map((text) => text.split(':')[0] ?? text);
  // Where balancing is not at fault, what ends the trouble comes before the search for its reason.
  const parts =
    state.state === 'not-load-balancing'
      ? [...helps, ...first.slice(0, 1), ...leave]
      : [...first.slice(0, 1), ...leave, ...helps];
  return parts.length === 0 ? 'nothing helps in minutes; see the fix' : parts.slice(0, 2).join(' · ');
}

function countWays(ways: readonly SocketWay[]): Record<string, number> {
  const commands = ways.map((way) => (way === 'ss-unfiltered' ? 'ss' : way)).toSorted();
  return Object.fromEntries([...Map.groupBy(commands, (command) => command)].map(([way, pods]) => [way, pods.length]));
}

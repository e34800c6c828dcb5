import type { Probe } from '../evidence/objects.ts';
import { type Confidence, confidences, type ProbeFaultId } from '../report/ids.ts';
import { clock, countOf, figure, plural } from '../report/words.ts';
import type { FailureKind, ProbedWorkload, ProbeGroup } from './workload.ts';

/** Something that is wrong, or soon will be, with the probes of a workload. */
export interface ProbeFault {
  readonly id: ProbeFaultId;
  readonly confidence: Confidence;
  /** One line, with the numbers of this workload. */
  readonly text: string;
  readonly evidence: readonly string[];
  readonly settledBy: readonly string[];
  readonly container: string | null;
  readonly pods: number;
}

/** All that is found in the probes of one workload, what is most certain first. */
export function findProbeFaults(workload: ProbedWorkload): readonly ProbeFault[] {
  const groups = [...workload.groups.values()];
  const faults = [
    ...groups.flatMap((group) => [
      ...unknownService(group),
      ...tlsMismatch(group),
      ...noHealthService(group),
      ...tooShort(group),
      ...oneSecond(group),
      ...rewritten(group),
    ]),
    ...livenessRestarts(workload),
    ...noReadiness(workload),
  ];
  return faults.sort((a, b) => confidences.indexOf(a.confidence) - confidences.indexOf(b.confidence));
}

type Told = Pick<ProbeFault, 'confidence' | 'text' | 'evidence'> & Partial<Pick<ProbeFault, 'settledBy' | 'pods'>>;

function fault(id: ProbeFaultId, group: ProbeGroup, told: Told): readonly ProbeFault[] {
  return [{ id, container: group.container, pods: group.pods, settledBy: [], ...told }];
}

/** `readiness probe of container server (grpc :50051 "shop.Echo")`. */
function named({ container, probe }: ProbeGroup): string {
  return `${probe.type} probe of container ${container} (${describeHandler(probe)})`;
}

function describeHandler(probe: Pick<Probe, 'kind' | 'port' | 'service' | 'grpcHealthProbe'>): string {
  const kind = probe.grpcHealthProbe ? 'exec grpc_health_probe' : probe.kind;
  return [kind, probe.port === null ? '' : `:${probe.port}`, probe.service ? `"${probe.service}"` : '']
    .filter((part) => part !== '')
    .join(' ');
}

function told(group: ProbeGroup, kind: FailureKind): { readonly pods: number; readonly times: number } | null {
  return group.byKind.get(kind) ?? null;
}

function unknownService(group: ProbeGroup): readonly ProbeFault[] {
  const { probe, pods, unknownService: suspected } = group;
  const seen = told(group, 'unknown-service');
  // A probe that was put right leaves its Events behind; the pods then are Ready.
  const holds = seen !== null && (group.unready > 0 || probe.type !== 'readiness');
  if (!holds && suspected.specs === 0) return [];
  const text = `the ${named(group)} asks for a service that the server does not know`;
  const settledBy = ['what the server answers: grpc_health_probe -addr=POD:PORT -service=NAME'];
  if (holds) {
    const evidence = [`Events: NOT_FOUND ${plural(seen.times, 'time')} in ${plural(seen.pods, 'pod')}`];
    return fault('unknown-service', group, { confidence: 'certain', text, evidence, pods: seen.pods });
  }
  if (suspected.counted > 0) {
    const evidence = [
      `in ${countOf(suspected.counted, 'pod it has', 'pods it has')} never succeeded, while the liveness probe of the same port does`,
    ];
    return fault('unknown-service', group, {
      confidence: 'likely',
      text,
      evidence,
      settledBy,
      pods: suspected.counted,
    });
  }
  // Where kubelet's counters were seen they would have said so.
  if (group.counted !== null) return [];
  const evidence = [
    `${countOf(suspected.specs, 'pod is', 'pods are')} not Ready and never ${suspected.specs === 1 ? 'restarts' : 'restart'}: the liveness probe of the same port, which asks for another name, passes`,
  ];
  return fault('unknown-service', group, {
    confidence: 'possible',
    text: pods === suspected.specs ? text : `${text}, it seems`,
    evidence,
    settledBy,
    pods: suspected.specs,
  });
}

/** kubelet's gRPC probe speaks plaintext (the feature gate GRPCContainerProbeTLS of newer versions apart). */
function tlsMismatch(group: ProbeGroup): readonly ProbeFault[] {
  const { probe } = group;
  const seen = told(group, 'tls');
  if (seen !== null)
    return fault('tls-mismatch', group, {
      confidence: 'certain',
      text: `the ${named(group)} and the server do not agree on TLS`,
      evidence: [`Events: a TLS error ${plural(seen.times, 'time')} in ${plural(seen.pods, 'pod')}`],
      pods: seen.pods,
    });
  const declared = /(^|[-_.])(tls|https|grpcs)([-_.]|$)/i.test(group.portName ?? '');
  const { pods, serving } = group.unreached;
  if (probe.kind !== 'grpc' || pods === 0 || (serving === 0 && !declared)) return [];
  return fault('tls-mismatch', group, {
    confidence: 'likely',
    text: `the server seems to speak TLS only: the ${named(group)} is plaintext and cannot connect`,
    evidence: [
      `Events: no connection ${plural(group.failures, 'time')}, and ${countOf(pods, 'pod was', 'pods were')} never Ready`,
      ...(serving > 0 ? [`in ${plural(serving, 'pod')} clients are connected to that very port and are served`] : []),
      ...(declared ? [`the port is named ${group.portName ?? ''}`] : []),
    ],
    settledBy: ['openssl s_client -connect POD:PORT -alpn h2'],
    pods,
  });
}

function noHealthService(group: ProbeGroup): readonly ProbeFault[] {
  const seen = told(group, 'unimplemented');
  if (seen === null || (group.unready === 0 && group.probe.type === 'readiness')) return [];
  return fault('no-health-service', group, {
    confidence: 'certain',
    text: `the ${named(group)} meets a server without grpc.health.v1.Health`,
    evidence: [`Events: UNIMPLEMENTED ${plural(seen.times, 'time')} in ${plural(seen.pods, 'pod')}`],
    pods: seen.pods,
  });
}

/** Fewer probes than this without an answer in time may be one hiccup. */
const fewTimeouts = 3;
/** A mean of more than this part of the timeout leaves no room. */
const nearPart = 0.5;
/** The same where the slowest of them reach the timeout. */
const tailPart = 0.25;

function tooShort(group: ProbeGroup): readonly ProbeFault[] {
  const { probe, counted } = group;
  const seen = told(group, 'timeout');
  const times = seen?.times ?? 0;
  const { meanSeconds = null, p95Seconds = null } = counted ?? {};
  // The percentile is the upper end of a wide bucket, so that alone it says little: a fast probe after a slow start has it.
  const tail = p95Seconds !== null && p95Seconds >= probe.timeoutSeconds ? tailPart : nearPart;
  const isNear = meanSeconds !== null && meanSeconds >= tail * probe.timeoutSeconds;
  if (!isNear && times < fewTimeouts) return [];
  const measured =
    meanSeconds === null
      ? []
      : [
          // A bucket may end beyond the timeout, a probe that succeeds cannot.
          `probes that succeed take ${figure(meanSeconds * 1000)} ms in the mean${p95Seconds === null ? '' : `, 95 % of them up to ${figure(Math.min(p95Seconds, probe.timeoutSeconds) * 1000)} ms`}; the timeout is ${probe.timeoutSeconds} s`,
        ];
  const events =
    times === 0 ? [] : [`Events: no answer in time ${plural(times, 'time')} in ${plural(seen?.pods ?? 0, 'pod')}`];
  // Measured and far from the timeout: then it is the server that stands still at times.
  if (!isNear && measured.length > 0) return [];
  const failing = times >= fewTimeouts || (counted?.failed ?? 0) > 0;
  return fault('timeout-too-short', group, {
    confidence: isNear && failing ? 'likely' : 'possible',
    text: `the timeout of ${probe.timeoutSeconds} s of the ${named(group)} is ${isNear ? 'near the time that an answer takes' : 'too short for the server at times'}`,
    evidence: [...measured, ...events],
    settledBy: isNear ? [] : ['how long the probes take: kubelet knows it (--probe-metrics)'],
    pods: seen?.pods ?? group.pods,
  });
}

/** kubelet enforces the timeout of exec probes since 1.20, and each one starts a process in the container's own CPU share. */
function oneSecond(group: ProbeGroup): readonly ProbeFault[] {
  const { probe } = group;
  if (!probe.grpcHealthProbe || probe.timeoutSeconds > 1) return [];
  return fault('probe-one-second', group, {
    confidence: 'possible',
    text: `the ${named(group)} has 1 s to start a process and get an answer: a busy pod will miss it`,
    evidence: [],
  });
}

function rewritten(group: ProbeGroup): readonly ProbeFault[] {
  if (group.probe.rewritten !== true) return [];
  return fault('probe-rewritten', group, {
    confidence: 'certain',
    text: `the mesh has rewritten the ${group.probe.type} probe of container ${group.container}: its agent asks the app, and what it asks stands in the annotation, not in the probe of the pod`,
    evidence: [],
  });
}

/** Restarts this near to one another have one reason; a container may take 30 s of grace to end. */
const togetherMs = 45_000;
/** Of the pods of a workload: this part is "all". */
const allPart = 0.8;

function livenessRestarts(workload: ProbedWorkload): readonly ProbeFault[] {
  const { pods, livenessRestarts: known } = workload;
  const ends = workload.ends.toSorted((a, b) => a - b);
  const first = ends[0];
  const last = ends.at(-1);
  if (first === undefined || last === undefined) return [];
  const base = { container: null, settledBy: [] as readonly string[] };
  const failed = `the liveness probe is known to have failed in ${plural(known, 'pod')}`;
  if (ends.length >= 2 && ends.length >= allPart * pods && last - first <= togetherMs) {
    const isSeen = known * 2 >= ends.length;
    return [
      {
        ...base,
        id: 'liveness-restarts-together',
        confidence: isSeen ? 'certain' : 'possible',
        text: `${ends.length} of ${plural(pods, 'pod')} restarted within ${Math.round((last - first) / 1000)} s${isSeen ? ' by their liveness probe' : ''}: it may ask for something that they share`,
        evidence: [`containers ended from ${clock(first)} to ${clock(last)}`, ...(isSeen ? [failed] : [])],
        settledBy: isSeen ? [] : ['Events of that time: "failed liveness probe, will be restarted"'],
        pods: ends.length,
      },
    ];
  }
  if (known === 0) return [];
  return [
    {
      ...base,
      id: 'liveness-restarts',
      confidence: 'likely',
      text: `the liveness probe restarts ${known} of ${plural(pods, 'pod')}`,
      evidence: [failed, `containers last ended at ${clock(last)}`],
      pods: known,
    },
  ];
}

function noReadiness({ grpcPorts }: ProbedWorkload): readonly ProbeFault[] {
  return [...grpcPorts].flatMap(([container, { port, readiness, pods }]) => {
    if (readiness !== null && asksGrpc(readiness)) return [];
    const text =
      readiness === null
        ? `container ${container} serves gRPC on port ${port} without a readiness probe: it gets calls before it can answer them`
        : `the readiness probe of container ${container} (${describeHandler(readiness)}) does not ask its gRPC server on port ${port}`;
    const confidence: Confidence = readiness === null ? 'certain' : 'possible';
    return [{ id: 'no-readiness-probe', confidence, text, evidence: [], settledBy: [], container, pods }];
  });
}

/** An exec probe may ask anything; an agent asks what the probe asked before the mesh rewrote it. */
function asksGrpc(probe: Probe): boolean {
  return probe.kind === 'grpc' || probe.kind === 'exec' || probe.rewritten === true;
}

import { millisecondsOf } from '../evidence/times.ts';
import type { Facts } from '../facts/facts.ts';
import { limits } from '../facts/limits.ts';
import type { MeasuredPod } from '../facts/measured.ts';
import { unhealthyOf } from '../facts/probed.ts';
import { maxOf } from '../figures/extremes.ts';
import { listed, percent, plural } from '../report/words.ts';
import type { CauseUnit, Finding } from './unit.ts';

export const probeFailing: CauseUnit = {
  id: 'probe-failing',
  title: 'Failing probes move the traffic',
  family: 'health',
  needs: ['endpoints', 'probes', 'usage'],
  signature:
    'Liveness restarts pods, perhaps all at once, and their connections pile up on the first ones back; or readiness comes and goes on the hottest pod.',
  confidenceRule:
    'certain when pods restarted together and their liveness is known to have failed; likely when liveness restarts some, or the hottest pod misses the timeout of its readiness probe; else possible.',
  rivals: [{ id: 'restarted-pod', toldApartBy: 'why the container ended: the last state of its status' }],
  restores: true,
  firstStep: ({ facts }) =>
    findRestarts(facts) === undefined
      ? 'find out why the readiness probe of the hottest pod fails: a busy pod may need more than its timeoutSeconds'
      : 'find out why the probe fails: liveness should ask nothing that pods share, and leave a busy pod time',
  find(facts) {
    const restarts = findRestarts(facts);
    const flapping = findFlapping(facts);
    if (restarts === undefined) return flapping;
    return {
      confidence: restarts.confidence,
      text: restarts.text,
      evidence: [...restarts.evidence, ...(flapping === null ? [] : [flapping.text])],
      settledBy: restarts.settledBy,
    };
  },
};

function findRestarts({ probeFaults }: Facts) {
  return probeFaults.find(({ id }) => id.startsWith('liveness-restarts'));
}

/** Later than this after its start, a change of readiness is no start-up any more. */
const startMs = 60_000;

/** Readiness that comes and goes on the pod that is busier than the others. */
function findFlapping(facts: Facts): Finding | null {
  const pods = [...facts.replicas, ...facts.unreadyPods];
  const failing = pods.filter((pod) => readinessFailures(pod, facts).length > 0);
  const hottest = hottestOf(pods);
  if (hottest === null || !failing.includes(hottest.pod) || !hasFlapped(hottest.pod)) return null;
  const failures = readinessFailures(hottest.pod, facts);
  const times = failures.reduce((sum, entry) => sum + entry.times, 0);
  const inTime = failures.some((entry) => entry.failure === 'timeout' || entry.failure === 'connect-timeout');
  const alone = failing.length * 2 <= pods.length;
  const { name } = hottest.pod;
  const steadily = failures.every((entry) => isSteady(entry, hottest.pod));
  return {
    confidence: inTime && alone ? 'likely' : 'possible',
    text: steadily
      ? `the readiness probe of the hottest pod ${name} fails each time: new connections go to the others`
      : `the readiness of the hottest pod ${name} comes and goes: each time its new connections go to the others`,
    evidence: [
      `${name} uses ${percent(hottest.part)} of all CPU of ${plural(pods.length, 'pod')}; its readiness probe failed ${plural(times, 'time')}${inTime ? ', for want of an answer in time' : ''}`,
    ],
    against: alone ? [] : [`readiness also fails on ${listed(others(failing, hottest.pod))}`],
    settledBy: inTime ? [] : ['CPU throttling of the pod at the times of the failures'],
  };
}

/** A probe that fails so many of its times, of those that its period gives between the first failure and the last, always fails. */
const nearlyAlways = 0.8;
/** Of fewer failures a series cannot be told. */
const leastSeries = 3;

function isSteady({ times, firstAt, at }: ReturnType<typeof unhealthyOf>[number], pod: MeasuredPod): boolean {
  const periods = (pod.pod?.containers ?? []).flatMap(({ probes }) =>
    probes.flatMap(({ type, periodSeconds }) => (type === 'readiness' ? [periodSeconds] : [])),
  );
  const seconds = ((millisecondsOf(at) ?? Number.NaN) - (millisecondsOf(firstAt) ?? Number.NaN)) / 1000;
  const due = seconds / maxOf(periods, 1) + 1;
  return times >= leastSeries && times >= nearlyAlways * due;
}

function others(pods: readonly MeasuredPod[], but: MeasuredPod): string[] {
  return pods.filter((pod) => pod !== but).map((pod) => pod.name);
}

function readinessFailures(pod: MeasuredPod, facts: Facts): ReturnType<typeof unhealthyOf> {
  return pod.pod === null
    ? []
    : unhealthyOf(facts.index.unhealthy, pod.pod).filter((entry) => entry.probe === 'readiness' && entry.times > 0);
}

/** The busiest pod, where it stands out among them or is near its own limit. */
function hottestOf(pods: readonly MeasuredPod[]): { readonly pod: MeasuredPod; readonly part: number } | null {
  const used = pods.flatMap((pod) => (pod.cpu === null ? [] : [{ pod, cpu: pod.cpu }]));
  const sum = used.reduce((total, { cpu }) => total + cpu.millicores, 0);
  const [first] = used.toSorted((a, b) => b.cpu.millicores - a.cpu.millicores);
  if (first === undefined || used.length < 2 || sum === 0) return null;
  const { millicores, limitMillicores } = first.cpu;
  const standsOut = millicores >= (limits.skewedPeakToMean * sum) / used.length;
  const isFull = limitMillicores !== null && millicores >= limits.hotCpuPart * limitMillicores;
  return standsOut || isFull ? { pod: first.pod, part: millicores / sum } : null;
}

/** It was Ready before: the last change of readiness came long after the container's start. */
function hasFlapped({ readySince, startedAt }: MeasuredPod): boolean {
  return readySince !== null && startedAt !== null && readySince - startedAt > startMs;
}

import type { Happening, Pod } from '../evidence/objects.ts';
import type { Facts } from '../facts/facts.ts';
import type { MeasuredPod } from '../facts/measured.ts';
import type { CauseId } from '../report/ids.ts';
import { countOf, listed, plural } from '../report/words.ts';
import type { CauseUnit } from './unit.ts';

/** Causes that say why pods are not Ready, and what to do first. */
const saidBy: ReadonlySet<CauseId> = new Set(['probe-misconfigured', 'probe-failing']);

/** Pods that a command names at most: with all of a large Service nobody could read it. */
const mostNamed = 5;

export const podsNotReady: CauseUnit = {
  id: 'pods-not-ready',
  title: 'Some pods are not Ready and get no new connections',
  family: 'health',
  needs: ['endpoints', 'probes'],
  signature:
    'Pods of the Service are not ready endpoints: their readiness probe fails, a container waits, or their node is gone.',
  confidenceRule: 'certain: readiness is read from the API.',
  rivals: [{ id: 'endpoints-missing', toldApartBy: 'Ready condition of the pods that get nothing' }],
  restores: true,
  firstStep({ facts, causes, move, kubectl }) {
    if (causes.some(({ unit, finding }) => saidBy.has(unit.id) && finding.confidence !== 'possible')) return null;
    const names = [...facts.missing.notReady, ...facts.missing.pending].map(({ name }) => name);
    const count = names.length;
    return {
      text:
        move !== 'at-once'
          ? `make the ${countOf(count, 'pod', 'pods')} Ready again that ${count === 1 ? 'is' : 'are'} not: calls rest on connections of before, and new ones find none of them`
          : `find out why ${countOf(count, 'pod is', 'pods are')} not Ready`,
      command: kubectl(['describe', 'pod', ...names.slice(0, mostNamed)]),
    };
  },
  find(facts) {
    const { notReady, pending } = facts.missing;
    const count = notReady.length + pending.length;
    if (count === 0) return null;
    const total = facts.replicas.length + count;
    const connected = notReady.filter((pod) => (pod.sockets?.connections.length ?? 0) > 0);
    const reasons = [...notReady.map((pod) => describe(pod, facts)), ...pending.map(describePending)]
      .sort((a, b) => Number(a.vague) - Number(b.vague))
      .map((reason) => reason.text);
    return {
      confidence: 'certain',
      text: `${count} of ${total} pods ${count === 1 ? 'is' : 'are'} not Ready: ${reasons[0] ?? ''}`,
      evidence: [
        ...reasons.slice(0, 5),
        connected.length > 0 &&
          `${listed(connected.map((pod) => pod.name))} still ${connected.length === 1 ? 'holds' : 'hold'} ${plural(
            connected.reduce((sum, pod) => sum + (pod.sockets?.connections.length ?? 0), 0),
            'connection',
          )}: not being Ready closes none`,
      ],
    };
  },
};

/** A pod without an address: no slice names it. */
function describePending(pod: Pod): { text: string; vague: boolean } {
  const waiting = pod.containers.find((container) => container.waitingReason !== null)?.waitingReason;
  if (waiting != null) return { text: `${pod.name} is in ${waiting}`, vague: false };
  const where = pod.nodeName === null ? ' and on no node' : '';
  return { text: `${pod.name} is ${pod.phase ?? 'not running'}${where}`, vague: false };
}

/** Why a pod is not Ready, as far as its status and Events say. */
function describe(pod: MeasuredPod, facts: Facts): { text: string; vague: boolean } {
  const waiting = pod.pod?.containers.find((container) => container.waitingReason !== null)?.waitingReason;
  if (waiting != null) {
    const restarts = pod.restarts > 0 ? ` after ${plural(pod.restarts, 'restart')}` : '';
    return { text: `${pod.name} is in ${waiting}${restarts}`, vague: false };
  }
  if (!pod.backend.serving && pod.pod?.containers.every((container) => container.ready) === true) {
    const text = `${pod.name}: its containers are ready but the pod is not; is its node ${pod.backend.nodeName ?? ''} lost?`;
    return { text, vague: false };
  }
  const failure = (facts.evidence.happenings ?? [])
    .filter(
      (entry): entry is Unhealthy => entry.kind === 'unhealthy' && entry.pod === pod.name && entry.probe !== 'liveness',
    )
    .sort((a, b) => (a.at < b.at ? 1 : -1))[0];
  const probe = pod.pod?.containers
    .flatMap((container) => container.probes)
    .find((entry) => entry.type === 'readiness');
  const kind = probe === undefined ? 'readiness' : `${probe.kind} readiness`;
  const asked = probe?.service ? ` (service "${probe.service}")` : '';
  if (failure === undefined) return { text: `${pod.name} does not pass its ${kind} probe${asked}`, vague: true };
  return {
    text: `${pod.name}: its ${kind} probe ${failureWords[failure.failure](probe?.service ?? '')}`,
    vague: false,
  };
}

type Unhealthy = Extract<Happening, { kind: 'unhealthy' }>;

const failureWords: Readonly<
  Record<Extract<Happening, { kind: 'unhealthy' }>['failure'], (service: string) => string>
> = {
  'unknown-service': (service) => `asks for the health of service "${service}", which the server does not know`,
  'not-serving': () => 'is answered NOT_SERVING',
  unimplemented: () => 'meets a server without the health service',
  timeout: () => 'gets no answer in time',
  connection: () => 'gets no connection',
  // kubelet dials until its time is over in both cases.
  'connect-timeout': () => 'gets no connection in time: nobody listens there, or the server speaks TLS only',
  tls: () => 'and the server do not agree on TLS',
  status: () => 'gets a failure status',
  other: () => 'fails',
};

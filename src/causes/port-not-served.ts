import type { Facts } from '../facts/facts.ts';
import { deafReplicas, isListening } from '../facts/listening.ts';
import type { MeasuredPod } from '../facts/measured.ts';
import { listed, plural } from '../report/words.ts';
import type { CauseUnit } from './unit.ts';

export const portNotServed: CauseUnit = {
  id: 'port-not-served',
  title: 'Ready pods do not listen on the target port',
  family: 'health',
  needs: ['endpoints', 'connections'],
  signature:
    'Pods are ready endpoints, and no process listens on the target port there, or only on 127.0.0.1: connections are refused and clients end on the other pods. Or the selector matches pods that have no port of the name that the Service targets.',
  confidenceRule:
    'certain when the same command shows the listener of that port in other pods and none, or one on the loopback address alone, in these, and when the slice of the pods lacks the port; possible when they declare other ports only and hold no connection.',
  rivals: [
    { id: 'new-pods-idle', toldApartBy: 'whether a process listens on the port: ss -tln in the pod' },
    { id: 'endpoints-missing', toldApartBy: 'whether the slice of the pod names the port' },
  ],
  restores: true,
  firstStep: 'make every pod listen on the target port, and let the readiness probe ask that port',
  find(facts) {
    return seen(facts) ?? unnamed(facts) ?? declared(facts);
  },
};

/** The controller makes a slice without the port for pods that have no container port of that name. */
function unnamed({ missing, port, replicas }: Facts): ReturnType<CauseUnit['find']> {
  const { withoutPort } = missing;
  if (withoutPort.length === 0) return null;
  const target = String(port.targetPort ?? port.port);
  return {
    confidence: 'certain',
    text: `${withoutPort.length} of ${plural(withoutPort.length + replicas.length, 'pod')} of the selector ${withoutPort.length === 1 ? 'has' : 'have'} no port ${target}`,
    evidence: [`matched by the selector, but without the target port ${target}: ${listed(withoutPort)}`],
  };
}

function seen(facts: Facts): ReturnType<CauseUnit['find']> {
  const deaf = deafReplicas(facts);
  const [first] = deaf;
  if (first === undefined) return null;
  const looped = deaf.filter((pod) => isListening(pod) === 'loopback');
  return {
    confidence: 'certain',
    text: `${plural(deaf.length, 'ready pod')} ${deaf.length === 1 ? 'does' : 'do'} not listen on port ${first.backend.port}: connections there are refused`,
    evidence: [
      looped.length > 0 && `only on the loopback address: ${listed(names(looped))}`,
      looped.length < deaf.length &&
        `no listener on the port: ${listed(names(deaf.filter((pod) => !looped.includes(pod))))}`,
      countListening(facts) > 0 && `the same look shows the listener in ${plural(countListening(facts), 'other pod')}`,
    ],
  };
}

/** What containers declare is no more than a note: but a port that is in none of the notes is a wrong one often. */
function declared(facts: Facts): ReturnType<CauseUnit['find']> {
  if (facts.connections?.seen !== facts.replicas.length || facts.loads.churning) return null;
  const silent = facts.replicas.filter((pod) => pod.sockets?.connections.length === 0 && isListening(pod) !== 'yes');
  const wrong = silent.filter((pod) => declares(pod) === false);
  if (wrong.length === 0 || wrong.length < silent.length) return null;
  // Pods that are called prove what a declaration is worth here.
  if (facts.replicas.some((pod) => !silent.includes(pod) && declares(pod) !== true)) return null;
  const ports = [...new Set(wrong.flatMap((pod) => pod.pod?.containers.flatMap((entry) => portsOf(entry)) ?? []))];
  return {
    confidence: 'possible',
    text: `${plural(wrong.length, 'ready pod')} ${wrong.length === 1 ? 'declares' : 'declare'} no port ${wrong[0]?.backend.port} and ${wrong.length === 1 ? 'holds' : 'hold'} no connection: does anything listen there?`,
    evidence: [`${listed(names(wrong))}: the containers declare ${ports.sort((a, b) => a - b).join(', ')}`],
    settledBy: ['whether a process listens there: ss -tln in the pod'],
  };
}

function countListening({ replicas }: Facts): number {
  return replicas.filter((pod) => isListening(pod) === 'yes').length;
}

/** null: nothing is declared at all. */
function declares(pod: MeasuredPod): boolean | null {
  const ports = pod.pod?.containers.flatMap((container) => portsOf(container)) ?? [];
  return ports.length === 0 ? null : ports.includes(pod.backend.port ?? 0);
}

function portsOf(container: { readonly ports: readonly { readonly port: number; readonly protocol: string }[] }) {
  return container.ports.flatMap(({ port, protocol }) => (protocol === 'TCP' ? [port] : []));
}

function names(pods: readonly MeasuredPod[]): string[] {
  return pods.map((pod) => pod.name);
}

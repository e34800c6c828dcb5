import { grpcSign } from '../evidence/ports.ts';
import { type Facts, isUneven } from '../facts/facts.ts';
import { countOf } from '../report/words.ts';
import type { CauseUnit } from './unit.ts';

/** Words of appProtocol or of a port's name that say another protocol. `tcp` and `tls` say nothing of what is inside. */
const otherProtocols: ReadonlySet<string> = new Set([
  'mongo',
  'redis',
  'mysql',
  'postgres',
  'postgresql',
  'amqp',
  'kafka',
]);

export const notGrpc: CauseUnit = {
  id: 'not-grpc',
  title: 'The port speaks another protocol than gRPC',
  family: 'not-load-balancing',
  needs: ['service', 'endpoints', 'connections'],
  signature:
    'The port is declared as HTTP/1.1 or another protocol, or an httpGet probe succeeds on it; and nothing says gRPC: no declaration, no grpc probe on it, no gRPC counters. Connections of a keep-alive pool stay on their pods just the same.',
  confidenceRule:
    'likely when a declaration or a passing httpGet probe on the target port says another protocol and nothing says gRPC; not found on the number of a port alone. Never certain: a server may speak both on one port.',
  rivals: [
    {
      id: 'few-connections',
      toldApartBy: 'the protocol of the port: appProtocol, the probes, the metrics of the pods',
    },
  ],
  bars: { strategies: 'all', why: 'options of gRPC do nothing for another protocol' },
  firstStep:
    'limit how long the server keeps a connection (its keep-alive limits), or the pool of the clients: MaxConnectionAge is an option of gRPC servers',
  find(facts) {
    if (!isUneven(facts) || saysGrpc(facts)) return null;
    const declared = declaresOther(facts);
    const answering = facts.replicas.filter((pod) => isProbedByHttp(pod, facts));
    if (declared === null && (answering.length === 0 || answering.length < facts.replicas.length)) return null;
    return {
      confidence: 'likely',
      text: `port ${facts.port.port} speaks ${declared ?? 'HTTP/1.1'}, it seems: kept connections stay on their pods as with gRPC, options of gRPC do not move them`,
      evidence: [
        declared !== null && `the Service declares ${facts.port.appProtocol ?? facts.port.name ?? ''}`,
        answering.length > 0 &&
          `${countOf(answering.length, 'Ready pod answers', 'Ready pods answer')} httpGet probes on the target port`,
        'no gRPC in the declaration, the probes or the metrics of the pods',
      ],
      settledBy: ['what a client sends: gRPC begins with the HTTP/2 preface'],
    };
  },
};

/** Anything that says gRPC or HTTP/2 at this port, or in what the pods count. */
function saysGrpc({ port, path, replicas, evidence }: Facts): boolean {
  // Linkerd's proxy counts requests of any kind; every other family is of gRPC.
  const counted = evidence.calls?.looks.some(({ family }) => family !== null && family !== 'linkerd-proxy') === true;
  const isGrpcProbe = replicas.some((pod) =>
    pod.pod?.containers.some(({ probes }) =>
      probes.some((probe) => (probe.kind === 'grpc' && probe.port === pod.backend.port) || probe.grpcHealthProbe),
    ),
  );
  const routed = path.routes.some(({ kind }) => kind === 'GRPCRoute');
  const toldSo = path.path?.traefikH2c === true || path.path?.ingresses?.some((ingress) => ingress.grpc) === true;
  const declared = grpcSign(port) !== null || path.declared.reading === 'http2';
  return counted || isGrpcProbe || routed || toldSo || declared || path.clientShares.xds > 0;
}

/** The protocol that the port declares, in words; null where it declares none, or nothing that excludes gRPC. */
function declaresOther({ port, path }: Facts): string | null {
  if (path.declared.reading === 'http1') return 'HTTP/1.1';
  const word = (port.appProtocol ?? port.name ?? '').toLowerCase().split('-')[0] ?? '';
  return otherProtocols.has(word) ? word : null;
}

/** kubelet speaks HTTP/1.1 to the target port, and the pod is Ready. */
function isProbedByHttp(pod: Facts['replicas'][number], { now }: Facts): boolean {
  const isHere =
    (container: { readonly ports: readonly { readonly name: string | null; readonly port: number }[] }) =>
    (port: number | string | null) =>
      port === pod.backend.port ||
      container.ports.some((entry) => entry.name === port && entry.port === pod.backend.port);
  const isReady = pod.pod?.ready === true && pod.readySince !== null && pod.readySince <= now;
  return (
    isReady &&
    (pod.pod?.containers ?? []).some((container) =>
      container.probes.some(
        (probe) =>
          probe.kind === 'httpGet' &&
          probe.type === 'readiness' &&
          probe.rewritten !== true &&
          isHere(container)(probe.port),
      ),
    )
  );
}

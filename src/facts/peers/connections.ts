import type { Backend } from '../../evidence/endpoints.ts';
import type { Socket, SocketLook } from '../../evidence/looks.ts';
import { meshProxyOf } from '../../evidence/mesh-proxies.ts';
import type { Pod } from '../../evidence/objects.ts';
import { millisecondsOf } from '../../evidence/times.ts';
import type { EvidenceIndex } from '../evidence-index.ts';
import { isLoopback } from './addresses.ts';
import type { Peer, PeerBook } from './clients.ts';

/** A client connection at the target port of one pod, over the samples in which it was seen. */
export interface Connection {
  readonly peer: Peer;
  readonly address: string;
  readonly peerPort: number;
  /** Seen in both samples. False with a single sample, too. */
  readonly kept: boolean;
  /** Received and acknowledged bytes over its lifetime; null where the way of looking does not know. */
  readonly bytes: number | null;
  /** Bytes between the samples. */
  readonly windowBytes: number | null;
  /** How many calls that was at least, over its lifetime and between the samples: what the noise of a figure is counted by. */
  readonly calls: number | null;
  readonly windowCalls: number | null;
  readonly receiveQueueBytes: number | null;
  /** The same in the first sample; null without one, or where the connection was not there yet. */
  readonly receiveQueueBefore: number | null;
  /** Bytes that the program has taken out of the receive queue between the samples; null where bytes are not known. */
  readonly windowRead: number | null;
  /** Bytes sent and acknowledged between the samples. */
  readonly windowSent: number | null;
  /** Milliseconds since data was last received and sent, at the latest sample. */
  readonly lastReceivedMs: number | null;
  readonly lastSentMs: number | null;
}

/** What was counted at one pod. */
export interface PodConnections {
  /** Of the latest sample. */
  readonly connections: readonly Connection[];
  /** Seconds between this pod's own two looks; null with one look. */
  readonly seconds: number | null;
  readonly opened: number;
  readonly closed: number;
  /** Client addresses of those that closed, one entry a connection. */
  readonly closedBy: readonly string[];
  /** Data segments that each of those had carried when it was last seen, in the direction of fewer: no more than that were calls. */
  readonly closedSegments: readonly number[];
  /** Bytes of connections that were gone in the second sample cannot be known, so this is a lower bound then. */
  readonly windowBytes: number | null;
  readonly windowCalls: number | null;
  readonly timeWait: number | null;
  /** The way of looking knows bytes: then no connection means no bytes, else it means nothing known. */
  readonly knowsBytes: boolean;
  readonly leftOut: readonly LeftOut[];
  /** Connections from inside the pod that carry its bytes: of a proxy there that is not known, in the place of its clients. */
  readonly inside: readonly Connection[];
  /** Clients are counted at a sidecar's inbound port, which may mix several ports of the application. */
  readonly inboundPort: number;
  readonly way: SocketLook['way'];
  /** Wanted ports at which a process listens; null where that was not looked at. */
  readonly listening: NonNullable<SocketLook['listening']> | null;
}

interface LeftOut {
  readonly kind: 'probe' | 'loopback';
  readonly address: string;
}

/**
 * Below this a connection from a node address is taken for a probe or an API server proxy's, not a client: each
 * has a connection of its own, which carries little more than its handshake.
 */
const probeBytes = 4096;

/** Reads the client connections of one pod from its looks; null when it was not looked at. */
export function countConnections(
  { sockets, peers: book }: EvidenceIndex,
  backend: Backend,
  pod: Pod | null,
): PodConnections | null {
  const { first, second } = sockets(backend.pod?.uid ?? '');
  const latest = second ?? first;
  if (latest === undefined || backend.port === null) return null;
  const port = inboundPort(latest, backend.port, pod);
  const before = new Map<string, Socket>();
  if (second !== undefined)
    for (const socket of first?.sockets ?? []) if (socket.localPort === port) before.set(ends(socket), socket);
  const startedAt = millisecondsOf(first?.lookedAt);
  const endedAt = millisecondsOf(second?.lookedAt);
  const seconds = startedAt === null || endedAt === null ? null : (endedAt - startedAt) / 1000;
  const read = (socket: Socket) => {
    const earlier = second === undefined ? undefined : before.get(ends(socket));
    const kind = classify(socket, earlier, second !== undefined, pod, book);
    return { kind, connection: readConnection(socket, earlier, second !== undefined, book) };
  };
  const all = latest.sockets.filter((socket) => socket.localPort === port).map(read);
  const of = (wanted: 'client' | LeftOut['kind']) =>
    all.flatMap(({ kind, connection }) => (kind === wanted ? [connection] : []));
  const connections = of('client').sort(byEnds);
  const loopback = of('loopback');
  const inside = passesOn(loopback, connections, second !== undefined) ? loopback : [];
  const carrying = [...connections, ...inside];
  const isInside = new Set(inside);
  const leftOut = all.flatMap(({ kind, connection }) =>
    kind === 'client' || isInside.has(connection) ? [] : [{ kind, address: connection.address }],
  );
  const ended = second === undefined ? [] : closedSockets(before, second, pod, book, port);
  return {
    connections,
    seconds: seconds !== null && seconds > 0 ? seconds : null,
    opened: second === undefined ? 0 : connections.filter((connection) => !connection.kept).length,
    closed: ended.length,
    closedBy: ended.map((socket) => socket.peerAddress),
    closedSegments: ended.flatMap(({ segmentsIn, segmentsOut }) =>
      segmentsIn === undefined ? [] : [believable(Math.min(segmentsIn, segmentsOut ?? segmentsIn))],
    ),
    windowBytes:
      second === undefined || !knowsBytes(latest) ? null : sum(carrying.map((connection) => connection.windowBytes)),
    windowCalls:
      second === undefined || !knowsBytes(latest) ? null : sum(carrying.map((connection) => connection.windowCalls)),
    timeWait: latest.timeWait ?? null,
    knowsBytes: knowsBytes(latest),
    leftOut,
    inside,
    inboundPort: port,
    way: latest.way,
    listening: latest.listening ?? null,
  };
}

function byEnds(a: Connection, b: Connection): number {
  return a.address < b.address ? -1 : a.address > b.address ? 1 : a.peerPort - b.peerPort;
}

/** The port at which clients arrive: with a sidecar that redirects, its own; the application then sees only loopback. */
function inboundPort(look: SocketLook, port: number, pod: Pod | null): number {
  const ports = (pod?.containers ?? []).flatMap(({ name }) => meshProxyOf(name)?.inboundPort ?? []);
  return ports.find((inbound) => look.sockets.some((socket) => socket.localPort === inbound)) ?? port;
}

/**
 * Do connections from inside the pod carry what the port gets? Then something there, a proxy, stands between it and its
 * clients. A probe or a scrape from inside carries next to nothing, or comes anew each time.
 */
function passesOn(loopback: readonly Connection[], clients: readonly Connection[], twoSamples: boolean): boolean {
  const lasting = twoSamples ? loopback.filter(({ kept }) => kept) : loopback;
  const bytes = sum(lasting.map((connection) => connection.bytes));
  if (lasting.length === 0) return false;
  if (bytes === null) return clients.length === 0;
  return bytes >= probeBytes && bytes > (sum(clients.map((connection) => connection.bytes)) ?? 0);
}

/**
 * A probe comes from an address that kubelet uses and does not live: it is not in both samples, or it has carried next
 * to nothing. A peer at such an address that lives and carries bytes is a client (SNAT or hostNetwork).
 */
function classify(
  socket: Socket,
  earlier: Socket | undefined,
  twoSamples: boolean,
  pod: Pod | null,
  book: PeerBook,
): 'client' | LeftOut['kind'] {
  const own = pod?.addresses.includes(socket.peerAddress) === true && !pod.hostNetwork;
  if (own || (isLoopback(socket.peerAddress) && book.name(socket.peerAddress).pod === null)) return 'loopback';
  if (!book.isKubeletAddress(socket.peerAddress, pod)) return 'client';
  const bytes = lifetimeBytes(socket);
  if (twoSamples && earlier === undefined) return 'probe';
  return bytes === null ? (twoSamples ? 'client' : 'probe') : bytes < probeBytes ? 'probe' : 'client';
}

function readConnection(socket: Socket, earlier: Socket | undefined, twoSamples: boolean, book: PeerBook): Connection {
  const bytes = lifetimeBytes(socket);
  const bytesBefore = earlier === undefined ? 0 : lifetimeBytes(earlier);
  const received = traffic(socket.bytesReceived, socket.segmentsIn);
  const sent = traffic(socket.bytesAcked, socket.segmentsOut);
  return {
    peer: book.name(socket.peerAddress),
    address: socket.peerAddress,
    peerPort: socket.peerPort,
    kept: earlier !== undefined,
    bytes,
    windowBytes: twoSamples ? difference(bytes, bytesBefore) : null,
    calls: callsIn(received, sent),
    windowCalls: twoSamples
      ? callsIn(
          since(received, earlier && traffic(earlier.bytesReceived, earlier.segmentsIn)),
          since(sent, earlier && traffic(earlier.bytesAcked, earlier.segmentsOut)),
        )
      : null,
    receiveQueueBytes: socket.receiveQueueBytes ?? null,
    receiveQueueBefore: earlier?.receiveQueueBytes ?? null,
    windowRead: twoSamples ? difference(readBytes(socket), earlier === undefined ? 0 : readBytes(earlier)) : null,
    windowSent: twoSamples ? difference(sentBytes(socket), earlier === undefined ? 0 : sentBytes(earlier)) : null,
    lastReceivedMs: socket.lastReceivedMs ?? null,
    lastSentMs: socket.lastSentMs ?? null,
  };
}

function closedSockets(
  before: ReadonlyMap<string, Socket>,
  second: SocketLook,
  pod: Pod | null,
  book: PeerBook,
  port: number,
): Socket[] {
  const after = new Set(second.sockets.filter((socket) => socket.localPort === port).map(ends));
  return [...before].flatMap(([key, socket]) =>
    !after.has(key) && classify(socket, undefined, true, pod, book) === 'client' ? [socket] : [],
  );
}

function knowsBytes(look: SocketLook): boolean {
  return look.way === 'ss' || look.way === 'ss-unfiltered';
}

function lifetimeBytes(socket: Socket): number | null {
  return socket.bytesReceived === undefined && socket.bytesAcked === undefined
    ? null
    : believable(socket.bytesReceived ?? 0) + believable(socket.bytesAcked ?? 0);
}

/** What the kernel has received and the program has read: the rest still waits in the receive queue. */
function readBytes(socket: Socket): number | null {
  if (socket.bytesReceived === undefined || socket.receiveQueueBytes === undefined) return null;
  return Math.max(0, believable(socket.bytesReceived) - believable(socket.receiveQueueBytes));
}

function sentBytes(socket: Socket): number | null {
  return socket.bytesAcked === undefined ? null : believable(socket.bytesAcked);
}

interface Traffic {
  readonly bytes: number;
  readonly segments: number;
}

function traffic(bytes: number | undefined, segments: number | undefined): Traffic | null {
  return segments === undefined ? null : { bytes: believable(bytes ?? 0), segments: believable(segments) };
}

function since(now: Traffic | null, before: Traffic | null | undefined): Traffic | null {
  if (now === null || before == null) return now;
  return {
    bytes: difference(now.bytes, before.bytes) ?? 0,
    segments: difference(now.segments, before.segments) ?? 0,
  };
}

/** From so many bytes a segment on, a message may be longer than a segment. */
const fullSegment = 500;
/** No message is longer unless a server allows it: the limit of gRPC for what is received. */
const longestMessage = 4 * 1024 * 1024;

/**
 * How many calls these bytes are at least: each has a segment of its own in both directions (of Go's servers two on the
 * way back, in the recordings), unless its messages are longer than a segment. Null where segments are not counted.
 */
function callsIn(received: Traffic | null, sent: Traffic | null): number | null {
  if (received === null || sent === null) return messagesIn(received ?? sent);
  return Math.min(messagesIn(received) ?? 0, messagesIn(sent) ?? 0);
}

function messagesIn(part: Traffic | null): number | null {
  if (part === null) return null;
  const isWhole = part.bytes < fullSegment * part.segments;
  return isWhole ? part.segments : Math.min(part.segments, Math.ceil(part.bytes / longestMessage));
}

/** No counter of a kernel gets there; larger numbers of a foreign record would not survive being squared. */
function believable(count: number): number {
  return Math.min(count, Number.MAX_SAFE_INTEGER);
}

/** A counter that went backwards belongs to another connection with the same ends: all of it is new. */
function difference(now: number | null, before: number | null): number | null {
  if (now === null || before === null) return null;
  return now >= before ? now - before : now;
}

function sum(values: readonly (number | null)[]): number | null {
  return values.some((value) => value === null)
    ? null
    : values.reduce<number>((total, value) => total + (value ?? 0), 0);
}

function ends(socket: Socket): string {
  return `${socket.localAddress} ${socket.localPort} ${socket.peerAddress} ${socket.peerPort}`;
}

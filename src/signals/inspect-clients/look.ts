import type { ClientLook } from '../../evidence/looks.ts';
import type { PeerPod, Pod } from '../../evidence/objects.ts';
import type { SkewEvidence } from '../../evidence/schema.ts';
import { workloadOf } from '../../evidence/workload.ts';
import type { KubeError } from '../../kube/types.ts';
import { answered, endsTheRound, failureReason, readSockets } from '../connections/ask.ts';
import { type KnownWays, waysToTry, withExecsElsewhere } from '../connections/look.ts';
import type { ExecHost, SignalUpdate } from '../look.ts';
import { askMemory, hasRoom, type Memory, memoryOf, nearMemoryLimit } from '../memory.ts';
import { textAt } from '../read/json.ts';
import { readPods } from '../read/pods.ts';
import { dialledCommand, runtimeCommand } from './ask.ts';
import { type Destinations, destinationsOf, readDialled, readRuntime } from './read.ts';

/** So many client pods are looked into at most, each with two commands where the first way works. */
const mostClients = 5;

type Failure = NonNullable<NonNullable<SkewEvidence['clientLooks']>['failures']>[number];

/**
 * Looks into a few client pods, one of each workload first: what they dial, and what runs there. One after the other; a
 * refusal that all would meet ends it.
 * @param items pods as they were listed for the clients
 */
export async function inspectClients(
  host: ExecHost,
  evidence: SkewEvidence,
  items: readonly unknown[],
  known: KnownWays,
): Promise<SignalUpdate> {
  const chosen = evidence.connections === null ? [] : chooseClients(evidence);
  if (evidence.service === null || chosen.length === 0) return {};
  host.beforeExecs(chosen.length, 2);
  const to = destinations(evidence);
  const pods = chosen.map((peer) => podOf(items, peer));
  const memory = await askMemory(
    host,
    evidence,
    pods.flatMap((pod) => pod ?? []),
  );
  const looks: ClientLook[] = [];
  const failures: Failure[] = [];
  const execs: number[] = [];
  for (const [index, peer] of chosen.entries()) {
    if (host.signal?.aborted) break;
    host.progress('clients', 'running', `looking into ${peer.name}`);
    const found = await inspect(host, pods[index] ?? null, { to, known, memory });
    execs.push(found.execs);
    if (found.look !== null) looks.push(found.look);
    else failures.push({ pod: peer.name, namespace: peer.namespace, message: found.message });
    if (found.isRefused) break;
  }
  return {
    patch: {
      clientLooks: { looks, failures },
      connections: withExecsElsewhere(evidence.connections, 'clients', execs),
    },
    times: looks.map((look) => look.lookedAt),
    progress: ['clients', failures.length === 0 ? 'done' : 'partial', `${looks.length} client pods looked into`],
  };
}

/** One pod of each workload, those with most connections first; then others until there are enough. */
function chooseClients(evidence: SkewEvidence): readonly PeerPod[] {
  const held = new Map<string, number>();
  for (const look of evidence.connections?.looks ?? [])
    for (const { peerAddress } of look.sockets) held.set(peerAddress, (held.get(peerAddress) ?? 0) + 1);
  const count = (pod: PeerPod) => pod.addresses.reduce((sum, address) => sum + (held.get(address) ?? 0), 0);
  const pods = (evidence.peers?.pods ?? [])
    .filter((pod) => !pod.hostNetwork)
    .sort((a, b) => count(b) - count(a) || (a.name < b.name ? -1 : 1));
  const firsts = new Map<string, PeerPod>();
  for (const pod of pods) {
    const workload = `${pod.namespace}/${workloadOf(pod)}`;
    if (!firsts.has(workload)) firsts.set(workload, pod);
  }
  const ones = [...firsts.values()];
  return [...ones, ...pods.filter((pod) => !ones.includes(pod))].slice(0, mostClients);
}

function destinations(evidence: SkewEvidence): Destinations {
  const services = [...(evidence.service === null ? [] : [evidence.service]), ...(evidence.siblings ?? [])];
  const ports = (evidence.endpointSlices ?? []).flatMap((slice) => slice.ports.flatMap(({ port }) => port ?? []));
  return destinationsOf(services, [...(evidence.pods ?? []), ...(evidence.formerPods ?? [])], ports);
}

function podOf(items: readonly unknown[], peer: PeerPod): Pod | null {
  const item = items.find(
    (entry) =>
      textAt(entry, 'metadata', 'name') === peer.name &&
      (textAt(entry, 'metadata', 'namespace') ?? 'default') === peer.namespace,
  );
  return item === undefined ? null : (readPods([item], {})[0] ?? null);
}

type Inspected =
  | { readonly look: ClientLook; readonly execs: number; readonly isRefused: false }
  | { readonly look: null; readonly execs: number; readonly isRefused: boolean; readonly message: string };

async function inspect(
  host: ExecHost,
  pod: Pod | null,
  { to, known, memory }: { readonly to: Destinations; readonly known: KnownWays; readonly memory: Memory },
): Promise<Inspected> {
  const running = pod?.containers.filter((entry) => entry.running && !entry.sidecar) ?? [];
  const container = pod === null ? undefined : running.find((entry) => hasRoom(entry, memoryOf(memory, pod)));
  if (pod === null || container === undefined) {
    const message = running.length === 0 ? 'no container is running' : nearMemoryLimit;
    return { look: null, execs: 0, isRefused: false, message };
  }
  const target = { namespace: pod.namespace, pod: pod.name, container: container.name };
  const options = host.signal && { signal: host.signal };
  const isRefused = (error: KubeError) => endsTheRound(failureReason(error));
  let execs = 0;
  for (const way of waysToTry(known, container.image)) {
    execs++;
    const output = await host.kube.exec({ ...target, command: dialledCommand(way, [...to.ports]) }, options);
    if (!output.ok) return { look: null, execs, isRefused: isRefused(output.error), message: output.error.message };
    if (!answered(way, output.value)) continue;
    known.set(container.image, way);
    execs++;
    const comm = await host.kube.exec({ ...target, command: [...runtimeCommand] }, options);
    const runs = comm.ok && comm.value.end.kind === 'exit' && comm.value.end.code === 0 ? comm.value.stdout : '';
    const look = {
      pod: pod.name,
      namespace: pod.namespace,
      container: container.name,
      lookedAt: output.value.endedAt,
      dialled: readDialled(readSockets(way, output.value.stdout), to),
      runtime: readRuntime(runs),
    };
    return { look, execs, isRefused: false };
  }
  return { look: null, execs, isRefused: false, message: 'no container has ss, netstat or cat' };
}

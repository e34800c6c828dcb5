import { countOf, listed } from '../report/words.ts';
import type { Facts } from './facts.ts';

/** Findings that stand beside the causes. */
export function findWarnings(facts: Facts): { id: string; text: string }[] {
  const warnings: { id: string; text: string }[] = [];
  if (facts.united.contradictory.length > 0) {
    warnings.push({
      id: 'contradictory-endpoints',
      text: `the slices name ${listed(facts.united.contradictory)} both as ready and as not ready; the pod's own condition was taken`,
    });
  }
  if (facts.service.publishNotReadyAddresses) {
    warnings.push({
      id: 'publishes-not-ready',
      text: 'publishNotReadyAddresses is set: DNS and slices name pods that are not Ready, so clients may call them',
    });
  }
  const killed = facts.replicas.filter((pod) =>
    pod.pod?.containers.some((container) => container.lastTermination?.reason === 'OOMKilled'),
  );
  const [victim] = killed;
  if (victim !== undefined)
    warnings.push({
      id: 'oom-victim',
      text: `${victim.name} was killed for memory: a pod that idles now may be the one that was too busy before`,
    });
  const mixed = facts.replicas.filter(
    (pod) => (pod.sockets?.inboundPort ?? null) !== null && pod.sockets?.inboundPort !== pod.backend.port,
  );
  if (mixed.length > 0) {
    warnings.push({
      id: 'sidecar-port',
      text: `clients were counted at the sidecar's port ${mixed[0]?.sockets?.inboundPort ?? ''}: all ports of the pod together, so an upper bound for this one`,
    });
  }
  const queues = facts.allConnections.filter((entry) => (entry.connection.receiveQueueBytes ?? 0) > 64 * 1024);
  if (queues.length > 0)
    warnings.push({
      id: 'full-receive-queue',
      text: `${countOf(queues.length, 'connection has', 'connections have')} over 64 KiB that the server has not read: is a pod stuck?`,
    });
  const nodes = facts.clients.filter((client) => client.peer.kind === 'node');
  const share = nodes.reduce((sum, client) => sum + client.share, 0);
  if (share > 0.5)
    warnings.push({
      id: 'clients-behind-nodes',
      text: 'most load comes from node addresses (SNAT or hostNetwork): single clients cannot be told apart',
    });
  return warnings;
}

import type { MeasuredPod } from './measured.ts';

/** Does a process of the pod take connections at the target port from outside the pod, as far as it was looked at? */
export function isListening(pod: MeasuredPod): 'yes' | 'loopback' | 'no' | 'not-known' {
  const listening = pod.sockets?.listening ?? null;
  if (listening === null || pod.pod?.hostNetwork === true) return 'not-known';
  const own = listening.filter((entry) => entry.port === pod.backend.port);
  if (own.some((entry) => !entry.loopback)) return 'yes';
  if (own.length === 0) return 'no';
  // A sidecar hands connections on inside the pod.
  return pod.pod?.containers.some((container) => container.sidecar) === true ? 'not-known' : 'loopback';
}

/** Pods that are ready endpoints and in which nothing takes connections at the port, as it was seen. */
export function deafReplicas({ replicas }: { readonly replicas: readonly MeasuredPod[] }): readonly MeasuredPod[] {
  // A listener that the same way of looking shows elsewhere proves that it would show one here.
  const proven = new Set(replicas.flatMap((pod) => (isListening(pod) === 'yes' ? (pod.sockets?.way ?? []) : [])));
  return replicas.filter((pod) => {
    const answer = isListening(pod);
    if (pod.sockets === null || pod.sockets.connections.length > 0) return false;
    return answer === 'loopback' || (answer === 'no' && proven.has(pod.sockets.way));
  });
}

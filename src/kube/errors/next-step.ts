import type { KubeError, KubeErrorKind } from '../types.ts';

/** What to do about an error that brings no advice of its own. */
const general: Readonly<Record<KubeErrorKind, string>> = {
  config: 'Check the contexts, clusters and users of the kubeconfig.',
  credential: 'Log in again, or check the user in the kubeconfig.',
  unreachable: 'Check the network between here and the API server, and a VPN.',
  tls: 'Check certificate-authority and server in the kubeconfig.',
  timeout: 'Check the network between here and the API server, or raise --request-timeout.',
  closed: 'Try again; a proxy or load balancer on the way may cut connections.',
  forbidden: 'Ask for the right, or use another --context or --user.',
  refused: 'This is a policy of the cluster; no Role changes it.',
  'not-found': 'Is --server the address of a Kubernetes API, and the cluster not too old for it?',
  gone: 'Try again: the list changed faster than it could be read.',
  throttled: 'Try again later.',
  server: 'Try again; if it stays so, ask who runs the cluster, or look at its /readyz.',
  'bad-answer': 'Is --server the address of a Kubernetes API?',
  upgrade: 'Whatever stands before the API server must let WebSocket upgrades pass.',
  aborted: 'Start again.',
};

/** What to do next: every error that is shown has an answer to that. */
export function nextStep(error: KubeError): string {
  return error.hint ?? general[error.kind];
}

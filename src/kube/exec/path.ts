import type { ExecTarget } from '../types.ts';

/** Names of namespaces and pods are DNS names; anything else would change the path. */
const dnsName = /^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/;

/** Path and query of an exec without stdin or terminal, or null where a name cannot be one. */
export function execPath(target: ExecTarget): string | null {
  const { namespace, pod, container, command } = target;
  if (![namespace, pod, container].every((name) => dnsName.test(name)) || command.length === 0) return null;
  const query = new URLSearchParams({ container, stdout: 'true', stderr: 'true' });
  for (const argument of command) query.append('command', argument);
  return `/api/v1/namespaces/${encodeURIComponent(namespace)}/pods/${encodeURIComponent(pod)}/exec?${query}`;
}

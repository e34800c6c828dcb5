import type { Denied, KubeError } from '../types.ts';

/** The words of the API server's authorizer (apiserver endpoints/handlers/responsewriters/errors.go). */
const byAuthorizer =
  /cannot (?<verb>\S+) (?:resource "(?<resource>[^"]+)"(?: in API group "(?<group>[^"]*)")?|path "(?<path>[^"]+)")(?: in the namespace "(?<namespace>[^"]+)")?/;
const named = /"(?<name>[^"]+)" is forbidden/;
/** A WebSocket exec that may `get` but not `create` pods/exec gets a message that ends here (Kubernetes >= 1.35). */
const noReason = /is forbidden:\s*$/;

/** A webhook refuses with 403 or any other 4xx; Kubernetes always words it so (apiserver admission/plugin/webhook). */
export const webhookDenial = /admission webhook "(?<webhook>[^"]*)" denied the request/;

/** Reads what a refusal says; null where it names neither a right nor a webhook: then a policy stands behind it. */
export function readDenied(message: string): Denied | null {
  const webhook = webhookDenial.exec(message)?.groups?.['webhook'];
  const name = named.exec(message)?.groups?.['name'] ?? null;
  if (webhook !== undefined) return { verb: null, resource: null, name, namespace: null, webhook };
  if (noReason.test(message)) return { verb: 'create', resource: 'pods/exec', name, namespace: null };
  const { verb, resource, group, path, namespace = null } = byAuthorizer.exec(message)?.groups ?? {};
  if (verb === undefined) return null;
  return { verb, resource: path ?? `${resource}${group ? `.${group}` : ''}`, name, namespace };
}

/** The same for an error of which a record holds the words alone. */
export function deniedBy(message: string): Pick<KubeError, 'denied'> {
  const denied = readDenied(message);
  return denied === null ? {} : { denied };
}

/** Names the right that is missing. `target`: the namespace of an exec, which needs two verbs on one resource. */
export function forbiddenHint({ verb, resource, namespace }: Denied, message: string, target?: string): string {
  if (message.includes('User "system:anonymous"'))
    return 'The request carried no credential that the server knows: check the user in the kubeconfig.';
  if (target !== undefined)
    return `Needs a Role with get and create on pods/exec in namespace ${target}; ${verb} is missing.`;
  if (resource?.startsWith('/')) return `Needs a ClusterRole with ${verb} on the URL ${resource}.`;
  return namespace === null
    ? `Needs a ClusterRole with ${verb} on ${resource}.`
    : `Needs a Role with ${verb} on ${resource} in namespace ${namespace}.`;
}

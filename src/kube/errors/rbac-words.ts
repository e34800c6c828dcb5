/** The words of the API server's authorizer (apiserver endpoints/handlers/responsewriters/errors.go). */
const resourceDenied =
  /cannot (?<verb>\S+) resource "(?<resource>[^"]+)" in API group "(?<group>[^"]*)"(?: in the namespace "(?<namespace>[^"]+)")?/;
const pathDenied = /cannot (?<verb>\S+) path "(?<path>[^"]+)"/;
/** A WebSocket exec that may `get` but not `create` pods/exec gets a message that ends here (Kubernetes >= 1.35). */
const noReason = /is forbidden:\s*$/;

/** Whether a 403 comes from RBAC, so that a Role would help. */
export function isRbac(message: string): boolean {
  return resourceDenied.test(message) || pathDenied.test(message) || noReason.test(message);
}

/** Names the right that is missing. */
export function forbiddenHint(message: string): string | undefined {
  if (message.includes('User "system:anonymous"')) {
    return 'The request carried no credential that the server knows: check the user in the kubeconfig.';
  }
  const denied = resourceDenied.exec(message)?.groups;
  if (denied !== undefined) {
    const { verb = '', resource = '', group = '', namespace } = denied;
    const what = `${verb} on ${resource}${group === '' ? '' : `.${group}`}`;
    return namespace === undefined
      ? `Needs a ClusterRole with ${what}.`
      : `Needs a Role with ${what} in namespace ${namespace}.`;
  }
  const path = pathDenied.exec(message)?.groups;
  return path === undefined ? undefined : `Needs a ClusterRole with ${path['verb']} on the URL ${path['path']}.`;
}

/** As `forbiddenHint`, for an exec, which needs two verbs on one resource: says which of them is missing. */
export function execForbiddenHint(message: string, namespace: string): string | undefined {
  const missing = noReason.test(message) ? 'create' : resourceDenied.exec(message)?.groups?.['verb'];
  if (missing === undefined || message.includes('User "system:anonymous"')) return forbiddenHint(message);
  return `Needs a Role with get and create on pods/exec in namespace ${namespace}; ${missing} is missing.`;
}

import { type Answer, failureStatus, type StatusDetails } from './answer.ts';

/** Whoever asks, and what they may do. */
export interface User {
  readonly name: string;
  readonly token: string | null;
  /** `all`, or the rules that hold in one namespace. */
  readonly rights: 'all' | { readonly namespace: string; readonly rules: readonly Rule[] };
}

interface Rule {
  readonly groups: readonly string[];
  /** With subresource: `pods/exec`. */
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
}

export interface Access {
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  readonly subresource?: string | undefined;
  readonly namespace?: string | undefined;
  readonly name?: string | undefined;
}

export const anonymous: User = { name: 'system:anonymous', token: null, rights: { namespace: '', rules: [] } };

export function adminUser(token: string): User {
  return { name: 'admin', token, rights: 'all' };
}

/** Someone who may read Services, pods and EndpointSlices of one namespace, and nothing else. */
export function viewerUser(token: string, namespace: string): User {
  const verbs = ['get', 'list'];
  const rules = [
    { groups: [''], resources: ['services', 'pods'], verbs },
    { groups: ['discovery.k8s.io'], resources: ['endpointslices'], verbs },
  ];
  return { name: 'viewer', token, rights: { namespace, rules } };
}

export function isAllowed(user: User, access: Access): boolean {
  if (user.rights === 'all') return true;
  // Every authenticated user may ask about their own rights.
  if (access.group === 'authorization.k8s.io' && access.verb === 'create') return user.token !== null;
  const { namespace, rules } = user.rights;
  const resource = qualifiedResource(access);
  return (
    access.namespace === namespace &&
    rules.some(
      (rule) =>
        rule.groups.includes(access.group) && rule.resources.includes(resource) && rule.verbs.includes(access.verb),
    )
  );
}

/** What a SelfSubjectAccessReview gives as the reason of a yes. */
export function allowedReason(user: User): string | undefined {
  if (user.rights === 'all') return undefined;
  const { namespace } = user.rights;
  return `RBAC: allowed by RoleBinding "${user.name}/${namespace}" of Role "${user.name}" to User "${user.name}"`;
}

/** The 403 of a missing right. */
export function forbidden(user: User, access: Access): Answer {
  const where = access.namespace ? `in the namespace "${access.namespace}"` : 'at the cluster scope';
  const what = `resource "${qualifiedResource(access)}" in API group "${access.group}"`;
  return denied(access, `User "${user.name}" cannot ${access.verb} ${what} ${where}`);
}

/**
 * The 403 of an exec over WebSocket by someone with `get` but without `create` on pods/exec: the API server checks
 * the second verb in another place, and gives no reason.
 */
export function forbiddenWithoutReason(access: Access): Answer {
  const { headers: _without, ...answer } = denied(access, '');
  return answer;
}

export function forbiddenPath(user: User, path: string): Answer {
  return failureStatus(403, 'Forbidden', `forbidden: User "${user.name}" cannot get path "${path}"`, {});
}

function denied(access: Access, reason: string): Answer {
  const { group, name, resource } = access;
  const subject = `${resource}${group === '' ? '' : `.${group}`}${name ? ` "${name}"` : ''}`;
  const details: StatusDetails = {
    ...(name ? { name } : {}),
    ...(group === '' ? {} : { group }),
    kind: resource,
  };
  const answer = failureStatus(403, 'Forbidden', `${subject} is forbidden: ${reason}`, details);
  return { ...answer, headers: { 'X-Content-Type-Options': 'nosniff' } };
}

function qualifiedResource({ resource, subresource }: Access): string {
  return subresource ? `${resource}/${subresource}` : resource;
}

import { type Answer, failure, json } from './answer.ts';
import { allowedReason, isAllowed, type User } from './rbac.ts';

interface ResourceAttributes {
  readonly namespace?: string;
  readonly verb?: string;
  readonly group?: string;
  readonly resource?: string;
  readonly subresource?: string;
  readonly name?: string;
}

/** Answers a SelfSubjectAccessReview: may the one who asks do that? */
export function accessReview(user: User, body: string): Answer {
  let asked: ResourceAttributes | undefined;
  try {
    const review = JSON.parse(body) as { spec?: { resourceAttributes?: ResourceAttributes } };
    asked = review.spec?.resourceAttributes;
  } catch {
    asked = undefined;
  }
  if (!asked) return failure(400, 'BadRequest', 'the lab answers reviews of resourceAttributes in JSON only');
  const allowed = isAllowed(user, {
    verb: asked.verb ?? '',
    group: asked.group ?? '',
    resource: asked.resource ?? '',
    subresource: asked.subresource,
    namespace: asked.namespace,
    name: asked.name,
  });
  const reason = allowed ? allowedReason(user) : undefined;
  return json(
    {
      kind: 'SelfSubjectAccessReview',
      apiVersion: 'authorization.k8s.io/v1',
      metadata: {},
      spec: { resourceAttributes: asked },
      status: { allowed, ...(reason ? { reason } : {}) },
    },
    201,
  );
}

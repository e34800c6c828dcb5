import { type Answer, failureStatus, json } from './answer.ts';
import { readFields, unwrapProtobuf } from './protobuf.ts';
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
export function accessReview(user: User, body: Buffer): Answer {
  const asked = attributesIn(body);
  if (!asked) return failureStatus(400, 'BadRequest', 'the lab answers reviews of resourceAttributes only');
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

/** What is asked, in JSON or in the protobuf that kubectl sends. */
function attributesIn(body: Buffer): ResourceAttributes | undefined {
  const review = unwrapProtobuf(body);
  if (!review) {
    try {
      return JSON.parse(body.toString()).spec?.resourceAttributes;
    } catch {
      return undefined;
    }
  }
  const attributes = readFields(review.get(2) ?? Buffer.alloc(0)).get(1);
  if (!attributes) return undefined;
  const fields = readFields(attributes);
  const numbers = { namespace: 1, verb: 2, group: 3, resource: 5, subresource: 6, name: 7 };
  const present = Object.entries(numbers).flatMap(([name, number]) => {
    const value = fields.get(number)?.toString() ?? '';
    return value === '' ? [] : [[name, value]];
  });
  return Object.fromEntries(present);
}

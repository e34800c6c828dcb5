import { send } from './send.ts';
import type { Session } from './session.ts';
import type { AccessAttributes } from './types.ts';
import { asObject, parseJson } from './unknown-json.ts';

/** A question asked beside the real work: it may not hold that up. */
const timeoutMs = 3000;

/** Asks by SelfSubjectAccessReview, which also answers for an impersonated user. Null: no answer. */
export async function canI(
  session: Session,
  attributes: AccessAttributes,
  signal: AbortSignal | undefined,
): Promise<boolean | null> {
  const answer = await send(session, {
    request: `ask whether ${attributes.verb} on ${attributes.resource} is allowed`,
    method: 'POST',
    path: '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
    accept: 'application/json',
    body: {
      apiVersion: 'authorization.k8s.io/v1',
      kind: 'SelfSubjectAccessReview',
      spec: { resourceAttributes: attributes },
    },
    timeoutMs,
    signal,
  });
  if (!answer.ok) return null;
  const allowed = asObject(asObject(parseJson(answer.value.text))?.['status'])?.['allowed'];
  return typeof allowed === 'boolean' ? allowed : null;
}

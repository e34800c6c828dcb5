import type { KubeError, KubeErrorKind } from '../types.ts';

/** A value or the reason why there is none: how failures travel inside `kube/`. */
export type Outcome<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: KubeError };

export function success<T>(value: T): Outcome<T> {
  return { ok: true, value };
}

export function failure(
  kind: KubeErrorKind,
  request: string,
  message: string,
  more: { readonly hint?: string | undefined; readonly status?: number | undefined } = {},
): { readonly ok: false; readonly error: KubeError } {
  const error: KubeError = {
    kind,
    request,
    message,
    ...(more.status === undefined ? {} : { status: more.status }),
    ...(more.hint === undefined ? {} : { hint: more.hint }),
  };
  return { ok: false, error };
}

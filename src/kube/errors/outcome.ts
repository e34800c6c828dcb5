import { type Err, err, type Result } from '../../result/result.ts';
import type { Denied, KubeError, KubeErrorKind } from '../types.ts';

/** How failures travel inside `kube/`. */
export type KubeOutcome<T> = Result<T, KubeError>;

export function failure(
  kind: KubeErrorKind,
  request: string,
  message: string,
  more: {
    readonly hint?: string | undefined;
    readonly status?: number | undefined;
    readonly denied?: Denied | undefined;
  } = {},
): Err<KubeError> {
  const error: KubeError = {
    kind,
    request,
    message,
    ...(more.status === undefined ? {} : { status: more.status }),
    ...(more.hint === undefined ? {} : { hint: more.hint }),
    ...(more.denied === undefined ? {} : { denied: more.denied }),
  };
  return err(error);
}

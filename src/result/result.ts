/** A value, or why there is none: failures are values, all of one shape. */
export type Result<T, E = Problem> = Ok<T> | Err<E>;

export interface Ok<T> {
  readonly ok: true;
  readonly value: T;
}

export interface Err<E> {
  readonly ok: false;
  readonly error: E;
}

/** Why a command cannot do what it was asked for: for one clear line on stderr. */
export interface Problem {
  readonly message: string;
  /** What to do next. */
  readonly hint: string | null;
  /** `usage`: the user can ask better; `failed`: what is needed was not to be had. */
  readonly kind: 'usage' | 'failed';
  /** Names of the cluster in the message or the hint that no evidence has. */
  readonly names?: readonly string[];
}

export const ok = <T>(value: T): Ok<T> => ({ ok: true, value });
export const err = <E>(error: E): Err<E> => ({ ok: false, error });

/** What the user can ask better. */
export const wrongUsage = (message: string, hint: string | null): Problem => ({ kind: 'usage', message, hint });

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

export function ok<T>(value: T): Ok<T> {
  return { ok: true, value };
}

export function err<E>(error: E): Err<E> {
  return { ok: false, error };
}

/** What the user can ask better. */
export function wrongUsage(message: string, hint: string | null): Problem {
  return { kind: 'usage', message, hint };
}

/** Which part of a long list is shown. */
export interface Window {
  readonly first: number;
  readonly count: number;
}

/**
 * The lines to show of `length`, so that the chosen one is among them, as near to the middle as the ends allow.
 * Depends on nothing else, so a list that grows or shrinks never loses its chosen line.
 */
export function windowAround(chosen: number, length: number, room: number): Window {
  const count = Math.max(0, Math.min(room, length));
  const first = Math.max(0, Math.min(chosen - Math.floor(count / 2), length - count));
  return { first, count };
}

/** `the idle pod`, `the 7 idle pods`. */
export function the(count: number, noun: string): string {
  return count === 1 ? `the ${noun}` : `the ${count} ${noun}s`;
}

import { setImmediate } from 'node:timers/promises';

/** Characters of a text from which on to read it takes longer than anybody notices. */
const long = 1 << 20;

/** When the last of those that wait has its turn. */
let last: Promise<void> = Promise.resolve();

/**
 * Lets signals and keys be heard, which they are in the poll phase of Node's loop: the first of two immediates may run
 * before it.
 */
export async function heard(): Promise<void> {
  await setImmediate();
  await setImmediate();
}

/**
 * Before a text that came from outside is read: many that came at once are read one after the other, with signals and keys
 * heard between them.
 */
export async function ownTurn(text: string): Promise<void> {
  if (text.length < long) return;
  last = last.then(heard);
  await last;
}

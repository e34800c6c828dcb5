import { type Key, useInput, usePaste, useStdin } from 'ink';
import { useEffect, useEffectEvent } from 'react';
import { type MouseEvent, mouseReader } from './mouse.ts';

/** More letters than this in one input were not typed: a terminal without bracketed paste passes on a pasted text so. */
const mostTyped = 64;

export interface Hears {
  /** Called for every key and every doing of the mouse, before it does anything. */
  readonly onKey: () => void;
  /** Called for each of the keys that come as one input. */
  readonly onPress: (character: string, key: Key) => void;
  readonly onMouse: (event: MouseEvent) => void;
  /** A pasted text is no keys: its letters would save files and leave the view. */
  readonly onPaste?: (text: string) => void;
}

/** Hears the keys, the mouse and what is pasted. */
export function useKeys({ onKey, onPress, onMouse, onPaste = () => {} }: Hears): void {
  useInput((input, key) => {
    onKey();
    if (input.length > mostTyped) return;
    if (input === '') onPress('', key);
    // Keys that are held or typed fast come as one input; each acts on what the one before has left.
    for (const character of input)
      if (character === '\r') onPress('', { ...key, return: true });
      else onPress(character, key);
  });
  usePaste((text) => {
    onKey();
    onPaste(text);
  });
  const { stdin } = useStdin();
  const heard = useEffectEvent((event: MouseEvent) => {
    onKey();
    onMouse(event);
  });
  // Ink drops what is no key. It has begun to read before: so this hears what Ink reads, and takes nothing from it.
  useEffect(() => {
    const read = mouseReader();
    const listen = (chunk: string | Buffer) => {
      for (const event of read(String(chunk))) heard(event);
    };
    stdin.on('data', listen);
    return () => void stdin.off('data', listen);
  }, [stdin]);
}

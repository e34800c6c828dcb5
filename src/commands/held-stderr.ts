/** What is written to stderr while the live view has the screen is kept, and comes out when the screen is given back. */
export interface HeldStderr {
  write(text: string): void;
  /** From now on nothing is written through. */
  hold(): void;
  isHeld(): boolean;
  /** Writes out what was kept, in order; where it was too much, the newest of it and how much is missing. */
  release(): void;
}

/** So many pieces are kept: with `-v 6` on a live view, some minutes of requests. */
const mostKept = 1000;

/** Stands before a writer to stderr. */
export function holdStderr(write: (text: string) => void): HeldStderr {
  let kept: string[] | null = null;
  let dropped = 0;
  return {
    write(text) {
      if (kept === null) return write(text);
      kept.push(text);
      if (kept.length > mostKept) dropped += kept.splice(0, kept.length - mostKept).length;
    },
    hold() {
      kept ??= [];
    },
    isHeld: () => kept !== null,
    release() {
      const pieces = kept ?? [];
      kept = null;
      if (dropped > 0) write(`(${dropped} earlier lines left out)\n`);
      dropped = 0;
      for (const piece of pieces) write(piece);
    },
  };
}

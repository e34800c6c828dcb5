/** What the mouse has done, in the rows and columns of the screen from 0. */
export type MouseEvent =
  | { readonly kind: 'wheel'; readonly by: 1 | -1 }
  | { readonly kind: 'click'; readonly row: number; readonly column: number };

/** Ask a terminal for clicks and the wheel, in the form that has room for every column (xterm's modes 1000 and 1006), and no more. */
export const mouseOn = '\u001b[?1000h\u001b[?1006h';
export const mouseOff = '\u001b[?1006l\u001b[?1000l';

const report = /\u001b\[<(\d+);(\d+);(\d+)([Mm])/g;
/** What a chunk of input may end with, where the rest of a report comes with the next one. */
const begun = /(\u001b(\[(<[\d;]*)?)?)?$/;

/** Finds in the input what a terminal tells of the mouse; all else is left to who reads keys. */
export function mouseReader(): (chunk: string) => readonly MouseEvent[] {
  let before = '';
  return (chunk) => {
    const text = before + chunk;
    before = begun.exec(text)?.[0] ?? '';
    return [...text.matchAll(report)].flatMap(([, ...parts]) => eventOf(parts));
  };
}

function eventOf([button, column, row, end]: readonly string[]): MouseEvent[] {
  // Shift, Alt and Ctrl add 4, 8 and 16: what is meant with them is no business of ours.
  if (button === '64' || button === '65') return [{ kind: 'wheel', by: button === '64' ? -1 : 1 }];
  return button === '0' && end === 'M' ? [{ kind: 'click', row: Number(row) - 1, column: Number(column) - 1 }] : [];
}

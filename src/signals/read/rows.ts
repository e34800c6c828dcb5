/** Anything up to the blank: exec output may hold tabs and carriage returns. */
const blank = 32;
/** No reader looks at more words of a row. */
const mostWords = 6;

/** One line of a text, by positions: to cut a piece out for every word is the largest part of a row's garbage. */
export interface Row {
  readonly text: string;
  /** Of the line in the text. */
  readonly start: number;
  readonly end: number;
  /** Position of the word with this index (0 to 5), or of the line's end where there is none. */
  startOf(word: number): number;
  endOf(word: number): number;
  /** The word itself; '' where there is none. */
  word(word: number): string;
}

/** Calls `visit` with every line that is not empty. It is always the same row: nothing of it may be kept. */
export function eachRow(text: string, visit: (row: Row) => void): void {
  const starts = new Int32Array(mostWords);
  const ends = new Int32Array(mostWords);
  const row = {
    text,
    start: 0,
    end: 0,
    startOf: (word: number) => starts[word] ?? 0,
    endOf: (word: number) => ends[word] ?? 0,
    word: (word: number) => text.slice(starts[word], ends[word]),
  };
  for (let start = 0; start < text.length; start = row.end + 1) {
    const end = text.indexOf('\n', start);
    row.start = start;
    row.end = end === -1 ? text.length : end;
    if (row.end === start) continue;
    findWords(row, starts, ends);
    visit(row);
  }
}

/** A row padded with hundreds of blanks has no more words than one without. */
function findWords(
  { text, start, end }: Pick<Row, 'text' | 'start' | 'end'>,
  starts: Int32Array,
  ends: Int32Array,
): void {
  let at = start;
  for (let word = 0; word < mostWords; word++) {
    while (at < end && text.charCodeAt(at) <= blank) at++;
    starts[word] = at;
    while (at < end && text.charCodeAt(at) > blank) at++;
    ends[word] = at;
  }
}

/** A row that begins with a blank belongs to the one before, in the output of ss. */
export function startsBlank({ text, start }: { readonly text: string; readonly start: number }): boolean {
  return text.charCodeAt(start) <= blank;
}

export function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

/** A whole number as the kernel prints it, else null; also for one too large to be exact. */
export function readCount(text: string): number | null {
  if (text === '' || text.length > 16) return null;
  const value = countAt(text, 0);
  return value.end === text.length && Number.isSafeInteger(value.value) ? value.value : null;
}

/** The number that begins at `start`, and where it ends: at the latest at `limit`. */
export function countAt(
  text: string,
  start: number,
  limit = text.length,
): { readonly value: number; readonly end: number } {
  let value = 0;
  let end = start;
  for (; end < limit; end++) {
    const code = text.charCodeAt(end);
    if (!isDigit(code)) break;
    value = value * 10 + (code - 48);
  }
  return { value, end };
}

/** Anything up to the blank: exec output may hold tabs and carriage returns. */
const blank = 32;

/** Calls `visit` with every line of the text, without the line feed. */
export function eachLine(text: string, visit: (line: string) => void): void {
  let start = 0;
  while (start < text.length) {
    const end = text.indexOf('\n', start);
    if (end === -1) {
      visit(text.slice(start));
      return;
    }
    if (end > start) visit(text.slice(start, end));
    start = end + 1;
  }
}

/**
 * The first six words of a line, '' for those that it has not; a row padded with hundreds of blanks has no more than one
 * without. Always six: an array that grows word by word is the largest part of a row's garbage.
 */
export function firstWords(line: string): string[] {
  const words = ['', '', '', '', '', ''];
  let at = 0;
  for (let index = 0; index < 6; index++) {
    while (at < line.length && line.charCodeAt(at) <= blank) at++;
    if (at === line.length) break;
    const start = at;
    while (at < line.length && line.charCodeAt(at) > blank) at++;
    words[index] = line.slice(start, at);
  }
  return words;
}

export function startsBlank(line: string): boolean {
  return line.charCodeAt(0) <= blank;
}

/** A whole number as the kernel prints it, else null; also for one too large to be exact. */
export function readCount(text: string): number | null {
  if (text === '' || text.length > 16) return null;
  const value = countAt(text, 0);
  return value.end === text.length && Number.isSafeInteger(value.value) ? value.value : null;
}

/** The number that begins at `start`, and where it ends. */
export function countAt(text: string, start: number): { readonly value: number; readonly end: number } {
  let value = 0;
  let end = start;
  for (; end < text.length; end++) {
    const digit = text.charCodeAt(end) - 48;
    if (digit < 0 || digit > 9) break;
    value = value * 10 + digit;
  }
  return { value, end };
}

/** A port: 0 to 65535, else null (`http`, `*`). */
export function readPort(text: string): number | null {
  const port = readCount(text);
  return port !== null && port <= 65_535 ? port : null;
}

/** Encodings that a file names by its first bytes: PowerShell writes UTF-16 by `>`, Notepad a mark before UTF-8. */
const marks: readonly (readonly [string, string])[] = [
  ['efbbbf', 'utf-8'],
  ['fffe', 'utf-16le'],
  ['feff', 'utf-16be'],
];

/** The text of a file, without its mark: UTF-8 unless it says otherwise. */
export function decodeText(bytes: Uint8Array): string {
  const start = Buffer.from(bytes.subarray(0, 3)).toString('hex');
  const [, encoding = 'utf-8'] = marks.find(([mark]) => start.startsWith(mark)) ?? [];
  return new TextDecoder(encoding).decode(bytes);
}

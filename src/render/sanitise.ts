/**
 * Text that came from a cluster, made safe and visible for a terminal.
 *
 * Names, labels, events and the output of commands are written by others: an escape sequence could repaint the screen,
 * and a bidi override or a zero-width character could make one name look like another. Nothing is dropped: what is
 * dangerous or invisible is shown as caret notation (`^[`) or as `\u202e`.
 */
const lineBreaksAndTabs = /\r\n|[\n\t\v\f]/g;
const otherSpaces = /\p{Zs}/gu;
const unprintable = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;
const notAscii = /[^\x20-\x7e]/u;
const allNotAscii = new RegExp(notAscii, 'gu');

/** One line of printable text: no control, format, invisible or unassigned character is left. */
export function sanitise(text: string): string {
  if (!notAscii.test(text)) return text;
  return text.replace(lineBreaksAndTabs, ' ').replace(otherSpaces, ' ').replace(unprintable, visible);
}

/**
 * All strings of plain data, sanitised by `clean`; keys of records as well. A command that this would change is none: a
 * shell would get other words from it; and none is made of metadata whose names it has changed.
 */
export function sanitiseAll<T>(value: T, clean: (text: string) => string = sanitise): T {
  const walk = (part: unknown, parent: string, own: string): unknown => {
    if (typeof part === 'string')
      return placesOfCommands.has(`${parent}.${own}`) && clean(part) !== part ? null : clean(part);
    if (Array.isArray(part)) return part.map((inner) => walk(inner, parent, own));
    if (part === null || typeof part !== 'object') return part;
    const cleaned = Object.fromEntries(Object.entries(part).map(([key, inner]) => [clean(key), walk(inner, own, key)]));
    return own === 'metadata' && isAltered(part as Names, cleaned) ? { ...cleaned, altered: true } : cleaned;
  };
  return walk(value, '', '') as T;
}

type Names = Readonly<Record<string, unknown>>;

/** Whether commands made of these names would act somewhere else. */
function isAltered(names: Names, cleaned: Names): boolean {
  return ['context', 'namespace', 'name', 'connection'].some((key) => `${names[key]}` !== `${cleaned[key]}`);
}

const placesOfCommands: ReadonlySet<string> = new Set(['relief.command', 'recommendation.commands']);

/** For JSON and YAML: characters that those leave as they are, and that a terminal would obey or hide. */
export const unsafeInDocuments = /[\u007f-\u009f\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/** `\u` and four hexadecimal digits for each UTF-16 unit: the escape that JSON, YAML in double quotes and JavaScript share. */
export function escapeUnits(text: string): string {
  return Array.from({ length: text.length }, (_, at) => `\\u${text.charCodeAt(at).toString(16).padStart(4, '0')}`).join(
    '',
  );
}

/** Printable ASCII only: our own signs by their usual stand-ins, all else as escapes. */
export function toAscii(text: string): string {
  return text.replace(allNotAscii, (sign) => asciiStandIns.get(sign) ?? escapeUnits(sign));
}

const asciiStandIns = new Map([
  ['…', '...'],
  ['·', '-'],
  ['→', '->'],
  ['←', '<-'],
  ['↔', '<->'],
  ['×', 'x'],
  ['≥', '>='],
  ['≤', '<='],
  ['≈', '~'],
  ['±', '+-'],
  ['–', '-'],
  ['—', '-'],
  ['−', '-'],
  ['‘', "'"],
  ['’', "'"],
  ['“', '"'],
  ['”', '"'],
  ['•', '*'],
]);

function visible(sign: string): string {
  const code = sign.charCodeAt(0);
  if (code < 0x20 || code === 0x7f) return `^${String.fromCharCode(code ^ 0x40)}`;
  return escapeUnits(sign);
}

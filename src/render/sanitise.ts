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
    if (typeof part === 'string') {
      const text = clean(part);
      return text !== part && placesOfCommands.has(`${parent}.${own}`) ? null : text;
    }
    if (part === null || typeof part !== 'object') return part;
    if (Array.isArray(part)) {
      const inner = part.map((one) => walk(one, parent, own));
      return inner.every((one, at) => one === part[at]) ? part : inner;
    }
    // Nearly all of it is clean: what is not changed is not copied, as there may be a hundred thousand clients.
    let isChanged = false;
    const entries = Object.entries(part).map(([key, inner]): readonly [string, unknown] => {
      const [name, cleaned] = [clean(key), walk(inner, own, key)];
      isChanged ||= name !== key || cleaned !== inner;
      return [name, cleaned];
    });
    if (!isChanged) return part;
    const cleaned = Object.fromEntries(entries);
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

import type { KubeObject } from '../objects/meta.ts';

type Labels = Readonly<Record<string, string>>;
type Test = (value: string | undefined) => boolean;

/** A label selector as a function on labels; null where the text is none. */
export function labelSelector(text: string): ((labels: Labels) => boolean) | null {
  const tests: [string, Test][] = [];
  for (const term of splitTerms(text)) {
    const test = requirement(term);
    if (!test) return null;
    tests.push(test);
  }
  return (labels) => tests.every(([key, test]) => test(labels[key]));
}

/** Commas part the terms, except inside the parentheses of a set. */
function splitTerms(text: string): string[] {
  return text
    .split(/,(?![^(]*\))/)
    .map((term) => term.trim())
    .filter((term) => term !== '');
}

const key = '([A-Za-z0-9][A-Za-z0-9._/-]*)';
const equality = new RegExp(`^${key}\\s*(==|=|!=)\\s*([A-Za-z0-9._-]*)$`);
const setBased = new RegExp(`^${key}\\s+(in|notin)\\s*\\(([^)]*)\\)$`);
const existence = new RegExp(`^(!?)\\s*${key}$`);

function requirement(term: string): [string, Test] | null {
  const [, equalKey, operator, wanted] = equality.exec(term) ?? [];
  if (equalKey) return [equalKey, (value) => (operator === '!=' ? value !== wanted : value === wanted)];
  const [, setKey, membership, list = ''] = setBased.exec(term) ?? [];
  if (setKey) {
    const values = list.split(',').map((value) => value.trim());
    const isIn: Test = (value) => value !== undefined && values.includes(value);
    return [setKey, membership === 'in' ? isIn : (value) => !isIn(value)];
  }
  const [, not, existKey] = existence.exec(term) ?? [];
  if (existKey) return [existKey, (value) => (value === undefined) === (not === '!')];
  return null;
}

const selectableFields: Readonly<Record<string, readonly string[]>> = {
  pods: ['metadata.name', 'metadata.namespace', 'spec.nodeName', 'status.phase', 'status.podIP'],
  events: [
    'metadata.name',
    'metadata.namespace',
    'involvedObject.kind',
    'involvedObject.name',
    'involvedObject.namespace',
    'involvedObject.uid',
    'reason',
    'type',
  ],
};

/** A field selector as a function on objects; an unknown field is named in `unknown`. */
export function fieldSelector(
  resource: string,
  text: string,
): { readonly matches: (object: KubeObject) => boolean } | { readonly unknown: string } {
  const fields = selectableFields[resource] ?? ['metadata.name', 'metadata.namespace'];
  const tests: ((object: KubeObject) => boolean)[] = [];
  for (const term of splitTerms(text)) {
    const [, field = term, operator, wanted = ''] = /^([A-Za-z.]+)(==|=|!=)(.*)$/.exec(term) ?? [];
    if (!fields.includes(field)) return { unknown: field };
    tests.push((object) => (String(fieldOf(object, field) ?? '') === wanted) === (operator !== '!='));
  }
  return { matches: (object) => tests.every((test) => test(object)) };
}

function fieldOf(object: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>(
      (value, step) =>
        typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[step] : undefined,
      object,
    );
}

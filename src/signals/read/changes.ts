import type { Change } from '../../evidence/objects.ts';
import { at, listAt, textAt, timeAt } from './json.ts';

type Field = Change['fields'][number];

/** Where a field stands in `fieldsV1`. */
export type FieldPaths = Readonly<Partial<Record<Field, readonly string[]>>>;

/**
 * What the API knows of changes: which manager set one of these fields, and when that manager last changed anything. Of a
 * manager only its name is read, of what it sets only whether these fields are among it.
 */
export function readChanges(body: unknown, paths: FieldPaths): { readonly changes?: Change[] } {
  const changes = listAt(body, 'metadata', 'managedFields').flatMap((entry) => {
    const manager = textAt(entry, 'manager');
    const lastAt = timeAt(entry, 'time');
    const set = at(entry, 'fieldsV1');
    const fields = Object.entries(paths).flatMap(([field, path]) =>
      under(set, path) === undefined ? [] : [field as Field],
    );
    if (manager === null || fields.length === 0) return [];
    const [only] = fields;
    const alone = fields.length === 1 && only !== undefined && isAlone(set, paths[only] ?? []);
    return [{ manager, at: lastAt, fields, alone }];
  });
  return changes.length === 0 ? {} : { changes };
}

const under = (set: unknown, path: readonly string[]): unknown => path.reduce<unknown>((map, key) => at(map, key), set);

/** Whether nothing else is set on the way to a field: in each map its key, and maybe the mark of the map itself. */
function isAlone(set: unknown, path: readonly string[]): boolean {
  return path.every((_, depth) => {
    const map = under(set, path.slice(0, depth));
    return Object.keys(typeof map === 'object' && map !== null ? map : {}).every(
      (key) => key === path[depth] || key === '.' || isPartOf(key, path[depth]),
    );
  });
}

/** A field that comes with another one, as the timeout of an affinity. */
function isPartOf(key: string, field: string | undefined): boolean {
  return key === 'f:sessionAffinityConfig' && field === 'f:sessionAffinity';
}

import type { Service } from '../../evidence/objects.ts';
import type { KubeList, KubeResult } from '../../kube/types.ts';
import { textAt } from '../read/json.ts';
import { readService } from '../service/read.ts';

/** The Service of that name in a list, as if it had been asked for alone; null where the list has none. */
export function serviceIn(listed: KubeResult<KubeList> | undefined, name: string): KubeResult<unknown> | null {
  if (listed === undefined || !listed.ok) return null;
  const item = listed.value.items.find((one) => textAt(one, 'metadata', 'name') === name);
  // Objects of a list come without their kind.
  return item === undefined ? null : { ...listed, value: { kind: 'Service', ...(item as object) } };
}

/** The other Services whose selector names the same pods: equal to it, or a part of the labels that it asks for. */
export function readSiblings(items: readonly unknown[], service: Service): Service[] {
  return items.flatMap((item) => {
    // Objects of a list come without their kind.
    const other = readService({ kind: 'Service', ...(item as object) });
    if (other === null || other.name === service.name || Object.keys(other.selector).length === 0) return [];
    return overlaps(other.selector, service.selector) ? [other] : [];
  });
}

/**
 * Names of the namespace's other Services that begin as the name of this one does: a second Service beside it needs a
 * free name. Of a long name the end may have to go, so that its first part decides.
 */
export function readNamesakes(items: readonly unknown[], service: Service): string[] {
  const start = service.name.slice(0, longestStart);
  const names = items.flatMap((item) => textAt(item, 'metadata', 'name') ?? []);
  return names.filter((name) => name !== service.name && name.startsWith(start)).sort();
}

/** Of the 63 characters of a name, those that stay where a suffix needs the rest. */
const longestStart = 48;

function overlaps(a: Readonly<Record<string, string>>, b: Readonly<Record<string, string>>): boolean {
  const within = (inner: typeof a, outer: typeof a) =>
    Object.entries(inner).every(([key, value]) => outer[key] === value);
  return Object.keys(b).length > 0 && (within(a, b) || within(b, a));
}

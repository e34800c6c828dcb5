import { isWithinBounds } from '../../evidence/bounds.ts';
import type { PodUsage } from '../../evidence/objects.ts';
import { at, listAt, textAt, timeAt } from '../read/json.ts';
import { readBytes, readMillicores } from '../read/quantity.ts';

/** Reads PodMetrics; a pod with no readable container or time is left out: no data is not zero. */
export function readUsage(items: readonly unknown[]): PodUsage[] {
  return items.flatMap((item) => {
    const pod = textAt(item, 'metadata', 'name');
    const measuredAt = timeAt(item, 'timestamp');
    const containers = listAt(item, 'containers').flatMap((container) => {
      const name = textAt(container, 'name');
      const cpuMillicores = readMillicores(at(container, 'usage', 'cpu'));
      const memoryBytes = readBytes(at(container, 'usage', 'memory'));
      return name === null || cpuMillicores === null || memoryBytes === null
        ? []
        : [{ name, cpuMillicores, memoryBytes }];
    });
    if (pod === null || measuredAt === null || containers.length === 0) return [];
    return [{ pod, measuredAt, windowSeconds: readGoSeconds(textAt(item, 'window')) ?? 0, containers }];
  });
}

/** A Go duration such as `15.284s` or `1m0s`, in seconds. */
export function readGoSeconds(text: string | null): number | null {
  if (text === null || !/^(?:\d+(?:\.\d+)?(?:h|ms|us|µs|ns|m|s))+$/.test(text)) return null;
  const units: ReadonlyMap<string, number> = new Map([
    ['h', 3600],
    ['m', 60],
    ['s', 1],
    ['ms', 1e-3],
    ['us', 1e-6],
    ['µs', 1e-6],
    ['ns', 1e-9],
  ]);
  let seconds = 0;
  for (const [, number = '', unit = ''] of text.matchAll(/(\d+(?:\.\d+)?)(h|ms|us|µs|ns|m|s)/g))
    seconds += Number(number) * (units.get(unit) ?? 0);
  return isWithinBounds(seconds) ? seconds : null;
}

import type { ProxyLooks } from '../evidence/path-schema.ts';
import type { PathAnswer } from '../report/schema.ts';

/** All pods of istiod together: each serves a part of the proxies. */
export function readControlPlane({ controlPlane }: ProxyLooks): NonNullable<PathAnswer['controlPlane']> | null {
  if (controlPlane.length === 0) return null;
  const known = controlPlane.flatMap(({ proxies }) => proxies ?? []);
  const pushes = new Map<string, number>();
  for (const { type, count } of controlPlane.flatMap((pod) => pod.pushes))
    pushes.set(type, (pushes.get(type) ?? 0) + count);
  return {
    pods: controlPlane.length,
    proxies: known.length === 0 ? null : Math.round(known.reduce((sum, count) => sum + count, 0)),
    pushes: [...pushes].map(([type, count]) => ({ type, count: Math.round(count) })),
  };
}

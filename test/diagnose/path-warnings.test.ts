import { describe, expect, it } from 'vitest';
import type { Path } from '../../src/evidence/path-schema.ts';
import { meshed, type Plan, pods } from './build.ts';
import { statusOf } from './report.ts';

/** What the warnings of a healthy mesh of four pods say about subsets. */
function said(path: Partial<Path>): readonly string[] {
  const plan: Plan = {
    pods: pods(4, { sidecar: 'istio-proxy' }),
    clients: [{ name: 'web-0', meshProxies: ['istio-proxy'] }],
    connections: meshed(1, 4),
    path,
  };
  const { warnings } = statusOf(plan);
  return warnings.flatMap(({ id, text }) => (/subset/.test(id) ? [`${id}: ${text}`] : []));
}

const all = ['echo-0', 'echo-1', 'echo-2', 'echo-3'];
const rule = (subsets: Readonly<Record<string, readonly string[]>>) => ({
  destinationRules: [
    {
      name: 'echo',
      consistentHash: false,
      subsets: Object.entries(subsets).map(([name, members]) => ({ name, pods: [...members] })),
    },
  ],
});
const routeTo = (weights: Readonly<Record<string, number>>) => ({
  routes: [
    {
      kind: 'VirtualService' as const,
      name: 'echo',
      backends: Object.entries(weights).map(([subset, weight]) => ({ service: 'echo', weight, subset })),
    },
  ],
});

describe('a DestinationRule whose subsets and the pods do not meet', () => {
  it('names a subset that no pod is in, and the route that leads there', () => {
    const path = { ...rule({ v1: all, v2: [] }), ...routeTo({ v1: 90, v2: 10 }) };
    expect(said(path)).toEqual([
      'subset-without-pods: DestinationRule echo: no pod of the Service is in subset v2; VirtualService echo sends calls there, which get 503 (no healthy upstream)',
    ]);
  });

  it.each([
    ['no route names it', routeTo({ v1: 100 })],
    ['its weight is 0', routeTo({ v1: 100, v2: 0 })],
    ['there is no route', {}],
  ])('does no harm yet where %s', (_, routes) => {
    const [only, ...others] = said({ ...rule({ v1: all, v2: [] }), ...routes });
    expect(others).toEqual([]);
    expect(only).toContain('subset v2; a route to it would answer 503');
  });

  it('names the pods that are in no subset, where a route leads to subsets only', () => {
    const path = rule({ v1: ['echo-0'] });
    expect(said({ ...path, ...routeTo({ v1: 100 }) })).toEqual([
      'pods-in-no-subset: DestinationRule echo: 3 of 4 pods in none of its subsets (echo-1, echo-2, echo-3): routes to subsets send nothing there',
    ]);
    // Without such a route calls go to all pods.
    expect(said(path)).toEqual([]);
  });

  it('is silent where every pod has its subset and every subset its pods', () => {
    expect(said({ ...rule({ v1: all.slice(2), v2: all.slice(0, 2) }), ...routeTo({ v1: 50, v2: 50 }) })).toEqual([]);
    expect(said({ destinationRules: null })).toEqual([]);
  });
});

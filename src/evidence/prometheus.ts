/** What a Prometheus told of the pods: mapped to them, so that nothing of other pods, or of former ones, is in it. */
import { type Static, Type } from 'typebox';
import { nullable, text, time } from './kinds.ts';
import { CallLook, ProbeLook } from './looks.ts';

/** What a pod's network interfaces received between two samples: all its traffic, not that of one port. */
export const PodTraffic = Type.Object({
  pod: Type.String(),
  podUid: Type.String(),
  from: time('First sample'),
  to: time('Last sample'),
  bytes: Type.Number(),
  packets: nullable(Type.Number()),
});
export type PodTraffic = Static<typeof PodTraffic>;

/** CPU, memory and throttling of the containers of a pod. */
export const PrometheusUsage = Type.Object({
  pod: Type.String(),
  podUid: Type.String(),
  measuredAt: time('Last sample'),
  windowSeconds: Type.Number(),
  containers: Type.Array(
    Type.Object({
      name: Type.String(),
      cpuMillicores: nullable(Type.Number()),
      memoryBytes: nullable(Type.Number({ description: 'Working set' })),
      throttledShare: nullable(
        Type.Number({ description: 'Of its CPU periods, those in which it was throttled; null without a CPU limit' }),
      ),
    }),
  ),
});
export type PrometheusUsage = Static<typeof PrometheusUsage>;

/** Rates a second of each pod over the last hour, at equal steps; null where there is no sample. */
export const PrometheusHistory = Type.Object({
  basis: Type.Union([Type.Literal('calls'), Type.Literal('bytes'), Type.Literal('cpu')]),
  from: time('First step'),
  stepSeconds: Type.Number(),
  rateSeconds: Type.Number({ description: 'Over so many seconds before each step' }),
  pods: Type.Array(
    Type.Object({
      pod: Type.String(),
      podUid: nullable(text('Null for a pod of the same workload that is gone')),
      values: Type.Array(nullable(Type.Number())),
    }),
  ),
});
export type PrometheusHistory = Static<typeof PrometheusHistory>;

export const PrometheusLook = Type.Object({
  source: text('Which one: its URL without credentials, or namespace/service:port'),
  way: Type.Union([Type.Literal('url'), Type.Literal('service'), Type.Literal('recording')]),
  calls: Type.Array(CallLook, { description: 'Two samples of each pod, as if its own page had been read twice' }),
  traffic: Type.Array(PodTraffic),
  usage: Type.Array(PrometheusUsage),
  probes: Type.Array(ProbeLook),
  history: Type.Array(PrometheusHistory),
});
export type PrometheusLook = Static<typeof PrometheusLook>;

import type { Facts } from '../facts/facts.ts';
import type { PrometheusAnswer } from '../report/schema.ts';
import { roundedTo } from './pods.ts';

/** Which Prometheus was asked, and what it has of the last hour. */
export function answerPrometheus({ evidence, past }: Facts): PrometheusAnswer | null {
  const { prometheus } = evidence;
  if (prometheus == null) return null;
  const time = (milliseconds: number) => new Date(milliseconds).toISOString();
  return {
    source: prometheus.source,
    way: prometheus.way,
    history: past.map(({ basis, stepSeconds, rateSeconds, evenUntil, unevenSince, points }) => ({
      basis,
      stepSeconds,
      rateSeconds,
      evenUntil: evenUntil === null ? null : time(evenUntil),
      unevenSince: unevenSince === null ? null : time(unevenSince),
      points: points.map(({ at, pods, effectivePods, peakToMean, reading }) => ({
        time: time(at),
        pods,
        effectivePods: roundedTo(effectivePods, 2) ?? 0,
        peakToMean: roundedTo(peakToMean, 2) ?? 0,
        reading: reading === 'uneven' ? ('uneven' as const) : ('even' as const),
      })),
    })),
  };
}

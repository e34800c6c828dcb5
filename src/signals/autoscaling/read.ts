import type { Autoscaler } from '../../evidence/objects.ts';
import { at, integerAt, listAt, textAt, timeAt } from '../read/json.ts';
import { readQuantity } from '../read/quantity.ts';

export function readAutoscalers(items: readonly unknown[]): Autoscaler[] {
  return items.flatMap((item) => {
    const name = textAt(item, 'metadata', 'name');
    const kind = textAt(item, 'spec', 'scaleTargetRef', 'kind');
    const target = textAt(item, 'spec', 'scaleTargetRef', 'name');
    if (name === null || kind === null || target === null) return [];
    const current = listAt(item, 'status', 'currentMetrics');
    return [
      {
        name,
        target: { kind, name: target },
        minReplicas: integerAt(item, 'spec', 'minReplicas'),
        maxReplicas: integerAt(item, 'spec', 'maxReplicas'),
        currentReplicas: integerAt(item, 'status', 'currentReplicas'),
        desiredReplicas: integerAt(item, 'status', 'desiredReplicas'),
        lastScaledAt: timeAt(item, 'status', 'lastScaleTime'),
        metrics: listAt(item, 'spec', 'metrics').flatMap((metric) => readMetric(metric, current)),
      },
    ];
  });
}

/** A resource metric with its mean; others are named only: their numbers mean what their makers decided. */
function readMetric(metric: unknown, current: readonly unknown[]): Autoscaler['metrics'] {
  const type = textAt(metric, 'type');
  if (type === null) return [];
  if (type !== 'Resource')
    return [{ resource: null, type, targetUtilization: null, targetValue: null, utilization: null }];
  const resource = textAt(metric, 'resource', 'name');
  const now = current.find((entry) => textAt(entry, 'resource', 'name') === resource);
  return [
    {
      resource,
      type,
      targetUtilization: integerAt(metric, 'resource', 'target', 'averageUtilization'),
      targetValue: readQuantity(at(metric, 'resource', 'target', 'averageValue')),
      utilization: integerAt(now, 'resource', 'current', 'averageUtilization'),
    },
  ];
}

import { byLoad } from '../report/carried.ts';
import type { ReportPod } from '../report/schema.ts';
import type { PodOrder } from './state.ts';

/** The pods in the chosen order. */
export function orderPods(pods: readonly ReportPod[], order: PodOrder): readonly ReportPod[] {
  const by = (value: (pod: ReportPod) => number) =>
    [...pods].sort((a, b) => value(b) - value(a) || (a.name < b.name ? -1 : 1));
  switch (order) {
    case 'load':
      return byLoad(pods);
    case 'connections':
      return by((pod) => pod.connections ?? -1);
    case 'cpu':
      return by((pod) => pod.cpuMillicores ?? -1);
    case 'age':
      return by((pod) => -(pod.ageSeconds ?? 0));
    case 'name':
      return [...pods].sort((a, b) => (a.name < b.name ? -1 : 1));
  }
}

import { workloadOf } from '../evidence/workload.ts';
import type { Facts } from '../facts/facts.ts';
import type { SkewReport } from '../report/schema.ts';

/** What the Service is, copied field by field: the report must not grow with the evidence. */
export function answerService({
  service,
  headless,
  hops,
  replicas,
  unreadyPods,
}: Facts): SkewReport['status']['service'] {
  return {
    type: service.type,
    headless,
    selector: { ...service.selector },
    labels: { ...service.labels },
    ports: service.ports.map(({ name, port, targetPort, protocol, appProtocol }) => ({
      name,
      port,
      targetPort,
      protocol,
      appProtocol,
    })),
    proxies: [...hops],
    workloads: [
      ...new Set([...replicas, ...unreadyPods].flatMap(({ pod }) => (pod === null ? [] : [workloadOf(pod)]))),
    ].toSorted(),
  };
}

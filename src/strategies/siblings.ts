import type { Service } from '../evidence/objects.ts';
import type { Facts } from '../facts/facts.ts';
import type { SiblingAnswer, SkewReport } from '../report/schema.ts';

/** Whether a Service is headless and stands over the same pods and the same port of theirs, and names Ready ones alone. */
export function isHeadlessTwin({ service, port }: Facts): (other: Service) => boolean {
  return (other) =>
    other.clusterIP === 'None' &&
    !other.publishNotReadyAddresses &&
    isEqual(other.selector, service.selector) &&
    other.ports.some(({ targetPort, protocol }) => targetPort === port.targetPort && protocol === port.protocol);
}

function isEqual(a: Readonly<Record<string, string>>, b: Readonly<Record<string, string>>): boolean {
  const keys = Object.keys(a);
  return keys.length > 0 && keys.length === Object.keys(b).length && keys.every((key) => a[key] === b[key]);
}

/** The other Services over these pods, field by field: the report must not grow with the evidence. */
export function answerSiblings({ evidence }: Facts): Pick<SkewReport['status']['service'], 'siblings' | 'namesakes'> {
  const { siblings, namesakes } = evidence;
  return {
    siblings: siblings?.map(answerSibling).sort((a, b) => (a.name < b.name ? -1 : 1)) ?? null,
    namesakes: namesakes === undefined || namesakes === null ? null : [...namesakes].sort(),
  };
}

function answerSibling({ name, type, clusterIP, publishNotReadyAddresses, selector, ports }: Service): SiblingAnswer {
  return {
    name,
    type,
    headless: clusterIP === 'None',
    publishNotReadyAddresses,
    selector: { ...selector },
    ports: ports.map(({ name: portName, port, targetPort, protocol, appProtocol }) => ({
      name: portName,
      port,
      targetPort,
      protocol,
      appProtocol,
    })),
  };
}

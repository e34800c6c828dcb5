import type { Service } from '../evidence/objects.ts';
import type { Facts } from '../verdict/facts.ts';

/** Whether a Service is headless and stands over the same pods and the same port of theirs. */
export function isHeadlessTwin({ service, port }: Facts): (other: Service) => boolean {
  return (other) =>
    other.clusterIP === 'None' &&
    isEqual(other.selector, service.selector) &&
    other.ports.some(({ targetPort, protocol }) => targetPort === port.targetPort && protocol === port.protocol);
}

function isEqual(a: Readonly<Record<string, string>>, b: Readonly<Record<string, string>>): boolean {
  const keys = Object.keys(a);
  return keys.length > 0 && keys.length === Object.keys(b).length && keys.every((key) => a[key] === b[key]);
}

import type { Service } from '../../src/evidence/objects.ts';
import { buildEvidence } from '../diagnose/build.ts';

/** Another Service over the same pods. */
export function siblingOf(more: Partial<Service>): Service {
  const { service } = buildEvidence({ pods: [] });
  if (service === null) throw new Error('the builder makes a Service');
  return { ...service, ...more };
}

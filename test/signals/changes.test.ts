import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { readDeployments } from '../../src/signals/clients/read.ts';
import { readService } from '../../src/signals/service/read.ts';

const recording = (name: string) => JSON.parse(readFileSync(new URL(`../recordings/${name}`, import.meta.url), 'utf8'));

/** The Service of the recording as its managers have left it. */
function serviceWith(...managedFields: readonly object[]) {
  const service = recording('session-affinity/service.json');
  return readService({ ...service, metadata: { ...service.metadata, managedFields } });
}

const patched = {
  manager: 'kubectl-patch',
  operation: 'Update',
  time: '2026-11-29T17:10:00Z',
  // The defaults that come with the setting are set by whoever sets it.
  fieldsV1: {
    'f:spec': {
      'f:sessionAffinity': {},
      'f:sessionAffinityConfig': { '.': {}, 'f:clientIP': { 'f:timeoutSeconds': {} } },
    },
  },
};

describe('metadata.managedFields', () => {
  test('as recorded: who applied the Service set all of it at once', () => {
    expect(readService(recording('session-affinity/service.json'))?.changes).toEqual([
      {
        manager: 'kubectl-client-side-apply',
        at: '2026-11-29T16:59:30.000Z',
        fields: ['sessionAffinity', 'internalTrafficPolicy', 'selector'],
        alone: false,
      },
    ]);
    const [, echo] = readDeployments(recording('session-affinity/deployments.json').items);
    const [, scaled] = readDeployments(recording('skew-scaleup/deployments.json').items);
    // By the subresource for it, for which the API notes no time.
    expect(scaled?.changes).toEqual([{ manager: 'kubectl', at: null, fields: ['replicas'], alone: true }]);
    expect(echo).toMatchObject({
      name: 'echo',
      changes: [{ manager: 'kubectl-client-side-apply', fields: ['replicas'], alone: false }],
    });
  });

  test('a manager of one setting alone: the time is that of the setting', () => {
    expect(serviceWith(patched)?.changes).toEqual([
      { manager: 'kubectl-patch', at: '2026-11-29T17:10:00.000Z', fields: ['sessionAffinity'], alone: true },
    ]);
    const annotated = { 'f:annotations': { '.': {}, 'f:service.kubernetes.io/topology-mode': {} } };
    expect(serviceWith({ ...patched, fieldsV1: { 'f:metadata': annotated } })?.changes).toMatchObject([
      { fields: ['topologyMode'], alone: true },
    ]);
    const labelled = { ...patched.fieldsV1, 'f:metadata': { 'f:labels': { 'f:app': {} } } };
    expect(serviceWith({ ...patched, fieldsV1: labelled })?.changes).toMatchObject([{ alone: false }]);
  });

  test('what sets none of these fields, or is no entry at all, is left out', () => {
    const labels = { 'f:metadata': { 'f:labels': { 'f:app': {} } } };
    const entries = [
      { ...patched, fieldsV1: labels },
      { ...patched, manager: 7 },
      { ...patched, fieldsV1: null },
    ];
    expect(serviceWith(...entries)).not.toHaveProperty('changes');
  });

  test('of a status and of what is set nothing is kept but names', () => {
    const value = { 'f:selector': { 'f:secret-name': {} }, 'f:sessionAffinity': {} };
    expect(JSON.stringify(serviceWith({ ...patched, fieldsV1: { 'f:spec': value } })?.changes)).not.toContain('secret');
  });
});

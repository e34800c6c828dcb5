import { describe, expect, it } from 'vitest';
import type { Service, ServicePort } from '../../src/evidence/objects.ts';
import { findCandidates } from '../../src/scan/candidates.ts';
import { readPods } from '../../src/signals/read/pods.ts';
import { buildEvidence, pods } from '../diagnose/build.ts';
import { apiPod, grpc, httpGet } from '../probes/cluster.ts';

const plain = buildEvidence({ pods: pods(1) }).service as Service;

function service(port: Partial<ServicePort>, more: Partial<Service> = {}): Service {
  const usual = { name: 'web', port: 80, targetPort: 8080, protocol: 'TCP', appProtocol: null };
  return { ...plain, selector: { app: 'echo' }, ports: [{ ...usual, ...port }], ...more };
}

const podsWith = (probes: Parameters<typeof apiPod>[1], ports: readonly object[] = []) =>
  readPods(
    [apiPod('echo-1', probes, { ports })].map((pod) => ({
      ...pod,
      metadata: { ...pod.metadata, labels: { app: 'echo' } },
    })),
    { app: '' },
  );
const http = podsWith({ readinessProbe: httpGet });
const signs = (one: Service, of = http) => findCandidates([one], of).map((candidate) => candidate.sign);

describe('what looks like gRPC', () => {
  it.each(['grpc', 'kubernetes.io/h2c', 'h2c', 'http2'])('a port that declares %s', (appProtocol) => {
    expect(signs(service({ appProtocol }))).toEqual(['app-protocol']);
  });

  it.each(['grpc', 'grpc-api', 'otlp-grpc', 'http2'])('a port that is named %s', (name) => {
    expect(signs(service({ name }))).toEqual(['port-name']);
  });

  it.each(['grpcish', 'http', null])('not a port that is named %s', (name) => {
    expect(signs(service({ name }))).toEqual([]);
  });

  it('not by its name when it declares another protocol', () => {
    expect(signs(service({ name: 'grpc', appProtocol: 'https' }))).toEqual([]);
  });

  it('a port that leads to where a gRPC probe asks, by number or by name', () => {
    const probed = podsWith({ livenessProbe: grpc(4222) }, [{ name: 'relay', containerPort: 4222 }]);
    expect(signs(service({ targetPort: 4222 }), probed)).toEqual(['grpc-probe']);
    expect(signs(service({ targetPort: 'relay' }), probed)).toEqual(['grpc-probe']);
    expect(signs(service({ targetPort: 8080 }), probed)).toEqual([]);
  });

  it('a port that leads to 50051', () => {
    expect(signs(service({ targetPort: 50_051 }))).toEqual(['container-port']);
    const named = podsWith({}, [{ name: 'api', containerPort: 50_051 }]);
    expect(signs(service({ targetPort: 'api' }), named)).toEqual(['container-port']);
    expect(signs(service({ port: 50_051, targetPort: null }))).toEqual(['container-port']);
  });

  it('every port for itself, and no UDP', () => {
    const ports = ['grpc', 'http', 'grpc-admin'].map((name, index) => ({
      name,
      port: 80 + index,
      targetPort: 8080,
      protocol: 'TCP',
      appProtocol: null,
    }));
    expect(findCandidates([service({}, { ports })], http).map(({ port }) => port.name)).toEqual(['grpc', 'grpc-admin']);
    expect(signs(service({ name: 'grpc', protocol: 'UDP' }))).toEqual([]);
  });

  it('not what has no pods of its own', () => {
    expect(signs(service({ name: 'grpc' }, { type: 'ExternalName' }))).toEqual([]);
    expect(signs(service({ name: 'grpc' }, { selector: {} }))).toEqual([]);
  });

  it('pods of another namespace are not its own', () => {
    const [found] = findCandidates([service({ name: 'grpc' }, { namespace: 'other' })], http);
    expect(found?.pods).toEqual([]);
  });
});

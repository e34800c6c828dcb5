import { describe, expect, it } from 'vitest';
import type { KubeErrorKind, KubeResult, TimedText } from '../../src/kube/types.ts';
import { fakeCluster, gather } from './fake-cluster.ts';

const pods = Array.from({ length: 12 }, (_, index) => ({ name: `echo-${String(index).padStart(2, '0')}`, node: 'n1' }));
const page = 'grpc_server_handled_total{grpc_service="shop.Cart",grpc_method="Get",grpc_code="OK"} 7\n';

/** A cluster whose pods serve metrics at 9090, and the pods whose pages were asked for, in order. */
function scraped(answer: (pod: string) => KubeErrorKind | 'page') {
  const { kube } = fakeCluster(pods);
  const asked: string[] = [];
  const getText = async (path: string): Promise<KubeResult<TimedText>> => {
    const pod = /pods\/([^:]+):9090\/proxy/.exec(path)?.[1] ?? '';
    asked.push(pod);
    const kind = answer(pod);
    if (kind !== 'page') return { ok: false, error: { kind, request: 'get metrics', message: kind } };
    return { ok: true, serverDate: null, value: { text: page, receivedAt: '2026-03-01T12:00:00.000Z' } };
  };
  return { kube: { ...kube, getText }, asked };
}

const look = { windowSeconds: 0, metricsPort: 9090 };

describe('metrics pages', () => {
  it('are asked once of each pod', async () => {
    const { kube, asked } = scraped(() => 'page');
    const { evidence } = await gather(kube, look);
    expect(asked.toSorted()).toEqual(pods.map((pod) => pod.name));
    expect(evidence.calls?.looks).toHaveLength(12);
  });

  it('a right that is missing is missing for all: one question', async () => {
    const { kube, asked } = scraped(() => 'forbidden');
    const { evidence } = await gather(kube, look);
    expect(asked).toHaveLength(1);
    expect(evidence.calls?.failures.map((failure) => failure.reason)).toEqual(pods.map(() => 'forbidden'));
    expect(evidence.signals.find((signal) => signal.id === 'calls')).toMatchObject({ state: 'forbidden' });
  });

  it('two silent pods stand for the others', async () => {
    const { kube, asked } = scraped(() => 'timeout');
    const { evidence } = await gather(kube, look);
    expect(asked).toHaveLength(2);
    expect(evidence.calls?.failures).toHaveLength(12);
  });

  it('one silent pod does not', async () => {
    const { kube, asked } = scraped((pod) => (pod === 'echo-00' ? 'timeout' : 'page'));
    const { evidence } = await gather(kube, look);
    expect(asked).toHaveLength(12);
    expect(evidence.calls?.looks).toHaveLength(11);
    expect(evidence.signals.find((signal) => signal.id === 'calls')).toMatchObject({ state: 'partial' });
  });
});

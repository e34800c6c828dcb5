import type { Precondition } from '../report/schema.ts';
import type { Facts } from '../verdict/facts.ts';
import { perCallPrediction, type StrategyUnit } from './unit.ts';

export const proxylessXds: StrategyUnit = {
  id: 'proxyless-xds',
  title: 'Proxyless gRPC over xDS',
  assess({ facts, ownership }) {
    return {
      fits: ['no extra hop, and new pods are known at once'],
      against: [
        'a control plane to run, and gRPC implements only a part of xDS',
        ...(ownership.whose === 'owned' ? [] : ['every client must change its target and bootstrap']),
      ],
      preconditions: [
        { text: 'an xDS control plane serves these clients (GRPC_XDS_BOOTSTRAP is set)', status: bootstrapped(facts) },
        { text: 'the client libraries support xDS', status: 'unknown' },
      ],
      prediction: perCallPrediction(facts, 'at once', ['a control plane']),
    };
  },
};

/** By the environment of the client pods: the name of the variable, never its value. */
function bootstrapped({ path: { parts } }: Facts): Precondition['status'] {
  if (parts.xds > 0.99) return 'met';
  return parts.xds === 0 && parts.meshed + parts.bare > 0.99 ? 'failed' : 'unknown';
}

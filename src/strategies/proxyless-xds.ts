import { readControlPlane } from '../facts/control-plane.ts';
import type { Facts } from '../facts/facts.ts';
import type { Precondition } from '../report/advice.ts';
import { librarySupports } from './languages.ts';
import { byCall, callsUnderWay } from './predict.ts';
import type { StrategyUnit } from './unit.ts';

export const proxylessXds: StrategyUnit = {
  id: 'proxyless-xds',
  title: 'Proxyless gRPC over xDS',
  what: 'The gRPC library itself gets the endpoints from a control plane (gRFC A27) and chooses a pod for each call; no proxy stands between.',
  fitsWhen: 'A control plane serves the clients already, their libraries support xDS, and a hop is too many.',
  requirements: [
    {
      text: 'an xDS control plane serves these clients (GRPC_XDS_BOOTSTRAP is set)',
      status: ({ facts }) => bootstrapped(facts),
    },
    {
      text: 'the client libraries support xDS (grpc-go, grpc-java, C-core, grpc-js with its xds package)',
      status: ({ language }) => {
        const isThere = librarySupports(language, 'xds');
        return isThere === null ? 'unknown' : isThere ? 'met' : 'failed';
      },
    },
    {
      text: 'what is configured is within the part of xDS that gRPC implements: the rest is ignored without a word, and an unsupported value in a supported field refuses the whole resource',
      status: () => 'unknown',
    },
    {
      text: 'the target of the clients starts with xds:///',
      status: () => 'unknown',
    },
  ],
  newPods: 'at once',
  costs: ['a control plane'],
  assess({ facts, ownership }) {
    return {
      fits: ['no extra hop, and new pods are known at once'],
      against: [
        'a control plane to run, and gRPC implements only a part of xDS',
        ...callsUnderWay(facts),
        ownership.whose !== 'owned' && 'every client must change its target and bootstrap',
      ],
      prediction: { ...byCall(facts), newPod: proxylessXds.newPods, newPodSeconds: 0, cost: [...proxylessXds.costs] },
    };
  },
};

/** By the environment of the client pods: the name of the variable, never its value. */
function bootstrapped({ path: { clientShares, proxies } }: Facts): Precondition['status'] {
  // The control plane itself says that it serves nobody.
  if (proxies !== null && readControlPlane(proxies)?.proxies === 0) return 'failed';
  if (clientShares.xds > 0.99) return 'met';
  return clientShares.xds === 0 && clientShares.meshed + clientShares.bare > 0.99 ? 'failed' : 'unknown';
}

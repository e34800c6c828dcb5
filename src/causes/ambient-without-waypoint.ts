import { isUneven } from '../facts/facts.ts';
import { plural } from '../report/words.ts';
import type { CauseUnit } from './unit.ts';

export const ambientWithoutWaypoint: CauseUnit = {
  id: 'ambient-without-waypoint',
  title: 'Ambient without a waypoint works at layer 4',
  family: 'layer-7',
  needs: ['path', 'connections'],
  signature:
    'The pods are in Istio ambient and no waypoint is used for the Service: ztunnel passes connections on and does not see calls.',
  confidenceRule:
    'certain when the CNI has marked the pods as redirected, the labels of the namespace were read, no waypoint is named or the one that is does not exist, and the connections themselves are uneven; likely when a part of that could not be seen.',
  rivals: [
    {
      id: 'few-connections',
      toldApartBy: 'a waypoint for the Service: the load evens out, however few the connections are',
    },
  ],
  hopLacks: { part: 'a waypoint to the Service', whole: true },
  curedBy: ['l7-proxy'],
  firstStep: 'give the Service a waypoint: istioctl waypoint apply, and label it istio.io/use-waypoint',
  find(facts) {
    const { ambient, clientShares, path } = facts.path;
    if (!isUneven(facts) || ambient === null || ambient.waypoint !== null || facts.headless) return null;
    // These choose a pod for each call themselves.
    if (
      clientShares.meshed >= 0.5 ||
      clientShares.gateway >= 0.5 ||
      clientShares.waypoint > 0 ||
      clientShares.xds >= 0.5
    )
      return null;
    const isSeen = ambient.seen && path?.namespace != null && facts.connections?.reading === 'uneven';
    return {
      confidence: isSeen ? 'certain' : 'likely',
      text:
        ambient.missing === null
          ? 'the pods are in ambient without a waypoint: ztunnel balances connections, not calls'
          : `the waypoint ${ambient.missing} does not exist: ztunnel balances connections, not calls`,
      evidence: [
        ambient.seen ? 'every pod is redirected to ztunnel' : 'the labels put the pods into ambient',
        ambient.missing === null
          ? 'neither the Service nor its namespace names a waypoint (istio.io/use-waypoint)'
          : `istio.io/use-waypoint names ${ambient.missing}, and no Gateway of class istio-waypoint has that name`,
        `${plural(facts.allConnections.length, 'connection')} at the pods`,
      ],
      settledBy: [
        !isSeen && 'the annotation ambient.istio.io/redirection of the pods, and the labels of the namespace',
      ],
    };
  },
};

import type { Facts } from '../facts/facts.ts';
import { addressedByName } from './addressed-by-name.ts';
import { ambientWithoutWaypoint } from './ambient-without-waypoint.ts';
import { chance } from './chance.ts';
import { clientOutsideMesh } from './client-outside-mesh.ts';
import { connectionChurn } from './connection-churn.ts';
import { connectionLeak } from './connection-leak.ts';
import type { FoundCause } from './consequences.ts';
import { consistentHash } from './consistent-hash.ts';
import { draining } from './draining.ts';
import { endpointsMissing } from './endpoints-missing.ts';
import { fewConnections } from './few-connections.ts';
import { headlessWithMesh } from './headless-with-mesh.ts';
import { hotClient } from './hot-client.ts';
import { hotConnection } from './hot-connection.ts';
import { lbSource } from './lb-source.ts';
import { longStreams } from './long-streams.ts';
import { meshBypassed } from './mesh-bypassed.ts';
import { meshSeesTcp } from './mesh-sees-tcp.ts';
import { newPodsIdle } from './new-pods-idle.ts';
import { noReResolution } from './no-re-resolution.ts';
import { nodeRulesStale } from './node-rules-stale.ts';
import { notGrpc } from './not-grpc.ts';
import { pickFirst } from './pick-first.ts';
import { podsNotReady } from './pods-not-ready.ts';
import { portNotServed } from './port-not-served.ts';
import { probeFailing } from './probe-failing.ts';
import { probeMisconfigured } from './probe-misconfigured.ts';
import { proxyToClusterIp } from './proxy-to-cluster-ip.ts';
import { reDealt } from './re-dealt.ts';
import { remoteEndpoints } from './remote-endpoints.ts';
import { restartedPod } from './restarted-pod.ts';
import { rollingRestartOrder } from './rolling-restart-order.ts';
import { rolloutInProgress } from './rollout-in-progress.ts';
import { sessionAffinity } from './session-affinity.ts';
import { singleEndpoint } from './single-endpoint.ts';
import { streamLimit } from './stream-limit.ts';
import { stuckPod } from './stuck-pod.ts';
import { tooSoon } from './too-soon.ts';
import { trafficPolicy } from './traffic-policy.ts';
import { unequalPods } from './unequal-pods.ts';
import { unevenWork } from './uneven-work.ts';
import type { CauseUnit, Finding } from './unit.ts';
import { unreadyButConnected } from './unready-but-connected.ts';
import { weightedRouting } from './weighted-routing.ts';

/**
 * All causes, in the order in which they are named when equally certain: what the Service or the health of pods
 * explains comes before advice about gRPC, and within a family the specific before the general.
 */
export const causeUnits: readonly CauseUnit[] = [
  singleEndpoint,
  endpointsMissing,
  stuckPod,
  portNotServed,
  remoteEndpoints,
  unreadyButConnected,
  draining,
  podsNotReady,
  rolloutInProgress,
  tooSoon,
  ...trafficPolicy,
  sessionAffinity,
  lbSource,
  nodeRulesStale,
  notGrpc,
  addressedByName,
  weightedRouting,
  consistentHash,
  ambientWithoutWaypoint,
  headlessWithMesh,
  meshBypassed,
  meshSeesTcp,
  proxyToClusterIp,
  pickFirst,
  noReResolution,
  restartedPod,
  rollingRestartOrder,
  newPodsIdle,
  connectionChurn,
  reDealt,
  hotClient,
  longStreams,
  hotConnection,
  fewConnections,
  clientOutsideMesh,
  chance,
  probeMisconfigured,
  probeFailing,
  unequalPods,
  unevenWork,
  streamLimit,
  connectionLeak,
];

/** A cause that explains what was seen, with what it says. */
export interface NamedCause extends FoundCause {
  readonly unit: CauseUnit;
  readonly finding: Finding;
}

/** Every cause that explains what was seen, in the order of the list. */
export function findCauses(facts: Facts): readonly NamedCause[] {
  const found = causeUnits.flatMap((unit): NamedCause[] => {
    const finding = unit.find(facts);
    return finding === null ? [] : [{ unit, finding }];
  });
  const isExplained = found.some(({ finding }) => finding.confidence !== 'possible');
  return isExplained ? found.filter(({ unit }) => unit.remark !== true) : found;
}

/**
 * The rivals of a cause, each with the look that tells the two apart. Rivalry goes both ways and the look is the same, so
 * it is enough that one of the two names the other; where both do, each has its own words.
 */
export function rivalsOf(unit: CauseUnit): CauseUnit['rivals'] {
  const own = new Set(unit.rivals.map(({ id }) => id));
  const others = causeUnits.flatMap((other) =>
    own.has(other.id)
      ? []
      : other.rivals.filter(({ id }) => id === unit.id).map(({ toldApartBy }) => ({ id: other.id, toldApartBy })),
  );
  return [...unit.rivals, ...others];
}

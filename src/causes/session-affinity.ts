import { changeOf, describeChange } from '../facts/changes.ts';
import { byAddress } from '../facts/client-facts.ts';
import { type Facts, isUneven } from '../facts/facts.ts';
import { clock, countOf, duration, figure, probability } from '../report/words.ts';
import { perCall } from './cures.ts';
import { isManyInOne } from './heavy.ts';
import type { CauseUnit, Finding } from './unit.ts';

/** Luck does it in fewer Services than this: they are many, and most have no such setting. */
const rareAffinity = 1e-3;

export const sessionAffinity: CauseUnit = {
  id: 'session-affinity',
  title: 'The Service pins each client to one pod (sessionAffinity)',
  family: 'service',
  needs: ['service', 'connections'],
  signature: 'sessionAffinity is ClientIP, and the connections of one client address are all on one pod.',
  confidenceRule: `certain when some address has at least two connections, and every such address has them all on one pod; likely when some of them have; possible when each address has one connection; not found when all with several are on several pods. Likely, too, when the setting is gone and every address with several connections has them all on one pod, which luck does in fewer than one of ${figure(1 / rareAffinity)} Services.`,
  rivals: [{ id: 'few-connections', toldApartBy: 'an address with several connections: on one pod or on several' }],
  directs: 'setting',
  setting: 'sessionAffinity',
  curedBy: perCall,
  firstStep: ({ facts }) =>
    facts.service.sessionAffinity === 'ClientIP'
      ? 'set sessionAffinity: None, unless the pinning is wanted; then restart the clients: connections that exist stay'
      : 'restart the clients: the setting is gone, the connections that it placed are not',
  find(facts) {
    const { service } = facts;
    if (!isUneven(facts) || facts.headless) return null;
    if (service.sessionAffinity !== 'ClientIP') return leftBehind(facts);
    const clients = byAddress(facts.allConnections, facts.weights);
    const several = clients.filter((client) => client.connections > 1);
    const split = several.filter((client) => client.reached.length > 1);
    if (several.length > 0 && split.length === several.length) return null;
    const seconds = service.sessionAffinityTimeoutSeconds ?? 10_800;
    const pinned = several.length - split.length;
    return {
      confidence: pinned > 0 && split.length === 0 ? 'certain' : pinned > 0 ? 'likely' : 'possible',
      text: `sessionAffinity ClientIP pins ${countOf(clients.length, 'client address', 'client addresses')} to ${reached(clients)} of ${facts.replicas.length} pods`,
      evidence: [
        `sessionAffinity is ClientIP with a timeout of ${duration(seconds)}`,
        pinned > 0 &&
          `${pinned === 1 ? '1 address with several connections has' : `${pinned} addresses with several connections have`} them all on one pod`,
      ],
      against: [
        split.length > 0 &&
          `${split.length === 1 ? '1 address is' : `${split.length} addresses are`} connected to several pods: older than the setting, or its timeout had passed`,
      ],
      settledBy: several.length > 0 ? [] : ['a client address with two connections: on one pod or on two'],
    };
  },
};

/** Connections that a setting placed stay when it goes: all of each address on one pod is no luck. */
function leftBehind(facts: Facts): Finding | null {
  if (facts.hops.length > 0 || facts.perCall || facts.connections?.seen !== facts.replicas.length) return null;
  const several = byAddress(facts.allConnections, facts.weights).filter((client) => client.connections > 1);
  if (several.length === 0 || several.some((client) => client.reached.length > 1)) return null;
  if (several.some(({ peer }) => isManyInOne.has(peer.kind))) return null;
  const byChance = several.reduce((all, { connections }) => all * facts.replicas.length ** -(connections - 1), 1);
  if (byChance >= rareAffinity) return null;
  const change = changeOf(facts.service, 'sessionAffinity');
  return {
    confidence: 'likely',
    past: true,
    text: `each of ${countOf(several.length, 'client address', 'client addresses')} has all its connections on one pod: what a sessionAffinity left behind`,
    evidence: [
      `sessionAffinity is None now; that connections of one address meet so has probability ${probability(byChance)}`,
      'connections that exist stay where they are when the setting goes',
      change !== null && `${describeChange(change, 'sessionAffinity')} at ${clock(change.at)}`,
    ],
    settledBy: [change === null && 'when the setting was changed: metadata.managedFields of the Service'],
  };
}

function reached(clients: readonly { readonly reached: readonly number[] }[]): number {
  return new Set(clients.flatMap((client) => client.reached)).size;
}

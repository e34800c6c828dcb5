import { byAddress } from '../facts/client-facts.ts';
import { isUneven } from '../facts/facts.ts';
import { countOf, duration } from '../report/words.ts';
import { perCall } from './cures.ts';
import type { CauseUnit } from './unit.ts';

export const sessionAffinity: CauseUnit = {
  id: 'session-affinity',
  title: 'The Service pins each client to one pod (sessionAffinity)',
  family: 'service',
  needs: ['service', 'connections'],
  signature: 'sessionAffinity is ClientIP, and the connections of one client address are all on one pod.',
  confidenceRule:
    'certain when some address has at least two connections, and every such address has them all on one pod; possible when each address has one connection; not found when addresses with several are on several pods.',
  rivals: [{ id: 'few-connections', look: 'an address with several connections: on one pod or on several' }],
  directs: 'setting',
  curedBy: perCall,
  firstStep: 'set sessionAffinity: None, unless the pinning is wanted',
  find(facts) {
    const { service } = facts;
    if (!isUneven(facts) || service.sessionAffinity !== 'ClientIP' || facts.headless) return null;
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

function reached(clients: readonly { readonly reached: readonly number[] }[]): number {
  return new Set(clients.flatMap((client) => client.reached)).size;
}

import { listed } from '../report/words.ts';
import type { Facts } from '../verdict/facts.ts';

/** Who can change the clients' code. */
export interface Ownership {
  readonly whose: 'owned' | 'third-party' | 'mixed' | 'unknown';
  readonly basis: string;
}

const releaseLabels = ['app.kubernetes.io/part-of', 'app.kubernetes.io/instance', 'team'] as const;

/**
 * Infers whose the clients are, and says from what: same namespace, or the same release or team label, is ours;
 * another namespace is unknown; outside the cluster is not ours. What the user says wins.
 */
export function inferOwnership(facts: Facts, said: Ownership['whose'] | null): Ownership {
  if (said !== null) return { whose: said, basis: 'as you said with --clients' };
  if (facts.clients.length === 0) return { whose: 'unknown', basis: 'no client was seen' };
  const kinds = facts.clients.map((client) => {
    if (client.peer.kind === 'address') return isPrivate(client.peer.workload) ? 'unknown' : 'outside';
    if (client.peer.kind === 'node') return 'unknown';
    return client.peer.namespace === facts.service.namespace ||
      sharesRelease(client.peer.pod?.labels ?? {}, facts.service.labels)
      ? 'ours'
      : 'unknown';
  });
  const names = (kind: string) =>
    listed(facts.clients.filter((_, index) => kinds[index] === kind).map((client) => client.peer.workload));
  if (kinds.every((kind) => kind === 'ours'))
    return {
      whose: 'owned',
      basis: `inferred: ${names('ours')} run in namespace ${facts.service.namespace} or belong to its release`,
    };
  if (kinds.every((kind) => kind === 'outside'))
    return { whose: 'third-party', basis: `inferred: ${names('outside')} are addresses outside the cluster` };
  if (kinds.includes('outside'))
    return { whose: 'mixed', basis: `inferred: ${names('outside')} are outside the cluster, others are not` };
  if (kinds.includes('ours'))
    return { whose: 'unknown', basis: `inferred: ${names('ours')} are yours, ${names('unknown')} could not be told` };
  return {
    whose: 'unknown',
    basis: `${names('unknown')} could not be told: another namespace, a node or an unknown address`,
  };
}

function sharesRelease(a: Readonly<Record<string, string>>, b: Readonly<Record<string, string>>): boolean {
  return releaseLabels.some((key) => a[key] !== undefined && a[key] === b[key]);
}

/** RFC 1918, RFC 6598 and unique local addresses: inside some network of ours, though no pod that we could see. */
function isPrivate(address: string): boolean {
  if (/^(10\.|192\.168\.|127\.|169\.254\.)/.test(address)) return true;
  if (/^f[cd]/i.test(address) || /^fe80/i.test(address)) return true;
  const match = /^(172|100)\.(\d+)\./.exec(address);
  if (match === null) return false;
  const second = Number(match[2]);
  return match[1] === '172' ? second >= 16 && second < 32 : second >= 64 && second < 128;
}

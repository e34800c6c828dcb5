import type { Facts } from '../facts/facts.ts';
import type { LanguageId } from '../report/ids.ts';
import { listed } from '../report/words.ts';
import { cannotBalance } from './languages.ts';

/** Who can change the clients' code. */
export interface Ownership {
  readonly whose: 'owned' | 'third-party' | 'mixed' | 'unknown';
  readonly basis: string;
  /** Why the clients cannot be made to balance by themselves; null when nothing is known against it. */
  readonly obstacle: string | null;
}

const releaseLabels = ['app.kubernetes.io/part-of', 'app.kubernetes.io/instance', 'team'] as const;

/**
 * Infers whose the clients are, and says from what: same namespace, or the same release or team label, is ours;
 * another namespace is unknown; outside the cluster is not ours. What the user says wins.
 */
export function inferOwnership(
  facts: Facts,
  said: Ownership['whose'] | null,
  language: LanguageId | null = null,
): Ownership {
  const { whose, basis } = inferWhose(facts, said);
  const foreign = whose === 'third-party' || whose === 'mixed' ? 'not all clients are yours to change' : null;
  return { whose, basis, obstacle: foreign ?? cannotBalance(language) };
}

function inferWhose(facts: Facts, said: Ownership['whose'] | null): Pick<Ownership, 'whose' | 'basis'> {
  if (said !== null) return { whose: said, basis: 'as you said with --clients' };
  if (facts.clients.length === 0) return { whose: 'unknown', basis: 'no client was seen' };
  const kinds = facts.clients.map((client) => {
    if (client.peer.kind === 'outside') return 'outside';
    if (client.peer.pod === null) return 'unknown';
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
      basis: `inferred: ${names('ours')}, in namespace ${facts.service.namespace} or of its release`,
    };
  if (kinds.every((kind) => kind === 'outside'))
    return { whose: 'third-party', basis: `inferred: ${names('outside')}, outside the cluster` };
  if (kinds.includes('outside'))
    return { whose: 'mixed', basis: `inferred: ${names('outside')} outside the cluster, others not` };
  if (kinds.includes('ours'))
    return { whose: 'unknown', basis: `inferred: yours ${names('ours')}; could not be told: ${names('unknown')}` };
  return {
    whose: 'unknown',
    basis: `could not be told: ${names('unknown')}, of another namespace, behind a node or an unknown address`,
  };
}

function sharesRelease(a: Readonly<Record<string, string>>, b: Readonly<Record<string, string>>): boolean {
  return releaseLabels.some((key) => a[key] !== undefined && a[key] === b[key]);
}

import type { ClientLook } from '../evidence/looks.ts';
import type { Client } from '../report/schema.ts';
import type { ClientFacts } from './client-facts.ts';
import type { Facts } from './facts.ts';

/** The looks into pods of a client, where there are any. */
export function looksInto({ peer }: ClientFacts, { index }: Pick<Facts, 'index'>): readonly ClientLook[] {
  return index.clientLooks.get(`${peer.namespace}/${peer.workload}`) ?? [];
}

/**
 * What the sockets of a client prove. A virtual address as the peer proves that the name of that Service was dialled. The
 * address of a pod proves a headless name (or an address that was dialled), unless something rewrites destinations at
 * connect(), or may do so: then it proves nothing.
 */
export function dialsOf(client: ClientFacts, facts: Pick<Facts, 'index' | 'service' | 'siblings'>): Client['dials'] {
  const looks = looksInto(client, facts);
  if (looks.length === 0) return [];
  const isRewritten = mayBeRewritten(facts.index);
  const headless = [facts.service, ...facts.siblings].filter((service) => service.clusterIP === 'None');
  const onlyHeadless = headless.length === 1 ? (headless[0]?.name ?? null) : null;
  const found = new Map<string, Client['dials'][number]>();
  for (const { what, service, connections } of looks.flatMap((look) => look.dialled)) {
    const dial =
      what === 'virtual-address'
        ? { what, service }
        : isRewritten
          ? { what: 'not-known' as const, service: null }
          : { what, service: onlyHeadless };
    const key = `${dial.what} ${dial.service ?? ''}`;
    found.set(key, { ...dial, connections: (found.get(key)?.connections ?? 0) + connections });
  }
  return [...found.values()].sort((a, b) => b.connections - a.connections || (a.what < b.what ? -1 : 1));
}

/** API groups of network plugins that can choose the pod at connect(), in the place of kube-proxy. */
const rewriters: ReadonlySet<string> = new Set(['cilium.io', 'crd.projectcalico.org']);

/**
 * Where the configuration of such a plugin could not be read, a virtual address in any socket shows that it leaves
 * destinations as they are; without one it stays open.
 */
function mayBeRewritten({ evidence: { path }, virtualAddressSeen }: Facts['index']): boolean {
  if (path?.socketLoadBalancing != null) return path.socketLoadBalancing === 'all';
  return !virtualAddressSeen && path?.groups?.some((group) => rewriters.has(group)) === true;
}

/** `echo`, `pods (echo-headless)`, `pods`. */
export function describeDial({ what, service }: Client['dials'][number]): string {
  if (what === 'virtual-address') return service ?? 'a virtual address';
  if (what === 'not-known') return 'not to be told: destinations are rewritten at connect()';
  return service === null ? 'pod addresses' : `${service} (pod addresses)`;
}

import { meshProxyOf } from './mesh-proxies.ts';

/** Pseudonyms, one for each name. */
export interface Names {
  of(name: string, kind: string): string;
  /** Of a name that was met; undefined for others. */
  known(name: string): string | undefined;
}

/** Names that every cluster may have. */
const commonNames =
  /^(|none|None|default|kube-(system|public|node-lease|proxy)|istio-system|linkerd|cilium|monitoring)$/;

/** The alphabet of generated names (apimachinery util/rand). */
const generated =
  /^(-[bcdfghjklmnpqrstvwxz2456789]{5,10})?(-[bcdfghjklmnpqrstvwxz2456789]{5}|-\d+)$|^-[bcdfghjklmnpqrstvwxz2456789]{5,10}$/;

/** The longest name that Kubernetes allows: what is longer has no end that was generated. */
const longestName = 253;

export function openNames(): Names {
  const pseudonyms = new Map<string, string>();
  const counts = new Map<string, number>();
  const fresh = (kind: string): string => {
    const count = (counts.get(kind) ?? 0) + 1;
    counts.set(kind, count);
    return `${kind}-${count}`;
  };
  /** A name that another one begins with, and whose end was generated, keeps that end. */
  const derived = (name: string): string | undefined => {
    if (name.length > longestName) return undefined;
    for (let cut = name.lastIndexOf('-'); cut > 0; cut = name.lastIndexOf('-', cut - 1)) {
      const base = pseudonyms.get(name.slice(0, cut));
      if (base !== undefined && generated.test(name.slice(cut))) return `${base}${name.slice(cut)}`;
    }
    return undefined;
  };
  return {
    of(name, kind) {
      if (commonNames.test(name) || meshProxyOf(name) !== null) return name;
      const pseudonym = pseudonyms.get(name) ?? derived(name) ?? fresh(kind);
      pseudonyms.set(name, pseudonym);
      return pseudonym;
    },
    known: (name) => (commonNames.test(name) ? name : pseudonyms.get(name)),
  };
}

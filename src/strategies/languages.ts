import type { ClientLook } from '../evidence/looks.ts';
import type { LanguageId } from '../report/ids.ts';

/**
 * Languages of clients, and whether their gRPC library can balance over the addresses of a name by itself.
 *
 * Sources: the load balancing policies that each library documents: grpc-go, grpc-java, C-core (Python, C++, Ruby, PHP),
 * grpc-js and Grpc.Net.Client have round_robin; tonic (Rust) balances over a list of endpoints that the program must
 * keep itself; grpc-dart has no policy. `mixed` stands for several at once: what each needs differs.
 */
export const clientLanguages: Readonly<Record<LanguageId, { readonly name: string; readonly balances: boolean }>> = {
  go: { name: 'Go', balances: true },
  java: { name: 'Java', balances: true },
  python: { name: 'Python', balances: true },
  node: { name: 'Node.js', balances: true },
  csharp: { name: 'C#', balances: true },
  cpp: { name: 'C++', balances: true },
  rust: { name: 'Rust (tonic)', balances: false },
  dart: { name: 'Dart', balances: false },
  mixed: { name: 'several languages', balances: false },
};

const runtimeLanguages: Readonly<Partial<Record<NonNullable<ClientLook['runtime']>, LanguageId>>> = {
  java: 'java',
  node: 'node',
  python: 'python',
  dotnet: 'csharp',
};

/**
 * The language of the clients by what runs in those that were looked into; null where one of them does not tell: a static
 * binary may be Go, Rust or C++.
 */
export function languageOfClients(looks: readonly ClientLook[]): LanguageId | null {
  const found = new Set(looks.map(({ runtime }) => (runtime === null ? undefined : runtimeLanguages[runtime])));
  if (found.size === 0 || found.has(undefined)) return null;
  const [only] = found;
  return found.size === 1 ? (only ?? null) : 'mixed';
}

/** Why clients in this language cannot balance by themselves; null when they can, or when it is not known. */
export function cannotBalance(language: LanguageId | null): string | null {
  if (language === null || clientLanguages[language].balances) return null;
  return language === 'mixed'
    ? 'the clients are in several languages, each to be set up in its own way'
    : `${clientLanguages[language].name} has no balancing policy for names`;
}

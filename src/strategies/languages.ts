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

/** Why clients in this language cannot balance by themselves; null when they can, or when it is not known. */
export function cannotBalance(language: LanguageId | null): string | null {
  if (language === null || clientLanguages[language].balances) return null;
  return language === 'mixed'
    ? 'the clients are in several languages, each to be set up in its own way'
    : `${clientLanguages[language].name} has no balancing policy for names`;
}

import type { ClientLook } from '../evidence/looks.ts';
import type { LanguageId } from '../report/ids.ts';

/** What the gRPC library of a language can do that decides between the strategies. */
interface LanguageFacts {
  readonly name: string;
  /** Over the addresses of a name. */
  readonly balances: boolean;
  /** Client-side, by healthCheckConfig. */
  readonly checksHealth: boolean;
  readonly speaksXds: boolean;
}

/**
 * Languages of clients, and whether their gRPC library can balance over the addresses of a name by itself.
 *
 * Sources: the load balancing policies that each library documents: grpc-go, grpc-java, C-core (Python, C++, Ruby, PHP),
 * grpc-js and Grpc.Net.Client have round_robin; tonic (Rust) balances over a list of endpoints that the program must
 * keep itself; grpc-dart has no policy. `mixed` stands for several at once: what each needs differs.
 */
export const clientLanguages: Readonly<Record<LanguageId, LanguageFacts>> = {
  go: { name: 'Go', balances: true, checksHealth: true, speaksXds: true },
  java: { name: 'Java', balances: true, checksHealth: true, speaksXds: true },
  python: { name: 'Python', balances: true, checksHealth: true, speaksXds: true },
  node: { name: 'Node.js', balances: true, checksHealth: false, speaksXds: true },
  csharp: { name: 'C#', balances: true, checksHealth: false, speaksXds: false },
  cpp: { name: 'C++', balances: true, checksHealth: true, speaksXds: true },
  rust: { name: 'Rust (tonic)', balances: false, checksHealth: false, speaksXds: false },
  dart: { name: 'Dart', balances: false, checksHealth: false, speaksXds: false },
  mixed: { name: 'several languages', balances: false, checksHealth: false, speaksXds: false },
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

/** Whether a matter of one language may concern these clients: they are in it, or nobody knows in which. */
export function concerns(language: LanguageId | null, one: LanguageId): boolean {
  return language === null || language === 'mixed' || language === one;
}

/** Why clients in this language cannot balance by themselves; null when they can, or when it is not known. */
export function cannotBalance(language: LanguageId | null): string | null {
  if (language === null || clientLanguages[language].balances) return null;
  return language === 'mixed'
    ? 'the clients are in several languages, each to be set up in its own way'
    : `${clientLanguages[language].name} has no balancing policy for names`;
}

import type { ClientLook } from '../evidence/looks.ts';
import { type Feature, languageNames, supportOf } from '../fix/support.ts';
import type { LanguageId } from '../report/ids.ts';

/** Whether the gRPC library of the clients has a feature; null where their language is not known, or where they have several. */
export function librarySupports(language: LanguageId | null, feature: Feature): boolean | null {
  return language === null || language === 'mixed' ? null : supportOf(language, feature).has;
}

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
  if (language === 'mixed') return 'the clients are in several languages, each to be set up in its own way';
  if (language === null || librarySupports(language, 'round-robin')) return null;
  return `${languageNames[language]} has no balancing policy for names`;
}

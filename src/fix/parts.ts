import type { StrategyId } from '../report/ids.ts';
import type { SkewReport } from '../report/schema.ts';
import { clientCode, xdsCode } from './client-code.ts';
import type { Manifest } from './manifests.ts';
import type { Mesh } from './meshes.ts';
import type { Place } from './place.ts';
import { type AgeWish, serverCode } from './server-code.ts';
import type { ClientWish } from './service-config.ts';
import { type Feature, type Language, languageNames, languages, type Support, supportOf } from './support.ts';

/** What the parts of a fix are made from. */
export interface FixContext {
  readonly report: SkewReport;
  readonly place: Place;
  readonly language: Language | null;
  readonly mesh: Mesh;
}

export interface Step {
  readonly text: string;
  readonly command: string | null;
}

export interface Code {
  readonly title: string;
  readonly text: string;
}

/** What differs from strategy to strategy. */
export interface FixParts {
  readonly notes: readonly string[];
  readonly manifests: readonly Manifest[];
  readonly code: readonly Code[];
  /** Per language, where no code is printed: the option's name, or what to do instead. */
  readonly options: readonly { readonly title: string; readonly texts: readonly string[] }[];
  /** In an order that drops no call. */
  readonly steps: readonly Step[];
  readonly undo: readonly Step[];
}

type CodePart = Pick<FixParts, 'code' | 'options'>;

export function isAmbient({ status }: SkewReport): boolean {
  return status.path.hops.some((hop) => hop.kind === 'ambient');
}

export const step = (text: string, command: string | null = null): Step => ({ text, command });

/** A connection age at the server, in one language or in a line for each. */
export function serverAge(language: Language | null, wish: AgeWish): CodePart {
  return inLanguage('server', language, 'connection-age', snippetOf(serverCode, language)?.(wish));
}

/** Retries and, where wished, balancing at the clients. Languages without a policy for names get what they do instead. */
export function clientChannel(language: Language | null, wish: ClientWish): CodePart {
  const feature = wish.roundRobin ? 'round-robin' : 'retry';
  const part = inLanguage('clients', language, feature, snippetOf(clientCode, language)?.(wish));
  const health = language === null || !wish.health ? null : supportOf(language, 'health');
  const note = health === null ? undefined : health.has ? noteOf(health) : health.instead;
  return note === undefined ? part : { ...part, options: [...part.options, { title: 'health', texts: [note] }] };
}

export function xdsChannel(language: Language | null, target: string): CodePart {
  return inLanguage('clients', language, 'xds', snippetOf(xdsCode, language)?.(target));
}

export function both(first: CodePart, second: CodePart): CodePart {
  return { code: [...first.code, ...second.code], options: [...first.options, ...second.options] };
}

/** The snippet of a language, where its table has one. */
function snippetOf<T>(table: Readonly<Record<string, T>>, language: Language | null): T | undefined {
  return language !== null && Object.hasOwn(table, language) ? table[language] : undefined;
}

function inLanguage(
  side: 'server' | 'clients',
  language: Language | null,
  feature: Feature,
  text: string | undefined,
): CodePart {
  if (language === null) {
    const texts = languages.map((each) => `${languageNames[each]}: ${described(supportOf(each, feature))}`);
    return { code: [], options: [{ title: side, texts }] };
  }
  const support = supportOf(language, feature);
  const note = noteOf(support);
  const title = `${side}, ${languageNames[language]}`;
  if (text !== undefined && support.has)
    return { code: [{ title, text }], options: note === undefined ? [] : [{ title: side, texts: [note] }] };
  return { code: [], options: [{ title: side, texts: [`${languageNames[language]}: ${described(support)}`] }] };
}

function described(support: Support): string {
  if (!support.has) return `none: ${support.instead}`;
  return support.note === undefined ? support.name : `${support.name} (${support.note})`;
}

function noteOf(support: Support): string | undefined {
  return support.has ? support.note : undefined;
}

/** Server-side apply: fields that others own, and those not named, stay. With --dry-run=server the API only checks them. */
export function applyCommand(place: Place, strategy: StrategyId, more = ''): string {
  const print = place.diagnose.replace('grpc-skew svc/', 'grpc-skew fix ');
  return `${print} --strategy ${strategy}${more} -o yaml | kubectl apply --server-side --field-manager=grpc-skew${place.context} -f -`;
}

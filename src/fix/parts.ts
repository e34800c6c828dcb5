import { type CommandPlace, diagnoseCommand, joined, kubectl, shellCommand } from '../report/command.ts';
import { type Language, languages, type StrategyId } from '../report/ids.ts';
import type { SkewReport } from '../report/schema.ts';
import { clientCode, xdsCode } from './client-code.ts';
import type { Manifest } from './manifests.ts';
import type { Mesh } from './meshes.ts';
import { type AgeWish, serverCode } from './server-code.ts';
import type { ClientWish } from './service-config.ts';
import type { FixSubject } from './subject.ts';
import { type Feature, featureNames, languageNames, supportOf } from './support.ts';

/** What the parts of a fix are made from. */
export interface FixContext {
  readonly report: SkewReport;
  readonly subject: FixSubject;
  readonly language: Language | null;
  readonly mesh: Mesh;
}

export interface Step {
  readonly text: string;
  readonly command: string | null;
}

interface Code {
  readonly title: string;
  readonly text: string;
}

/** What differs from strategy to strategy. */
export interface StrategyFix {
  readonly notes: readonly string[];
  readonly manifests: readonly Manifest[];
  readonly code: readonly Code[];
  /** Where no code is printed: which languages have the option, or what to do instead. */
  readonly options: readonly { readonly title: string; readonly texts: readonly string[] }[];
  /** In the order that costs the least; each says what happens for a while. */
  readonly steps: readonly Step[];
  /** The way back of everything that the steps change, or what of it may stay. */
  readonly undo: readonly Step[];
}

type CodePart = Pick<StrategyFix, 'code' | 'options'>;

export function isAmbient({ status }: SkewReport): boolean {
  return status.path.hops.some((hop) => hop.kind === 'ambient');
}

export const step = (text: string, command: string | null = null): Step => ({ text, command });

/** A connection age at the server: its code, or which languages have one. */
export function serverAge(language: Language | null, wish: AgeWish): CodePart {
  return inLanguage('server', language, 'connection-age', snippetOf(serverCode, language)?.(wish));
}

/** Retries and, where wished, balancing at the clients. Languages without a policy for names get what they do instead. */
export function clientChannel(language: Language | null, wish: ClientWish): CodePart {
  const feature = wish.roundRobin ? 'round-robin' : 'retry';
  const part = inLanguage('clients', language, feature, snippetOf(clientCode, language)?.(wish));
  const health = language === null || !wish.health ? null : supportOf(language, 'health');
  if (health === null || (health.has && health.note === undefined)) return part;
  const text = health.has ? (health.note ?? '') : `${health.why}: ${health.instead}`;
  return { ...part, options: [...part.options, { title: 'health', texts: [text] }] };
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
  if (language === null) return { code: [], options: [{ title: side, texts: [whoHas(feature)] }] };
  const support = supportOf(language, feature);
  const name = languageNames[language];
  if (!support.has) return { code: [], options: [{ title: side, texts: [`${support.why}: ${support.instead}`] }] };
  return {
    code: text === undefined ? [] : [{ title: `${side}, ${name}`, text }],
    options: support.note === undefined ? [] : [{ title: side, texts: [support.note] }],
  };
}

function whoHas(feature: Feature): string {
  const named = (has: boolean) =>
    languages
      .filter((language) => supportOf(language, feature).has === has)
      .map((language) => languageNames[language])
      .join(', ');
  return `${featureNames[feature]}: in ${named(true)}; not in ${named(false)}`;
}

/** Server-side apply: fields that others own, and those not named, stay. With --dry-run=server the API only checks them. */
export function applyCommand(
  { report, subject, mesh }: FixContext,
  strategy: StrategyId,
  between: readonly string[] | null = null,
): string | null {
  const chosen = strategy === 'l7-proxy' ? ['--mesh', mesh] : [];
  const print = diagnoseCommand(report, ['--strategy', strategy, ...chosen, '-o', 'yaml'], ['fix', subject.name]);
  const filter = between === null ? [] : [shellCommand(between)];
  return joined([print, ...filter, applyManifests(subject.at)], '|');
}

/** Objects name their namespace themselves, so that the command names none. */
export function applyManifests(at: CommandPlace): string | null {
  const flags = ['--server-side', '--field-manager=grpc-skew'];
  return kubectl({ ...at, namespace: null }, ['apply'], [...flags, '-f', '-']);
}

/** Objects that the change is to make: were one there already, it would be changed now and deleted by the way back. */
export function stepAbsent(subject: FixSubject, resources: readonly string[]): Step {
  return step(
    'expect NotFound: what is there already would be changed now, and deleted by UNDO; then give the manifest another name',
    kubectl(subject.at, ['get', ...resources]),
  );
}

/** What a patch does to one object. The blanks in its JSON are where the printed command may be broken. */
export function patchCommand(
  subject: FixSubject,
  object: { readonly resource: string; readonly name: string; readonly namespace: string },
  type: 'merge' | 'strategic',
  patch: unknown,
): string | null {
  const json = JSON.stringify(patch, null, 1).replaceAll(/\n\s*/g, ' ');
  const { resource, name, namespace } = object;
  return kubectl({ ...subject.at, namespace }, ['patch', resource, name], [`--type=${type}`, '-p', json]);
}

/** Only new connections take the new way: the clients are restarted, one workload after the other. */
export function restartClients(subject: FixSubject, why: string): Step[] {
  if (subject.clients.length === 0) return [step(`restart the clients, whose workloads are not known: ${why}`)];
  return subject.clients.map((client, at) =>
    step(
      at === 0
        ? `restart the clients: ${why}; calls that a pod has not finished when it is stopped are lost`
        : `${client.resource} ${client.name} likewise`,
      kubectl({ ...subject.at, namespace: client.namespace }, [
        'rollout',
        'restart',
        `${client.resource}/${client.name}`,
      ]),
    ),
  );
}

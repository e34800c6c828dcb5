import type { ServiceAnswer, SiblingAnswer } from '../report/schema.ts';
import { type FixSubject, isLabel, suffixed } from './subject.ts';

/** The headless Service that the clients are to dial. */
export type Dialled =
  | { readonly kind: 'own' | 'there'; readonly name: string }
  | {
      readonly kind: 'new';
      readonly name: string;
      /** Nothing of that name is there, by the list of Services. */
      readonly isFree: boolean;
      /** Services that might have been it, and why they are not. */
      readonly passedOver: readonly string[];
    };

/** The Service itself, one that is there already over the same pods, or a new one with a name that is free. */
export function dialledService(subject: FixSubject, service: ServiceAnswer): Dialled {
  if (service.headless) return { kind: 'own', name: subject.name };
  const siblings = (service.siblings ?? []).filter(({ name }) => isLabel(name));
  const usual = suffixed(subject.name, '-headless');
  const fitting = siblings.filter((sibling) => misfitOf(sibling, subject, service) === null);
  const there = fitting.find(({ name }) => name === usual) ?? fitting[0];
  if (there !== undefined) return { kind: 'there', name: there.name };
  const taken = new Set([...siblings.map(({ name }) => name), ...(service.namesakes ?? [])]);
  const name = freeName(subject, taken);
  return {
    kind: 'new',
    name,
    isFree: (service.namesakes ?? null) !== null,
    passedOver: [
      ...(taken.has(usual) && !siblings.some((sibling) => sibling.name === usual)
        ? [`${usual} is another Service, over other pods`]
        : []),
      ...siblings
        .filter((sibling) => sibling.headless || sibling.name === usual)
        .map((sibling) => `${sibling.name} is there already, but ${misfitOf(sibling, subject, service)}`),
    ],
  };
}

/** Why clients cannot dial a Service in the place of a new one; null where they can. */
function misfitOf(sibling: SiblingAnswer, subject: FixSubject, service: ServiceAnswer): string | null {
  if (!sibling.headless) return 'has a virtual address';
  if (!isSame(sibling.selector, service.selector)) return 'selects by other labels';
  const leadsThere = sibling.ports.some(
    ({ protocol, targetPort }) =>
      protocol === 'TCP' && (targetPort === subject.declaredTargetPort || targetPort === subject.targetPort),
  );
  if (sibling.ports.some(({ name }) => name === 'grpclb'))
    return 'has a port named grpclb, at which clients look for a balancer';
  if (!leadsThere) return `has no port that leads to ${subject.targetPort}`;
  return sibling.publishNotReadyAddresses ? 'names pods that are not Ready, too' : null;
}

function isSame(a: Readonly<Record<string, string>>, b: Readonly<Record<string, string>>): boolean {
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => a[key] === b[key]);
}

function freeName(subject: FixSubject, taken: ReadonlySet<string>): string {
  for (let number = 1; ; number += 1) {
    const name = suffixed(subject.name, number === 1 ? '-headless' : `-headless-${number}`);
    if (!taken.has(name)) return name;
  }
}

import { peakToMean } from '../figures/shares.ts';
import { evenReadings, type LoadDistribution } from './distribution.ts';
import { limits } from './limits.ts';
import type { Loads } from './loads.ts';
import type { MeasuredPod } from './measured.ts';
import { type PathFacts, routedShares } from './path.ts';
import type { Setting, SettingName } from './settings.ts';

/** What gives the pods unequal shares by its rules, while the load lies just so. */
export interface IntendedSkew {
  readonly by: SettingName | 'route';
  readonly words: string;
  readonly shares: readonly number[];
  /** The figures against these shares. */
  readonly loads: Loads;
}

/** A share that is this near to an inferred one (of a load balancer, of weights) is explained by it. */
export const nearShare = 0.1;

interface Candidate extends Omit<IntendedSkew, 'loads'> {
  readonly known: boolean;
}

/**
 * Looks for the setting or the route that explains an unequal load: held against the shares that this gives, the load is
 * not uneven any longer and no pod is idle that should not be. Shares that are inferred and not known must be met by every pod.
 */
export function readIntendedSkew({
  replicas,
  plain,
  settings,
  path,
  measure,
}: {
  readonly replicas: readonly MeasuredPod[];
  readonly plain: Loads;
  readonly settings: readonly Setting[];
  readonly path: PathFacts;
  /** The loads, held against the shares that the pods should have. */
  readonly measure: (expected: readonly number[]) => Loads;
}): IntendedSkew | null {
  const { basis } = plain;
  if (basis === null || (basis.reading !== 'uneven' && basis.reading !== 'between')) return null;
  for (const { by, words, shares, known } of [...settings.flatMap(ofSetting), ...ofRoute(path, replicas)]) {
    if (!isUnequal(shares)) continue;
    if (!known && !isNear(basis.shares, shares)) continue;
    const loads = measure(shares);
    // What showed the difference must show none against these shares. Too few events to show that it is even may leave it
    // to another measure: that must agree, and then it is the one that the verdict rests on.
    const same = loads.distributions.find((entry) => isSame(entry, basis));
    const isMet =
      same !== undefined &&
      (same.reading === 'open' || evenReadings.has(same.reading)) &&
      loads.basis !== null &&
      evenReadings.has(loads.basis.reading);
    if (isMet && loads.basis.idle.length === 0) return { by, words, shares, loads };
  }
  return null;
}

function isSame(a: LoadDistribution, b: LoadDistribution): boolean {
  return a.basis === b.basis && a.span === b.span && a.source === b.source;
}

/** Shares that differ by more than what is called balanced. */
export function isUnequal(shares: readonly number[] | null): shares is readonly number[] {
  return shares !== null && peakToMean(shares) >= limits.balancedPeakToMean;
}

/** Is every measured share within `nearShare` of the expected one? A pod that was not seen leaves it open: no. */
export function isNear(measured: readonly (number | null)[], expected: readonly number[]): boolean {
  return expected.every((share, index) => Math.abs(share - (measured[index] ?? Number.POSITIVE_INFINITY)) <= nearShare);
}

function ofSetting({ name, words, shares, known, kept, strayed }: Setting): Candidate[] {
  return shares === null || strayed > kept ? [] : [{ by: name, words, shares, known }];
}

function ofRoute(path: PathFacts, replicas: readonly MeasuredPod[]): Candidate[] {
  const { clientShares } = path;
  const shares =
    clientShares.meshed + clientShares.gateway + clientShares.waypoint < 0.5 ? null : routedShares(path, replicas);
  const route = path.routes.find(({ backends }) => backends.some((backend) => backend.subset !== null));
  // A route that leaves a pod without any calls may be as wanted, or its subsets may not be what was meant.
  return shares === null || route === undefined || shares.includes(0)
    ? []
    : [{ by: 'route', words: `${route.kind} ${route.name}`, shares, known: false }];
}

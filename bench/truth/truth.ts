/** What is right about one run: states, causes with the confidence they may bear, what each strategy would give. */
import type { Cause, Confidence, Family, State } from './family.ts';
import { effectiveWithout, type Future, futuresOf } from './futures.ts';
import { loadsOf, type Spread, spreadOf } from './load.ts';
import { mechanisms, mechanismsIn } from './mechanisms.ts';
import type { Observation } from './observe.ts';
import type { Plan } from './plan.ts';

export interface Truth {
  readonly states: readonly State[];
  /** What may be named, up to which confidence. */
  readonly causes: Readonly<Record<Cause, Confidence>>;
  /** Those that are the mechanism, not only defensible. */
  readonly main: readonly Cause[];
  readonly spread: Spread;
  readonly pods: number;
  readonly futures: readonly Future[];
  readonly never: readonly string[];
  readonly lever: NonNullable<Family['lever']> | 'strategy';
  /** Effective pods without the setting; null where there is none to take away. */
  readonly without: number | null;
  /** Every channel keeps one connection through the virtual address: kube-proxy chooses the pods, and an age lets it choose anew. */
  readonly isPlaced: boolean;
  /** No connection of any pod was seen: what holds them where they are cannot be told, and to wait is right. */
  readonly isBlind: boolean;
}

export const rank: Readonly<Record<Confidence, number>> = { possible: 1, likely: 2, certain: 3 };

/** Gain from which a setting counts as what makes the load uneven. */
const gain = 1.1;

export function truthOf(family: Family, { plan, scenes }: Observation, seed: string): Truth {
  const middle = scenes[1] ?? scenes[0];
  if (middle === undefined) throw new Error('nothing was looked at');
  const pods = middle.pods;
  const spreadIn = (unit: 'calls' | 'bytes') => scenes.map(({ parts }) => spreadOf(loadsOf(parts, pods, unit)));
  const [calls, bytes] = [spreadIn('calls'), spreadIn('bytes')];
  const spreads = [...calls, ...bytes, meanOf(calls), meanOf(bytes)];
  const spread = spreadOf(loadsOf(middle.parts, pods));
  const without = family.without === undefined ? null : effectiveWithout(plan, family.without, seed);
  const isEffective = without === null || without >= gain * spread.effective;
  const isUneven = spreads.some(({ peak, idle }) => idle.length > 0 || peak >= 1.25);
  const atWork = mechanismsIn(scenes);
  const causes: Record<Cause, Confidence> = { ...family.defensible };
  const allow = (cause: Cause, confidence: Confidence) => {
    const known = causes[cause];
    if (known === undefined || rank[known] < rank[confidence]) causes[cause] = confidence;
  };
  for (const [cause, confidence] of Object.entries(atWork)) allow(cause, confidence);
  const isMain = (cause: Cause) => {
    if (!isUneven && family.always !== true) return false;
    return mechanisms[cause] === undefined
      ? isEffective
      : atWork[cause] === 'certain' || (isEffective && atWork[cause] !== undefined);
  };
  for (const cause of family.causes) {
    if (isMain(cause)) allow(cause, 'certain');
    else if (mechanisms[cause] === undefined) allow(cause, 'possible');
  }
  const hot = (['hot-client', 'hot-connection'] as const).filter((cause) => isUneven && atWork[cause] === 'certain');
  return {
    states: rightStates(family, plan, spreads, isUneven),
    ...{ causes, main: [...new Set([...family.causes.filter(isMain), ...hot])], spread, pods: pods.length },
    ...{ futures: futuresOf(plan, seed), never: family.never ?? [], lever: family.lever ?? 'strategy', without },
    isBlind: plan.sees.sockets === 'none' || plan.sees.emptyTables,
    isPlaced: plan.clients.every(({ channels }) =>
      channels.every((how) => how.policy === 'pick_first' && how.dial.to === 'virtual'),
    ),
  };
}

function meanOf(spreads: readonly Spread[]): Spread {
  const pods = spreads[0]?.shares.length ?? 0;
  return spreadOf(
    Array.from({ length: pods }, (_, pod) => spreads.reduce((sum, { shares }) => sum + (shares[pod] ?? 0), 0)),
  );
}

function rightStates(family: Family, plan: Plan, spreads: readonly Spread[], isUneven: boolean): State[] {
  const { sees } = plan;
  // Neither calls nor bytes: connections and CPU may not tell.
  const isBlind = (sees.sockets !== 'ss' || sees.emptyTables) && sees.calls === 'none';
  const byLoad = spreads.flatMap(statesOf);
  const settled = family.states ?? [
    ...byLoad,
    // What directs traffic on purpose is a state of its own, where there is something to see.
    ...(family.alsoStates ?? []).filter((state) => state !== 'not-load-balancing' || isUneven),
  ];
  // Where the age of connections deals them anew all the time, the mean of many deals is even.
  const isDealt = plan.ageSeconds < 300 ? (['balanced'] as const) : [];
  // Beside a fault the load may be skewed as well: then that is right, too.
  const isSkewed = byLoad.includes('skewed') ? (['skewed'] as const) : [];
  return [...new Set([...settled, ...isSkewed, ...isDealt, ...(isBlind ? (['unknown'] as const) : [])])];
}

/**
 * The states that the published limits give a true load: skewed from a peak of 1.5 times the mean on, with fewer effective pods
 * than 80 % or an idle pod; balanced below. Near a limit both are right, and so is either word for what lies between.
 */
export function statesOf({ peak, effective, idle, shares, total }: Spread): State[] {
  if (total === 0) return ['no-traffic'];
  const pods = shares.length;
  if (pods === 1) return ['not-load-balancing'];
  const part = effective / pods;
  const isClear = peak >= 1.6 && (part < 0.76 || (idle.length > 0 && part < 0.9));
  if (isClear || peak >= 3) return ['skewed'];
  const isEven = idle.length === 0 && peak < 1.4;
  return isEven ? ['balanced'] : ['skewed', 'balanced'];
}

import { confidences, type State } from '../report/ids.ts';
import type { SkewReport } from '../report/schema.ts';
import { plural } from '../report/words.ts';

/** Something that came or went between two looks: a pod from the endpoints, or another state of the verdict. */
interface Turn {
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** The pod; null: the verdict. */
  readonly pod: string | null;
  readonly isWorse: boolean;
}

/** What came and went within the last minutes, and the worst report of that time. */
export interface Unrest {
  readonly turns: readonly Turn[];
  readonly worst: SkewReport | null;
}

export const calm: Unrest = { turns: [], worst: null };

const minutes = 2;
/** Away, back and away again: what only went, or went and came, may stay so. */
const fewestTurns = 3;

/** What a new report adds; turns of more than two minutes ago are forgotten, and with the last of them the worst report. */
export function withTurns({ turns, worst }: Unrest, before: SkewReport, after: SkewReport, at: number): Unrest {
  const recent = [...turns, ...turnsBetween(before, after, at)].filter((turn) => turn.at > at - minutes * 60_000);
  if (recent.length === 0) return calm;
  const held = worst ?? before;
  return { turns: recent, worst: badness(after) > badness(held) ? after : held };
}

function turnsBetween(before: SkewReport, after: SkewReport, at: number): Turn[] {
  const was = new Map(before.status.pods.map((pod) => [pod.name, pod.endpoint]));
  const ofPods = after.status.pods.flatMap(({ name, endpoint }) => {
    const old = was.get(name);
    return old === undefined || old === endpoint ? [] : [{ at, pod: name, isWorse: !endpoint }];
  });
  const [from, to] = [before, after].map(({ status }) => states.indexOf(status.verdict.state));
  return from === to ? ofPods : [...ofPods, { at, pod: null, isWorse: (to ?? 0) > (from ?? 0) }];
}

/** The worst last. */
const states: readonly State[] = ['balanced', 'no-traffic', 'unknown', 'not-load-balancing', 'skewed'];

/** Of two that are as bad the one that is surer counts as worse: it knows more of it. */
function badness({ status: { verdict, pods } }: SkewReport): number {
  const [state, doubt] = [states.indexOf(verdict.state), confidences.indexOf(verdict.confidence)];
  return state * 100_000 + pods.filter((pod) => !pod.endpoint).length * confidences.length - doubt;
}

/** What comes and goes again and again: `echo-1 NotReady 3 times in 2 min`; null where nothing does. */
export function flapping({ turns }: Unrest): string | null {
  const ofPods = [...Map.groupBy(turns, ({ pod }) => pod)].filter(([, own]) => own.length >= fewestTurns);
  const pods = ofPods.flatMap(([pod]) => pod ?? []);
  const times = (own: readonly Turn[]) =>
    `${plural(own.filter(({ isWorse }) => isWorse).length, 'time')} in ${minutes} min`;
  if (pods.length > 0) {
    const own = turns.filter(({ pod }) => pod !== null && pods.includes(pod));
    return `${pods.length === 1 ? pods[0] : plural(pods.length, 'pod')} NotReady ${times(own)}`;
  }
  return ofPods.length === 0 ? null : `the verdict worsened ${times(turns.filter(({ pod }) => pod === null))}`;
}

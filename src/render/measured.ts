/** How old and how broad is what was seen, and on which measure the verdict rests. */
import { maxOf } from '../figures/extremes.ts';
import type { SkewReport } from '../report/schema.ts';
import { plural } from '../report/words.ts';
import { labelled, type Screen } from './lines.ts';
import { age } from './numbers.ts';

/** What of a report is wanted, where there is one for each port. */
export type Scope = 'all' | 'port' | 'shared';

/** `load by bytes over 3 s · 20 execs in 10 pods · CPU 47 s old · connections 0 s old · the rest 5 s old` */
export function measuredLines(screen: Screen, report: SkewReport, scope: Scope): string[] {
  const texts = measuredTexts(report, scope);
  return texts.length === 0 ? [] : labelled(screen, { label: 'measured', text: texts.join(` ${screen.signs.dot} `) });
}

/** On which measure the verdict rests, how many pods and execs it took, and how old each figure is. */
export function measuredTexts(report: SkewReport, scope: Scope = 'all'): string[] {
  const { skew, execWays } = report.status;
  const [own, ...elsewhere] = execTexts(report);
  const ofPort = [
    basisText(report),
    skew !== null && skew.seenPods < skew.pods ? `${skew.seenPods} of ${plural(skew.pods, 'pod')} measured` : '',
  ];
  const shared = [`${own}${waysText(execWays)}`, ...elsewhere, ...agesText(report)];
  return [...(scope === 'shared' ? [] : ofPort), ...(scope === 'port' ? [] : shared)].filter((one) => one !== '');
}

/**
 * Where commands ran, for those who audit them: first in the pods of the Service, then in others. `12 execs in 6 pods`,
 * `2 execs in 2 Cilium agents`.
 */
export function execTexts({ status }: SkewReport): readonly [string, ...string[]] {
  const { execs, execPods, execsElsewhere = [], signals } = status;
  const own = execs - execsElsewhere.reduce((sum, entry) => sum + entry.execs, 0);
  const isRefused = signals.some(({ id, state }) => id === 'connections' && state === 'forbidden');
  const outcome = execPods > 0 ? ` in ${plural(execPods, 'pod')}` : isRefused ? ', refused' : ', no answer';
  return [
    own === 0 ? (execs === 0 ? 'no execs' : 'no execs in pods of the Service') : `${plural(own, 'exec')}${outcome}`,
    ...execsElsewhere.map(
      (entry) => `${plural(entry.execs, 'exec')} in ${plural(entry.pods, placesOfExecs[entry.where])}`,
    ),
  ];
}

type Elsewhere = NonNullable<SkewReport['status']['execsElsewhere']>[number];

const placesOfExecs: Readonly<Record<Elsewhere['where'], string>> = {
  clients: 'client pod',
  'cilium-agents': 'Cilium agent',
};

/** Only where it was not `ss` everywhere: what else answers knows no bytes. */
function waysText(ways: SkewReport['status']['execWays']): string {
  const other = Object.entries(ways).filter(([way]) => way !== 'ss');
  if (other.length === 0) return '';
  return ` (${other.map(([way, pods]) => `${pods} by ${way === 'proc' ? '/proc/net/tcp' : way}`).join(', ')}: no bytes)`;
}

/** What figures stand on; of all else, the objects of the API, the oldest speaks for the rest. `-o wide` and JSON have each. */
const figures: ReadonlySet<string> = new Set(['usage', 'connections', 'calls']);

/** Oldest first; figures of the same age together. */
function agesText(report: SkewReport): string[] {
  const known = report.status.signals.flatMap(({ id, ageSeconds }) =>
    ageSeconds === null ? [] : [{ id, ageSeconds }],
  );
  const isFigure = ({ id }: { readonly id: string }) => figures.has(id);
  const byAge = Map.groupBy(
    known.filter(isFigure).toSorted((a, b) => b.ageSeconds - a.ageSeconds),
    ({ ageSeconds }) => age(ageSeconds),
  );
  const others = known.filter((one) => !isFigure(one)).map(({ ageSeconds }) => ageSeconds);
  const [only] = byAge.keys();
  // Figures and all else of one age: said once.
  if (byAge.size === 1 && others.length > 0 && age(maxOf(others)) === only) return [`everything ${only} old`];
  return [
    ...Array.from(byAge, ([old, of]) => `${of.map(({ id }) => figureName(id)).join(', ')} ${old} old`),
    ...(others.length === 0 ? [] : [`${byAge.size === 0 ? 'everything' : 'the rest'} ${age(maxOf(others))} old`]),
  ];
}

function spanText(distribution: SkewReport['status']['distributions'][number]): string {
  if (distribution.span === 'lifetime')
    return distribution.basis === 'bytes' ? 'over the life of the connections' : 'since the pods started';
  if (distribution.span === 'moment') return 'at one moment';
  return distribution.seconds === null ? 'over the window' : `over ${age(distribution.seconds)}`;
}

function basisText(report: SkewReport): string {
  const { verdict, distributions } = report.status;
  if (verdict.basis === null) return '';
  const distribution = distributions.find(
    ({ basis, source, span }) =>
      basis === verdict.basis &&
      (verdict.source == null || source === verdict.source) &&
      (verdict.span == null || span === verdict.span),
  );
  const what = verdict.source === 'interface' ? 'all traffic of the pods' : figureName(verdict.basis);
  const by =
    verdict.source === 'interface' || verdict.source === 'prometheus'
      ? ` by Prometheus ${report.status.prometheus?.source ?? ''}`.trimEnd()
      : '';
  return `load by ${what}${distribution === undefined ? '' : ` ${spanText(distribution)}`}${by}`;
}

/** Names of signals and bases as people say them. */
export function figureName(id: string): string {
  if (id === 'usage' || id === 'cpu') return 'CPU';
  return id;
}

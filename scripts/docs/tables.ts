import { causeUnits, rivalsOf } from '../../src/causes/all.ts';
import type { CauseUnit } from '../../src/causes/unit.ts';
import { onlyByName, signalIds } from '../../src/evidence/signal-ids.ts';
import { limits } from '../../src/facts/limits.ts';
import { featureNames, features, languageNames, supportOf } from '../../src/fix/support.ts';
import { languages } from '../../src/report/ids.ts';
import { signalCatalogue } from '../../src/signals/catalogue.ts';
import { rulesFor } from '../../src/signals/rights.ts';
import { strategyUnits } from '../../src/strategies/choose.ts';
import { type RuleOutcome, rules } from '../../src/strategies/rules.ts';
import { codes, table } from './blocks.ts';

const families: Readonly<Record<CauseUnit['family'], string>> = {
  'sticky-connections': 'Connections stay where they are',
  service: 'The Service says so',
  'layer-7': 'A proxy or mesh is there',
  health: 'Health and endpoints',
  'not-load-balancing': 'Not load balancing',
};

/** All causes by family: what each looks like, when it is how sure, and what tells it apart from its rivals. */
export function causePages(units: readonly CauseUnit[] = causeUnits): string {
  return Object.entries(families)
    .flatMap(([family, title]) => [
      `### ${title}`,
      ...units.filter((unit) => unit.family === family).flatMap((unit) => [`#### ${unit.id}`, causeText(unit)]),
    ])
    .join('\n\n');
}

function causeText(unit: CauseUnit): string {
  const { bars } = unit;
  return [
    `${unit.title}.`,
    '',
    `* Looks like: ${unit.signature}`,
    `* How sure: ${unit.confidenceRule}`,
    `* Needs: ${codes(unit.needs)}`,
    `* Ended by: ${codes(unit.curedBy ?? []) || 'no strategy'}`,
    ...(bars === undefined
      ? []
      : [`* Rules out: ${bars.strategies === 'all' ? 'every strategy' : codes(bars.strategies)} (${bars.why})`]),
    ...rivalsOf(unit).map((rival) => `* Told apart from [${rival.id}](#${rival.id}) by: ${rival.toldApartBy}`),
  ].join('\n');
}

/** The list of rules in the order in which they are tried. */
export function ruleTable(): string {
  return table(
    ['row', 'when', 'then'],
    rules.map((rule) => [String(rule.row), rule.when, rule.outcomes.map(describeOutcome).join(', or ')]),
  );
}

function describeOutcome({ strategy, action, alternative }: RuleOutcome): string {
  const name = strategy === 'current' ? 'what is in place' : `\`${strategy}\``;
  return `${action} ${name}${alternative === undefined ? '' : ` (alternative \`${alternative}\`)`}`;
}

/** What each strategy is, gives and costs, and then what each presupposes: in the words of the reports. */
export function strategyTable(): string {
  const rows = strategyUnits.map(({ id, what, fitsWhen, newPods, costs }) => [
    `\`${id}\``,
    what,
    fitsWhen,
    newPods,
    costs.join(', ') || 'none',
  ]);
  const presupposed = strategyUnits.map(({ id, requirements }) =>
    [`\`${id}\` presupposes:`, '', ...requirements.map(({ text }) => `* ${text}`)].join('\n'),
  );
  return [table(['strategy', 'what it is', 'fits when', 'a new pod gets traffic', 'cost'], rows), ...presupposed].join(
    '\n\n',
  );
}

/** What each library has of what a fix needs, and then what that is called there, or what to do instead. */
export function languageTables(): string {
  const has = languages.map((language) => [
    `\`${language}\``,
    languageNames[language],
    ...features.map((feature) => (supportOf(language, feature).has ? 'yes' : 'no')),
  ]);
  const words = languages.flatMap((language) =>
    features.map((feature) => {
      const support = supportOf(language, feature);
      const called = support.has
        ? `\`${support.name}\`${support.note === undefined ? '' : `: ${support.note}`}`
        : `${support.why}; instead: ${support.instead}`;
      return [languageNames[language], featureNames[feature], called];
    }),
  );
  return [
    table(['`--language`', '', ...features.map((feature) => featureNames[feature])], has),
    table(['', 'feature', 'its name, or what to do instead'], words),
  ].join('\n\n');
}

/** The limits of the verdict, in the order of the table that the program uses. */
export function limitTable(): string {
  const words: Readonly<Record<keyof typeof limits, string>> = {
    skewedPeakToMean: 'skewed from this peak-to-mean on …',
    skewedEffectivePart:
      '… if effective pods are fewer than this part of the pods, or a pod is idle, or `hotCpuPart` holds',
    balancedPeakToMean: 'balanced below this peak-to-mean',
    idlePart: 'idle: less than this part of the expected share',
    hotCpuPart: 'one pod at this part of its CPU limit or above …',
    lowCpuPart: '… while the mean is below this part: then a skew counts without an idle pod',
    hotPeakToMean: 'skewed whatever the rest does: one pod has this many times its part',
    idleSurely: 'an idle pod counts for the state when it surely has less than this part of what it should have',
    certainLevel: 'certain: the interval of the figures at this level lies in one state as a whole …',
    likelyLevel: '… likely: that at this level does; else it is open',
    certainEvents: 'events in all below which nothing is certain',
    evenLevel: 'not even: even traffic lies so far from it in fewer windows than this',
    clearLevel:
      'where the interval spans a limit: the figures decide, possibly, when even traffic looks so in fewer windows',
    refutedLevel: 'what was is over: the window would look so in fewer looks than this, were it still so',
    cpuNoiseMillicores: 'millicores; smaller differences of CPU are the cost of looking',
    cpuIdleMillicores: 'millicores; a pod within so much of the least is idle, where a fair share is four times that',
    idleCpuPart: '… and uses less than this part of the mean: half of it is work',
    busyMillicores:
      'A pod that uses this many millicores is busy: that no client was seen is then no sign of no traffic',
    backgroundBytesPerSecond:
      'bytes a second; what probes and scrapes make a pod receive is below it, so less on all pods says nothing',
    throttledPart: 'a pod that is throttled in this part of its CPU periods or more is at risk',
    chanceLevel: 'probability below which chance, or independence of age, is not believed',
    tooSoonSeconds: 'seconds that a pod must have been Ready before its idleness means something',
  };
  return table(
    ['limit', 'value', 'meaning'],
    Object.entries(words).map(([name, text]) => [`\`${name}\``, String(limits[name as keyof typeof limits]), text]),
  );
}

/** What each signal asks, needs, and settles. */
export function signalTable(): string {
  return table(
    ['signal', 'question', 'rights', 'without it is not known'],
    signalCatalogue.map((signal) => [`\`${signal.id}\``, signal.question, codes(signal.rights), signal.settles]),
  );
}

/** The rules of `grpc-skew rbac`, one row each. */
export function roleTable(): string {
  return table(
    ['verbs', 'resource', 'API group', 'in', 'for'],
    rulesFor(signalIds).map((rule) => [
      rule.verbs.join(', '),
      `\`${rule.resource}\`${rule.names.length === 0 ? '' : `: ${rule.names.join(', ')}`}`,
      rule.apiGroup === '' ? 'core' : `\`${rule.apiGroup}\``,
      rule.cluster ? 'ClusterRole' : rule.namespace === null ? 'Role' : `Role in ${rule.namespace}`,
      rule.for
        .map(({ signal }) => `\`${signal}\`${onlyByName.includes(signal) ? ' (only where it is asked for)' : ''}`)
        .join(', '),
    ]),
  );
}

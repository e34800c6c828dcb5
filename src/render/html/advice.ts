/** What to do: first steps, what helps in minutes, the strategy with its change, and the other strategies. */
import { type Fix, planFix } from '../../fix/fix.ts';
import type { Step } from '../../fix/parts.ts';
import type { Relief, StrategyAnswer } from '../../report/advice.ts';
import type { SkewReport } from '../../report/schema.ts';
import { renderManifests } from '../fix.ts';
import { sanitiseAll } from '../sanitise.ts';
import { predictedPods, strategyEntry, strategyWords } from '../strategies.ts';
import { type Child, element } from './element.ts';
import { commandOf, entry, facts, list, more, screen } from './parts.ts';
import { table } from './table.ts';

export function adviceSection(report: SkewReport): readonly Child[] {
  const { recommendation, relief, avoid } = report.status;
  const { strategy, action, current, first, commands = [], because, alternative, strategies } = recommendation;
  const name = (id: string) => {
    const pods = predictedPods(report, id, '→');
    return [element('code', {}, id), pods === '' ? null : [' ', element('span', { class: 'word' }, `${pods} used`)]];
  };
  const chosen = strategies.find(({ id }) => id === strategy);
  return [
    first.map((text, at) => [element('p', {}, element('strong', {}, 'First: '), text), commandOf(commands[at])]),
    relief.map(reliefParts),
    avoid.length === 0 ? null : [element('p', {}, element('strong', {}, 'Leave alone:')), list(avoid)],
    element(
      'p',
      { class: 'strategy' },
      element('strong', {}, `${action} `),
      name(strategy),
      strategy === current ? null : ` (now ${current})`,
      recommendation.text === '' ? null : `: ${recommendation.text}`,
      alternative === null ? null : [element('strong', {}, ' or '), name(alternative)],
    ),
    list(because),
    chosen === undefined || action === 'keep' ? null : missing(chosen),
    strategies.length === 0
      ? null
      : more(
          'The strategies side by side',
          table('The five strategies', strategyWords(screen, report), strategies, ({ id }) =>
            id === strategy ? 'chosen' : '',
          ),
          strategies.map((one) => entry(strategyEntry(one))),
        ),
  ];
}

function missing({ preconditions }: StrategyAnswer): Child {
  const of = (status: StrategyAnswer['preconditions'][number]['status']) =>
    preconditions.filter((one) => one.status === status).map(({ text }) => text);
  return facts([
    ['not met', of('failed')],
    ['not known', of('unknown')],
  ]);
}

function reliefParts({ action, prediction, risk, command }: Relief): Child {
  return element(
    'div',
    { class: 'relief' },
    element('p', {}, element('strong', {}, 'In minutes: '), action, prediction === '' ? null : `: ${prediction}`),
    risk === '' ? null : element('p', {}, `Risk: ${risk}`),
    commandOf(command),
  );
}

/** The change of the recommended strategy, as `fix` prints it; of the report as it came, since manifests hold its names. */
export function changeSection(report: SkewReport): readonly Child[] {
  const fix = planFix(report, { strategy: null, language: null, mesh: null });
  if (!fix.ok || fix.value.steps.length === 0) return [];
  const safe = sanitiseAll(fix.value);
  return [
    element('p', {}, `${safe.title}. Printed, not applied.`),
    list(safe.notes),
    facts(safe.options.map(({ title, texts }) => [title, texts])),
    steps('Steps, in this order', safe.steps),
    manifests(fix.value),
    more('The way back', steps('Undo', safe.undo)),
    steps('Proof', safe.proof),
  ];
}

function manifests(fix: Fix): Child {
  if (fix.manifests.length === 0) return null;
  return more('The manifests', element('pre', {}, element('code', {}, renderManifests(fix))));
}

function steps(title: string, all: readonly Step[]): Child {
  if (all.length === 0) return null;
  return [
    element('h3', {}, title),
    element(
      'ol',
      {},
      all.map(({ text, command }) => element('li', {}, text, commandOf(command))),
    ),
  ];
}

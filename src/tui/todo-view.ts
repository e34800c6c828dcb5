import { command, labelled, labelledList } from '../render/lines.ts';
import { pods as podsText } from '../render/numbers.ts';
import { rangeText } from '../render/strategies.ts';
import { padEnd } from '../render/text.ts';
import type { SkewReport, StrategyAnswer } from '../report/schema.ts';
import type { WatchState } from '../watch/state.ts';
import type { Line } from './line.ts';
import { type Look, screenOf } from './look.ts';
import { heading, indented } from './why-view.ts';

/** The third screen: the answer, what helps now, the five strategies; toggles change the answer at once. */
export function todoLines(report: SkewReport, state: WatchState, look: Look): Line[] {
  const { recommendation, relief, avoid } = report.status;
  const { paint } = look.screen;
  const screen = screenOf(look, Math.min(look.columns - 2, 112));
  const said =
    state.clients === 'inferred' ? `${recommendation.ownership}, ${recommendation.ownershipBasis}` : state.clients;
  return [
    ...indented([
      ...labelled(screen, {
        label: 'fix',
        labelTone: 'strong',
        text: recommendation.text,
        tone: 'strong',
        right: { text: `rule ${recommendation.rule}`, tone: 'dim' },
      }),
      ...labelledList(screen, 'first', recommendation.first, 'strong'),
      ...labelledList(screen, 'because', recommendation.because),
    ]),
    { text: '' },
    ...indented([
      ...labelled(screen, { label: 'w  clients', labelTone: 'strong', text: said }),
      ...labelled(screen, {
        label: 'l  language',
        labelTone: 'strong',
        text: state.language === 'unknown' ? 'not said' : state.language,
      }),
    ]),
    { text: '' },
    ...indented([
      ...relief.flatMap((one) => [
        ...labelled(screen, { label: 'relief', text: `${one.action}: ${one.prediction}` }),
        ...(one.command === null ? [] : command(screen, one.command)),
        ...labelled(screen, { label: '', text: `risk: ${one.risk}` }),
      ]),
      ...labelledList(screen, 'avoid', avoid),
    ]),
    ...(relief.length + avoid.length > 0 ? [{ text: '' }] : []),
    heading(`${padEnd('STRATEGY', 24)}${padEnd('PODS USED', 18)}${padEnd('A NEW POD GETS TRAFFIC', 44)}`, look),
    ...recommendation.strategies.map(
      (strategy): Line => ({ text: strategyRow(strategy, report, look), item: { kind: 'strategy', id: strategy.id } }),
    ),
    {
      text: paint(
        'dim',
        `  enter shows what speaks for and against the chosen one, what it presupposes and what it costs`,
      ),
    },
  ];
}

function strategyRow(strategy: StrategyAnswer, report: SkewReport, look: Look): string {
  const { recommendation, skew } = report.status;
  const { paint } = look.screen;
  const { prediction } = strategy;
  const range =
    prediction.effectivePodsRange === null || prediction.effectivePods === skew?.pods
      ? ''
      : ` (${rangeText(look.screen, prediction.effectivePodsRange)})`;
  const used =
    prediction.effectivePods === null
      ? 'not known'
      : `${podsText(prediction.effectivePods)} of ${skew?.pods ?? '?'}${range}`;
  const roles = [
    strategy.id === recommendation.strategy ? paint('good', `${recommendation.action} this`) : '',
    strategy.id === recommendation.alternative ? 'or this' : '',
    strategy.id === recommendation.current ? paint('dim', 'in place') : '',
  ].filter((role) => role !== '');
  const name = padEnd(strategy.id, 24);
  return `${strategy.id === recommendation.strategy ? paint('strong', name) : name}${padEnd(used, 18)}${padEnd(prediction.newPod, 44)}${roles.join(', ')}`;
}

/** What to do: the strategy and its reasons, what helps in minutes, what to leave alone. */
import type { Recommendation, Relief } from '../report/advice.ts';
import type { SkewReport } from '../report/schema.ts';
import { command, type Line, labelled, labelledList, type Screen } from './lines.ts';
import { predictedPods } from './strategies.ts';

const reasonsAtMost = 2;
const reliefAtMost = 1;

export function adviceLines(screen: Screen, report: SkewReport, wide: boolean): string[] {
  const { recommendation, relief, avoid } = report.status;
  const because = wide ? recommendation.because : recommendation.because.slice(0, reasonsAtMost);
  return [
    ...strategyLine(screen, report),
    ...(wide ? inShort(screen, report) : []),
    ...firstLines(screen, recommendation),
    ...labelledList(screen, 'because', because),
    ...alternativeLine(screen, report),
    ...(wide ? ownershipLines(screen, recommendation) : []),
    ...(wide ? relief : relief.slice(0, reliefAtMost)).flatMap((one) => reliefLines(screen, one)),
    ...labelledList(screen, 'avoid', avoid),
  ];
}

/** What to do before anything else, each with the command that shows more of it. */
export function firstLines(
  screen: Screen,
  { first, commands = [] }: Pick<Recommendation, 'first' | 'commands'>,
): string[] {
  return labelledList(screen, 'first', first, 'strong', (at) => commands[at] ?? null);
}

function strategyLine(screen: Screen, report: SkewReport): string[] {
  const { strategy, action, current } = report.status.recommendation;
  const instead = strategy === current ? '' : ` (now ${current})`;
  return labelled(screen, {
    label: 'strategy',
    text: `${action} ${strategy}${instead}`,
    tone: 'strong',
    ...predicted(screen, report, strategy),
  });
}

function alternativeLine(screen: Screen, report: SkewReport): string[] {
  const { alternative } = report.status.recommendation;
  return alternative === null
    ? []
    : labelled(screen, { label: 'or', text: alternative, ...predicted(screen, report, alternative) });
}

/** At the right edge. */
function predicted({ signs }: Screen, report: SkewReport, strategy: string): Pick<Line, 'right'> {
  const text = predictedPods(report, strategy, signs.arrow);
  return text === '' ? {} : { right: { text, tone: 'dim' } };
}

/** The headline says it already where it is the same. */
function inShort(screen: Screen, report: SkewReport): string[] {
  const { text, rule } = report.status.recommendation;
  const why = `decided by rule ${rule}`;
  return labelled(screen, {
    label: '',
    text: text === '' || text === report.status.headline.fix ? why : `${text} (${why})`,
  });
}

function ownershipLines(screen: Screen, recommendation: Recommendation): string[] {
  const { ownership, ownershipBasis } = recommendation;
  const basis = ownershipBasis === '' ? '' : `: ${ownershipBasis}`;
  return labelled(screen, { label: 'clients', text: ownership + basis });
}

function reliefLines(screen: Screen, relief: Relief): string[] {
  const risk = relief.risk === '' ? '' : ` ${screen.signs.dot} risk: ${relief.risk}`;
  const effect = relief.prediction === '' ? '' : ` ${screen.signs.dot} ${relief.prediction}`;
  return [
    ...labelled(screen, { label: 'relief', text: `${relief.action}${effect}${risk}` }),
    ...(relief.command?.trim() ? command(screen, relief.command) : []),
  ];
}

/** The report for a ticket: `-o markdown`, and what `y` in the live view copies. */

import type { Relief } from '../report/advice.ts';
import { carrying } from '../report/carried.ts';
import { diagnoseCommand } from '../report/command.ts';
import type { SkewReport } from '../report/schema.ts';
import { countOf } from '../report/words.ts';
import { causeEntry } from './causes.ts';
import { podColumns } from './columns.ts';
import { comparisonWords } from './comparison.ts';
import { stateLabel } from './headline.ts';
import { cell, code, prose } from './markup.ts';
import { measuredTexts } from './measured.ts';
import * as numbers from './numbers.ts';
import { choosePods } from './pods.ts';
import { sanitise, sanitiseAll } from './sanitise.ts';
import type { Entry } from './section.ts';
import { predictedPods } from './strategies.ts';
import { warningsOf } from './warnings.ts';

/** Above so many pods, those that matter: the hottest, those in trouble, a few idle ones. */
const mostPods = 20;

/** A whole incident note: what, since when, why with the evidence, pods, what to do, what was not seen, how to repeat it. */
export function renderMarkdown(report: SkewReport): string {
  const safe = sanitiseAll(report, sanitise);
  const { status } = safe;
  return joined([
    headlineLines(safe),
    section('Compared with the baseline', comparisonLines(safe)),
    section('Why', status.causes.map(causeEntry).flatMap(causeLines)),
    section('Pods', podLines(safe)),
    section('What to do', adviceLines(safe)),
    section(
      'What happened',
      status.timeline.map(({ time, text }) => `* ${prose(numbers.clock(time))}: ${prose(text)}`),
    ),
    section(
      'Warnings',
      warningsOf(safe).map(({ id, text }) => `* **${prose(id)}**: ${prose(text)}`),
    ),
    section(
      'Not seen',
      status.headline.notSeen.map((text) => `* ${prose(text)}`),
    ),
    section('How it was measured', [
      ...measuredTexts(safe).map((text) => `* ${prose(text)}`),
      ...toolLines(safe.metadata.toolVersion, diagnoseCommand(report)),
    ]),
  ]);
}

/** What gave the report, and the command that gives it again. */
function toolLines(version: string, command: string | null): string[] {
  const tool = `* grpc-skew ${prose(version)}`;
  // Indented: no line of a code block can end it.
  return command === null ? [tool] : [`${tool}; to look again:`, '', `      ${command}`];
}

function joined(parts: readonly (readonly string[])[]): string {
  return `${parts
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [`## ${title}`, '', ...lines];
}

function headlineLines({ metadata, spec, status }: SkewReport): string[] {
  const { verdict, headline, impact } = status;
  const port = spec.port === null ? '' : ` :${spec.port.port}`;
  const location = [metadata.context, metadata.namespace].filter((name) => name !== null).join(' / ');
  const confidence = verdict.state === 'unknown' ? '' : ` (${verdict.confidence})`;
  const rows: readonly (readonly [string, string | null])[] = [
    ['settle it', verdict.settledBy],
    ['compared', status.comparison === undefined ? null : `${status.comparison.result}: ${status.comparison.text}`],
    ['impact', impact.text],
    ['since', headline.since],
    ['why', headline.whyConfidence === null ? headline.why : `${headline.why} (${headline.whyConfidence})`],
    ['now', headline.now],
    ['fix', headline.fix],
    ['not seen', headline.notSeen.join('; ')],
  ];
  return [
    `**${stateLabel({ status })}** — ${prose(verdict.summary)}${confidence}`,
    '',
    `${code(`${location} / svc/${metadata.name}${port}`)}, ${prose(numbers.clock(metadata.generatedAt))}`,
    '',
    ...rows.flatMap(([label, text]) => (text ? [`* **${label}**: ${prose(text)}`] : [])),
  ];
}

function comparisonLines({ status }: SkewReport): string[] {
  const { comparison } = status;
  if (comparison === undefined) return [];
  const { before, after, result, text, basis, notes, settledBy } = comparison;
  return [
    `* **${result}**: ${prose(text)}`,
    `* before: ${prose(comparisonWords(before, basis, '–').join(', '))}`,
    `* after: ${prose(comparisonWords(after, basis, '–').join(', '))}`,
    ...notes.map((note) => `* ${prose(note)}`),
    ...(settledBy === null ? [] : [`* settle it: ${prose(settledBy)}`]),
  ];
}

function causeLines({ id, right, text, facts }: Entry): string[] {
  return [
    `* **${id}** (${right?.text}): ${prose(text)}`,
    ...facts.flatMap(([label, texts]) => texts.map((line) => `  * ${label}: ${prose(line)}`)),
  ];
}

/** The columns of the table, but for those in which nothing is known. */
function podLines({ status }: SkewReport): string[] {
  const pods = carrying(status.pods);
  if (pods.length === 0) return [];
  const { shown, folded } = pods.length <= mostPods ? { shown: pods, folded: [] } : choosePods(pods);
  const columns = podColumns(shown, 'note');
  const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [
    row(columns.map(({ head }) => head)),
    row(columns.map(({ align }) => (align === 'right' ? '---:' : '---'))),
    ...shown.map((pod) => row(columns.map((column) => cell(column.cell(pod))))),
    ...(folded.length > 0 ? ['', `and ${countOf(folded.length, 'pod', 'pods')} more`] : []),
  ];
}

function adviceLines(report: SkewReport): string[] {
  const { recommendation, relief, avoid } = report.status;
  const { strategy, action, current, first, commands = [], because, alternative, strategies } = recommendation;
  const predicted = (id: string) => {
    const pods = predictedPods(report, id, '→');
    return pods === '' ? '' : `; predicted: ${pods} used`;
  };
  const missing = strategies
    .find((one) => one.id === strategy)
    ?.preconditions.filter((one) => one.status !== 'met' && action !== 'keep');
  return [
    ...first.flatMap((text, at) => [`* first: ${prose(text)}`, ...commandLines(commands[at])]),
    `* **${action} ${strategy}**${strategy === current ? '' : ` (now ${current})`}${predicted(strategy)}`,
    ...because.map((text) => `  * because ${prose(text)}`),
    ...(missing ?? []).map(
      ({ text, status: state }) => `  * ${state === 'failed' ? 'not met' : 'not known'}: ${prose(text)}`,
    ),
    ...(alternative === null ? [] : [`* or **${alternative}**${predicted(alternative)}`]),
    ...relief.flatMap(reliefLines),
    ...avoid.map((text) => `* avoid: ${prose(text)}`),
  ];
}

function reliefLines({ action, prediction, risk, command }: Relief): string[] {
  return [
    `* relief: ${prose(action)}: ${prose(prediction)}`,
    ...(risk === '' ? [] : [`  * risk: ${prose(risk)}`]),
    ...commandLines(command),
  ];
}

function commandLines(command: string | null | undefined): string[] {
  return command ? [`  * ${code(command)}`] : [];
}

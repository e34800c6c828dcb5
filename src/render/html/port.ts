/** What is said of one port of the Service. */
import { diagnoseCommand } from '../../report/command.ts';
import type { SkewReport } from '../../report/schema.ts';
import { plural } from '../../report/words.ts';
import { causeEntry } from '../causes.ts';
import { comparisonWords } from '../comparison.ts';
import { headlineEntries, severityTone } from '../headline.ts';
import { measuredTexts } from '../measured.ts';
import { notSeenOf } from '../not-seen.ts';
import * as numbers from '../numbers.ts';
import { pathEntries } from '../path.ts';
import { probeColumns } from '../probes.ts';
import { warningsOf } from '../warnings.ts';
import { distributionColumns, signalEntries } from '../wide.ts';
import { adviceSection, changeSection } from './advice.ts';
import { clientSection } from './clients.ts';
import { type Child, element, type Markup } from './element.ts';
import { historySection } from './history.ts';
import { commandOf, entry, list, more, pairs, screen, section } from './parts.ts';
import { podStrip, podTables } from './pods.ts';
import { table } from './table.ts';

/** `safe` is the report with all its strings fit to be shown; of the one that came only the change is made. */
export function portArticle(came: SkewReport, safe: SkewReport): Markup {
  const { status } = safe;
  return element(
    'article',
    { id: portId(safe), class: severityTone(status) },
    head(safe),
    verdict(safe),
    section('Pods', podTables(safe)),
    section(
      'Why',
      status.causes.map((cause) => entry(causeEntry(cause))),
    ),
    section('Who is connected where', clientSection(safe)),
    section('What to do', adviceSection(safe)),
    section('The change', changeSection(came)),
    section('What happened', historySection(safe)),
    section('What could not be seen', notSeen(safe)),
    section('How it was measured', measured(safe)),
  );
}

export const portName = ({ spec: { port } }: SkewReport) =>
  port === null ? 'no port' : [`:${port.port}`, ...(port.name === null ? [] : [port.name])].join(' ');

export const portId = ({ spec: { port } }: SkewReport) => `port-${port?.port ?? 'none'}`;

function head(report: SkewReport): Markup {
  const { metadata, spec } = report;
  const at = [metadata.context, metadata.namespace].filter((name) => name !== null);
  return element(
    'header',
    {},
    element(
      'p',
      { class: 'where' },
      at.map((name, index) => [index === 0 ? null : ' / ', element('bdi', {}, name)]),
    ),
    element('h1', {}, `svc/${metadata.name} `, element('span', {}, portName(report))),
    element(
      'p',
      { class: 'when' },
      element('time', { datetime: metadata.generatedAt }, numbers.clock(metadata.generatedAt)),
    ),
    spec.portNote === null ? null : element('p', { class: 'note' }, spec.portNote),
  );
}

function verdict(report: SkewReport): Markup {
  const [state, ...lines] = headlineEntries(report);
  const warnings = warningsOf(report).map(({ id, text }) => [element('code', {}, id), ` ${text}`]);
  return element(
    'section',
    { class: 'verdict' },
    element(
      'p',
      { class: 'state' },
      element('strong', {}, state?.label ?? ''),
      ' ',
      element('span', { class: 'word' }, state?.right?.text ?? ''),
    ),
    element('p', { class: 'summary' }, state?.text ?? ''),
    figures(report),
    podStrip(report),
    pairs(lines, 'headline'),
    comparison(report),
    warnings.length === 0 ? null : element('div', { class: 'warnings' }, element('h2', {}, 'Warnings'), list(warnings)),
  );
}

/** What is read from afar. */
function figures({ status: { skew } }: SkewReport): Child {
  if (skew === null || skew.effectivePods === null) return null;
  const figure = (value: string, words: string) => element('li', {}, element('strong', {}, value), ` ${words}`);
  return element(
    'ul',
    { class: 'figures' },
    figure(numbers.pods(skew.effectivePods), `of ${plural(skew.pods, 'pod')} used`),
    figure(`${numbers.factor(skew.peakToMean)}×`, 'a fair share at the hottest'),
    figure(String(skew.idlePods), skew.idlePods === 1 ? 'pod idle' : 'pods idle'),
  );
}

function comparison({ status }: SkewReport): Child {
  if (status.comparison === undefined) return null;
  const { before, after, basis, notes, settledBy } = status.comparison;
  return pairs(
    [
      { label: 'before', text: comparisonWords(before, basis, '–').join(' · ') },
      { label: 'after', text: comparisonWords(after, basis, '–').join(' · ') },
      ...notes.map((text) => ({ label: 'note', text })),
      ...(settledBy === null ? [] : [{ label: 'settle it', text: settledBy }]),
    ],
    'headline',
  );
}

function notSeen(report: SkewReport): Child {
  const { texts, rights } = notSeenOf([report]);
  return texts.length === 0
    ? null
    : [
        list(texts),
        rights === null ? null : [element('p', {}, 'The least Role for what is missing:'), commandOf(rights)],
      ];
}

function measured(report: SkewReport): Child {
  const { status, metadata } = report;
  const again = diagnoseCommand(report);
  return [
    element('p', {}, [...measuredTexts(report), `grpc-skew ${metadata.toolVersion}`].join(' · ')),
    again === null ? null : [element('p', {}, 'To look again:'), commandOf(again)],
    more('The path from client to pod', pairs(pathEntries(report))),
    status.probes.length === 0 ? null : more('Probes', table('Probes', probeColumns(status.probes), status.probes)),
    status.distributions.length === 0
      ? null
      : more('Figures by each measure', table('Figures by each measure', distributionColumns, status.distributions)),
    more('All looks', pairs(signalEntries(screen, report))),
  ];
}

import { explain } from '../explain/explain.ts';
import { podColumns } from '../render/columns.ts';
import { explanationLines } from '../render/explain.ts';
import { headlineEntries, impactWords } from '../render/headline.ts';
import { labelled, type Screen } from '../render/lines.ts';
import { toAscii } from '../render/sanitise.ts';
import { itemLabel, liveScanColumns } from '../render/scan.ts';
import type { ScanItem } from '../report/scan.ts';
import type { ReportPod, SkewReport } from '../report/schema.ts';
import type { Item } from '../watch/state.ts';
import { type Canvas, margin, screenOf } from './canvas.ts';
import { type Line, plainLines } from './line.ts';
import { clientKey } from './why-view.ts';

/** A word of the screen, with what stands there of it. */
type Word = readonly [word: string, value?: string];

/** What a line says, in the words of `explain`: its own, then those of the verdict. */
export function explainLines(item: Item, report: SkewReport, canvas: Canvas): Line[] {
  const screen = screenOf(canvas, Math.min(canvas.columns - margin.length, widest));
  const entries = headlineEntries(report);
  return sheetOf(canvas, [
    ...ownLines(item, report, screen),
    '',
    screen.paint('strong', 'THE VERDICT'),
    ...wordLines(
      screen,
      entries.flatMap(({ label, right }): Word[] => [[label], ...(right === undefined ? [] : [[right.text] as const])]),
    ),
  ]);
}

/** The words of a line alone. */
export function ownWords(item: Item, report: SkewReport, canvas: Canvas): Line[] {
  return sheetOf(canvas, ownLines(item, report, screenOf(canvas, Math.min(canvas.columns - margin.length, widest))));
}

/** What a line of the list of Services says. */
export function explainService(item: ScanItem, canvas: Canvas): Line[] {
  const screen = screenOf(canvas, Math.min(canvas.columns - margin.length, widest));
  const columns = liveScanColumns(false)
    .slice(1)
    .map(({ head, align, cell }): Word => [head, align === 'right' ? cell(item) : '']);
  return sheetOf(canvas, [
    screen.paint('strong', `${item.namespace}/${item.name}:${item.port.port}`),
    ...wordLines(screen, [
      ...[itemLabel(item), impactWords[item.impact.level].text, item.confidence].map((word): Word => [word]),
      ...(item.basis === null ? [] : [['BY', item.basis] as const]),
      ...columns,
    ]),
    ...(item.cause === null ? [] : ['', ...wholeLines(screen, item.cause)]),
  ]);
}

/** Longer lines are hard to read. */
const widest = 110;

function sheetOf(canvas: Canvas, lines: readonly string[]): Line[] {
  const shown = canvas.unicode ? lines : lines.map(toAscii);
  return plainLines(['', ...shown.map((line) => margin + line)]);
}

function ownLines(item: Item, report: SkewReport, screen: Screen): string[] {
  const { status } = report;
  const titled = (title: string, lines: readonly string[]) => [screen.paint('strong', title), ...lines];
  switch (item.kind) {
    case 'pod': {
      const pod = status.pods.find(({ name }) => name === item.name);
      return titled(
        item.name,
        pod === undefined ? ['it is no longer there'] : wordLines(screen, podWords(pod, report)),
      );
    }
    case 'idle':
      return wholeLines(screen, 'idle');
    case 'cause': {
      const cause = status.causes.find(({ id }) => id === item.id);
      return [...wholeLines(screen, item.id), ...wordLines(screen, cause === undefined ? [] : [[cause.confidence]])];
    }
    case 'client': {
      const client = status.clients.find((one) => clientKey(one) === item.key);
      const heads: readonly Word[] = [['CLIENT'], ['CLIENT PODS'], ['CONN'], ['SHARE'], ['PER POD']];
      return titled(client?.workload ?? item.key, wordLines(screen, heads));
    }
    case 'strategy': {
      const { strategy, action, rule } = status.recommendation;
      const chosen: readonly Word[] = strategy === item.id ? [[action], [`rule ${rule}`]] : [];
      const words: readonly Word[] = [['needs'], ['for'], ['new pods'], ['costs'], ['relief'], ['avoid']];
      return [...wholeLines(screen, item.id), '', ...wordLines(screen, [...chosen, ...words])];
    }
  }
}

/** Its marks, as they stand there, then the heads of its figures. */
function podWords(pod: ReportPod, { status }: SkewReport): Word[] {
  const columns = podColumns(status.pods, 'live');
  const marks = columns.find(({ id }) => id === 'marks')?.cell(pod) ?? '';
  // A name, or all marks, would leave no room for what they mean.
  const figures = columns.map(({ head, align, cell }): Word => [head, align === 'right' ? cell(pod) : '']);
  return [...marks.split(' ').map((mark): Word => [mark]), ...figures, ['×FAIR'], ['TREND']];
}

/** All that `explain` prints of it. */
function wholeLines(screen: Screen, word: string): string[] {
  const found = explain(word);
  return found === null ? [] : explanationLines(screen, found);
}

/** A word a line, each once; those that nothing is known of are left out. */
function wordLines(screen: Screen, words: readonly Word[]): string[] {
  const seen = new Set<string>();
  return words.flatMap(([word, value]) => {
    const found = word === '' ? null : explain(word);
    if (found === null || seen.has(found.id)) return [];
    seen.add(found.id);
    const means = found.sections.flatMap(({ name, texts }) => (name === 'means' ? texts : []));
    return labelled(screen, {
      label: word,
      labelTone: 'strong',
      text: [found.title, ...means].join('; '),
      ...(value ? { right: { text: value, tone: 'dim' } } : {}),
    });
  });
}

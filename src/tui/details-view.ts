import { maxOf } from '../figures/extremes.ts';
import { planFix } from '../fix/fix.ts';
import { causeEntry } from '../render/causes.ts';
import { changeLines } from '../render/fix.ts';
import { behindMargin, command, labelled } from '../render/lines.ts';
import { amount, bytes, duration, factor, millicores, notKnown, share } from '../render/numbers.ts';
import { dialsText } from '../render/path.ts';
import { type Facts, factLines } from '../render/section.ts';
import { rangeText, strategyEntry } from '../render/strategies.ts';
import type { StrategyAnswer } from '../report/advice.ts';
import { fairSharesOf, loadsOf } from '../report/carried.ts';
import { diagnoseCommand } from '../report/command.ts';
import type { LanguageId } from '../report/ids.ts';
import type { ReportPod, SkewReport } from '../report/schema.ts';
import { plural } from '../report/words.ts';
import type { Thing } from '../watch/state.ts';
import { type Canvas, margin, screenOf } from './canvas.ts';
import { type Line, plainLines } from './line.ts';
import { level } from './strip.ts';
import { clientKey } from './why-view.ts';

/** All that the report knows of one pod, cause, client or strategy: names in full. */
export function detailLines(
  item: Thing,
  report: SkewReport,
  canvas: Canvas,
  language: LanguageId | null = null,
): Line[] {
  const { status } = report;
  const gone = plainLines(['', '  it is no longer there']);
  switch (item.kind) {
    case 'pod': {
      const pod = status.pods.find((entry) => entry.name === item.name);
      return pod === undefined ? gone : podDetails(pod, report, canvas);
    }
    case 'cause': {
      const cause = status.causes.find((entry) => entry.id === item.id);
      if (cause === undefined) return gone;
      const { id, title, text, facts } = causeEntry(cause);
      return sheet(canvas, title, [['id', [id]], ['confidence', [cause.confidence]], ['why', [text]], ...facts]);
    }
    case 'client': {
      const client = status.clients.find((entry) => clientKey(entry) === item.key);
      if (client === undefined) return gone;
      return sheet(canvas, client.workload, [
        ['namespace', [client.namespace ?? notKnown]],
        ['team', client.team === null ? [] : [client.team]],
        ['client pods', [String(client.pods)]],
        ['connections', [`${client.connections}, to ${plural(client.podsReached, 'pod')}`]],
        ['load', [share(client.loadShare)]],
        ['kind', [client.kind]],
        ['dials', dialsText(client) === '' ? [] : [dialsText(client)]],
        ['runtime', client.runtime === null ? [] : [client.runtime]],
        ['per pod', client.perPod.map((entry) => `${entry.pod}: ${entry.connections}`)],
      ]);
    }
    case 'strategy': {
      const strategy = status.recommendation.strategies.find((entry) => entry.id === item.id);
      return strategy === undefined
        ? gone
        : [...strategyDetails(strategy, report, canvas), ...fixOf(strategy, report, canvas, language)];
    }
  }
}

function sheet(canvas: Canvas, title: string, facts: Facts): Line[] {
  const screen = screenOf(canvas, Math.min(canvas.columns - 2, 112));
  const lines = [
    ...labelled(screen, { label: '', text: title, tone: 'strong' }).map((line) => line.trimStart()),
    '',
    ...factLines(screen, facts),
  ];
  return plainLines(lines.map((line) => `  ${line}`));
}

function podDetails(pod: ReportPod, report: SkewReport, canvas: Canvas): Line[] {
  const holders = report.status.clients.flatMap((client) => {
    const held = client.perPod.find((entry) => entry.pod === pod.name)?.connections ?? 0;
    return held === 0
      ? []
      : [`${client.workload}${client.namespace === null ? '' : ` (${client.namespace})`}: ${held}`];
  });
  const { connections, bytes: ofBytes, calls, cpu } = pod.shares;
  const shares = known(
    [
      [connections, (text) => `connections ${text}`],
      [ofBytes, (text) => `bytes ${text}`],
      [calls, (text) => `calls ${text}`],
      [cpu, (text) => `CPU ${text}`],
    ],
    share,
  );
  const carried = known(
    [
      [pod.bytesPerSecond, (text) => `${text} a second`],
      [pod.bytesTotal, (text) => `${text} over the life of its connections`],
    ],
    amount,
  );
  const of = (value: number | null, limit: number | null) =>
    value === null || limit === null || limit === 0 ? '' : ` (${share(value / limit)})`;
  return sheet(canvas, pod.name, [
    ['load', [loadText(pod, report)]],
    ['last hour', pastTexts(pod, canvas)],
    ['shares', [shares.length === 0 ? notKnown : shares.join(', ')]],
    ['connections', [amount(pod.connections)]],
    ['from', holders],
    ['calls', pod.callsPerSecond === null ? [] : [`${amount(pod.callsPerSecond)} a second`]],
    [
      'receives',
      pod.receivedPerSecond === null ? [] : [`${amount(pod.receivedPerSecond)} bytes a second, all its traffic`],
    ],
    ['bytes', [carried.length === 0 ? notKnown : carried.join(', ')]],
    [
      'CPU',
      [
        `${millicores(pod.cpuMillicores)} of ${millicores(pod.cpuLimitMillicores)}${of(pod.cpuMillicores, pod.cpuLimitMillicores)}`,
        ...(pod.throttledShare === null
          ? []
          : [pod.throttledShare === 0 ? 'not throttled' : `throttled in ${share(pod.throttledShare)} of its periods`]),
      ],
    ],
    [
      'memory',
      [`${bytes(pod.memoryBytes)} of ${bytes(pod.memoryLimitBytes)}${of(pod.memoryBytes, pod.memoryLimitBytes)}`],
    ],
    ['node', [`${pod.node ?? notKnown}${pod.zone === null ? '' : `, zone ${pod.zone}`}`]],
    ['age', [duration(pod.ageSeconds)]],
    ['Ready', [pod.ready === null ? notKnown : pod.ready ? `for ${duration(pod.readySeconds)}` : 'no']],
    ['endpoint', [pod.endpoint ? 'yes' : 'no: it gets no new connections']],
    ['restarts', [String(pod.restarts)]],
    ['marks', pod.marks.length === 0 ? [] : [pod.marks.join(' ')]],
    ['not seen', pod.notSeen === null ? [] : [pod.notSeen]],
  ]);
}

/** `▁▁▁▃███████ 0.3× → 5.0× an even share`: nothing where no Prometheus told of it. */
function pastTexts({ past = [] }: ReportPod, { screen, plain }: Canvas): string[] {
  const known = past.filter((value) => value !== null);
  const [first, last] = [known[0], known.at(-1)];
  if (first === undefined || last === undefined) return [];
  const { signs } = screen;
  const most = maxOf(known, 1);
  const cells = past.map((value) => (value === null ? ' ' : level(value / most, signs))).join('');
  const words = `${factor(first)}${signs.times} ${signs.arrow} ${factor(last)}${signs.times} an even share`;
  return [plain ? words : `${cells.trimStart()} ${words}`];
}

function loadText(pod: ReportPod, report: SkewReport): string {
  const { pods } = report.status;
  const carried = share(loadsOf(pods).get(pod) ?? null);
  if (!pod.endpoint && carried !== notKnown)
    return `${carried} of what all pods carry, though it is outside the endpoints`;
  return `${carried}, a fair share is ${share(fairSharesOf(pods).get(pod) ?? null)}`;
}

/** In words, those of the figures that are known. */
function known(
  figures: readonly (readonly [value: number | null, words: (text: string) => string])[],
  format: (value: number | null) => string,
): string[] {
  return figures.flatMap(([value, words]) => (value === null ? [] : [words(format(value))]));
}

function strategyDetails(strategy: StrategyAnswer, report: SkewReport, canvas: Canvas): Line[] {
  const { effectivePods, effectivePodsRange } = strategy.prediction;
  const used =
    effectivePods === null
      ? 'not known'
      : `${rangeText(canvas.screen, effectivePodsRange ?? [effectivePods, effectivePods])} of ${report.status.skew?.pods ?? '?'} pods`;
  const { id, title, facts } = strategyEntry(strategy, [used]);
  return sheet(canvas, `${title} (${id})`, facts);
}

/** Its change for this Service, ready to use: what `fix` prints. */
function fixOf(strategy: StrategyAnswer, report: SkewReport, canvas: Canvas, language: LanguageId | null): Line[] {
  const answer = planFix(report, { strategy: strategy.id, language, mesh: null });
  if (!answer.ok || answer.value.steps.length === 0) return [];
  const screen = screenOf(canvas, Math.min(canvas.columns - 2, 112));
  const title = canvas.screen.paint('strong', 'THE CHANGE, printed and not applied; for a terminal of your own:');
  const printed = diagnoseCommand(
    report,
    ['--strategy', strategy.id, ...(language === null ? [] : ['--language', language])],
    ['fix', answer.value.service],
  );
  const lines = changeLines(screen, answer.value).map((line) => line.replaceAll('\t', '    '));
  return plainLines(behindMargin(['', title, ...(printed === null ? [] : command(screen, printed)), ...lines], margin));
}

/**
 * The report for a chat: `-o chat`. Slack, Teams and Mattermost share little: `*emphasis*`, `code` and blocks of code. So
 * there is no table, no escape and no list of theirs, and it is short enough for one message of each.
 */
import { diagnoseCommand } from '../report/command.ts';
import type { SkewReport } from '../report/schema.ts';
import { stateLabel } from './headline.ts';
import { screenFor } from './lines.ts';
import { notSeenOf } from './not-seen.ts';
import { clock } from './numbers.ts';
import { podLines } from './pods.ts';
import { sanitise, sanitiseAll } from './sanitise.ts';
import { painter, signs } from './style.ts';
import { cutMiddle } from './text.ts';
import { warningsOf } from './warnings.ts';

/** Slack takes 4000 characters; so many of a line, and of all commands, leave room for twelve pods. */
const most = { line: 200, commands: 700, warnings: 2 } as const;
/** A block of code is wrapped, and no longer a table, where it is wider than the window. */
const screen = screenFor({ columns: 72, paint: painter(false), signs: signs(true) });

export function renderChat(report: SkewReport): string {
  const safe = sanitiseAll(report, (text) => sanitise(text).trim());
  const { metadata, status } = safe;
  const { verdict, headline, impact, relief, recommendation } = status;
  const at = [metadata.context, metadata.namespace, `svc/${metadata.name}`].filter((name) => name !== null).join(' / ');
  const port = safe.spec.port === null ? '' : ` :${safe.spec.port.port}`;
  const { texts: unseen } = notSeenOf([safe]);
  const lines: readonly (readonly [string, string | null])[] = [
    ['settle it', verdict.settledBy],
    ['compared', status.comparison === undefined ? null : `${status.comparison.result}: ${status.comparison.text}`],
    ['impact', impact.text],
    ['since', headline.since],
    ['why', withConfidence(headline.why, headline.whyConfidence)],
    ['now', headline.now],
    ['fix', headline.fix],
    ...warningsOf(safe)
      .slice(0, most.warnings)
      .map(({ id, text }): readonly [string, string] => [`warning ${id}`, text]),
    ['not seen', unseen.length === 0 ? null : unseen.join('; ')],
  ];
  const summary = withConfidence(verdict.summary, verdict.state === 'unknown' ? null : verdict.confidence);
  // Of the reliefs one is enough: only what `now` says may be pasted by those who read no more than that.
  const helping = relief.filter(({ action }) => headline.now.includes(action)).map(({ command }) => command);
  const commands = [...(recommendation.commands ?? []), ...helping, diagnoseCommand(safe)];
  return [
    `*${stateLabel(safe)}* ${said(summary)}`,
    said(`in ${at}${port}, ${clock(metadata.generatedAt)}`),
    ...lines.flatMap(([label, text]) => (text ? [`${said(label)}: ${said(text)}`] : [])),
    ...block(podLines(screen, safe, false)),
    ...block(withinRoom(commands)),
    '',
  ].join('\n');
}

const withConfidence = (text: string, confidence: string | null) =>
  confidence === null || text === '' ? text : `${text} (${confidence})`;

/** What makes emphasis, a link, a mention, an emoji or a formula of a word. */
const calling = /[*_~`|[\]{}\\$^#@!]|:\/\/|www\.|mailto:|:[a-z+_-][\w+-]*:|&\w+;/i;

/** One line of words, with nothing in it but words: what would be more than that stands as code. */
function said(text: string): string {
  return cutMiddle(text, most.line, '…', 0)
    .split(' ')
    .map((word) => (calling.test(word) ? codeWord(word) : plain(word)))
    .join(' ');
}

/** As code, but for the comma or bracket that follows. */
function codeWord(word: string): string {
  const [, inner = '', after = ''] = /^(.*?)([,.;)]*)$/.exec(word) ?? [];
  return `\`${plain(inner)}\`${after}`;
}

/** Slack reads `<!here>` even in code, and no chat knows how to quote a backtick in it: both are written by what looks alike. */
function plain(text: string): string {
  return inBlock(text).replaceAll('`', 'ˋ');
}

/** A block ends with three backticks alone. */
function inBlock(text: string): string {
  return text.replaceAll('<', '‹').replaceAll('>', '›').replaceAll('```', 'ˋˋˋ');
}

/** Commands that can be pasted as they stand in a block, until there is no more room. */
function withinRoom(commands: readonly (string | null)[]): string[] {
  let room: number = most.commands;
  return [...new Set(commands)].flatMap((command) => {
    if (command === null || inBlock(command) !== command || command.length > room) return [];
    room -= command.length;
    return [command];
  });
}

function block(lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ['```', ...lines.map(inBlock), '```'];
}

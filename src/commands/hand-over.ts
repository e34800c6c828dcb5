/** What keys of the live view hand over: to the clipboard of the terminal, or to a file of the current folder. */
import { resolve } from 'node:path';
import type { SkewEvidence } from '../evidence/schema.ts';
import { writeEvidence } from '../evidence/write.ts';
import { writeOwn } from '../files/write.ts';
import { renderMarkdown } from '../render/markdown.ts';
import type { SkewReport } from '../report/schema.ts';
import type { Terminal } from '../tui/mount.tsx';
import { commandOfNow } from '../tui/now-command.ts';
import type { Host } from './host.ts';

/** What is said of it on the screen, and what still has to be said when the screen is given back. */
export interface HandedOver {
  readonly notice: string;
  readonly lasting?: string;
}

/** The note that `-o markdown` prints for the port that is shown. */
export async function copyNote(report: SkewReport | null, host: Host, terminal: Terminal): Promise<HandedOver> {
  if (report === null) return noVerdict;
  const text = renderMarkdown(report);
  return toClipboard(
    { text, what: 'the whole note', as: ' as markdown', file: fileOf(report, host, 'md') },
    host,
    terminal,
  );
}

/** The command of `now`, without an end of line: what is pasted is not run before somebody has read it. */
export async function copyCommand(report: SkewReport | null, host: Host, terminal: Terminal): Promise<HandedOver> {
  if (report === null) return noVerdict;
  const text = commandOfNow(report);
  if (text === null) return { notice: 'now has no command; f shows the change, c the commands behind the figures' };
  return toClipboard({ text, what: text, as: '', file: fileOf(report, host, 'sh') }, host, terminal);
}

export async function save(evidence: SkewEvidence | null, host: Host): Promise<HandedOver> {
  if (evidence === null) return { notice: 'nothing has been seen yet' };
  return keep(fileOf(evidence, host, 'json'), writeEvidence(evidence));
}

const noVerdict: HandedOver = { notice: 'there is no verdict to copy yet' };

interface Copied {
  readonly text: string;
  /** What is copied, and in which form, for the notice. */
  readonly what: string;
  readonly as: string;
  /** Where it goes if the terminal may not take it. */
  readonly file: string;
}

async function toClipboard({ text, what, as, file }: Copied, host: Host, { stdout }: Terminal): Promise<HandedOver> {
  if (takesNoClipboard(host.env)) return keep(file, text);
  stdout.write(`\u001b]52;c;${Buffer.from(text).toString('base64')}\u0007`);
  if (!isMultiplexed(host.env)) return { notice: `copied${as} to the clipboard of the terminal: ${what}` };
  const kept = await keep(file, text);
  return { ...kept, notice: `sent to the clipboard, and ${kept.notice}` };
}

/** Terminals that are known not to take OSC 52, the sequence that sets the clipboard. */
function takesNoClipboard(env: Host['env']): boolean {
  return env['TERM_PROGRAM'] === 'Apple_Terminal' || env['VTE_VERSION'] !== undefined || env['TERM'] === 'linux';
}

/** tmux and screen pass OSC 52 on only where they are set up to: nothing tells whether they did. */
function isMultiplexed(env: Host['env']): boolean {
  return env['TMUX'] !== undefined || env['STY'] !== undefined;
}

async function keep(file: string, text: string): Promise<HandedOver> {
  const error = await writeOwn(file, text);
  if (error !== null) return { notice: `could not save: ${error.message}` };
  const notice = `saved as ${resolve(file)}`;
  return { notice, lasting: notice };
}

function fileOf({ metadata }: SkewReport | SkewEvidence, host: Host, ending: string): string {
  const stamp = new Date(host.now()).toISOString().slice(0, 19).replaceAll(':', '').replace('T', '-');
  return `grpc-skew-${metadata.name}-${stamp}.${ending}`;
}

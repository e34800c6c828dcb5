import type { DiagnosisOptions } from '../cli/options.ts';
import type { Longer } from '../collect/host.ts';
import { longerWindow } from '../report/window.ts';
import { plural } from '../report/words.ts';
import type { Host } from './host.ts';

type Heard = Pick<DiagnosisOptions, 'output' | 'verbosity'>;

/** Commands in containers are audit events: how many there will be is said before they start. */
export function announceExecs(
  host: Host,
  options: Heard,
  command: string,
  { pods, samples }: { readonly pods: number; readonly samples: number },
): void {
  const execs = `about ${pods * samples} execs (--no-exec leaves them out)`;
  announce(host, options, `looking into ${plural(pods, 'pod')} with ${command}: ${execs}`);
}

/** Why it takes longer, and until when. */
export function announceLonger(
  host: Host,
  options: Heard & Pick<DiagnosisOptions, 'baseline'>,
  { elapsed, until, enough, execs }: Longer,
): void {
  const seconds = (value: number) => `${Math.round(value)}s`;
  const what = options.baseline === null ? 'do not settle the state' : 'do not settle it against the baseline';
  const cost = execs === 0 ? '' : `${plural(execs, 'more exec')}; `;
  announce(
    host,
    options,
    `${seconds(elapsed)} ${what}, ${longerWindow(enough)} may: looking again after ${seconds(until)} (${cost}--window N looks after N seconds alone)`,
  );
}

/** Only a document in a pipe, which a program reads, is made in silence. */
function announce(host: Host, { output, verbosity }: Heard, text: string): void {
  const isForPeople = output === null || output === 'table' || output === 'wide';
  if (verbosity > 0 || host.stdoutIsTerminal || isForPeople) host.stderr(`${text}\n`);
}

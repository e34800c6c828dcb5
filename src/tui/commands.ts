import { diagnoseCommand, kubectl } from '../report/command.ts';
import type { SkewReport } from '../report/schema.ts';
import type { Item, WatchState } from '../watch/state.ts';

/** A command that gives a figure by hand, and which figure that is. */
export interface HandCommand {
  readonly gives: string;
  readonly command: string;
}

/** The kubectl commands behind what is on the screen; those of the chosen pod first. Printed, never run. */
export function handCommands(state: WatchState, report: SkewReport, chosen: Item | null): HandCommand[] {
  const { name } = report.metadata;
  const command = (words: readonly string[], after: readonly string[] = []) => kubectl(report.metadata, words, after);
  const port = report.spec.port?.targetPort ?? report.spec.port?.port ?? null;
  const pod = chosen?.kind === 'pod' ? chosen.name : (report.status.pods[0]?.name ?? null);
  const ss = ['--', 'ss', '-tni', 'state', 'established', 'sport', '=', `:${port}`];
  const ofPod =
    pod === null || port === null
      ? []
      : [
          { gives: `the connections of ${pod}`, command: command(['exec', pod], ss) },
          { gives: `CPU and memory of ${pod}`, command: command(['top', 'pod', pod], ['--containers']) },
          { gives: `conditions, probes and restarts of ${pod}`, command: command(['describe', 'pod', pod]) },
        ];
  const slices = ['-l', `kubernetes.io/service-name=${name}`, '-o', 'wide'];
  const all = [
    ...(state.screen === 'what-to-do'
      ? report.status.relief.map(({ action, command }) => ({ gives: action, command }))
      : []),
    ...ofPod,
    { gives: 'who should get traffic', command: command(['get', 'endpointslices'], slices) },
    { gives: 'what the Service promises', command: command(['get', 'service', name], ['-o', 'yaml']) },
    { gives: 'scalings and failed probes', command: command(['get', 'events'], ['--sort-by=.lastTimestamp']) },
    { gives: 'this report, for a script', command: diagnoseCommand(report, ['-o', 'json']) },
  ];
  return all.flatMap(({ gives, command }) => (command === null ? [] : [{ gives, command }]));
}

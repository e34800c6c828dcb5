import type { SkewReport } from '../report/schema.ts';
import { shellWord } from '../report/words.ts';
import type { Item, WatchState } from '../watch/state.ts';

/** A command that gives a figure by hand, and which figure that is. */
export interface HandCommand {
  readonly gives: string;
  readonly command: string;
}

/** The kubectl commands behind what is on the screen; those of the chosen pod first. Printed, never run. */
export function handCommands(state: WatchState, report: SkewReport, chosen: Item | null): HandCommand[] {
  const { namespace, name } = report.metadata;
  const place = [
    `-n ${namespace}`,
    ...(report.metadata.context === null ? [] : [`--context ${shellWord(report.metadata.context)}`]),
  ].join(' ');
  const port = report.spec.port?.targetPort ?? report.spec.port?.port ?? null;
  const pod = chosen?.kind === 'pod' ? chosen.name : (report.status.pods[0]?.name ?? null);
  const ofPod =
    pod === null || port === null
      ? []
      : [
          {
            gives: `the connections of ${pod}`,
            command: `kubectl exec ${place} ${pod} -- ss -tni state established sport = :${port}`,
          },
          { gives: `CPU and memory of ${pod}`, command: `kubectl top pod ${place} ${pod} --containers` },
          { gives: `conditions, probes and restarts of ${pod}`, command: `kubectl describe pod ${place} ${pod}` },
        ];
  return [
    ...(state.screen === 'what-to-do'
      ? report.status.relief.flatMap((one) =>
          one.command === null ? [] : [{ gives: one.action, command: one.command }],
        )
      : []),
    ...ofPod,
    {
      gives: 'who should get traffic',
      command: `kubectl get endpointslices ${place} -l kubernetes.io/service-name=${name} -o wide`,
    },
    { gives: 'what the Service promises', command: `kubectl get service ${place} ${name} -o yaml` },
    { gives: 'scalings and failed probes', command: `kubectl get events ${place} --sort-by=.lastTimestamp` },
    { gives: 'this report, for a script', command: `kubectl grpc-skew ${name} ${place} -o json` },
  ];
}

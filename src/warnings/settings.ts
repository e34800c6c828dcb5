import type { Happening } from '../evidence/objects.ts';
import type { Facts } from '../facts/facts.ts';
import type { FoundWarning } from './warning.ts';

/** Settings that do something else than they seem to: the name of a port, and who sets the number of pods. */
export function doubtfulSettings(facts: Facts): FoundWarning[] {
  return [...grpclbPort(facts), ...flappingScale(facts)];
}

/** Some clients ask DNS for SRV records of _grpclb._tcp (gRFC A5); a headless Service with a port of that name answers. */
function grpclbPort({ service, headless }: Facts): FoundWarning[] {
  if (!headless || !service.ports.some((port) => port.name === 'grpclb')) return [];
  return [
    {
      id: 'grpclb-port',
      text: 'a port is named grpclb on a headless Service: gRPC clients that ask DNS for a look-aside balancer take the pods for one',
    },
  ];
}

type Scaled = Extract<Happening, { kind: 'scaled' }>;

/**
 * Two that both set the replicas (an autoscaler and a manifest, say) undo each other: the same step up and the same step
 * down, again and again. A rollout or its undoing takes each of its steps once.
 */
function flappingScale({ evidence, autoscalers }: Facts): FoundWarning[] {
  const scaled = (evidence.happenings ?? []).filter((entry): entry is Scaled => entry.kind === 'scaled');
  const groups = [...Map.groupBy(scaled, ({ replicaSet }) => replicaSet)].sort(([a], [b]) => (a < b ? -1 : 1));
  return groups.flatMap(([, steps]) => {
    const up = mostRepeated(steps.filter(({ from, to }) => from !== null && to > from));
    const down = mostRepeated(steps.filter(({ from, to }) => from !== null && to < from));
    if (up === null || down === null || up.times < 2 || down.times < 2) return [];
    const { workload, from, to } = up.step;
    const who = autoscalers.length > 0 ? 'do an autoscaler and a manifest both set the replicas?' : 'who sets them?';
    return [
      {
        id: 'scaling-flaps',
        text: `${workload.name} went from ${from ?? 0} to ${to} pods ${up.times} times and down again ${down.times} times: ${who} Each time new pods come without connections`,
      },
    ];
  });
}

/** The step that was taken most often. Events of one text are one, with a count; older ones may stand apart. */
function mostRepeated(steps: readonly Scaled[]): { readonly step: Scaled; readonly times: number } | null {
  const found = [...Map.groupBy(steps, ({ from, to }) => `${from} ${to}`).values()].map((same) => ({
    step: same[0],
    times: same.reduce((sum, { times }) => sum + (times ?? 1), 0),
  }));
  const [most] = found.sort((a, b) => b.times - a.times);
  return most?.step === undefined ? null : { step: most.step, times: most.times };
}

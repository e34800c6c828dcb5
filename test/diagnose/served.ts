/** What a relief does to the calls that are served, judged against the endpoints as they are. */
import type { Relief } from '../../src/report/advice.ts';
import type { SkewReport } from '../../src/report/schema.ts';

interface Edge {
  /** Pod of the client; with its workload where that is known. */
  readonly client: string;
  readonly workload: string;
  readonly server: string;
  /** Calls, bytes or connections: any measure, the same for all. */
  readonly weight: number;
}

export interface World {
  readonly edges: readonly Edge[];
  /** Who gets new connections. */
  readonly ready: ReadonlySet<string>;
  /** Who answers on the connections that it has, or gets. */
  readonly answers: (server: string) => boolean;
}

/** Weight that is served before and after a relief; null where it runs no command on pods or workloads. */
function servedBy({ command }: Relief, world: World): { readonly before: number; readonly after: number } | null {
  if (command === null) return null;
  const { edges, ready, answers } = world;
  const words = command.split(/ (?:&& )?/);
  const ends = /^kubectl delete pod (\S+)/.exec(command)?.[1];
  const isEnded = ({ client, workload, server }: Edge) =>
    ends === undefined ? words.includes(workload) : ends === server || ends === client;
  if (ends === undefined && !command.startsWith('kubectl rollout restart ')) throw new Error(`what is ${command}?`);
  // A client is there again at once and dials whoever is an endpoint; a server that is deleted is gone.
  const targets = [...ready].filter((name) => name !== ends);
  const answered = targets.length === 0 ? 0 : targets.filter(answers).length / targets.length;
  const before = edges.reduce((sum, edge) => sum + (answers(edge.server) ? edge.weight : 0), 0);
  const after = edges.reduce(
    (sum, edge) => sum + edge.weight * (isEnded(edge) ? answered : answers(edge.server) ? 1 : 0),
    0,
  );
  return { before, after };
}

/** The same world as far as a report tells of it: connections, by workload. */
function worldOf({ status }: SkewReport): World {
  return {
    edges: status.clients.flatMap(({ workload, perPod }) =>
      perPod.map(({ pod, connections }) => ({ client: '', workload, server: pod, weight: connections })),
    ),
    ready: new Set(status.pods.filter(({ endpoint }) => endpoint).map(({ name }) => name)),
    answers: () => true,
  };
}

/** Reliefs of a report after which less would be served. */
export function harmfulReliefs(report: SkewReport, world: World = worldOf(report)): readonly string[] {
  return report.status.relief.flatMap((relief) => {
    const served = servedBy(relief, world);
    return served === null || served.after >= served.before - 1e-9 ? [] : [`${relief.action}: ${relief.command}`];
  });
}

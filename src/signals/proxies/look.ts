import type { Pod } from '../../evidence/objects.ts';
import type { CiliumAgent, ControlPlane } from '../../evidence/path-schema.ts';
import type { SignalState, SkewEvidence } from '../../evidence/schema.ts';
import type { KubeError } from '../../kube/types.ts';
import { askMetrics } from '../calls/ask.ts';
import { endsTheRound, failureReason } from '../connections/ask.ts';
import { withExecsElsewhere } from '../connections/look.ts';
import { type ExecHost, lookedAtOf, type SignalHost, type SignalUpdate } from '../look.ts';
import { askMemory, hasRoom, memoryOf, nearMemoryLimit } from '../memory.ts';
import { pathGroups } from '../path/ask.ts';
import { complete, failed, partial, skipped } from '../state.ts';
import {
  ciliumContainer,
  ciliumStatusCommands,
  istiodEndpoint,
  readCiliumAgents,
  readIstiods,
  readPilot,
  readProxyStatus,
} from './read.ts';

/** So many agents are asked at most, each by a command; and so many pods of the control plane, each by a request. */
const mostAgents = 3;
const mostIstiods = 10;

/**
 * Asks what stands at layer 7 whether it works, only where that decides something or was asked for: the Cilium agents of
 * the nodes of the pods, where a policy or the Service wants Envoy; istiod, where clients speak xDS themselves. One after
 * the other; a refusal that all would meet ends it.
 * @param items pods as they were listed for the clients
 */
export async function lookAtProxies(
  host: ExecHost,
  evidence: SkewEvidence,
  items: readonly unknown[],
  { exec, always }: { readonly exec: boolean /** Even where it decides nothing. */; readonly always: boolean },
): Promise<SignalUpdate> {
  const wanted = wantedOf(evidence, always);
  if (!wanted.cilium && !wanted.istio) return {};
  const { peers } = evidence;
  // Where no pod was looked into, nobody asked for the pods of other namespaces.
  if (peers === null && exec) return {};
  if (peers?.scope === 'namespace') {
    const reason = 'the pods of Cilium and istiod could not be listed';
    return { state: { ...partial('proxies', reason, null, 'list pods in all namespaces'), state: 'forbidden' } };
  }
  const troubles: Trouble[] = [];
  const execs: number[] = [];
  const ciliumAgents = !wanted.cilium ? [] : await askAgents(exec ? host : null, evidence, items, { troubles, execs });
  const controlPlane = wanted.istio ? await askIstiods(host, items, troubles) : [];
  const looks = [...ciliumAgents, ...controlPlane];
  const step = troubles.length === 0 ? 'done' : looks.length > 0 ? 'partial' : 'failed';
  return {
    patch: {
      proxies: { ciliumAgents, controlPlane },
      connections: withExecsElsewhere(evidence.connections, 'cilium-agents', execs),
    },
    state: stateOf(looks, troubles),
    times: looks.map((look) => look.lookedAt),
    progress: ['proxies', step, `${looks.length} answered`],
  };
}

interface Trouble {
  readonly message: string;
  readonly error: KubeError | null;
  /** Left out by choice, not refused. */
  readonly isSkipped?: boolean;
}

function wantedOf(
  { path, peers }: SkewEvidence,
  always: boolean,
): { readonly cilium: boolean; readonly istio: boolean } {
  if (path == null) return { cilium: false, istio: false };
  const serves = (group: string) => always && path.groups?.includes(group) === true;
  return {
    cilium: path.ciliumL7 || (path.ciliumPolicies ?? []).length > 0 || serves(pathGroups.cilium),
    istio: peers?.pods.some((pod) => pod.mesh?.xds != null) === true || serves(pathGroups.istio),
  };
}

/** @param host null where no command may run */
async function askAgents(
  host: ExecHost | null,
  evidence: SkewEvidence,
  items: readonly unknown[],
  { troubles, execs }: { readonly troubles: Trouble[]; readonly execs: number[] },
): Promise<CiliumAgent[]> {
  if (host === null) {
    troubles.push({ message: '--no-exec: the Cilium agents were not asked', error: null, isSkipped: true });
    return [];
  }
  const agents = chosenAgents(evidence, readCiliumAgents(items));
  if (agents.length === 0) troubles.push({ message: 'no Cilium agent runs on the nodes of the pods', error: null });
  const memory = await askMemory(host, evidence, agents);
  if (agents.length > 0) host.beforeExecs(agents.length, 1, 'cilium-dbg status');
  const found: CiliumAgent[] = [];
  for (const pod of agents) {
    const container = pod.containers.find(({ name }) => name === ciliumContainer);
    if (container?.running === true && !hasRoom(container, memoryOf(memory, pod))) {
      troubles.push({ message: nearMemoryLimit, error: null });
      continue;
    }
    const asked = await askAgent(host, pod);
    execs.push(asked.execs);
    if (asked.agent !== null) found.push(asked.agent);
    else troubles.push(asked.trouble);
    if (asked.agent === null && asked.trouble.error !== null && endsTheRound(failureReason(asked.trouble.error))) break;
  }
  return found;
}

/** The agents of the nodes with most pods of the Service first. */
function chosenAgents({ pods }: SkewEvidence, agents: ReadonlyMap<string, Pod>): readonly Pod[] {
  const counts = new Map<string, number>();
  for (const { nodeName } of pods ?? []) if (nodeName !== null) counts.set(nodeName, (counts.get(nodeName) ?? 0) + 1);
  return [...counts]
    .sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1))
    .flatMap(([node]) => agents.get(node) ?? [])
    .slice(0, mostAgents);
}

type AskedAgent =
  | { readonly agent: CiliumAgent; readonly execs: number }
  | { readonly agent: null; readonly execs: number; readonly trouble: Trouble };

async function askAgent(host: ExecHost, pod: Pod): Promise<AskedAgent> {
  let execs = 0;
  for (const command of ciliumStatusCommands) {
    execs++;
    const target = { namespace: pod.namespace, pod: pod.name, container: ciliumContainer, command };
    const output = await host.kube.exec(target, { ...(host.signal && { signal: host.signal }) });
    if (!output.ok) return { agent: null, execs, trouble: { message: output.error.message, error: output.error } };
    if (output.value.end.kind === 'no-such-program') continue;
    const status = readProxyStatus(output.value.stdout);
    if (status === null) break;
    return { agent: { node: pod.nodeName ?? '', lookedAt: output.value.endedAt, ...status }, execs };
  }
  return { agent: null, execs, trouble: { message: `${pod.name} tells nothing of its proxy`, error: null } };
}

async function askIstiods(host: SignalHost, items: readonly unknown[], troubles: Trouble[]): Promise<ControlPlane[]> {
  const pods = readIstiods(items).slice(0, mostIstiods);
  if (pods.length === 0) troubles.push({ message: 'no istiod runs in this cluster', error: null });
  const found: ControlPlane[] = [];
  for (const pod of pods) {
    const page = await askMetrics(host.kube, pod, istiodEndpoint, host.signal);
    if (page.ok) found.push({ pod: pod.name, lookedAt: page.value.receivedAt, ...readPilot(page.value.text) });
    else {
      troubles.push({ message: page.error.message, error: page.error });
      if (page.error.kind === 'forbidden') break;
    }
  }
  return found;
}

function stateOf(looks: readonly { readonly lookedAt: string }[], [first]: readonly Trouble[]): SignalState {
  if (first === undefined) return complete('proxies', lookedAtOf(looks));
  if (first.isSkipped === true) return skipped('proxies', first.message);
  const { message } = first;
  const state = failed('proxies', first.error ?? { kind: 'server', request: 'ask the proxies', message });
  return looks.length > 0 ? { ...state, state: 'partial' } : state;
}

import type { CollectHost } from '../../collect/cluster.ts';
import { type CollectRequest, type Draft, noteExecsElsewhere, noteTime } from '../../collect/draft.ts';
import type { Pod } from '../../evidence/objects.ts';
import type { CiliumAgent, ControlPlane } from '../../evidence/path-schema.ts';
import type { SkewEvidence } from '../../evidence/schema.ts';
import type { KubeError } from '../../kube/types.ts';
import { askMetrics } from '../calls/ask.ts';
import { endsTheRound, failureReason } from '../connections/ask.ts';
import { hasRoom, memoryOf, nearMemoryLimit, noteMemoryOf } from '../memory.ts';
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
  request: CollectRequest,
  host: CollectHost,
  draft: Draft,
  items: readonly unknown[],
): Promise<void> {
  const wanted = wantedOf(request, draft.evidence);
  if (!wanted.cilium && !wanted.istio) return;
  const { peers } = draft.evidence;
  // Where no pod was looked into, nobody asked for the pods of other namespaces.
  if (peers === null && request.exec) return;
  if (peers?.scope === 'namespace') {
    const reason = 'the pods of Cilium and istiod could not be listed';
    draft.states.set('proxies', {
      ...partial('proxies', reason, null, 'list pods in all namespaces'),
      state: 'forbidden',
    });
    return;
  }
  const troubles: Trouble[] = [];
  const ciliumAgents = wanted.cilium ? await askAgents(request, host, draft, items, troubles) : [];
  const controlPlane = wanted.istio ? await askIstiods(host, items, troubles) : [];
  for (const { lookedAt } of [...ciliumAgents, ...controlPlane]) noteTime(draft, lookedAt);
  draft.evidence = { ...draft.evidence, proxies: { ciliumAgents, controlPlane } };
  noteState(host, draft, ciliumAgents.length + controlPlane.length, troubles);
}

interface Trouble {
  readonly message: string;
  readonly error: KubeError | null;
  /** Left out by choice, not refused. */
  readonly isSkipped?: boolean;
}

function wantedOf(
  request: CollectRequest,
  evidence: SkewEvidence,
): { readonly cilium: boolean; readonly istio: boolean } {
  const { path, peers } = evidence;
  if (path == null) return { cilium: false, istio: false };
  const serves = (group: string) => request.inspectProxies === true && path.groups?.includes(group) === true;
  return {
    cilium: path.ciliumL7 || (path.ciliumPolicies ?? []).length > 0 || serves(pathGroups.cilium),
    istio: peers?.pods.some((pod) => pod.mesh?.xds != null) === true || serves(pathGroups.istio),
  };
}

async function askAgents(
  request: CollectRequest,
  host: CollectHost,
  draft: Draft,
  items: readonly unknown[],
  troubles: Trouble[],
): Promise<CiliumAgent[]> {
  if (!request.exec) {
    troubles.push({ message: '--no-exec: the Cilium agents were not asked', error: null, isSkipped: true });
    return [];
  }
  const agents = chosenAgents(draft.evidence, readCiliumAgents(items));
  if (agents.length === 0) troubles.push({ message: 'no Cilium agent runs on the nodes of the pods', error: null });
  await noteMemoryOf(host, draft, agents);
  if (agents.length > 0) host.beforeExecs(agents.length, 1, 'cilium-dbg status');
  const found: CiliumAgent[] = [];
  const execs: number[] = [];
  for (const pod of agents) {
    const container = pod.containers.find(({ name }) => name === ciliumContainer);
    if (container?.running === true && !hasRoom(container, memoryOf(draft, pod))) {
      troubles.push({ message: nearMemoryLimit, error: null });
      continue;
    }
    const asked = await askAgent(host, pod);
    execs.push(asked.execs);
    if (asked.agent !== null) found.push(asked.agent);
    else troubles.push(asked.trouble);
    if (asked.agent === null && asked.trouble.error !== null && endsTheRound(failureReason(asked.trouble.error))) break;
  }
  noteExecsElsewhere(draft, 'cilium-agents', execs);
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

async function askAgent(host: CollectHost, pod: Pod): Promise<AskedAgent> {
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

async function askIstiods(host: CollectHost, items: readonly unknown[], troubles: Trouble[]): Promise<ControlPlane[]> {
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

function noteState(host: CollectHost, draft: Draft, looks: number, [first]: readonly Trouble[]): void {
  if (first === undefined) draft.states.set('proxies', complete('proxies', new Date(draft.latest).toISOString()));
  else if (first.isSkipped === true) draft.states.set('proxies', skipped('proxies', first.message));
  else {
    const state = failed(
      'proxies',
      first.error ?? { kind: 'server', request: 'ask the proxies', message: first.message },
    );
    draft.states.set('proxies', looks > 0 ? { ...state, state: 'partial' } : state);
  }
  host.progress('proxies', first === undefined ? 'done' : looks > 0 ? 'partial' : 'failed', `${looks} answered`);
}

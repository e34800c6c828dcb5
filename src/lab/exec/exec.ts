import type { IncomingMessage } from 'node:http';
import { WebSocketServer } from 'ws';
import { realAddress } from '../addresses.ts';
import { type Answer, failureStatus, notFound, pageNotFound } from '../api/answer.ts';
import type { ApiRequest } from '../api/handle.ts';
import { parseResourcePath } from '../api/path.ts';
import { forbidden, forbiddenWithoutReason, isAllowed, type User } from '../api/rbac.ts';
import type { UpgradeHandler } from '../api/server.ts';
import { writeBareRefusal, writeRawAnswer } from '../api/write.ts';
import { type Cluster, type LabNode, podsOf, workloadsOf } from '../cluster.ts';
import { ciliumNamespace, ciliumPodName, ciliumStatus } from '../objects/system-pods.ts';
import { runCommand, type SimulatedContainer } from './command.ts';
import { type Subprotocol, sendResult, subprotocols } from './frames.ts';

/** Serves `pods/NAME/exec` over WebSocket. */
export function execUpgrades(cluster: Cluster, isHidden: SimulatedContainer['isHidden']): UpgradeHandler {
  const webSockets = new WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
    handleProtocols: (offered) => choose([...offered]) || false,
  });
  // An API server names the subprotocol in every answer, though it be none.
  webSockets.on('headers', (headers, message) => {
    if (offeredBy(message).length === 0) headers.push('Sec-WebSocket-Protocol: ');
  });
  return async (request, message, socket, head) => {
    const offered = offeredBy(message);
    const subprotocol = offered.join(', ');
    const found = findContainer(cluster, request, isHidden);
    if ('status' in found) {
      writeRawAnswer(socket, found);
      return { status: found.status, subprotocol };
    }
    if (request.method !== 'GET') {
      writeBareRefusal(socket, 405, 'bad method');
      return { status: 405, subprotocol };
    }
    const chosen = choose(offered);
    if (chosen === null || message.headers.upgrade?.toLowerCase() !== 'websocket') {
      writeBareRefusal(socket, 403, '');
      return { status: 403, subprotocol };
    }
    return new Promise((resolve) => {
      webSockets.handleUpgrade(message, socket, head, async (webSocket) => {
        resolve({ status: 101, subprotocol: chosen });
        webSocket.on('error', () => webSocket.terminate());
        sendResult(webSocket, chosen, await runCommand(request.query.getAll('command'), found));
      });
    });
  };
}

function offeredBy(message: IncomingMessage): readonly string[] {
  const header = message.headers['sec-websocket-protocol'] ?? '';
  return header.split(',').flatMap((part) => part.trim() || []);
}

/** The subprotocol to speak; null when none of those offered is known. */
function choose(offered: readonly string[]): Subprotocol | null {
  if (offered.length === 0) return '';
  return subprotocols.find((known) => offered.includes(known)) ?? null;
}

/** The checks before an exec, in the API server's order: rights, pod, container. */
function findContainer(
  cluster: Cluster,
  request: ApiRequest,
  isHidden: SimulatedContainer['isHidden'],
): SimulatedContainer | Answer {
  const target = parseResourcePath(request.path);
  if (target?.resource !== 'pods' || target.subresource !== 'exec' || target.name === undefined) return pageNotFound();
  const { name } = target;
  const denial = execDenial(request.user, request.method, { ...target, name });
  if (denial) return denial;
  const agent = cluster.scenario.cilium === true && cluster.nodes.find((node) => ciliumPodName(node) === name);
  if (agent && target.namespace === ciliumNamespace) return ciliumAgent(agent);
  const workload = workloadsOf(cluster).find((one) => podsOf(one).some((pod) => pod.name === name));
  const pod = workload && podsOf(workload).find((one) => one.name === name);
  if (!pod || target.namespace !== cluster.namespace) return notFound('', 'pods', name);
  const container = request.query.get('container') ?? pod.container;
  if (container !== pod.container) {
    return failureStatus(400, 'BadRequest', `container ${container} is not valid for pod ${name}`);
  }
  return { hasSs: workload.imageHasSs, realIp: realAddress(pod.ip), isHidden };
}

/** The container of Cilium's agent, of which the lab knows one command. */
function ciliumAgent(node: LabNode): SimulatedContainer {
  const programs = { 'cilium-dbg': () => ciliumStatus(node) };
  return { hasSs: false, realIp: node.internalIp, isHidden: () => false, programs };
}

/** Since Kubernetes 1.35 an exec over WebSocket needs `get` and `create`; a POST needs `create` only. */
export function execDenial(
  user: User,
  method: string,
  target: { readonly name: string; readonly namespace?: string },
): Answer | null {
  const access = { group: '', resource: 'pods', subresource: 'exec', ...target };
  const create = { ...access, verb: 'create' };
  if (method === 'POST') return isAllowed(user, create) ? null : forbidden(user, create);
  const get = { ...access, verb: 'get' };
  if (!isAllowed(user, get)) return forbidden(user, get);
  return isAllowed(user, create) ? null : forbiddenWithoutReason(create);
}

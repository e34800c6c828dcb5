import { forbiddenHint } from '../errors/denied.ts';
import { failure } from '../errors/outcome.ts';
import {
  type HttpResponse,
  isHtml,
  proxyHint,
  statusError,
  statusMessage,
  withoutWords,
} from '../errors/status-error.ts';
import type { ExecTarget, KubeError } from '../types.ts';

/** What it means that the upgrade was answered with something else than 101. */
export function refusalError(request: string, answer: HttpResponse, target: ExecTarget, server: string): KubeError {
  const own = statusMessage(answer);
  const words = own === undefined ? kubeletWords(answer.text) : null;
  const read = statusError(request, answer, server);
  const { denied } = read;
  if (words === null && read.kind === 'forbidden' && denied !== undefined) {
    const hint = forbiddenHint(denied, read.message, target.namespace);
    return { ...read, denied: { ...denied, namespace: target.namespace }, hint };
  }
  // Of the words of others nothing is taken.
  const general = words === null ? read : { ...read, message: words ?? withoutWords(answer) };
  if (general.kind === 'forbidden')
    return failure('forbidden', request, general.message, { status: answer.status }).error;
  if (answer.status === 401 || general.kind === 'tls') return general;
  if (notUpgraded(answer, own)) {
    const message = `the WebSocket upgrade was answered with HTTP ${answer.status}${own ? `: ${own}` : ''}`;
    const hint = `${proxyHint(server)} It must let WebSocket upgrades pass.`;
    return failure('upgrade', request, message, { status: answer.status, hint }).error;
  }
  const hint = general.hint ?? podHint(general.message);
  return failure(general.kind, request, general.message, { status: answer.status, hint }).error;
}

/**
 * An API server that refuses says why. Its 403 without a word is for an unknown subprotocol; `Upgrade request required`
 * means that something in between took the Upgrade header away.
 */
function notUpgraded(answer: HttpResponse, own: string | undefined): boolean {
  if (answer.status < 400 || answer.status === 405 || answer.status === 426) return true;
  if (own !== undefined) return /upgrade request required|unable to upgrade/i.test(own);
  return (
    isHtml(answer) ||
    answer.text.trim() === '' ||
    (answer.status < 500 && answer.status !== 404 && answer.status !== 429)
  );
}

/** Of a text that is no Status, what kubelet and the API server say of a container; undefined: others speak, or quote others. */
function kubeletWords(text: string): string | undefined {
  return /^(?:container not found \("[^"]*"\)|error dialing backend|(?:container|pod) .{0,300}is not running\b)/i.exec(
    text.trim(),
  )?.[0];
}

/** What the kubelet's and the API server's own words say about the pod. */
function podHint(message: string): string | undefined {
  if (message.startsWith('container not found')) return 'The container is not running now: it may be restarting.';
  if (message.includes('error dialing backend')) return "The API server does not reach the kubelet of the pod's node.";
  return undefined;
}

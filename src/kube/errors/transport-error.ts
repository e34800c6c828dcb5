import { maxHeaderSize } from 'node:http';
import { TooLong } from '../requests/body.ts';
import type { Deadline } from '../requests/deadline.ts';
import { ProxyFailed } from '../requests/tunnel.ts';
import type { KubeError } from '../types.ts';
import { failure } from './outcome.ts';

type Words = readonly [message: string, hint?: string];

/** OpenSSL's and Node's codes for a certificate that does not hold, in words. */
const certificateProblems: ReadonlyMap<string, Words> = new Map([
  ['DEPTH_ZERO_SELF_SIGNED_CERT', ['the certificate is self-signed']],
  ['SELF_SIGNED_CERT_IN_CHAIN', ['the certificate chain ends in a self-signed certificate that is not trusted']],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', ['the certificate is signed by an unknown authority']],
  ['UNABLE_TO_GET_ISSUER_CERT', ['the certificate is signed by an unknown authority']],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', ['the certificate is signed by an unknown authority']],
  ['CERT_SIGNATURE_FAILURE', ['the certificate is signed by another authority than the kubeconfig names']],
  ['CERT_HAS_EXPIRED', ['the certificate has expired', 'Check the clock of this machine, then renew the certificate.']],
  ['CERT_NOT_YET_VALID', ['the certificate is not valid yet', 'Check the clock of this machine.']],
  ['ERR_TLS_CERT_ALTNAME_INVALID', ['the certificate is for another name', 'Set tls-server-name to a name it holds.']],
]);

const authorityHint = 'Set certificate-authority to the CA of this cluster.';

/** Codes of a connection that the other side ended. */
const closedCodes = ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET', 'ECONNABORTED', 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH'];

/** Why no whole HTTP answer came, from what undici, ws or Node threw. */
export function transportError(request: string, thrown: unknown, server: string, deadline: Deadline): KubeError {
  const fail = (kind: KubeError['kind'], message: string, hint?: string): KubeError =>
    failure(kind, request, message, { hint }).error;
  if (deadline.aborted()) return fail('aborted', 'given up before an answer came');
  if (deadline.expired()) {
    const hint = 'Check the network between here and the API server, or raise --request-timeout.';
    return fail('timeout', `no answer from ${server} within ${deadline.limitMs / 1000} s`, hint);
  }
  if (thrown instanceof TooLong) return fail('bad-answer', thrown.message);
  if (thrown instanceof ProxyFailed) {
    const words = `the proxy does not connect to ${server}: ${thrown.message}`;
    return fail('unreachable', words, 'Check proxy-url in the kubeconfig, or HTTPS_PROXY and NO_PROXY.');
  }
  const { name, code, message } = innermost(thrown);
  const malformed = malformedAnswer(name, code);
  if (malformed !== null) return fail('bad-answer', malformed);
  const certificate = certificateProblems.get(code);
  if (certificate !== undefined) {
    const [words, hint = authorityHint] = certificate;
    return fail('tls', `${server}: ${words} (${code})`, hint);
  }
  if (/wrong version number|packet length too long|http request/i.test(message)) {
    return fail('tls', `${server} does not answer with TLS`, 'Perhaps the server speaks plain http://.');
  }
  if (code === 'EPROTO' || code.startsWith('ERR_SSL') || code.startsWith('ERR_TLS') || code.startsWith('ERR_OSSL')) {
    return fail('tls', `${server}: ${message}`);
  }
  if (/^ETIMEDOUT|^UND_ERR_\w+_TIMEOUT$/.test(code)) return fail('timeout', `no connection to ${server} in time`);
  if (closedCodes.includes(code) || /other side closed|socket hang up|terminated|aborted/i.test(message)) {
    return fail('closed', `${server} ended the connection before the answer was complete`);
  }
  if (/^(ENOTFOUND|EAI_\w+)$/.test(code)) {
    return fail(
      'unreachable',
      `the name of ${server} cannot be resolved (${code})`,
      'Check the server in the kubeconfig, and a VPN.',
    );
  }
  const hint = code === 'ECONNREFUSED' ? 'Is the cluster up, and the server in the kubeconfig right?' : undefined;
  return fail('unreachable', `no connection to ${server}: ${message || code}`, hint);
}

/** What is wrong with an answer that came, by the codes of zlib and undici; null: none came. */
function malformedAnswer(name: string, code: string): string | null {
  if (code.startsWith('Z_')) return 'the answer cannot be unpacked: it is cut short or damaged';
  if (code === 'UND_ERR_HEADERS_OVERFLOW') return `the answer has more than ${maxHeaderSize} bytes of headers`;
  // A status below 100 fails an assertion of undici, and Node fails to read the minified source for its words.
  return ['HTTPParserError', 'AssertionError', 'SyntaxError'].includes(name) ? 'the answer is no proper HTTP' : null;
}

/** Whether the connection was closed, as an idle one is by a server: a GET may then be sent again. */
export function wasClosed(thrown: unknown): boolean {
  const { code, message } = innermost(thrown);
  return ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'].includes(code) || /other side closed|socket hang up/i.test(message);
}

/** The cause that says most: undici and the dual-stack connect of Node wrap it. */
function innermost(thrown: unknown): { readonly name: string; readonly code: string; readonly message: string } {
  let error = thrown;
  for (let depth = 0; depth < 5; depth += 1) {
    const inner = error instanceof AggregateError ? error.errors[0] : error instanceof Error ? error.cause : undefined;
    if (!(inner instanceof Error)) break;
    error = inner;
  }
  if (!(error instanceof Error)) return { name: '', code: '', message: String(error) };
  const code = (error as NodeJS.ErrnoException).code;
  return { name: error.name, code: typeof code === 'string' ? code : '', message: error.message };
}

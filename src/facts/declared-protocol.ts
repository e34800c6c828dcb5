import type { ServicePort } from '../evidence/objects.ts';
import type { PortRange } from '../evidence/path-schema.ts';

/** What a mesh or gateway takes a port for, by its declaration alone. */
export interface DeclaredProtocol {
  /** `detected`: nothing that counts is declared; sidecars look at the bytes, gateways speak HTTP/1.1. */
  readonly reading: 'http2' | 'http1' | 'tcp' | 'detected';
  readonly from: 'appProtocol' | 'name' | 'port' | null;
  readonly text: string | null;
}

/** Protocols by the word that declares them. Source: istio pkg/config/protocol, Parse, IsHTTP2, IsHTTP, IsTCP. */
const words: ReadonlyMap<string, 'http2' | 'http1' | 'tcp'> = new Map([
  ['grpc', 'http2'],
  ['grpc-web', 'http2'],
  ['http2', 'http2'],
  ['http', 'http1'],
  ['http_proxy', 'http1'],
  ['tcp', 'tcp'],
  ['tls', 'tcp'],
  ['https', 'tcp'],
  ['mongo', 'tcp'],
  ['redis', 'tcp'],
  ['mysql', 'tcp'],
]);

/** Values that count as appProtocol only. Source: istio pkg/config/kube/conversion.go, ConvertProtocol. */
const appProtocols: ReadonlyMap<string, 'http2' | 'http1' | 'tcp'> = new Map([
  ['kubernetes.io/h2c', 'http2'],
  ['kubernetes.io/ws', 'http1'],
  ['kubernetes.io/wss', 'tcp'],
]);

/** Ports that Istio never looks into without a declaration: SMTP, DNS, MySQL, MongoDB. */
const plainPorts: ReadonlySet<number> = new Set([25, 53, 3306, 27_017]);

/**
 * Reads the declaration of a port as Istio does: appProtocol wins, else the name; of either the part before the first
 * dash, in any case, but for grpc-web; a word that it does not know declares nothing.
 */
export function declaredProtocol(port: Pick<ServicePort, 'port' | 'name' | 'appProtocol'>): DeclaredProtocol {
  const from = port.appProtocol === null ? 'name' : 'appProtocol';
  const text = port.appProtocol ?? port.name;
  const known = from === 'appProtocol' && text !== null ? appProtocols.get(text) : undefined;
  const reading = known ?? (text === null ? undefined : readWord(text.toLowerCase()));
  if (reading !== undefined) return { reading, from, text };
  if (plainPorts.has(port.port)) return { reading: 'tcp', from: 'port', text };
  return { reading: 'detected', from: null, text };
}

function readWord(text: string): 'http2' | 'http1' | 'tcp' | undefined {
  return text.startsWith('grpc-web') ? 'http2' : words.get(text.split('-')[0] ?? '');
}

/** Ports that Linkerd's proxy passes on unread where nothing is said (its default of opaquePorts). */
const linkerdOpaque: ReadonlySet<number> = new Set([25, 587, 3306, 4444, 5432, 6379, 9300, 11_211]);

/** Does Linkerd take the port for opaque? The nearest annotation counts: Service or pod, then the namespace's. */
export function isOpaque(port: number, annotations: readonly (readonly PortRange[] | null | undefined)[]): boolean {
  const said = annotations.find((ranges) => ranges != null);
  return said == null ? linkerdOpaque.has(port) : said.some(({ from, to }) => from <= port && port <= to);
}

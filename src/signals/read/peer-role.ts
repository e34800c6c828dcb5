import type { PeerPod } from '../../evidence/objects.ts';
import { listAt, textAt } from './json.ts';

/** Values of app.kubernetes.io/name (or app) that the charts of gateways and ingress controllers give their pods. */
const gatewayApps: ReadonlySet<string> = new Set([
  'ingress-nginx',
  'nginx-ingress',
  'nginx-ingress-controller',
  'traefik',
  'contour',
  'envoy',
  'kong',
  'haproxy-ingress',
  'kubernetes-ingress',
  'apisix',
  'emissary-ingress',
  'gloo',
  'istio-ingressgateway',
  'istio-egressgateway',
  'nginx-gateway-fabric',
]);

/** Images, without registry and tag, of programs that are proxies and nothing else. */
const proxyImages: ReadonlySet<string> = new Set([
  'nginx',
  'openresty',
  'envoy',
  'haproxy',
  'traefik',
  'nginx-ingress',
  'kong',
]);

/**
 * Is this pod a proxy by trade? By the labels that controllers of the Gateway API and Istio set, the names that charts
 * give, or the image of a container that is no sidecar. Null: nothing says so.
 */
export function readRole(pod: unknown): NonNullable<PeerPod['role']> | null {
  const label = (key: string) => textAt(pod, 'metadata', 'labels', key);
  if (label('gateway.istio.io/managed') === 'istio.io-mesh-controller') return 'waypoint';
  if (label('gateway.networking.k8s.io/gateway-name') !== null) return 'gateway';
  if (label('gateway.envoyproxy.io/owning-gateway-name') !== null || label('istio')?.endsWith('gateway'))
    return 'gateway';
  const app = label('app.kubernetes.io/name') ?? label('app');
  if (app !== null && gatewayApps.has(app)) return 'gateway';
  const [first, ...others] = listAt(pod, 'spec', 'containers');
  // Beside an application a proxy is its sidecar.
  if (first === undefined || others.length > 0) return null;
  return proxyImages.has(imageName(textAt(first, 'image') ?? '')) ? 'gateway' : null;
}

/** `registry:5000/lab/nginx:2@sha256:…` is `nginx`. */
function imageName(image: string): string {
  return image.split('/').at(-1)?.split(/[:@]/)[0] ?? '';
}

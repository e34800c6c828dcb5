import type { MeshMarks, PortRange } from '../../evidence/path-schema.ts';
import { listAt, textAt } from './json.ts';

/** Reads what the labels and annotations of a pod, a namespace or a Service say of a mesh. */
export function readMeshMarks(object: unknown): MeshMarks {
  const label = (key: string) => textAt(object, 'metadata', 'labels', key);
  const annotation = (key: string) => textAt(object, 'metadata', 'annotations', key);
  const mode = label('istio.io/dataplane-mode');
  const opaque = annotation('config.linkerd.io/opaque-ports');
  return {
    dataplaneMode: mode === 'ambient' || mode === 'none' ? mode : null,
    redirected: annotation('ambient.istio.io/redirection') === 'enabled',
    useWaypoint: nameOrNull(label('istio.io/use-waypoint')),
    opaquePorts: opaque === null ? null : readPortRanges(opaque),
    xds: readXds(object, annotation('inject.istio.io/templates')),
  };
}

/** Says anything at all: then it is worth a place in Evidence. */
export function saysSomething(marks: MeshMarks): boolean {
  const { dataplaneMode, redirected, useWaypoint, opaquePorts, xds } = marks;
  return redirected || [dataplaneMode, useWaypoint, opaquePorts, xds].some((mark) => mark !== null);
}

/** A name as Kubernetes allows it (RFC 1123 subdomain); null for any other text. */
export function nameOrNull(text: string | null): string | null {
  return text !== null && text.length <= 253 && /^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/.test(text) ? text : null;
}

/** `5432,9000-9010`; what is no number (Linkerd takes names of ports, too) is left out. */
function readPortRanges(text: string): PortRange[] {
  return text.split(',').flatMap((part) => {
    const match = /^\s*(\d{1,5})(?:-(\d{1,5}))?\s*$/.exec(part);
    if (match === null) return [];
    const from = Number(match[1]);
    return [{ from, to: match[2] === undefined ? from : Number(match[2]) }];
  });
}

/**
 * A client that speaks xDS itself: gRPC reads its bootstrap from the file that GRPC_XDS_BOOTSTRAP names (gRFC A27), and
 * Istio's template grpc-agent sets it. Of the environment only the presence of that name is read.
 */
function readXds(object: unknown, templates: string | null): MeshMarks['xds'] {
  if (templates?.split(',').some((template) => template.trim() === 'grpc-agent')) return 'grpc-agent';
  const names = listAt(object, 'spec', 'containers').flatMap((container) => listAt(container, 'env'));
  const isSet = names.some((entry) =>
    ['GRPC_XDS_BOOTSTRAP', 'GRPC_XDS_BOOTSTRAP_CONFIG'].includes(textAt(entry, 'name') ?? ''),
  );
  return isSet ? 'bootstrap' : null;
}

/** A path of the Kubernetes API, taken apart. */
export interface ResourcePath {
  readonly group: string;
  readonly version: string;
  readonly namespace?: string;
  readonly resource: string;
  readonly name?: string;
  readonly subresource?: string;
  /** Behind `proxy`: the path asked of the pod or the node. */
  readonly rest: string;
}

/** Reads `/api/v1/…` and `/apis/GROUP/VERSION/…` below the version; null for anything else. */
export function parseResourcePath(path: string): ResourcePath | null {
  const parts = path.split('/').filter((part) => part !== '');
  const isCore = parts[0] === 'api';
  if (!isCore && parts[0] !== 'apis') return null;
  const group = isCore ? '' : parts[1];
  const version = isCore ? parts[1] : parts[2];
  const below = parts.slice(isCore ? 2 : 3).map(decode);
  if (group === undefined || version === undefined || below.length === 0) return null;
  // /namespaces/NAME is an object, /namespaces/NAME/pods a list in it.
  const namespace = below[0] === 'namespaces' && below.length > 2 ? below[1] : undefined;
  const [resource, name, subresource, ...rest] = namespace === undefined ? below : below.slice(2);
  if (resource === undefined) return null;
  return {
    group,
    version,
    resource,
    ...(namespace === undefined ? {} : { namespace }),
    ...(name === undefined ? {} : { name }),
    ...(subresource === undefined ? {} : { subresource }),
    rest: `/${rest.join('/')}`,
  };
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

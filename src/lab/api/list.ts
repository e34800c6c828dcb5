import type { KubeObject } from '../objects/meta.ts';
import { type Answer, failureStatus } from './answer.ts';
import { fieldSelector, labelSelector } from './selectors.ts';

export interface ListPage {
  readonly items: readonly KubeObject[];
  readonly metadata: {
    readonly resourceVersion: string;
    readonly continue?: string;
    readonly remainingItemCount?: number;
  };
}

/** Where a chunked list goes on: at the first key behind `start`, as it was at version `rv`. */
interface Continuation {
  readonly v: 'meta.k8s.io/v1';
  readonly rv: number;
  readonly start: string;
}

const expired =
  'The provided continue parameter is too old to display a consistent list result. You can start a new list without ' +
  'the continue parameter, or use the continue token in this response to retrieve the remainder of the results. ' +
  'Continuing with the provided token results in an inconsistent list - objects that were created, modified, or ' +
  'deleted between the time the first chunk was returned and now may show up in the list.';

/**
 * Selects, orders (by namespace and name, as the store does) and cuts a list into pages. Versions before
 * `oldestVersion` are compacted away.
 */
export function listPage(
  resource: string,
  objects: readonly KubeObject[],
  query: URLSearchParams,
  version: number,
  oldestVersion: number,
): ListPage | Answer {
  const labelText = query.get('labelSelector') ?? '';
  const matchesLabels = labelSelector(labelText);
  if (!matchesLabels) return failureStatus(400, 'BadRequest', `unable to parse requirement: ${labelText}`);
  const fieldText = query.get('fieldSelector') ?? '';
  const fields = fieldSelector(resource, fieldText);
  if ('unknown' in fields) return failureStatus(400, 'BadRequest', `field label not supported: ${fields.unknown}`);

  const start = startOf(query.get('continue'), oldestVersion);
  if ('status' in start) return start;
  const key = ({ metadata }: KubeObject) => `${metadata.namespace ?? ''}/${metadata.name}`;
  const matching = objects
    .filter((object) => matchesLabels(object.metadata.labels ?? {}) && fields.matches(object))
    .sort((a, b) => (key(a) < key(b) ? -1 : 1))
    .filter((object) => key(object) > start.key);
  const limit = Number(query.get('limit') ?? 0);
  const items = limit > 0 ? matching.slice(0, limit) : matching;
  const last = items.at(-1);
  if (items.length === matching.length || !last) {
    return { items, metadata: { resourceVersion: String(version) } };
  }
  const token: Continuation = { v: 'meta.k8s.io/v1', rv: start.version ?? version, start: key(last) };
  return {
    items,
    metadata: {
      resourceVersion: String(version),
      continue: Buffer.from(JSON.stringify(token)).toString('base64url'),
      // The server counts the rest only where no selector makes that costly.
      ...(labelText === '' && fieldText === '' ? { remainingItemCount: matching.length - items.length } : {}),
    },
  };
}

function startOf(token: string | null, oldestVersion: number): { key: string; version?: number } | Answer {
  if (!token) return { key: '' };
  let parsed: Continuation;
  try {
    parsed = JSON.parse(Buffer.from(token, 'base64url').toString()) as Continuation;
  } catch (error) {
    return failureStatus(400, 'BadRequest', `continue key is not valid: ${(error as Error).message}`);
  }
  if (parsed.rv < oldestVersion) return failureStatus(410, 'Expired', expired);
  return { key: parsed.start, version: parsed.rv };
}

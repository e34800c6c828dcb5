import type { MetricsEndpoint } from '../calls/ask.ts';
import { integerAt, listAt, textAt } from './json.ts';

/** Names that container ports for metrics commonly bear; the first one found counts. */
const portNames = ['metrics', 'http-metrics', 'prometheus', 'prom', 'monitoring'];

/**
 * Where a pod says that it serves metrics: the annotations that Prometheus' own examples use, else a port named for it.
 * Of the path only the part before a query is kept: a query may hold a token.
 */
export function readMetricsEndpoint(pod: unknown): MetricsEndpoint | null {
  const annotation = (name: string) => textAt(pod, 'metadata', 'annotations', `prometheus.io/${name}`);
  const named = listAt(pod, 'spec', 'containers')
    .flatMap((container) => listAt(container, 'ports'))
    .flatMap((port) => {
      const rank = portNames.indexOf(textAt(port, 'name') ?? '');
      const number = integerAt(port, 'containerPort');
      return rank < 0 || number === null ? [] : [{ rank, number }];
    })
    .sort((a, b) => a.rank - b.rank)[0]?.number;
  const annotated = Number(annotation('port') ?? Number.NaN);
  const port =
    annotation('scrape') === 'false'
      ? undefined
      : Number.isInteger(annotated) && annotated > 0 && annotated < 65536
        ? annotated
        : named;
  if (port === undefined) return null;
  const path = (annotation('path') ?? '/metrics').split(/[?#]/)[0] ?? '';
  const fits = /^\/[\w\-./~%]*$/.test(path) && !/(^|\/)(\.|%2e){1,2}(\/|$)/i.test(path);
  return { port, path: fits ? path : '/metrics', https: annotation('scheme') === 'https' };
}

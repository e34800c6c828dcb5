/** What stands in the path, and what clients dial: the same words in every output. */
import type { Client, SkewReport } from '../report/schema.ts';
import { heading, labelled, labelledList, type Screen } from './lines.ts';

/** For `wide`: everything, from the client to the pod. */
export function pathLines(screen: Screen, report: SkewReport): string[] {
  const { hops, protocol, socketLoadBalancing } = report.status.path;
  return [
    ...heading(screen, 'PATH'),
    ...hops.flatMap(({ kind, name, layer, text }) =>
      labelled(screen, { label: kind, text: `${name}${layer === null ? '' : ` (layer ${layer})`}: ${text}` }),
    ),
    ...labelled(screen, { label: 'port', text: protocol.text }),
    ...labelledList(
      screen,
      'sockets',
      socketLoadBalancing === 'all'
        ? ['destinations are rewritten at connect(): what a client dials cannot be told']
        : [],
    ),
  ];
}

/** `echo`, `echo-headless by pod`, both with a comma; nothing where no socket of the client was seen. */
export function dialsText(client: Client): string {
  return client.dials
    .map(({ what, service }) => {
      if (what === 'virtual-address') return service ?? 'virtual address';
      if (what === 'not-known') return 'not to be told';
      return service === null ? 'pods' : `${service} by pod`;
    })
    .join(', ');
}

/** What stands in the path, and what clients dial: the same words in every output. */
import type { Client, SkewReport } from '../report/schema.ts';
import type { Line } from './lines.ts';

/** From the client to the pod; the declared protocol of the port comes last. */
export function pathEntries({ status }: SkewReport): readonly Pick<Line, 'label' | 'text'>[] {
  const { hops, protocol } = status.path;
  return [
    ...hops.map(({ kind, name, layer, text }) => ({
      label: kind,
      text: `${name}${layer === null ? '' : ` (layer ${layer})`}: ${text}`,
    })),
    { label: 'port', text: protocol.text },
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

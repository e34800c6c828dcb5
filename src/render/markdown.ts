import type { SkewReport } from '../report/schema.ts';
import { clock } from './numbers.ts';
import { sanitise } from './sanitise.ts';

/** The lines that are read at night, as markdown for a ticket or a chat. */
export function renderHeadline(report: SkewReport): string {
  const { metadata, spec, status } = report;
  const { verdict, headline, impact } = status;
  const port = spec.port === null ? '' : ` :${spec.port.port}`;
  const place = [metadata.context, metadata.namespace].filter((part) => part !== null).join(' / ');
  const rows: readonly (readonly [string, string | null])[] = [
    ['impact', impact.text],
    ['since', headline.since],
    ['why', headline.whyConfidence === null ? headline.why : `${headline.why} (${headline.whyConfidence})`],
    ['now', headline.now],
    ['fix', headline.fix],
    ['settle it', verdict.settledBy],
    ['not seen', headline.notSeen.join('; ') || null],
  ];
  return [
    `**${verdict.state}** — ${escaped(verdict.summary)}`,
    '',
    `\`${code(place)} / svc/${code(metadata.name)}${port}\`, ${clock(metadata.generatedAt)}`,
    '',
    ...rows.flatMap(([label, text]) => (text === null ? [] : [`* **${label}**: ${escaped(text)}`])),
    '',
  ].join('\n');
}

/** Text of the cluster must not become markup: names of pods and words of servers may hold anything. */
function escaped(text: string): string {
  return sanitise(text).replace(/[\\`*_[\]<>|#]/g, (sign) => `\\${sign}`);
}

function code(text: string): string {
  return sanitise(text).replaceAll('`', "'");
}

/** `-o html`: one file that holds all of a report, for an incident channel and for the post-mortem. */
import type { SkewReport } from '../../report/schema.ts';
import { stateLabel } from '../headline.ts';
import { clock } from '../numbers.ts';
import { sanitise, sanitiseAll } from '../sanitise.ts';
import { element, type Markup } from './element.ts';
import { portArticle, portId, portName } from './port.ts';
import { style, styleHash } from './style.ts';

/** Nothing is loaded and nothing runs: only the one style of this page is obeyed, which a text cannot alter. */
const policy = `default-src 'none'; style-src '${styleHash}'; base-uri 'none'; form-action 'none'`;

/** The reports of one look, one for each port. */
export function renderHtml(reports: readonly SkewReport[]): string {
  const pairs = reports.map((report) => ({ report, safe: sanitiseAll(report, (text) => sanitise(text).trim()) }));
  const [first] = pairs;
  if (first === undefined) return '';
  const { metadata } = first.safe;
  const states = [...new Set(pairs.map(({ safe }) => stateLabel(safe)))].join(', ');
  const title = `${states}: svc/${metadata.name} in ${metadata.namespace}, ${clock(metadata.generatedAt)}`;
  const body = element(
    'main',
    {},
    pairs.length === 1 ? null : contents(pairs.map(({ safe }) => safe)),
    pairs.map(({ report, safe }) => portArticle(report, safe)),
  );
  return [
    '<!doctype html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${policy}">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="color-scheme" content="light dark">',
    '<meta name="referrer" content="no-referrer">',
    element('title', {}, title).markup,
    `<style>${style}</style>`,
    '</head>',
    element('body', {}, body).markup,
    '</html>',
    '',
  ].join('\n');
}

/** Where each port is. */
function contents(reports: readonly SkewReport[]): Markup {
  return element(
    'nav',
    {},
    element(
      'ul',
      {},
      reports.map((report) =>
        element('li', {}, element('a', { anchor: portId(report) }, `${portName(report)}: ${stateLabel(report)}`)),
      ),
    ),
  );
}

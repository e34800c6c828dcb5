/** Which client is connected to which pod. */
import { maxOf } from '../../figures/extremes.ts';
import type { Client, SkewReport } from '../../report/schema.ts';
import { countOf, plural } from '../../report/words.ts';
import * as numbers from '../numbers.ts';
import { clientColumnsFor } from '../wide.ts';
import { type Child, element, type Markup } from './element.ts';
import { list, more } from './parts.ts';
import { inBars } from './pods.ts';
import { table } from './table.ts';

/** Above so many pods a cell has no room for a number. */
const mostCells = 12;
const mostRows = 20;

export function clientSection({ status: { clients, pods, leftOut } }: SkewReport): readonly Child[] {
  const reached = new Set(clients.flatMap(({ perPod }) => perPod.map(({ pod }) => pod)));
  // Whose connections to pods outside the endpoints these are is not known.
  const names = pods.filter(({ name, endpoint }) => endpoint || reached.has(name)).map(({ name }) => name);
  const rows = clients.slice(0, mostRows);
  const left = clients.length - rows.length;
  return [
    clients.length === 0 || names.length === 0
      ? null
      : names.length <= mostCells
        ? numbered(rows, names)
        : drawn(rows, names),
    left === 0 ? null : element('p', {}, `and ${countOf(left, 'client', 'clients')} more`),
    clients.length === 0 ? null : more('The clients', table('The clients', clientColumnsFor(rows), rows)),
    leftOut.length === 0
      ? null
      : more(
          'Connections that are no client’s',
          list(leftOut.map(({ what, connections, why }) => `${what}, ${plural(connections, 'connection')}: ${why}`)),
        ),
  ];
}

/** Four steps up to the most that a client has at one pod; 0: none. */
const step = (connections: number, most: number) => Math.ceil((connections / most) * 4);

const held = ({ perPod }: Client) => new Map(perPod.map(({ pod, connections }) => [pod, connections]));

function numbered(clients: readonly Client[], pods: readonly string[]): Markup {
  const most = maxOf(
    clients.flatMap(({ perPod }) => perPod.map(({ connections }) => connections)),
    1,
  );
  const tails = endsOf(pods);
  return element(
    'table',
    { class: 'matrix' },
    element('caption', {}, 'Connections of each client to each pod, in the order of the load'),
    element(
      'thead',
      {},
      element(
        'tr',
        {},
        element('th', { scope: 'col' }, 'CLIENT'),
        pods.map((pod, at) =>
          element('th', { scope: 'col', class: 'pod' }, element('span', { image: pod }, tails[at] ?? '')),
        ),
      ),
    ),
    element(
      'tbody',
      {},
      clients.map((client) => {
        const connections = held(client);
        return element(
          'tr',
          {},
          rowHead(client, pods.length),
          pods.map((pod) => {
            const count = connections.get(pod) ?? 0;
            return element('td', { class: `c${step(count, most)}` }, count === 0 ? '·' : numbers.amount(count));
          }),
        );
      }),
    ),
  );
}

/** A picture a client: of many pods only the pattern can be seen. */
function drawn(clients: readonly Client[], pods: readonly string[]): Markup {
  const bars = inBars(pods);
  const rows = clients.map((client) => {
    const connections = held(client);
    const counts = bars.map((bar) => bar.reduce((sum, pod) => sum + (connections.get(pod) ?? 0), 0));
    return { client, counts };
  });
  const most = maxOf(
    rows.flatMap(({ counts }) => counts),
    1,
  );
  return element(
    'table',
    { class: 'matrix drawn' },
    element('caption', {}, 'Connections of each client to each pod, in the order of the load: the darker the more'),
    element(
      'tbody',
      {},
      rows.map(({ client, counts }) => {
        const cells = counts.flatMap((count, at) => {
          const names = bars[at] ?? [];
          const others = names.length > 1 ? ` and ${plural(names.length - 1, 'pod')} after it` : '';
          const title = element('title', {}, `${names[0] ?? ''}${others}: ${plural(count, 'connection')}`);
          const place = { x: at, y: 0, width: 1, height: 1 };
          return count === 0 ? [] : [element('rect', { class: `c${step(count, most)}`, ...place }, title)];
        });
        const image = `${client.workload}: ${reach(client, pods.length)}`;
        return element(
          'tr',
          {},
          rowHead(client, pods.length),
          element('td', {}, element('svg', { viewBox: `0 0 ${bars.length} 1`, image }, cells)),
        );
      }),
    ),
  );
}

function rowHead(client: Client, pods: number): Markup {
  return element('th', { scope: 'row' }, client.workload, element('span', { class: 'word' }, reach(client, pods)));
}

const reach = ({ connections, podsReached }: Client, pods: number) =>
  `${plural(connections, 'connection')}, ${podsReached} of ${plural(pods, 'pod')}`;

/** What follows the last dash tells pods of a workload apart; where it does not, their places do. */
function endsOf(pods: readonly string[]): readonly string[] {
  const ends = pods.map((pod) => pod.slice(pod.lastIndexOf('-') + 1));
  const areTelling = new Set(ends).size === pods.length && ends.every((end) => end.length > 0 && end.length <= 10);
  return areTelling ? ends : pods.map((_, at) => String(at + 1));
}

import type { KubeObject } from '../objects/meta.ts';
import type { ListPage } from './list.ts';
import type { Column, Resource } from './resource.ts';

/** Does this Accept header ask for the form that kubectl prints? */
export function wantsTable(accept: string): boolean {
  return accept.split(',').some((part) => /;as=Table(;|$)/.test(part.replaceAll(' ', '')));
}

/** A list as rows and columns, with the objects' metadata only. */
export function table(resource: Resource, page: ListPage, now: number): unknown {
  return {
    kind: 'Table',
    apiVersion: 'meta.k8s.io/v1',
    metadata: page.metadata,
    columnDefinitions: resource.columns.map(({ name, type, priority }) => ({
      name,
      type,
      format: name === 'Name' ? 'name' : '',
      description: '',
      priority,
    })),
    rows: page.items.map((object) => ({
      cells: resource.columns.map((column) => column.cell(object, now)),
      object: { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata: object.metadata },
    })),
  };
}

export function column(name: string, cell: Column['cell'], priority: Column['priority'] = 0): Column {
  return { name, type: 'string', priority, cell };
}

export function countColumn(name: string, cell: (object: KubeObject) => number): Column {
  return { name, type: 'integer', priority: 0, cell };
}

/** A duration as `kubectl get` shows it: 45s, 2m36s, 25m, 3h7m, 3d. */
export function humanDuration(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  if (seconds < 120) return `${seconds}s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 10) return withRest(`${minutes}m`, seconds % 60, 's');
  if (minutes < 180) return `${minutes}m`;
  const hours = Math.floor(minutes / 60);
  if (hours < 8) return withRest(`${hours}h`, minutes % 60, 'm');
  if (hours < 48) return `${hours}h`;
  const days = Math.floor(hours / 24);
  return days < 8 ? withRest(`${days}d`, hours % 24, 'h') : `${days}d`;
}

function withRest(text: string, rest: number, unit: string): string {
  return rest === 0 ? text : `${text}${rest}${unit}`;
}

export const name: Column = column('Name', (object) => object.metadata.name);

export const ageColumn: Column = column('Age', (object, now) =>
  humanDuration(now - Date.parse(object.metadata.creationTimestamp)),
);

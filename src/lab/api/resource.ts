import type { KubeObject } from '../objects/meta.ts';

/** A kind of object that the emulator serves. */
export interface Resource {
  readonly group: string;
  readonly version: string;
  /** Plural, as in paths. */
  readonly name: string;
  readonly singular: string;
  readonly kind: string;
  readonly namespaced: boolean;
  readonly shortNames?: readonly string[];
  readonly verbs: readonly string[];
  /** The objects as they are now. */
  objects(): readonly KubeObject[];
  readonly columns: readonly Column[];
  /** metrics-server's lists have no version and no pages. */
  readonly unversioned?: true;
}

/** A column of kubectl's printing. Priority 1 is for `-o wide`. */
export interface Column {
  readonly name: string;
  readonly type: 'string' | 'integer';
  readonly priority: 0 | 1;
  cell(object: KubeObject, now: number): string | number;
}

export function apiVersion({ group, version }: Pick<Resource, 'group' | 'version'>): string {
  return group === '' ? version : `${group}/${version}`;
}

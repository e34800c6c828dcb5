/** A Kubernetes object as JSON. In lists it has no `kind` and `apiVersion`, as the real API sends it. */
export interface KubeObject {
  readonly metadata: ObjectMeta;
  readonly [field: string]: unknown;
}

interface ObjectMeta {
  readonly name: string;
  readonly namespace?: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly creationTimestamp: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly [field: string]: unknown;
}

/** RFC 3339 without fractions: Kubernetes' `Time`. */
export function timestamp(at: number): string {
  return `${new Date(at).toISOString().slice(0, 19)}Z`;
}

/** RFC 3339 with microseconds: Kubernetes' `MicroTime`. */
export function microTime(at: number): string {
  return new Date(at).toISOString().replace('Z', '000Z');
}

export function ownerReference(apiVersion: string, kind: string, name: string, uid: string): readonly unknown[] {
  return [{ apiVersion, kind, name, uid, controller: true, blockOwnerDeletion: true }];
}

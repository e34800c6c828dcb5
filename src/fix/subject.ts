import type { CommandPlace } from '../report/command.ts';
import type { SkewReport } from '../report/schema.ts';

/** The names that manifests, code and commands are made of. All of them have been checked. */
export interface FixSubject {
  readonly name: string;
  readonly namespace: string;
  /** Where the commands act. */
  readonly at: CommandPlace;
  readonly servicePort: number;
  readonly targetPort: number;
  readonly declaredTargetPort: number | string;
  readonly clients: readonly FixWorkload[];
  /** What runs the pods of the Service. */
  readonly servers: readonly FixWorkload[];
}

export interface FixWorkload {
  readonly kind: 'Deployment' | 'StatefulSet' | 'DaemonSet';
  readonly resource: string;
  readonly name: string;
  readonly namespace: string;
}

/** RFC 1123 labels and subdomains: what the API server takes for a name. Anything else stays out of code and commands. */
const label = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;
const subdomain = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?(\.[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?)*$/;
/** Whether a name of the report is one that a namespaced object or a port can have. */
export function isLabel(name: string): boolean {
  return label.test(name);
}

const kinds: ReadonlyMap<string, FixWorkload['kind']> = new Map([
  ['deployment', 'Deployment'],
  ['statefulset', 'StatefulSet'],
  ['daemonset', 'DaemonSet'],
]);

/** Null where the report names no port, or names that no cluster has. */
export function subjectOf(report: SkewReport): FixSubject | null {
  const { name, namespace } = report.metadata;
  const { port } = report.spec;
  if (!label.test(name) || !label.test(namespace) || port === null) return null;
  const declared = report.status.service.ports.find(
    (entry) => entry.port === port.port && entry.protocol === 'TCP',
  )?.targetPort;
  const targetPort = port.targetPort ?? port.port;
  return {
    name,
    namespace,
    at: report.metadata,
    servicePort: port.port,
    targetPort,
    declaredTargetPort: typeof declared === 'string' && !label.test(declared) ? targetPort : (declared ?? targetPort),
    clients: report.status.clients.flatMap((client) => workloadOf(client.workload, client.namespace ?? namespace)),
    servers: (report.status.service.workloads ?? []).flatMap((workload) => workloadOf(workload, namespace)),
  };
}

/** A workload that has a pod template, of `kind/name`; else none. */
function workloadOf(text: string, namespace: string): FixWorkload[] {
  const [resource = '', name = ''] = text.split('/');
  const kind = kinds.get(resource);
  return kind === undefined || !subdomain.test(name) || !label.test(namespace)
    ? []
    : [{ kind, resource, name, namespace }];
}

/** A name of at most 63 characters, as of a Service (RFC 1035): the end stays. */
export function suffixed(name: string, suffix: string): string {
  return `${name.slice(0, 63 - suffix.length).replace(/-+$/, '')}${suffix}`;
}

/** The name that cluster DNS answers. */
export function hostOf(name: string, namespace: string): string {
  return `${name}.${namespace}.svc.cluster.local`;
}

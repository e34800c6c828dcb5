import type { SkewReport } from '../report/schema.ts';

/** The names that manifests, code and commands are made of. All of them have been checked: none needs quoting. */
export interface Place {
  readonly name: string;
  readonly namespace: string;
  /** ` --context prod`, where it is known and needs no quoting; else nothing. */
  readonly context: string;
  /** The command that diagnoses this Service and port, without flags of its own. */
  readonly diagnose: string;
  readonly servicePort: number;
  readonly portName: string | null;
  readonly targetPort: number;
  readonly declaredTargetPort: number | string;
  readonly clients: readonly ClientWorkload[];
}

export interface ClientWorkload {
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

const plainContext = /^[\w.@:/-]+$/;

const kinds: ReadonlyMap<string, ClientWorkload['kind']> = new Map([
  ['deployment', 'Deployment'],
  ['statefulset', 'StatefulSet'],
  ['daemonset', 'DaemonSet'],
]);

/** Null where the report names no port, or names that no cluster has. */
export function placeOf(report: SkewReport): Place | null {
  const { name, namespace, context } = report.metadata;
  const { port } = report.spec;
  if (!label.test(name) || !label.test(namespace) || port === null) return null;
  const declared = report.status.service.ports.find(
    (entry) => entry.port === port.port && entry.protocol === 'TCP',
  )?.targetPort;
  const targetPort = port.targetPort ?? port.port;
  const inContext = context !== null && plainContext.test(context) ? ` --context ${context}` : '';
  const several = report.status.service.ports.filter((entry) => entry.protocol === 'TCP').length > 1;
  return {
    name,
    namespace,
    context: inContext,
    diagnose: `kubectl grpc-skew svc/${name} -n ${namespace}${inContext}${several ? ` --port ${port.port}` : ''}`,
    servicePort: port.port,
    portName: port.name !== null && label.test(port.name) ? port.name : null,
    targetPort,
    declaredTargetPort: typeof declared === 'string' && !label.test(declared) ? targetPort : (declared ?? targetPort),
    clients: report.status.clients.flatMap((client) => {
      const [type = '', workload = ''] = client.workload.split('/');
      const kind = kinds.get(type);
      const home = client.namespace ?? namespace;
      if (kind === undefined || !subdomain.test(workload) || !label.test(home)) return [];
      return [{ kind, resource: type, name: workload, namespace: home }];
    }),
  };
}

/** A name of at most 63 characters, as of a Service (RFC 1035): the end stays. */
export function suffixed(name: string, suffix: string): string {
  return `${name.slice(0, 63 - suffix.length).replace(/-+$/, '')}${suffix}`;
}

/** The name that cluster DNS answers. */
export function hostOf(name: string, namespace: string): string {
  return `${name}.${namespace}.svc.cluster.local`;
}

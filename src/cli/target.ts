import { err, ok, type Result, wrongUsage } from '../result/result.ts';

/** What is to be diagnosed: a Service, or a workload whose Service is looked up. */
export interface Subject {
  readonly kind: 'service' | 'deployment' | 'statefulset' | 'daemonset' | 'pod';
  readonly name: string;
}

/** kubectl's own names of a type: singular, plural, short, and with its group as `-o name` prints it. */
const typeNames: Readonly<Record<Subject['kind'], readonly string[]>> = {
  service: ['svc', 'service', 'services'],
  deployment: ['deploy', 'deployment', 'deployments', 'deployment.apps', 'deployments.apps'],
  statefulset: ['sts', 'statefulset', 'statefulsets', 'statefulset.apps', 'statefulsets.apps'],
  daemonset: ['ds', 'daemonset', 'daemonsets', 'daemonset.apps', 'daemonsets.apps'],
  pod: ['po', 'pod', 'pods'],
};
const kinds = Object.keys(typeNames) as Subject['kind'][];

/** NAME, TYPE/NAME or `TYPE NAME`, by kubectl's rules and words; a bare name is a Service. */
export function readTarget(positionals: readonly string[]): Result<Subject> {
  const [first, second, ...rest] = positionals;
  if (first === undefined)
    return wrong(
      'no Service is named',
      'write kubectl grpc-skew SERVICE, or kubectl grpc-skew lab to try it without a cluster',
    );
  if (first.includes('/')) {
    if (second?.includes('/')) return wrong('one Service at a time');
    if (second !== undefined)
      return wrong(
        'there is no need to specify a resource type as a separate argument when passing arguments in resource/name form',
      );
    const [type = '', name = '', ...more] = first.split('/');
    if (more.length > 0) return wrong('arguments in resource/name form may not have more than one slash');
    if (name === '' || type === '')
      return wrong('arguments in resource/name form must have a single resource and name');
    return ofType(type, name);
  }
  if (second === undefined) return named('service', first);
  return rest.length === 0 && kindOf(first) !== undefined ? ofType(first, second) : wrong('one Service at a time');
}

function ofType(type: string, name: string): Result<Subject> {
  const kind = kindOf(type);
  if (kind !== undefined) return named(kind, name);
  return wrong(
    `${JSON.stringify(type)} is no type that can be diagnosed`,
    `name the Service (svc/NAME), or its workload: ${kinds.slice(1).join('/NAME, ')}/NAME`,
  );
}

/** Which kind of object a name of a type means, by kubectl's own names. */
export function kindOf(type: string): Subject['kind'] | undefined {
  return kinds.find((kind) => typeNames[kind].includes(type.toLowerCase()));
}

/** What the API server would refuse anyway is said here in plainer words. Source: RFC 1123 subdomains. */
function named(kind: Subject['kind'], name: string): Result<Subject> {
  if (isName(name)) return ok({ kind, name });
  return wrong(`${JSON.stringify(name)} is no name of a ${kind}`, 'names have lower-case letters, digits and dashes');
}

/** Whether this can be the name of an object or a namespace. Nothing else may get into a path. */
export function isName(name: string): boolean {
  return name.length <= 253 && /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/.test(name);
}

function wrong(message: string, hint = 'write kubectl grpc-skew SERVICE'): Result<Subject> {
  return err(wrongUsage(message, hint));
}

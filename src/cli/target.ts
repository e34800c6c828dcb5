export type Target =
  | { readonly ok: true; readonly name: string }
  | { readonly ok: false; readonly message: string; readonly hint: string };

const serviceTypes = ['svc', 'service', 'services'];

/** A Service by NAME, svc/NAME, or `svc NAME`, by kubectl's rules and words. */
export function readTarget(positionals: readonly string[]): Target {
  const [first, second, ...rest] = positionals;
  const wrong = (message: string, hint = 'write kubectl grpc-skew SERVICE'): Target => ({ ok: false, message, hint });
  if (first === undefined)
    return wrong(
      'which Service?',
      'write kubectl grpc-skew SERVICE, or kubectl grpc-skew lab to try it without a cluster',
    );
  if (rest.length > 0) return wrong('one Service at a time');
  if (first.includes('/')) {
    if (second !== undefined)
      return wrong(
        'there is no need to specify a resource type as a separate argument when passing arguments in resource/name form',
      );
    const [type = '', name = '', ...more] = first.split('/');
    if (more.length > 0) return wrong('arguments in resource/name form may not have more than one slash');
    if (name === '' || type === '')
      return wrong('arguments in resource/name form must have a single resource and name');
    if (!serviceTypes.includes(type.toLowerCase()))
      return wrong(`${type} is not a type that can be diagnosed`, `name the Service in front of it: svc/NAME`);
    return checkName(name);
  }
  if (second !== undefined)
    return serviceTypes.includes(first.toLowerCase()) ? checkName(second) : wrong('one Service at a time');
  return checkName(first);
}

/** What the API server would refuse anyway is said here in plainer words. Source: RFC 1035 labels, as Services use. */
function checkName(name: string): Target {
  if (/^[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?$/.test(name)) return { ok: true, name };
  return {
    ok: false,
    message: `${JSON.stringify(name)} is no name of a Service`,
    hint: 'names have lower-case letters, digits and dashes',
  };
}

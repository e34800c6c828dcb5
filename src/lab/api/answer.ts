/** An HTTP answer before it is written: plain data, so that everything up to the socket is a function. */
export interface Answer {
  readonly status: number;
  readonly contentType?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string;
}

export function json(body: unknown, status = 200): Answer {
  return { status, contentType: 'application/json', body: `${JSON.stringify(body)}\n` };
}

/** What a path outside every API gets, a missing API group included: text, not a Status. */
export function pageNotFound(): Answer {
  return { status: 404, contentType: 'text/plain; charset=utf-8', body: '404 page not found\n' };
}

export interface StatusDetails {
  readonly name?: string;
  readonly group?: string;
  readonly kind?: string;
}

/** A failure in Kubernetes' own form. */
export function failureStatus(code: number, reason: string, message: string, details?: StatusDetails): Answer {
  return json(
    {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message,
      reason,
      ...(details ? { details } : {}),
      code,
    },
    code,
  );
}

export function notFound(group: string, resource: string, name: string): Answer {
  const qualified = group === '' ? resource : `${resource}.${group}`;
  return failureStatus(404, 'NotFound', `${qualified} "${name}" not found`, {
    name,
    ...(group === '' ? {} : { group }),
    kind: resource,
  });
}

/** Where a Prometheus is, and as whom it is asked. */
export interface PrometheusAddress {
  /** Scheme, host, port and path, without a slash at the end and without credentials. */
  readonly base: string;
  /** Of the Authorization header; null: none. */
  readonly authorization: string | null;
}

export type ReadAddress =
  | { readonly ok: true; readonly value: PrometheusAddress }
  | { readonly ok: false; readonly message: string; readonly hint: string };

/** Reads what --prometheus names. The text may hold a password, so no message quotes it. */
export function readAddress(text: string): ReadAddress {
  const hint = 'write --prometheus https://prometheus.example.com:9090, or --prometheus none';
  if (!URL.canParse(text)) return { ok: false, message: '--prometheus takes an http or https URL, or none', hint };
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    // Of `jo:secret@prom` the user is read as the scheme.
    const instead = text.includes('://') ? `, not ${url.protocol}//` : '';
    return { ok: false, message: `--prometheus takes an http or https URL${instead}`, hint };
  }
  if (url.search !== '' || url.hash !== '')
    return { ok: false, message: 'the URL of --prometheus takes no query', hint };
  // The path may stand before the API, as behind a gateway; who copies it with the API in it means the same.
  const path = url.pathname.replace(/\/(api\/v1(\/.*)?)?$/, '');
  const userinfo = `${decode(url.username)}:${decode(url.password)}`;
  return {
    ok: true,
    value: {
      base: `${url.protocol}//${url.host}${path}`,
      authorization: userinfo === ':' ? null : `Basic ${Buffer.from(userinfo).toString('base64')}`,
    },
  };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

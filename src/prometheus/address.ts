import { err, ok, type Result, wrongUsage } from '../result/result.ts';

/** Where a Prometheus is, and as whom it is asked. */
export interface PrometheusAddress {
  /** Scheme, host, port and path, without a slash at the end and without credentials. */
  readonly base: string;
  /** Of the Authorization header; null: none. */
  readonly authorization: string | null;
}

/** Reads what --prometheus names. The text may hold a password, so no message quotes it. */
export function readAddress(text: string): Result<PrometheusAddress> {
  const wrong = (message: string) =>
    err(wrongUsage(message, 'write --prometheus https://prometheus.example.com:9090, or --prometheus none'));
  if (!URL.canParse(text)) return wrong('--prometheus takes an http or https URL, or none');
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    // Of `jo:secret@prom` the user is read as the scheme.
    const instead = text.includes('://') ? `, not ${url.protocol}//` : '';
    return wrong(`--prometheus takes an http or https URL${instead}`);
  }
  if (url.search !== '' || url.hash !== '') return wrong('the URL of --prometheus takes no query');
  // The path may stand before the API, as behind a gateway; who copies it with the API in it means the same.
  const path = url.pathname.replace(/\/(api\/v1(\/.*)?)?$/, '');
  const userinfo = `${decode(url.username)}:${decode(url.password)}`;
  return ok({
    base: `${url.protocol}//${url.host}${path}`,
    authorization: userinfo === ':' ? null : `Basic ${Buffer.from(userinfo).toString('base64')}`,
  });
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

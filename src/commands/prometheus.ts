import type { DiagnosisOptions } from '../cli/options.ts';
import { inputs, readInput, reasonOf } from '../files/read.ts';
import type { KubeHost } from '../kube/types.ts';
import { prometheusByUrl } from '../prometheus/by-url.ts';
import type { PrometheusClient } from '../prometheus/types.ts';
import { err, ok, type Result } from '../result/result.ts';
import type { Host } from './host.ts';

/** The Prometheus that was named, with its token; sends nothing yet. */
export async function openPrometheus(
  { prometheus, prometheusTokenFile }: Pick<DiagnosisOptions, 'prometheus' | 'prometheusTokenFile'>,
  host: Pick<Host, 'env'> & Pick<KubeHost, 'userAgent' | 'log'>,
  interrupted: AbortSignal,
): Promise<Result<PrometheusClient | 'find' | 'none'>> {
  if (typeof prometheus === 'string') return ok(prometheus);
  if (prometheusTokenFile === null) return ok(prometheusByUrl(prometheus, host));
  const text = await readInput(prometheusTokenFile, inputs.token, interrupted);
  if (typeof text !== 'string')
    return err({
      kind: 'failed',
      message: `the token file ${prometheusTokenFile} cannot be read: ${reasonOf(text)}`,
      hint: 'name another with --prometheus-token-file',
    });
  const token = text.trim();
  // A header takes no line breaks and no letters beyond ASCII: not quoted, since it may be a secret that is misplaced.
  if (!/^[\x21-\x7e]+$/.test(token))
    return err({
      kind: 'failed',
      message: `the token file ${prometheusTokenFile} holds no token of one line`,
      hint: 'write the bearer token into it, and nothing else',
    });
  return ok(prometheusByUrl({ ...prometheus, authorization: `Bearer ${token}` }, host));
}

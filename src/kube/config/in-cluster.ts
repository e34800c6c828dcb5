import { inputs, readInput } from '../../files/read.ts';
import type { KubeOutcome } from '../errors/outcome.ts';
import type { ConnectionFlags, KubeHost } from '../types.ts';
import { finishConnection } from './resolve.ts';
import type { ClusterConnection } from './types.ts';

/** Where kubelet mounts a pod's service account (client-go rest/config.go). */
export const serviceAccountDirectory = '/var/run/secrets/kubernetes.io/serviceaccount';

/**
 * The connection a pod has through its service account, or null where this process is in no pod. The token is given as a
 * file, not as a value: kubelet rotates it.
 */
export async function inClusterConnection(
  flags: ConnectionFlags,
  host: Pick<KubeHost, 'env'>,
  directory: string,
): Promise<KubeOutcome<ClusterConnection> | null> {
  const address = host.env['KUBERNETES_SERVICE_HOST'];
  const port = host.env['KUBERNETES_SERVICE_PORT'];
  if (!address || !port) return null;
  if ((await read(`${directory}/token`)) === undefined) return null;
  const authority = await read(`${directory}/ca.crt`);
  const mounted = (await read(`${directory}/namespace`))?.trim();
  return finishConnection(
    {
      context: 'in-cluster',
      namespace: host.env['POD_NAMESPACE'] || mounted || 'default',
      cluster: {
        server: `https://${address.includes(':') ? `[${address}]` : address}:${port}`,
        insecureSkipTlsVerify: false,
        disableCompression: false,
        ...(authority === undefined ? {} : { certificateAuthority: `${directory}/ca.crt` }),
      },
      user: { tokenFile: `${directory}/token`, impersonation: { groups: [], extra: {} } },
    },
    flags,
  );
}

async function read(path: string): Promise<string | undefined> {
  const text = await readInput(path, inputs.credential);
  return typeof text === 'string' ? text : undefined;
}

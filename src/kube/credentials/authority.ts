import { inputs, readInput, reasonOf } from '../../files/read.ts';
import { ok } from '../../result/result.ts';
import { loadingConfig } from '../config/resolve.ts';
import { type ClusterConnection, isTls } from '../config/types.ts';
import { failure, type KubeOutcome } from '../errors/outcome.ts';

/** Node would silently trust nobody when the text holds no certificate. */
function checked(pem: string, where: string): KubeOutcome<string> {
  if (pem.includes('-----BEGIN CERTIFICATE-----')) return ok(pem);
  return failure('config', loadingConfig, `${where}: holds no PEM certificate`);
}

/**
 * The PEM certificates that vouch for the server; undefined means the system's. Where there is no TLS they need not be any,
 * but a file must be there.
 */
export async function readAuthority({ cluster, server }: ClusterConnection): Promise<KubeOutcome<string | undefined>> {
  if (cluster.certificateAuthorityData !== undefined) {
    const pem = Buffer.from(cluster.certificateAuthorityData, 'base64').toString('utf8');
    return isTls(server) ? checked(pem, 'certificate-authority-data') : ok(undefined);
  }
  const file = cluster.certificateAuthority;
  if (file === undefined) return ok(undefined);
  const pem = await readInput(file, inputs.credential);
  if (typeof pem !== 'string') return failure('config', loadingConfig, `${file}: ${reasonOf(pem)}`);
  return isTls(server) ? checked(pem, file) : ok(undefined);
}

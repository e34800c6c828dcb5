import { inputs, readInput, reasonOf } from '../files/read.ts';
import { loadingConfig } from './config-resolve.ts';
import type { KubeconfigCluster } from './config-types.ts';
import { failure, type Outcome, success } from './outcome.ts';

/** Node would silently trust nobody when the text holds no certificate. */
function checked(pem: string, where: string): Outcome<string> {
  if (pem.includes('-----BEGIN CERTIFICATE-----')) return success(pem);
  return failure('config', loadingConfig, `${where}: holds no PEM certificate`);
}

/** The PEM certificates that vouch for the server; undefined means the system's. Data beats a file, as in kubectl. */
export async function readAuthority(cluster: KubeconfigCluster): Promise<Outcome<string | undefined>> {
  if (cluster.certificateAuthorityData !== undefined) {
    const pem = Buffer.from(cluster.certificateAuthorityData, 'base64').toString('utf8');
    return checked(pem, 'certificate-authority-data');
  }
  const file = cluster.certificateAuthority;
  if (file === undefined) return success(undefined);
  const text = await readInput(file, inputs.credential);
  return typeof text === 'string'
    ? checked(text, file)
    : failure('config', loadingConfig, `${file}: ${reasonOf(text)}`);
}

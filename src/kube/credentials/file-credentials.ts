import { inputs, readInput, reasonOf } from '../../files/read.ts';
import { ok } from '../../result/result.ts';
import type { KubeconfigUser } from '../config/types.ts';
import { failure, type KubeOutcome } from '../errors/outcome.ts';
import { defined } from '../errors/unknown-json.ts';
import { bearer, type Credential, type CredentialSource, gettingCredential } from './credential.ts';

/** Tokens and certificates in files are rotated under us; client-go reads token files again after this time as well. */
const rereadAfterMs = 10_000;

/** Token, password and certificate as they stand in the kubeconfig or in files it names. */
export function fileCredentials(user: KubeconfigUser): CredentialSource {
  let last: { readonly outcome: Promise<KubeOutcome<Credential>>; readonly at: number } | undefined;
  const read = (maxAgeMs: number): Promise<KubeOutcome<Credential>> => {
    const now = performance.now();
    if (last === undefined || now - last.at >= maxAgeMs) last = { outcome: readCredential(user), at: now };
    return last.outcome;
  };
  return {
    current: () => read(rereadAfterMs),
    async renew(refused) {
      const again = await read(0);
      return again.ok && sameCredential(again.value, refused) ? null : again;
    },
    accepted() {},
    close() {},
  };
}

/** For a server without TLS: nothing is sent. Certificates that cannot be read are an error all the same, as in kubectl. */
export function noCredentials({ clientCertificate, clientKey, impersonation }: KubeconfigUser): CredentialSource {
  const files = fileCredentials(
    clientCertificate === undefined
      ? { impersonation }
      : { ...defined({ clientCertificate, clientKey }), impersonation },
  );
  return {
    ...files,
    async current() {
      const read = await files.current();
      return read.ok ? ok({}) : read;
    },
    renew: async () => null,
  };
}

export function sameCredential(one: Credential, other: Credential): boolean {
  return one.authorization === other.authorization && one.cert === other.cert && one.key === other.key;
}

async function readCredential(user: KubeconfigUser): Promise<KubeOutcome<Credential>> {
  let reading = '';
  const pem = async (data: string | undefined, file: string | undefined): Promise<string | undefined> => {
    if (data !== undefined) return Buffer.from(data, 'base64').toString('utf8');
    if (file === undefined) return undefined;
    reading = file;
    return readWhole(file);
  };
  try {
    const cert = await pem(user.clientCertificateData, user.clientCertificate);
    const key = await pem(user.clientKeyData, user.clientKey);
    reading = user.tokenFile ?? '';
    const authorization = await authorizationHeader(user);
    if (authorization === null) {
      const where = user.tokenFile ?? 'the kubeconfig or --token';
      return failure('credential', gettingCredential, `${where} holds no token of one line`);
    }
    return ok({
      ...(authorization === undefined ? {} : { authorization }),
      ...(cert === undefined ? {} : { cert }),
      ...(key === undefined ? {} : { key }),
    });
  } catch (error) {
    return failure('credential', gettingCredential, `${reading}: ${reasonOf(error as Error)}`);
  }
}

async function readWhole(file: string): Promise<string> {
  const text = await readInput(file, inputs.credential);
  if (typeof text !== 'string') throw text;
  return text;
}

/** Null: the token cannot be one. White space is cut off in a file alone, as kubectl does. */
async function authorizationHeader(user: KubeconfigUser): Promise<string | null | undefined> {
  if (user.tokenFile !== undefined) {
    // The token beside a token file is what to use while the file cannot be read (client-go transport/token_source.go).
    const token = await readWhole(user.tokenFile).catch((error: unknown) => {
      if (user.token === undefined) throw error;
      return user.token;
    });
    return token.trim() === '' ? null : bearer(token.trim());
  }
  if (user.token !== undefined) return bearer(user.token);
  if (user.username === undefined) return undefined;
  return `Basic ${Buffer.from(`${user.username}:${user.password ?? ''}`, 'utf8').toString('base64')}`;
}

// What the library's container of parsers needs of the language before it is loaded.
import 'reflect-metadata';
import {
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  PemConverter,
  SubjectAlternativeNameExtension,
  SubjectKeyIdentifierExtension,
  X509CertificateGenerator,
} from '@peculiar/x509';

/** A certificate of the API server that is its own authority, and its key. */
export interface Certificate {
  readonly certificatePem: string;
  readonly keyPem: string;
}

const day = 86_400_000;
const ecdsa = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;

/** Makes a self-signed ECDSA certificate for 127.0.0.1 and localhost, good for a few days (RFC 5280). */
export async function selfSignedCertificate(now: number): Promise<Certificate> {
  const keys = await crypto.subtle.generateKey(ecdsa, true, ['sign', 'verify']);
  const certificate = await X509CertificateGenerator.createSelfSigned({
    name: 'CN=grpc-skew-lab',
    notBefore: new Date(now - day),
    notAfter: new Date(now + 30 * day),
    signingAlgorithm: ecdsa,
    keys,
    extensions: [
      new BasicConstraintsExtension(true, undefined, true),
      new KeyUsagesExtension(KeyUsageFlags.digitalSignature | KeyUsageFlags.keyCertSign),
      new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth]),
      // Go looks authorities up by it.
      await SubjectKeyIdentifierExtension.create(keys.publicKey),
      new SubjectAlternativeNameExtension([
        { type: 'dns', value: 'localhost' },
        { type: 'ip', value: '127.0.0.1' },
      ]),
    ],
  });
  const key = await crypto.subtle.exportKey('pkcs8', keys.privateKey);
  return { certificatePem: certificate.toString('pem'), keyPem: PemConverter.encode(key, 'PRIVATE KEY') };
}

import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

/** A certificate of the API server that is its own authority, and its key. */
export interface Certificate {
  readonly certificatePem: string;
  readonly keyPem: string;
}

const day = 86_400_000;

/** Makes a self-signed ECDSA certificate for 127.0.0.1 and localhost, good for a few days (RFC 5280). */
export function selfSignedCertificate(now: number): Certificate {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const publicKeyDer = publicKey.export({ type: 'spki', format: 'der' });
  const name = sequence(set(sequence(oid(2, 5, 4, 3), der(0x0c, Buffer.from('grpc-skew-lab')))));
  const ecdsaWithSha256 = sequence(oid(1, 2, 840, 10045, 4, 3, 2));
  const keyId = createHash('sha1').update(publicKeyDer).digest();
  const toBeSigned = sequence(
    der(0xa0, integer(Buffer.from([2]))),
    integer(Buffer.concat([Buffer.from([0x4c]), randomBytes(15)])),
    ecdsaWithSha256,
    name,
    sequence(time(now - day), time(now + 30 * day)),
    name,
    publicKeyDer,
    der(
      0xa3,
      sequence(
        extension(oid(2, 5, 29, 19), sequence(der(0x01, Buffer.from([0xff]))), true), // basicConstraints: CA
        extension(oid(2, 5, 29, 15), der(0x03, Buffer.from([2, 0x84])), true), // digitalSignature, keyCertSign
        extension(oid(2, 5, 29, 37), sequence(oid(1, 3, 6, 1, 5, 5, 7, 3, 1))), // serverAuth
        extension(oid(2, 5, 29, 14), der(0x04, keyId)), // Go looks authorities up by it
        extension(
          oid(2, 5, 29, 17),
          sequence(der(0x82, Buffer.from('localhost')), der(0x87, Buffer.from([127, 0, 0, 1]))),
        ),
      ),
    ),
  );
  const signature = sign('sha256', toBeSigned, privateKey);
  const certificate = sequence(toBeSigned, ecdsaWithSha256, der(0x03, Buffer.concat([Buffer.from([0]), signature])));
  const lines = certificate.toString('base64').match(/.{1,64}/g) ?? [];
  return {
    certificatePem: `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`,
    keyPem: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}

function der(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const head = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...head]), content]);
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return der(0x30, Buffer.concat(parts));
}

function set(content: Buffer): Buffer {
  return der(0x31, content);
}

function integer(bigEndian: Buffer): Buffer {
  return der(0x02, bigEndian);
}

function time(at: number): Buffer {
  const digits = new Date(at).toISOString().replace(/\D/g, '').slice(2, 14);
  return der(0x17, Buffer.from(`${digits}Z`));
}

function extension(id: Buffer, value: Buffer, critical = false): Buffer {
  const text = der(0x04, value);
  return critical ? sequence(id, der(0x01, Buffer.from([0xff])), text) : sequence(id, text);
}

function oid(first: number, second: number, ...rest: readonly number[]): Buffer {
  const bytes = [first * 40 + second];
  for (const arc of rest) {
    const groups = [arc & 0x7f];
    for (let left = arc >> 7; left > 0; left >>= 7) groups.unshift((left & 0x7f) | 0x80);
    for (const group of groups) bytes.push(group);
  }
  return der(0x06, Buffer.from(bytes));
}

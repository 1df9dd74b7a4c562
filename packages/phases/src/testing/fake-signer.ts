import { digestOf } from '../journal.ts';
import type { Signer, SigningRequest } from '../ports.ts';

/** What a fake certificate says. */
export interface FakeCertificate {
  readonly subject: string;
  /** Digest of the key that it belongs to. */
  readonly key: string;
  /** Digest of the issuing certificate's key; its own for a root. */
  readonly issuer: string;
  readonly names: readonly string[];
  readonly notAfter: string;
}

/**
 * A signer that makes no cryptography: a key is text, a certificate is JSON that names the digests of its key and of its
 * issuer. Deterministic for a seed. Good only for tests of the engine.
 */
export function fakeSigner(seed: number): Signer {
  let count = 0;
  return {
    canIssue({ certificate }) {
      return certificate === undefined || certificate.issuer === 'self' || certificate.issuer.key !== undefined;
    },
    issue: (requests) =>
      requests.map(async (request) => {
        const key = request.key ?? `-----FAKE KEY-----\n${await fakeSecret(`${request.name} ${seed} ${++count}`)}\n`;
        const { certificate } = request;
        if (certificate === undefined) return { key };
        return { key, certificate: JSON.stringify(await fakeCertificate(key, certificate)) };
      }),
  };
}

/** Digest by which a fake certificate names its key. */
export async function fakeKeyDigest(key: string): Promise<string> {
  return digestOf(new TextEncoder().encode(key));
}

/** @throws Error when the text is no fake certificate */
export function parseFakeCertificate(text: string): FakeCertificate {
  const value: unknown = JSON.parse(text);
  if (typeof value !== 'object' || value === null || !('subject' in value))
    throw new Error('it is no fake certificate');
  return value as FakeCertificate;
}

async function fakeSecret(of: string): Promise<string> {
  return (await digestOf(new TextEncoder().encode(of))).slice('sha256:'.length);
}

async function fakeCertificate(
  key: string,
  certificate: NonNullable<SigningRequest['certificate']>,
): Promise<FakeCertificate> {
  const own = await fakeKeyDigest(key);
  return {
    subject: certificate.commonName,
    key: own,
    issuer: certificate.issuer === 'self' ? own : parseFakeCertificate(certificate.issuer.certificate).key,
    names: certificate.dnsNames,
    notAfter: certificate.notAfter.toISOString(),
  };
}

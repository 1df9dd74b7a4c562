import type { CertificateProfile } from '@groundplane/plugin';
import { SignJWT } from 'jose';
import type { ProvisionerKey } from './provisioner-key.ts';

export interface TokenFacts {
  /** URL of the authority. */
  readonly url: string;
  /** SHA-256 of its root in hexadecimal. */
  readonly fingerprint: string;
  readonly provisioner: string;
  readonly profile: CertificateProfile;
}

/** Seconds that a token is good for. */
const lifetime = 300;

/**
 * The token by which a JWK provisioner lets one certificate be signed (step-ca: authority/provisioner/jwk.go). What the certificate has to say is
 * in it, under `groundplane`, for the template of the provisioner: all of it is signed by the provisioner's key.
 */
export function oneTimeToken(
  { url, fingerprint, provisioner, profile }: TokenFacts,
  { id, algorithm, key }: ProvisionerKey,
): Promise<string> {
  const { commonName, organizations, dnsNames, ipAddresses, keyUsages, extendedKeyUsages } = profile;
  const sans = [
    ...dnsNames.map((value) => ({ type: 'dns', value })),
    ...ipAddresses.map((value) => ({ type: 'ip', value })),
  ];
  return new SignJWT({
    sans: sans.map(({ value }) => value),
    sha: fingerprint,
    groundplane: { organizations, sans, keyUsages, extendedKeyUsages },
  })
    .setProtectedHeader({ alg: algorithm, kid: id, typ: 'JWT' })
    .setIssuer(provisioner)
    .setAudience(`${url}/1.0/sign`)
    .setSubject(commonName)
    .setJti(crypto.randomUUID())
    .setIssuedAt()
    .setNotBefore('0s')
    .setExpirationTime(`${lifetime}s`)
    .sign(key);
}

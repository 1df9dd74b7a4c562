import type { SigningRequest } from '@groundplane/phases';
import type { CertificateRequest, KeyAlgorithm } from '@groundplane/pki';

type Issuer = NonNullable<SigningRequest['certificate']>['issuer'];

interface RequestDetails {
  /** How messages call it: the row of the table, or the file. */
  readonly name: string;
  readonly issuer: Issuer;
  /** PEM of a private key that is there already. */
  readonly key?: string | undefined;
}

/** What the Signer is asked for, out of a request of the certificate table. */
export function signingRequest(wanted: CertificateRequest, { name, issuer, key }: RequestDetails): SigningRequest {
  const { subject, sans, extendedKeyUsages, keyAlgorithm, ...rest } = wanted;
  return {
    name,
    algorithm: keyAlgorithm,
    ...(key === undefined ? {} : { key }),
    certificate: { ...subject, ...sans, ...rest, usages: extendedKeyUsages, issuer },
  };
}

/** The inverse of {@link signingRequest}. */
export function certificateRequestOf(
  algorithm: string,
  certificate: NonNullable<SigningRequest['certificate']>,
): CertificateRequest {
  const { commonName, organizations, dnsNames, ipAddresses, usages, isCA, notBefore, notAfter } = certificate;
  return {
    subject: { commonName, organizations },
    sans: { dnsNames, ipAddresses },
    extendedKeyUsages: usages,
    isCA,
    notBefore,
    notAfter,
    keyAlgorithm: algorithm as KeyAlgorithm,
  };
}

/** The CA of a phase's inputs as the Signer wants it. */
export function issuerOf(inputs: { readonly authority: string; readonly authorityKey: string | undefined }): Issuer {
  const { authority: certificate, authorityKey: key } = inputs;
  return { certificate, ...(key === undefined ? {} : { key }) };
}

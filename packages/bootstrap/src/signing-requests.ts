import type { Severity } from '@groundplane/errors';
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

/** The CA among a phase's inputs. */
export interface AuthorityInputs {
  readonly authority: string;
  readonly authorityKey: string | undefined;
}

/**
 * The CA of a phase's inputs as the Signer wants it.
 *
 * @param about which CA it is, and the path of its key for messages
 */
export function issuerOf(inputs: AuthorityInputs, about: { readonly name: string; readonly keyPlace: string }): Issuer {
  const { authority: certificate, authorityKey: key } = inputs;
  return { certificate, ...(key === undefined ? { remedy: exchangeRemedy } : { key }), ...about };
}

/** How a CA that is kept elsewhere is asked. */
export const exchangeRemedy = 'groundplane certs requests; then groundplane certs import FILE';

/**
 * How bad it is that a CA may not sign what it signed. Whoever lays its key down here wants it to sign, and kubeadm lets it; of a CA
 * elsewhere kubeadm takes nothing that does not verify.
 */
export function unfitIssuer({ authorityKey }: AuthorityInputs): Severity {
  return authorityKey === undefined ? 'error' : 'warning';
}

import type { Issued, Signer, SigningRequest } from '@groundplane/phases';
import { generatePrivateKey, issueCertificate, type KeyAlgorithm } from '@groundplane/pki';

/** The Signer that uses the CA keys on this node and WebCrypto. Keys of one call are made in parallel. */
export function webCryptoSigner(): Signer {
  return {
    canIssue({ certificate }) {
      if (certificate === undefined || certificate.issuer === 'self') return true;
      return certificate.issuer.key !== undefined;
    },
    issue: (requests) => Promise.all(requests.map(issueOne)),
  };
}

async function issueOne({ name, algorithm, key, certificate }: SigningRequest): Promise<Issued> {
  const keyAlgorithm = algorithm as KeyAlgorithm;
  if (certificate === undefined) return { key: key ?? (await generatePrivateKey(keyAlgorithm)) };
  const { issuer } = certificate;
  if (issuer !== 'self' && issuer.key === undefined) {
    throw new TypeError(`Cannot issue '${name}' as the key of its CA is not on this node`);
  }
  return issueCertificate(
    {
      subject: { commonName: certificate.commonName, organizations: certificate.organizations },
      sans: { dnsNames: certificate.dnsNames, ipAddresses: certificate.ipAddresses },
      extendedKeyUsages: certificate.usages,
      isCA: certificate.isCA,
      notBefore: certificate.notBefore,
      notAfter: certificate.notAfter,
      keyAlgorithm,
    },
    {
      issuer: issuer === 'self' ? 'self' : { certificate: issuer.certificate, key: issuer.key ?? '' },
      ...(key === undefined ? {} : { key }),
    },
  );
}

import type { Issued, Signer, SigningRequest } from '@groundplane/phases';
import { generatePrivateKey, issueCertificate, type KeyAlgorithm } from '@groundplane/pki';
import { keyStock } from './key-stock.ts';

/** The Signer that uses the CA keys on this node and WebCrypto. Keys that are announced are made at the same time, ahead of their turn. */
export function webCryptoSigner(): Signer {
  const stock = keyStock(generatePrivateKey, { parallel: parallelKeys() });
  return {
    canIssue({ certificate }) {
      if (certificate === undefined || certificate.issuer === 'self') return true;
      return certificate.issuer.key !== undefined;
    },
    announce: (algorithms) => stock.order(algorithms as readonly KeyAlgorithm[]),
    issue: (requests) => Promise.all(requests.map((request) => issueOne(request, stock.take))),
  };
}

/** One key for each processor, but never so many that they occupy all of Node.js' four worker threads, on which files are read too. */
function parallelKeys(): number {
  return Math.min(navigator.hardwareConcurrency, 3);
}

async function issueOne(
  { name, algorithm, key, certificate }: SigningRequest,
  newKey: (algorithm: KeyAlgorithm) => Promise<string>,
): Promise<Issued> {
  const keyAlgorithm = algorithm as KeyAlgorithm;
  const ownKey = key ?? (await newKey(keyAlgorithm));
  if (certificate === undefined) return { key: ownKey };
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
    { issuer: issuer === 'self' ? 'self' : { certificate: issuer.certificate, key: issuer.key ?? '' }, key: ownKey },
  );
}

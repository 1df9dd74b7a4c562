import type { CertifyingRequest, Issued, Signer, SigningRequest } from '@groundplane/phases';
import {
  certifyPublicKey,
  generatePrivateKey,
  issueCertificate,
  type KeyAlgorithm,
  readSigningRequest,
} from '@groundplane/pki';
import { keyStock } from './key-stock.ts';
import { certificateRequestOf } from './signing-requests.ts';

/** The Signer that uses the CA keys on this node and WebCrypto. Keys that are announced are made at the same time, ahead of their turn. */
export function webCryptoSigner(): Signer {
  const stock = keyStock(generatePrivateKey, { parallel: parallelKeys() });
  return {
    canIssue({ certificate }) {
      if (certificate === undefined || certificate.issuer === 'self') return true;
      return certificate.issuer.key !== undefined;
    },
    announce: (algorithms) => stock.order(algorithms as readonly KeyAlgorithm[]),
    issue: (requests) => requests.map((request) => issueOne(request, stock.take)),
    certify,
  };
}

async function certify({ name, request, certificate, keyUsages }: CertifyingRequest): Promise<string> {
  const { issuer } = certificate;
  if (issuer === 'self' || issuer.key === undefined) {
    throw new TypeError(`Cannot certify '${name}' as the key of its CA is not on this node`);
  }
  const { publicKey } = await readSigningRequest(request);
  const { certificate: authority, key } = issuer;
  // The algorithm is that of the key, and is looked at by nobody.
  const wanted = { ...certificateRequestOf('', certificate), keyUsages };
  return certifyPublicKey(wanted, publicKey, { certificate: authority, key });
}

/** One key for each processor, but never so many that they occupy all of Node.js' four worker threads, on which files are read too. */
function parallelKeys(): number {
  return Math.min(navigator.hardwareConcurrency, 3);
}

async function issueOne(
  { name, algorithm, key, certificate }: SigningRequest,
  newKey: (algorithm: KeyAlgorithm) => Promise<string>,
): Promise<Issued> {
  const ownKey = key ?? (await newKey(algorithm as KeyAlgorithm));
  if (certificate === undefined) return { key: ownKey };
  const { issuer } = certificate;
  if (issuer !== 'self' && issuer.key === undefined) {
    throw new TypeError(`Cannot issue '${name}' as the key of its CA is not on this node`);
  }
  return issueCertificate(certificateRequestOf(algorithm, certificate), {
    issuer: issuer === 'self' ? 'self' : { certificate: issuer.certificate, key: issuer.key ?? '' },
    key: ownKey,
  });
}

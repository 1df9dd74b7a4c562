import type { CertificateRequest } from './certificate-request.ts';
import { derElements, derTags } from './der.ts';
import { distinguishedName, hex } from './distinguished-name.ts';
import { pkiError } from './error-codes.ts';
import { parsePem } from './pem.ts';
import { generatePrivateKey, type PrivateKey, parsePrivateKey } from './private-key.ts';
import { type CertificateParts, signCertificate } from './sign-certificate.ts';
import { parseCertificate } from './x509-certificate.ts';
import { loadX509Library, type ReadCertificate, type X509Library } from './x509-library.ts';

/** A certificate with its private key, both PEM. */
export interface CertificateAndKey {
  /** PEM. As a CA its first certificate counts. */
  readonly certificate: string;
  readonly key: string;
}

export interface IssueOptions {
  readonly issuer: 'self' | CertificateAndKey;
  /** PEM of the private key to certify; without it a new one is made. */
  readonly key?: string | undefined;
}

/**
 * Issues a certificate exactly as kubeadm's Go library does (RFC 5280; kubeadm: util/pkiutil/pki_helpers.go).
 * Properties of the issuer other than its key are not judged here: that is {@link verifyCertificate}'s work.
 *
 * @throws PKI_REQUEST_INCOMPLETE, PKI_CERTIFICATE_UNREADABLE, PKI_KEY_UNREADABLE, PKI_ISSUER_KEY_MISMATCH
 */
export async function issueCertificate(request: CertificateRequest, options: IssueOptions): Promise<CertificateAndKey> {
  refuseIncomplete(request);
  const key = options.key ?? (await generatePrivateKey(request.keyAlgorithm));
  const { issuer } = options;
  const privateKey = await parsePrivateKey(key);
  const certificate =
    issuer === 'self'
      ? await certifySelf(request, privateKey)
      : await certify(request, privateKey.publicKeyInfo, issuer);
  return { certificate, key };
}

/**
 * Issues a certificate for a key whose private half is elsewhere, such as that of a signing request.
 *
 * @param publicKey PEM `PUBLIC KEY`; `keyAlgorithm` of the request is not looked at
 * @returns PEM of the certificate
 * @throws PKI_REQUEST_INCOMPLETE, PKI_CERTIFICATE_UNREADABLE, PKI_KEY_UNREADABLE, PKI_ISSUER_KEY_MISMATCH
 */
export async function certifyPublicKey(
  request: CertificateRequest,
  publicKey: string,
  issuer: CertificateAndKey,
): Promise<string> {
  refuseIncomplete(request);
  const block = parsePem(publicKey).find(({ label }) => label === 'PUBLIC KEY');
  if (block === undefined) {
    throw pkiError(
      'PKI_KEY_UNREADABLE',
      'Cannot certify a public key as the text holds no PEM block of type PUBLIC KEY',
    );
  }
  return certify(request, block.der.buffer, issuer);
}

async function certify(
  request: CertificateRequest,
  publicKey: ArrayBuffer,
  issuer: CertificateAndKey,
): Promise<string> {
  const library = await loadX509Library();
  const issuerCertificate = await parseCertificate(issuer.certificate);
  await refuseForeignKey(issuerCertificate, issuer);
  const subject = subjectDer(request, library);
  const parts: CertificateParts = {
    publicKey,
    subject,
    issuer: issuerCertificate.verbatim.subject,
    subjectKey: await subjectKeyOf(request, publicKey),
    authorityKey: authorityKeyOf(issuerCertificate, subject, library),
  };
  return signCertificate(request, parts, await parsePrivateKey(issuer.key));
}

async function certifySelf(request: CertificateRequest, signer: PrivateKey): Promise<string> {
  const library = await loadX509Library();
  const { publicKeyInfo } = signer;
  const name = subjectDer(request, library);
  const subjectKey = await subjectKeyOf(request, publicKeyInfo);
  return signCertificate(request, { publicKey: publicKeyInfo, subject: name, issuer: name, subjectKey }, signer);
}

function subjectDer({ subject }: CertificateRequest, library: X509Library): Uint8Array {
  return new Uint8Array(library.AsnConvert.serialize(distinguishedName(subject, library)));
}

/** Of a CA: the first 160 bits of the SHA-256 of the public key's bits (RFC 7093 section 2, method 1). */
async function subjectKeyOf({ isCA }: CertificateRequest, publicKey: ArrayBuffer): Promise<ArrayBuffer | undefined> {
  if (!isCA) return undefined;
  const [publicKeyInfo] = derElements(new Uint8Array(publicKey));
  const bits = publicKeyInfo && derElements(publicKeyInfo.contents).find(({ tag }) => tag === derTags.bitString);
  if (bits === undefined) throw new TypeError('Cannot name a public key as it is no SubjectPublicKeyInfo');
  // The first octet of a BIT STRING says how many bits of the last one do not count: none.
  return (await crypto.subtle.digest('SHA-256', bits.contents.subarray(1))).slice(0, 20);
}

/**
 * The issuer's own key identifier, whatever it is made from. Go leaves it out where issuer and subject have the same
 * name, as the certificate then looks self-issued.
 */
function authorityKeyOf(issuer: ReadCertificate, subject: Uint8Array, { x509 }: X509Library): ArrayBuffer | undefined {
  if (hex(subject) === hex(issuer.verbatim.subject)) return undefined;
  const keyId = issuer.getExtension(x509.SubjectKeyIdentifierExtension)?.keyId ?? '';
  return keyId === ''
    ? undefined
    : Uint8Array.from(keyId.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16)).buffer;
}

async function refuseForeignKey(certificate: ReadCertificate, { key }: CertificateAndKey): Promise<void> {
  const { publicKeyInfo } = await parsePrivateKey(key);
  if (hex(publicKeyInfo) === hex(certificate.publicKey.rawData)) return;
  throw pkiError(
    'PKI_ISSUER_KEY_MISMATCH',
    `Cannot sign as the private key is not the one of the CA certificate: ${certificate.subject}`,
    { hint: 'Compare: openssl x509 -noout -pubkey -in ca.crt; openssl pkey -pubout -in ca.key' },
  );
}

function refuseIncomplete({ subject, isCA, extendedKeyUsages }: CertificateRequest): void {
  if (subject.commonName === '') {
    throw pkiError('PKI_REQUEST_INCOMPLETE', "Cannot issue a certificate as its subject has no common name: ''");
  }
  if (!isCA && extendedKeyUsages.length === 0) {
    throw pkiError(
      'PKI_REQUEST_INCOMPLETE',
      `Cannot issue a certificate as it has no extended key usage: ${subject.commonName}`,
    );
  }
}

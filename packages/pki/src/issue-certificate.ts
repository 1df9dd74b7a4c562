import type { Name, X509Certificate } from '@peculiar/x509';
import type { CertificateRequest } from './certificate-request.ts';
import { distinguishedName, hex } from './distinguished-name.ts';
import { pkiError } from './error-codes.ts';
import { encodePem, parsePem } from './pem.ts';
import { generatePrivateKey, parsePrivateKey } from './private-key.ts';
import { serialNumber } from './serial-number.ts';
import { keepCertificate, parseCertificate } from './x509-certificate.ts';
import { loadX509Library, type X509Library } from './x509-library.ts';

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
  const { publicKeyInfo: publicKey } = await parsePrivateKey(key);
  if (issuer !== 'self') return { certificate: await certify(request, publicKey, issuer), key };
  const { name, subjectKey } = await subjectParts(request, publicKey);
  return { certificate: await sign(request, { publicKey, signingKey: key, name, issuerName: name, subjectKey }), key };
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
  const issuerCertificate = await parseCertificate(issuer.certificate);
  await refuseForeignKey(issuerCertificate, issuer);
  const { name, subjectKey } = await subjectParts(request, publicKey);
  const issuerName = issuerCertificate.subjectName;
  const authorityKey = await authorityKeyOf(issuerCertificate, name);
  return sign(request, { publicKey, signingKey: issuer.key, name, issuerName, subjectKey, authorityKey });
}

interface Parts {
  readonly publicKey: ArrayBuffer;
  readonly signingKey: string;
  readonly name: Name;
  readonly issuerName: Name;
  readonly subjectKey: string | undefined;
  readonly authorityKey?: string | undefined;
}

async function sign(request: CertificateRequest, parts: Parts): Promise<string> {
  const library = await loadX509Library();
  const { x509 } = library;
  const signer = await parsePrivateKey(parts.signingKey);
  const certificate = await x509.X509CertificateGenerator.create({
    serialNumber: serialNumber(),
    subject: parts.name,
    issuer: parts.issuerName,
    notBefore: request.notBefore,
    notAfter: request.notAfter,
    publicKey: parts.publicKey,
    signingKey: signer.signingKey,
    signingAlgorithm: signer.signingParameters,
    extensions: extensions(request, parts, library),
  });
  const pem = encodePem('CERTIFICATE', certificate.rawData);
  keepCertificate(pem, certificate);
  return pem;
}

/** In Go's order, with Go's critical flags. */
function extensions(
  request: CertificateRequest,
  { subjectKey, authorityKey }: Parts,
  { x509, asn1X509, AsnConvert }: X509Library,
) {
  const { KeyUsageFlags } = x509;
  const keyUsage =
    KeyUsageFlags.digitalSignature | KeyUsageFlags.keyEncipherment | (request.isCA ? KeyUsageFlags.keyCertSign : 0);
  const usages = request.extendedKeyUsages.map((usage) => x509.ExtendedKeyUsage[usage]);
  const names = generalNames(request, asn1X509);
  return [
    new x509.KeyUsagesExtension(keyUsage, true),
    ...(usages.length > 0 ? [new x509.ExtendedKeyUsageExtension(usages, false)] : []),
    new x509.BasicConstraintsExtension(request.isCA, undefined, true),
    ...(subjectKey === undefined ? [] : [new x509.SubjectKeyIdentifierExtension(subjectKey, false)]),
    ...(authorityKey === undefined ? [] : [new x509.AuthorityKeyIdentifierExtension(authorityKey, false)]),
    ...(names.length > 0
      ? [new x509.Extension(asn1X509.id_ce_subjectAltName, false, AsnConvert.serialize(names))]
      : []),
  ];
}

export function generalNames(
  { sans }: Pick<CertificateRequest, 'sans'>,
  { GeneralName, SubjectAlternativeName }: X509Library['asn1X509'],
) {
  return new SubjectAlternativeName([
    ...sans.dnsNames.map((dNSName) => new GeneralName({ dNSName })),
    ...sans.ipAddresses.map((iPAddress) => new GeneralName({ iPAddress })),
  ]);
}

async function subjectParts(request: CertificateRequest, publicKey: ArrayBuffer) {
  const library = await loadX509Library();
  const name = distinguishedName(request.subject, library);
  return { name, subjectKey: request.isCA ? await keyIdentifier(publicKey, library) : undefined };
}

/** RFC 7093 section 2, method 1: the first 160 bits of the SHA-256 of the public key's bits. */
async function keyIdentifier(publicKey: ArrayBuffer, { asn1X509, AsnConvert }: X509Library): Promise<string> {
  const { subjectPublicKey } = AsnConvert.parse(publicKey, asn1X509.SubjectPublicKeyInfo);
  return hex(await crypto.subtle.digest('SHA-256', subjectPublicKey)).slice(0, 40);
}

/**
 * The issuer's own key identifier, whatever it is made from. Go leaves it out where issuer and subject have the same
 * name, as the certificate then looks self-issued.
 */
async function authorityKeyOf(issuer: X509Certificate, subject: Name): Promise<string | undefined> {
  const { x509 } = await loadX509Library();
  const sameName = hex(subject.toArrayBuffer()) === hex(issuer.subjectName.toArrayBuffer());
  return sameName ? undefined : issuer.getExtension(x509.SubjectKeyIdentifierExtension)?.keyId || undefined;
}

async function refuseForeignKey(certificate: X509Certificate, { key }: CertificateAndKey): Promise<void> {
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

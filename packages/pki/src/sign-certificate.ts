import { type CertificateRequest, requestedKeyUsages } from './certificate-request.ts';
import { derElement, derTags } from './der.ts';
import { encodePem } from './pem.ts';
import type { PrivateKey } from './private-key.ts';
import { serialNumber, unsignedInteger } from './serial-number.ts';
import { loadX509Library, type X509Library } from './x509-library.ts';

/** What a certificate says beside its request. */
export interface CertificateParts {
  /** DER of the SubjectPublicKeyInfo. */
  readonly publicKey: ArrayBuffer;
  /** DER of the names. */
  readonly subject: Uint8Array;
  readonly issuer: Uint8Array;
  /** Key identifiers; left out where the certificate has none. */
  readonly subjectKey: ArrayBuffer | undefined;
  readonly authorityKey?: ArrayBuffer | undefined;
}

/**
 * Builds a certificate (RFC 5280 4.1) and signs it.
 *
 * @returns PEM
 */
export async function signCertificate(
  request: CertificateRequest,
  parts: CertificateParts,
  signer: PrivateKey,
): Promise<string> {
  const library = await loadX509Library();
  const { asn1X509, AsnConvert } = library;
  const { sequence, integer, bitString, explicit0, explicit3 } = derTags;
  const algorithm = AsnConvert.serialize(signatureAlgorithm(signer, library));
  // Put together from its parts, as issuer and public key are to stand in it byte by byte.
  const tbsCertificate = derElement(
    sequence,
    derElement(explicit0, derElement(integer, Uint8Array.of(asn1X509.Version.v3))),
    derElement(integer, serialNumber()),
    algorithm,
    parts.issuer,
    AsnConvert.serialize(validity(request, library)),
    parts.subject,
    parts.publicKey,
    derElement(explicit3, AsnConvert.serialize(new asn1X509.Extensions(extensions(request, parts, library)))),
  );
  const raw = await crypto.subtle.sign(signer.signingParameters, signer.signingKey, tbsCertificate);
  const signature = signer.signingParameters.name === 'ECDSA' ? ecdsaSignature(raw, library) : raw;
  const unusedBits = Uint8Array.of(0);
  return encodePem(
    'CERTIFICATE',
    derElement(sequence, tbsCertificate, algorithm, derElement(bitString, unusedBits, signature)),
  );
}

/** UTCTime for the years 1950 to 2049, GeneralizedTime for others (RFC 5280 4.1.2.5), whole seconds. */
function validity({ notBefore, notAfter }: CertificateRequest, { asn1X509 }: X509Library) {
  const time = (instant: Date) => {
    const seconds = new Date(instant);
    seconds.setUTCMilliseconds(0);
    const year = seconds.getUTCFullYear();
    return Object.assign(
      new asn1X509.Time(),
      year < 1950 || year > 2049 ? { generalTime: seconds } : { utcTime: seconds },
    );
  };
  return Object.assign(new asn1X509.Validity(), { notBefore: time(notBefore), notAfter: time(notAfter) });
}

/** RFC 4055 section 5 for RSA, RFC 5758 3.2 for ECDSA. */
function signatureAlgorithm(
  { signingParameters: { name, hash } }: PrivateKey,
  { asn1X509, asn1Rsa, asn1Ecc }: X509Library,
) {
  const algorithms: Readonly<Record<string, { readonly algorithm: string; readonly parameters?: null }>> = {
    'RSASSA-PKCS1-v1_5 SHA-256': { algorithm: asn1Rsa.id_sha256WithRSAEncryption, parameters: null },
    'ECDSA SHA-256': { algorithm: asn1Ecc.id_ecdsaWithSHA256 },
    'ECDSA SHA-384': { algorithm: asn1Ecc.id_ecdsaWithSHA384 },
    'ECDSA SHA-512': { algorithm: asn1Ecc.id_ecdsaWithSHA512 },
  };
  const found = algorithms[`${name} ${hash}`];
  if (found === undefined) throw new TypeError(`Cannot sign as there is no such signature algorithm: ${name} ${hash}`);
  return new asn1X509.AlgorithmIdentifier(found);
}

/** WebCrypto's r and s, one behind the other, as the SEQUENCE that X.509 wants (RFC 3279 2.2.3). */
function ecdsaSignature(raw: ArrayBuffer, { asn1Ecc, AsnConvert }: X509Library): ArrayBuffer {
  const half = raw.byteLength / 2;
  const integer = (from: number) => unsignedInteger(new Uint8Array(raw, from, half));
  return AsnConvert.serialize(new asn1Ecc.ECDSASigValue({ r: integer(0), s: integer(half) }));
}

/** The extensions about what a certificate is for (RFC 5280 4.2.1.3, 4.2.1.12, 4.2.1.9), in Go's order, with Go's critical flags. */
export function purposeExtensions(
  request: Pick<CertificateRequest, 'isCA' | 'extendedKeyUsages' | 'keyUsages'>,
  library: X509Library,
) {
  const { x509, asn1X509 } = library;
  const { KeyUsageFlags } = asn1X509;
  const keyUsage = (request.keyUsages ?? requestedKeyUsages(request)).reduce(
    (flags, usage) => flags | KeyUsageFlags[usage],
    0,
  );
  const usages = request.extendedKeyUsages.map((usage): string => x509.ExtendedKeyUsage[usage]);
  const extension = extensionMaker(library);
  return [
    extension(asn1X509.id_ce_keyUsage, true, new asn1X509.KeyUsage(keyUsage)),
    ...(usages.length === 0
      ? []
      : [extension(asn1X509.id_ce_extKeyUsage, false, new asn1X509.ExtendedKeyUsage(usages))]),
    extension(asn1X509.id_ce_basicConstraints, true, new asn1X509.BasicConstraints({ cA: request.isCA })),
  ];
}

function extensionMaker({ asn1X509, AsnConvert, OctetString }: X509Library) {
  return (extnID: string, critical: boolean, value: unknown) =>
    new asn1X509.Extension({ extnID, critical, extnValue: new OctetString(AsnConvert.serialize(value)) });
}

function extensions(request: CertificateRequest, { subjectKey, authorityKey }: CertificateParts, library: X509Library) {
  const { asn1X509 } = library;
  const extension = extensionMaker(library);
  const names = generalNames(request, asn1X509);
  return [
    ...purposeExtensions(request, library),
    ...(subjectKey === undefined
      ? []
      : [extension(asn1X509.id_ce_subjectKeyIdentifier, false, new asn1X509.SubjectKeyIdentifier(subjectKey))]),
    ...(authorityKey === undefined
      ? []
      : [extension(asn1X509.id_ce_authorityKeyIdentifier, false, authorityKeyIdentifier(authorityKey, library))]),
    ...(names.length === 0 ? [] : [extension(asn1X509.id_ce_subjectAltName, false, names)]),
  ];
}

function authorityKeyIdentifier(key: ArrayBuffer, { asn1X509 }: X509Library) {
  return new asn1X509.AuthorityKeyIdentifier({ keyIdentifier: new asn1X509.KeyIdentifier(key) });
}

/** The subject alternative names of a request, DNS names first. */
export function generalNames(
  { sans }: Pick<CertificateRequest, 'sans'>,
  { GeneralName, SubjectAlternativeName }: X509Library['asn1X509'],
) {
  return new SubjectAlternativeName([
    ...sans.dnsNames.map((dNSName) => new GeneralName({ dNSName })),
    ...sans.ipAddresses.map((iPAddress) => new GeneralName({ iPAddress })),
  ]);
}

import { messageOf } from '@groundplane/errors';
import type { Pkcs10CertificateRequest } from '@peculiar/x509';
import { namesOf } from './certificate-names.ts';
import type { CertificateRequest, Subject } from './certificate-request.ts';
import { derElements } from './der.ts';
import { distinguishedName, hex, subjectOf } from './distinguished-name.ts';
import { pkiError } from './error-codes.ts';
import { encodePem, parsePem } from './pem.ts';
import { parsePrivateKey } from './private-key.ts';
import { besidesOf } from './request-besides.ts';
import { generalNames, purposeExtensions } from './sign-certificate.ts';
import type { SubjectAlternativeNames } from './subject-alternative-names.ts';
import { loadX509Library } from './x509-library.ts';

/** What a PKCS#10 signing request asks for. */
export interface SigningRequest {
  readonly subject: Subject;
  readonly sans: SubjectAlternativeNames;
  /** PEM `PUBLIC KEY`. */
  readonly publicKey: string;
  /** The request alone, in one spelling, without what else the text held. */
  readonly pem: string;
  /**
   * What it asks for that the other fields have no place for, as words: other attributes of the subject, a second common name, names of other
   * kinds, to be a CA. Empty for requests of usual servers and clients.
   */
  readonly besides: readonly string[];
}

/** What a signing request says. Usages and CA:TRUE or CA:FALSE are asked for where both fields are there. */
export type SigningRequestContent = Pick<CertificateRequest, 'subject' | 'sans'> &
  Partial<Pick<CertificateRequest, 'extendedKeyUsages' | 'isCA'>>;

/**
 * A PKCS#10 signing request (RFC 2986) that any CA can answer: subject and names, as `kubeadm certs generate-csr` writes it, and on
 * top of that key usage, extended key usage and basic constraints if the request has them.
 *
 * @param key PEM of the private key that the certificate is for
 * @returns PEM `CERTIFICATE REQUEST`
 * @throws PKI_KEY_UNREADABLE
 */
export async function createSigningRequest(request: SigningRequestContent, key: string): Promise<string> {
  const library = await loadX509Library();
  const { x509, asn1X509, AsnConvert } = library;
  const signer = await parsePrivateKey(key);
  const { signingKey, publicKeyInfo, importParameters } = signer;
  const publicKey = await crypto.subtle.importKey('spki', publicKeyInfo, importParameters, true, ['verify']);
  const names = generalNames(request, asn1X509);
  const { extendedKeyUsages, isCA } = request;
  const purpose =
    extendedKeyUsages === undefined || isCA === undefined
      ? []
      : purposeExtensions({ extendedKeyUsages, isCA }, library).map(
          (extension) => new x509.Extension(AsnConvert.serialize(extension)),
        );
  const signingRequest = await x509.Pkcs10CertificateRequestGenerator.create({
    name: new x509.Name(distinguishedName(request.subject, library)),
    keys: { privateKey: signingKey, publicKey },
    signingAlgorithm: signer.signingParameters,
    extensions: [
      ...purpose,
      ...(names.length > 0
        ? [new x509.Extension(asn1X509.id_ce_subjectAltName, false, AsnConvert.serialize(names))]
        : []),
    ],
  });
  return encodePem('CERTIFICATE REQUEST', signingRequest.rawData);
}

/**
 * Whether two signing requests ask for the same, whoever's signature is below them: one by an ECDSA key is another one each time.
 *
 * @returns false as well if one of them cannot be read
 */
export function asksForTheSame(one: string, other: string): boolean {
  const [information, otherInformation] = [informationOf(one), informationOf(other)];
  return information !== undefined && information === otherInformation;
}

/** DER of the CertificationRequestInfo (RFC 2986 4.1) in hexadecimal. */
function informationOf(pem: string): string | undefined {
  try {
    const [request] = derElements(requestBlock(pem)?.der ?? new Uint8Array());
    const [information] = derElements(request?.contents ?? new Uint8Array());
    return information && hex(information.whole);
  } catch {
    return undefined;
  }
}

function requestBlock(pem: string) {
  return parsePem(pem).find(({ label }) => label === 'CERTIFICATE REQUEST' || label === 'NEW CERTIFICATE REQUEST');
}

/**
 * Reads a signing request and checks that whoever made it holds the private key.
 *
 * @throws PKI_SIGNING_REQUEST_UNREADABLE
 */
export async function readSigningRequest(pem: string): Promise<SigningRequest> {
  const { x509 } = await loadX509Library();
  const block = requestBlock(pem);
  if (block === undefined) throw unreadable('the text holds no PEM block of type CERTIFICATE REQUEST', pem);
  let request: Pkcs10CertificateRequest;
  let genuine: boolean;
  try {
    request = new x509.Pkcs10CertificateRequest(block.der);
    genuine = await request.verify();
  } catch (thrown) {
    throw unreadable(messageOf(thrown), pem, thrown);
  }
  if (!genuine) throw unreadable('its signature is not by the key that it names', pem);
  return {
    subject: subjectOf(request.subjectName),
    sans: await namesOf(request.extensions),
    publicKey: encodePem('PUBLIC KEY', request.publicKey.rawData),
    pem: encodePem('CERTIFICATE REQUEST', block.der),
    besides: await besidesOf(request.subjectName, request.extensions),
  };
}

function unreadable(why: string, pem: string, cause?: unknown) {
  const labels =
    parsePem(pem)
      .map(({ label }) => label)
      .join(', ') || 'no PEM block';
  return pkiError('PKI_SIGNING_REQUEST_UNREADABLE', `Cannot read a signing request as ${why}: ${labels}`, { cause });
}

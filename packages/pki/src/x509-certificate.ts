import { messageOf } from '@groundplane/errors';
import { pkiError } from './error-codes.ts';
import { encodePem, parsePem } from './pem.ts';
import { recentResults } from './recent-results.ts';
import { loadX509Library, type ReadCertificate } from './x509-library.ts';

/**
 * The certificates of a PEM text, one text each, in their order and in one spelling (64 characters a line, nothing
 * between). Blocks of other kinds are left out. Not parsed any further.
 */
export function splitCertificates(pem: string): readonly string[] {
  return certificateBlocks(pem).map(({ der }) => encodePem('CERTIFICATE', der));
}

/**
 * The first certificate of a PEM text: of a CA file the one that counts, of a leaf file the leaf.
 *
 * @throws PKI_CERTIFICATE_UNREADABLE if there is none
 */
export function firstCertificate(pem: string): string {
  const [first] = splitCertificates(pem);
  if (first === undefined) throw unreadable('the text holds no PEM block of type CERTIFICATE', pem);
  return first;
}

/**
 * All certificates of a PEM text; there is at least one.
 *
 * @throws PKI_CERTIFICATE_UNREADABLE
 */
export function parseCertificates(pem: string): Promise<Certificates> {
  return recentCertificates.of(pem);
}

type Certificates = readonly [ReadCertificate, ...ReadCertificate[]];

const recentCertificates = recentResults(64, parse);

async function parse(pem: string): Promise<Certificates> {
  const { ReadCertificate } = await loadX509Library();
  const [first, ...rest] = certificateBlocks(pem).map(({ der }) => {
    try {
      const certificate = new ReadCertificate(der);
      // The parts that are parsed late, so that a damaged certificate is found here.
      void [
        certificate.extensions,
        certificate.publicKey,
        certificate.notBefore,
        certificate.notAfter,
        certificate.verbatim,
      ];
      // A DER integer whose first bit is set; Go's parser, and with it all of Kubernetes, takes none (RFC 5280 4.1.2.2).
      const [firstOctet = 0] = new Uint8Array(certificate.structure.tbsCertificate.serialNumber);
      // The library's text leaves out the octet 00 that makes a number positive.
      if (firstOctet > 0x7f) throw new Error(`its serial number is negative: 0x${certificate.serialNumber}`);
      return certificate;
    } catch (thrown) {
      throw unreadable(messageOf(thrown), pem, thrown);
    }
  });
  if (first === undefined) throw unreadable('the text holds no PEM block of type CERTIFICATE', pem);
  return [first, ...rest];
}

/** The first certificate of a PEM text, parsed. */
export async function parseCertificate(pem: string): Promise<ReadCertificate> {
  const [certificate] = await parseCertificates(pem);
  return certificate;
}

function certificateBlocks(pem: string) {
  return parsePem(pem).filter(({ label, hasHeaders }) => label === 'CERTIFICATE' && !hasHeaders);
}

function unreadable(why: string, pem: string, cause?: unknown) {
  const labels =
    parsePem(pem)
      .map(({ label }) => label)
      .join(', ') || 'no PEM block';
  return pkiError('PKI_CERTIFICATE_UNREADABLE', `Cannot read a certificate as ${why}: ${labels}`, {
    hint: 'See what the file holds: openssl x509 -noout -text -in FILE',
    cause,
  });
}

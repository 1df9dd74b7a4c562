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
  if (first === undefined) throw unreadable('the text holds no PEM block of type CERTIFICATE without headers', pem);
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
  const blocks = certificateBlocks(pem);
  const [first, ...rest] = blocks.map(({ der }, index) => {
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
      if (firstOctet > 0x7f) throw new OtherwiseUnfit(`its serial number is negative: 0x${certificate.serialNumber}`);
      return certificate;
    } catch (thrown) {
      const which = blocks.length === 1 ? 'its' : `the ${index + 1}. certificate's`;
      throw unreadable(
        thrown instanceof OtherwiseUnfit ? thrown.message : `${which} contents are no X.509 certificate`,
        pem,
        thrown,
      );
    }
  });
  if (first === undefined) throw unreadable('the text holds no PEM block of type CERTIFICATE without headers', pem);
  return [first, ...rest];
}

/** It can be parsed, and Kubernetes does not take it. */
class OtherwiseUnfit extends Error {}

/** The first certificate of a PEM text, parsed. */
export async function parseCertificate(pem: string): Promise<ReadCertificate> {
  const [certificate] = await parseCertificates(pem);
  return certificate;
}

function certificateBlocks(pem: string) {
  return parsePem(pem).filter(({ label, hasHeaders }) => label === 'CERTIFICATE' && !hasHeaders);
}

function unreadable(why: string, pem: string, cause?: unknown) {
  const blocks = parsePem(pem).map(({ label, hasHeaders }) => `${label}${hasHeaders ? ' with headers' : ''}`);
  return pkiError(
    'PKI_CERTIFICATE_UNREADABLE',
    `Cannot read a certificate as ${why}: ${blocks.join(', ') || 'no PEM block'}`,
    {
      hint: 'See what the file holds: openssl x509 -noout -text -in FILE',
      cause,
    },
  );
}

import { messageOf } from '@groundplane/errors';
import { decodeBase64, encodePem, parsePem } from './pem.ts';
import { parseCertificate } from './x509-certificate.ts';
import { loadX509Library, type X509Library } from './x509-library.ts';

/** What a file holds that a CA sent back. */
export interface ReadAnswer {
  /** PEM of each certificate that can be parsed, in the order of the file, without repetitions. */
  readonly certificates: readonly string[];
  /** Why something in it is no certificate: after "as". Empty if all of it was read. */
  readonly problems: readonly string[];
}

/**
 * Reads what CAs send back, in any of their forms: PEM (RFC 7468), one certificate or many in any order, with text, keys and requests
 * between them; DER; PKCS#7 (RFC 5652 5.1, `application/pkcs7-mime; smime-type=certs-only`) in PEM, DER or BER; and the base64 of
 * one of these without its armour. No signature is checked.
 */
export async function readAnswer(bytes: Uint8Array<ArrayBuffer>): Promise<ReadAnswer> {
  const library = await loadX509Library();
  const problems: string[] = [];
  const found: Uint8Array<ArrayBuffer>[] = [];
  for (const { label, der } of blocksOf(bytes, problems)) {
    try {
      found.push(...(isSignedData(der, library) ? certificatesOfSignedData(der, library) : [der]));
    } catch (thrown) {
      problems.push(`its ${label} cannot be parsed: ${messageOf(thrown)}`);
    }
  }
  const certificates = new Set<string>();
  for (const der of found) {
    const pem = encodePem('CERTIFICATE', der);
    try {
      await parseCertificate(pem);
      certificates.add(pem);
    } catch (thrown) {
      problems.push(`a certificate in it cannot be parsed: ${messageOf(thrown).replace(/: CERTIFICATE$/, '')}`);
    }
  }
  return { certificates: [...certificates], problems };
}

interface Block {
  readonly label: string;
  readonly der: Uint8Array<ArrayBuffer>;
}

/** Labels of blocks that hold certificates (RFC 7468 5 and 8; OpenSSL and older CAs have others for the same). */
const labels: ReadonlySet<string> = new Set(['CERTIFICATE', 'X509 CERTIFICATE', 'PKCS7', 'CMS', 'PKCS #7 SIGNED DATA']);

function blocksOf(bytes: Uint8Array<ArrayBuffer>, problems: string[]): readonly Block[] {
  if (bytes.length === 0) {
    problems.push('it is empty');
    return [];
  }
  const sequence = 0x30;
  if (bytes[0] === sequence) return [{ label: 'DER', der: bytes }];
  // A byte order mark is skipped, and a lone carriage return ends a line too.
  const text = new TextDecoder().decode(bytes).replace(/\r\n?/g, '\n');
  const blocks = parsePem(text);
  const usable = blocks.filter(({ label, hasHeaders }) => labels.has(label) && !hasHeaders);
  if (usable.length > 0) {
    const begun = text.match(/^-----BEGIN (?:X509 CERTIFICATE|CERTIFICATE|PKCS7|CMS)-----/gm)?.length ?? 0;
    if (begun > usable.length) problems.push('a PEM block in it is damaged or cut short');
    return usable;
  }
  const dense = text.startsWith('-----') ? undefined : decodeBase64(text);
  if (dense?.[0] === sequence) return [{ label: 'base64', der: dense }];
  problems.push(
    blocks.length > 0
      ? `it holds no certificate but ${[...new Set(blocks.map(({ label }) => label))].join(', ')}`
      : /-----BEGIN /.test(text)
        ? 'its PEM block is damaged or cut short'
        : 'it is neither PEM nor DER',
  );
  return [];
}

/** RFC 5652 5.1 */
const signedData = '1.2.840.113549.1.7.2';

/** ContentInfo (RFC 5652 3) begins with an object identifier; a certificate with a sequence. */
function isSignedData(der: Uint8Array<ArrayBuffer>, { asn1js }: X509Library): boolean {
  const { result, offset } = asn1js.fromBER(der);
  if (offset === -1) throw new Error('it is cut short, or no ASN.1');
  const [type] = result instanceof asn1js.Sequence ? result.valueBlock.value : [];
  if (!(type instanceof asn1js.ObjectIdentifier)) return false;
  const oid = type.valueBlock.toString();
  if (oid !== signedData) throw new Error(`it is PKCS#7 of a kind that holds no certificates: ${oid}`);
  return true;
}

/** The certificates byte by byte as they stand there: parsed and written anew they may be others, whose signatures are wrong. */
function certificatesOfSignedData(
  der: Uint8Array<ArrayBuffer>,
  { asn1js }: X509Library,
): readonly Uint8Array<ArrayBuffer>[] {
  const { Constructed, Sequence } = asn1js;
  const contextSpecific = 3;
  type Element = ReturnType<typeof asn1js.fromBER>['result'];
  const membersOf = (element: Element | undefined): readonly Element[] =>
    element instanceof Constructed ? element.valueBlock.value : [];
  const tagged = (elements: readonly Element[], number: number) =>
    elements.find(({ idBlock }) => idBlock.tagClass === contextSpecific && idBlock.tagNumber === number);
  const content = tagged(membersOf(asn1js.fromBER(der).result), 0);
  const [data] = membersOf(content);
  // CertificateSet: what is no sequence are attribute certificates and the like.
  const certificates = membersOf(tagged(membersOf(data), 0)).filter((one) => one instanceof Sequence);
  if (certificates.length === 0) throw new Error('it is PKCS#7 without certificates');
  return certificates.map((one) => new Uint8Array(one.valueBeforeDecodeView));
}

import type { Name } from '@peculiar/x509';
import type { Subject } from './certificate-request.ts';
import type { DistinguishedName, X509Library } from './x509-library.ts';

const organizationName = '2.5.4.10';
const commonName = '2.5.4.3';

/**
 * The name (RFC 5280 4.1.2.4) of a subject as Go writes it: all organizations in one set, then the common name;
 * PrintableString where the characters allow it, else UTF8String.
 */
export function distinguishedName(subject: Subject, { asn1X509, AsnConvert }: X509Library): DistinguishedName {
  const set = (type: string, values: readonly string[]) => {
    const attributes = values.map((text) => {
      const value = new asn1X509.AttributeValue(isPrintable(text) ? { printableString: text } : { utf8String: text });
      return new asn1X509.AttributeTypeAndValue({ type, value });
    });
    // DER sorts the members of a SET OF by their encoding (X.690 11.6).
    const encoded = attributes.map((attribute) => ({ attribute, hex: hex(AsnConvert.serialize(attribute)) }));
    encoded.sort((a, b) => (a.hex < b.hex ? -1 : a.hex > b.hex ? 1 : 0));
    return new asn1X509.RelativeDistinguishedName(encoded.map(({ attribute }) => attribute));
  };
  const sets = [
    ...(subject.organizations.length > 0 ? [set(organizationName, subject.organizations)] : []),
    ...(subject.commonName === '' ? [] : [set(commonName, [subject.commonName])]),
  ];
  return new asn1X509.Name(sets);
}

/** Common name and organizations of a name. With several common names the last counts, as in Go. */
export function subjectOf(name: Name): Subject {
  return { commonName: name.getField(commonName).at(-1) ?? '', organizations: name.getField(organizationName) };
}

function isPrintable(text: string): boolean {
  return /^[A-Za-z0-9 '()+,\-./:=?]*$/.test(text);
}

export function hex(bytes: ArrayBuffer | Uint8Array): string {
  return Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

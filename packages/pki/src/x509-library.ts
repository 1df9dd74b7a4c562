import type { Certificate, Name } from '@peculiar/asn1-x509';
import type { X509Certificate } from '@peculiar/x509';
import { derElements, derTags } from './der.ts';

/** A certificate that was read, with the parts that its base class keeps to itself. */
export interface ReadCertificate extends X509Certificate {
  readonly structure: Certificate;
  /** DER of issuer, subject and SubjectPublicKeyInfo, byte by byte as they stand in the certificate. */
  readonly verbatim: VerbatimParts;
}

export interface VerbatimParts {
  readonly issuer: Uint8Array<ArrayBuffer>;
  readonly subject: Uint8Array<ArrayBuffer>;
  readonly publicKey: Uint8Array<ArrayBuffer>;
}

type ReadCertificateClass = new (der: Uint8Array<ArrayBuffer>) => ReadCertificate;

/** ASN.1 of a distinguished name. */
export type DistinguishedName = Name;

/** The ASN.1 and X.509 libraries, loaded on first use: they take several times as long to load as everything else here. */
async function load() {
  const { x509, asn1X509, asn1Rsa, asn1Ecc, asn1Pkcs8, asn1Schema, asn1js } = await import('./x509-modules.ts');
  const { AsnConvert, OctetString } = asn1Schema;
  const ReadCertificate: ReadCertificateClass = class extends x509.X509Certificate {
    #verbatim: VerbatimParts | undefined;
    get structure() {
      return this.asn;
    }
    get verbatim() {
      this.#verbatim ??= verbatimParts(new Uint8Array(this.rawData));
      return this.#verbatim;
    }
  };
  return { x509, asn1X509, asn1Rsa, asn1Ecc, asn1Pkcs8, asn1js, AsnConvert, OctetString, ReadCertificate };
}

/** TBSCertificate (RFC 5280 4.1): version, serial number, signature, issuer, validity, subject, subjectPublicKeyInfo, … */
function verbatimParts(certificate: Uint8Array<ArrayBuffer>): VerbatimParts {
  const [tbsCertificate] = derElements(derElements(certificate)[0]?.contents ?? certificate);
  const fields = derElements(tbsCertificate?.contents ?? certificate).filter(({ tag }) => tag !== derTags.explicit0);
  const [, , issuer, , subject, publicKey] = fields;
  if (issuer === undefined || subject === undefined || publicKey === undefined) {
    throw new Error('it has too few parts');
  }
  return { issuer: issuer.whole, subject: subject.whole, publicKey: publicKey.whole };
}

export type X509Library = Awaited<ReturnType<typeof load>>;

let library: Promise<X509Library> | undefined;

export function loadX509Library(): Promise<X509Library> {
  library ??= load();
  return library;
}

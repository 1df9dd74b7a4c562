import type { Certificate, Name } from '@peculiar/asn1-x509';
import type { X509Certificate } from '@peculiar/x509';

/** A certificate that was read, with the parts that its base class keeps to itself. */
export interface ReadCertificate extends X509Certificate {
  readonly structure: Certificate;
}

type ReadCertificateClass = new (der: Uint8Array<ArrayBuffer>) => ReadCertificate;

/** ASN.1 of a distinguished name. */
export type DistinguishedName = Name;

/**
 * The ASN.1 and X.509 libraries, loaded on first use: they take several times as long to load as everything else here.
 * `reflect-metadata` must come first, the dependency injection inside `@peculiar/x509` insists on it.
 */
async function load() {
  await import('reflect-metadata');
  const [x509, asn1X509, asn1Rsa, asn1Ecc, asn1Pkcs8, asn1Schema] = await Promise.all([
    import('@peculiar/x509'),
    import('@peculiar/asn1-x509'),
    import('@peculiar/asn1-rsa'),
    import('@peculiar/asn1-ecc'),
    import('@peculiar/asn1-pkcs8'),
    import('@peculiar/asn1-schema'),
  ]);
  const { AsnConvert, OctetString } = asn1Schema;
  const ReadCertificate: ReadCertificateClass = class extends x509.X509Certificate {
    get structure() {
      return this.asn;
    }
  };
  return { x509, asn1X509, asn1Rsa, asn1Ecc, asn1Pkcs8, AsnConvert, OctetString, ReadCertificate };
}

export type X509Library = Awaited<ReturnType<typeof load>>;

let library: Promise<X509Library> | undefined;

export function loadX509Library(): Promise<X509Library> {
  library ??= load();
  return library;
}

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
  return { x509, asn1X509, asn1Rsa, asn1Ecc, asn1Pkcs8, AsnConvert: asn1Schema.AsnConvert };
}

export type X509Library = Awaited<ReturnType<typeof load>>;

let library: Promise<X509Library> | undefined;

export function loadX509Library(): Promise<X509Library> {
  library ??= load();
  return library;
}

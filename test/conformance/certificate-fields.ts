import { type KeyObject, X509Certificate } from 'node:crypto';
import { type DerElement, derElement, derElements, oidText } from './der.ts';

/** Names that facts use → what is read. None of it is read by code of the packages. */
const fields: Readonly<Record<string, (certificate: Parsed) => unknown>> = {
  cn: ({ subject }) => values(subject, '2.5.4.3'),
  o: ({ subject }) => values(subject, '2.5.4.10'),
  subject: ({ subject }) => nameText(subject),
  issuer: ({ issuer }) => nameText(issuer),
  version: ({ version }) => `v${version}`,
  dns: (one) => alternativeNames(one).flatMap(({ dns }) => dns ?? []),
  ip: (one) => alternativeNames(one).flatMap(({ ip }) => (ip === undefined ? [] : addressText(ip))),
  san: (one) => alternativeNames(one).map(({ dns, ip }) => dns ?? addressText(ip ?? Buffer.alloc(0))),
  ipLengths: (one) => alternativeNames(one).flatMap(({ ip }) => ip?.length ?? []),
  key: ({ x509 }) => keyText(x509.publicKey),
  sig: ({ signatureOid }) => signatureNames[signatureOid] ?? signatureOid,
  isCA: (one) => basicConstraints(one)?.[1] ?? null,
  basicConstraints: (one) => basicConstraints(one) ?? null,
  keyUsage: (one) => keyUsages(one),
  keyUsageCritical: ({ extensions }) => extensions.find(({ oid }) => oid === oids.keyUsage)?.critical ?? null,
  eku: (one) => extensionElements(one, oids.extendedKeyUsage).map(({ content }) => usageName(oidText(content))),
  count: ({ count }) => count,
  serialBits: ({ x509 }) => BigInt(`0x${x509.serialNumber}`).toString(2).length,
  spanSeconds: ({ x509 }) => (Date.parse(x509.validTo) - Date.parse(x509.validFrom)) / 1000,
  notAfterYear: ({ x509 }) => new Date(x509.validTo).getUTCFullYear(),
  notBefore: ({ x509 }) => new Date(x509.validFrom).toISOString().replace('.000Z', '+00:00'),
  'extensions in order': ({ extensions }) => extensions.map(({ oid }) => extensionNames[oid] ?? oid),
  'issuer bytes equal CA subject bytes': ({ issuer, ca }) => ca !== undefined && issuer.bytes.equals(ca.subject.bytes),
  'authority key id': (one) => {
    const id = extensionElements(one, oids.authorityKeyIdentifier).find(({ tag }) => tag === 0x80)?.content;
    const caId = one.ca === undefined ? undefined : subjectKeyId(one.ca);
    if (id === undefined) return 'absent';
    return caId?.equals(id) ? 'equals CA subject key id' : id.toString('hex');
  },
  'subject key id': (one) => subjectKeyId(one)?.toString('hex') ?? 'absent',
};

/**
 * Reads fields of the first certificate of a PEM file.
 *
 * @param names of the table above; another one is an error
 * @param caPem the CA that some fields are compared with
 */
export function certificateFields(pem: string, names: readonly string[], caPem?: string): Record<string, unknown> {
  const parsed = parse(pem, caPem === undefined ? undefined : parse(caPem));
  return Object.fromEntries(
    names.map((name) => {
      const read = fields[name];
      if (read === undefined) throw new Error(`no reader for the field '${name}' of certificates`);
      return [name, read(parsed)];
    }),
  );
}

/** The certificates of a PEM file. */
export function pemCertificates(pem: string): readonly X509Certificate[] {
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  return blocks.map((block) => new X509Certificate(block));
}

interface Extension {
  readonly oid: string;
  readonly critical: boolean;
  readonly value: Buffer;
}

interface Parsed {
  readonly x509: X509Certificate;
  readonly version: number;
  readonly issuer: DerElement;
  readonly subject: DerElement;
  readonly signatureOid: string;
  readonly extensions: readonly Extension[];
  /** How many certificates the file has. */
  readonly count: number;
  readonly ca: Parsed | undefined;
}

/** RFC 5280, section 4.1. */
function parse(pem: string, ca?: Parsed): Parsed {
  const [x509, ...others] = pemCertificates(pem);
  if (x509 === undefined) throw new Error('there is no certificate');
  const [toBeSigned, algorithm] = derElements(derElement(x509.raw).content);
  const parts = derElements(toBeSigned?.content ?? Buffer.alloc(0));
  const explicitVersion = parts[0]?.tag === 0xa0 ? parts[0].content.at(-1) : undefined;
  const [, , issuer, , subject] = explicitVersion === undefined ? parts : parts.slice(1);
  const signature = derElements(algorithm?.content ?? Buffer.alloc(0))[0];
  if (issuer === undefined || subject === undefined || signature === undefined) throw new Error('it is cut short');
  const extensions = parts
    .filter(({ tag }) => tag === 0xa3)
    .flatMap(({ content }) => derElements(derElement(content).content))
    .map(({ content }): Extension => {
      const elements = derElements(content);
      const value = elements.at(-1)?.content ?? Buffer.alloc(0);
      return { oid: oidText(elements[0]?.content ?? Buffer.alloc(0)), critical: elements.length === 3, value };
    });
  const version = (explicitVersion ?? 0) + 1;
  const signatureOid = oidText(signature.content);
  return { x509, version, issuer, subject, signatureOid, extensions, count: others.length + 1, ca };
}

/** The elements in an extension that is a SEQUENCE; none if it is absent. */
function extensionElements({ extensions }: Parsed, wanted: string): readonly DerElement[] {
  const found = extensions.find(({ oid }) => oid === wanted);
  return found === undefined ? [] : derElements(derElement(found.value).content);
}

function subjectKeyId({ extensions }: Parsed): Buffer | undefined {
  const found = extensions.find(({ oid }) => oid === oids.subjectKeyIdentifier);
  return found === undefined ? undefined : derElement(found.value).content;
}

function alternativeNames(parsed: Parsed): readonly { readonly dns?: string; readonly ip?: Buffer }[] {
  return extensionElements(parsed, oids.subjectAltName).map(({ tag, content }) => {
    if (tag === 0x82) return { dns: content.toString('latin1') };
    if (tag === 0x87) return { ip: content };
    throw new Error(`no reader for a subject alternative name with the tag ${tag}`);
  });
}

function basicConstraints(parsed: Parsed): readonly [string, boolean] | undefined {
  const found = parsed.extensions.find(({ oid }) => oid === oids.basicConstraints);
  if (found === undefined) return undefined;
  const isCA = extensionElements(parsed, oids.basicConstraints).some(
    ({ tag, content }) => tag === 1 && content[0] !== 0,
  );
  return [found.critical ? 'critical' : 'not critical', isCA];
}

function keyUsages({ extensions }: Parsed): readonly string[] {
  const found = extensions.find(({ oid }) => oid === oids.keyUsage);
  if (found === undefined) return [];
  const [, ...bytes] = derElement(found.value).content;
  return keyUsageNames.filter((_, bit) => ((bytes[bit >> 3] ?? 0) & (0x80 >> (bit & 7))) !== 0);
}

/** Attribute type and value of each attribute of a name, in the order of the file. */
function attributes(name: DerElement): readonly (readonly [string, string])[] {
  return derElements(name.content).flatMap((set) =>
    derElements(set.content).map(({ content }) => {
      const [type, value] = derElements(content);
      return [oidText(type?.content ?? Buffer.alloc(0)), value?.content.toString('utf8') ?? ''] as const;
    }),
  );
}

function values(name: DerElement, type: string): readonly string[] {
  return attributes(name).flatMap(([oid, value]) => (oid === type ? value : []));
}

/** As RFC 4514 has it: the last attribute first. */
function nameText(name: DerElement): string {
  return attributes(name)
    .map(([oid, value]) => `${attributeNames[oid] ?? oid}=${value.replace(/[,+"\\<>;]/g, '\\$&')}`)
    .reverse()
    .join(',');
}

function addressText(bytes: Buffer): string {
  if (bytes.length === 4) return bytes.join('.');
  const groups = Array.from({ length: bytes.length / 2 }, (_, index) => bytes.readUInt16BE(index * 2).toString(16));
  return new URL(`http://[${groups.join(':')}]`).hostname.slice(1, -1);
}

function keyText({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): string {
  const { namedCurve = '', modulusLength } = asymmetricKeyDetails ?? {};
  if (asymmetricKeyType === 'ec') return `EC ${namedCurve === 'prime256v1' ? 'secp256r1' : namedCurve}`;
  return asymmetricKeyType === 'rsa' ? `RSA ${modulusLength}` : `${asymmetricKeyType}`;
}

const oids = {
  subjectKeyIdentifier: '2.5.29.14',
  keyUsage: '2.5.29.15',
  subjectAltName: '2.5.29.17',
  basicConstraints: '2.5.29.19',
  authorityKeyIdentifier: '2.5.29.35',
  extendedKeyUsage: '2.5.29.37',
} as const;

const extensionNames: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(oids).map(([name, oid]) => [oid, name]),
);

const keyUsageNames = [
  'digital_signature',
  'content_commitment',
  'key_encipherment',
  'data_encipherment',
  'key_agreement',
  'key_cert_sign',
  'crl_sign',
];

const attributeNames: Readonly<Record<string, string>> = {
  '2.5.4.3': 'CN',
  '2.5.4.6': 'C',
  '2.5.4.7': 'L',
  '2.5.4.8': 'ST',
  '2.5.4.10': 'O',
  '2.5.4.11': 'OU',
};

const signatureNames: Readonly<Record<string, string>> = {
  '1.2.840.113549.1.1.11': 'sha256WithRSAEncryption',
  '1.2.840.113549.1.1.12': 'sha384WithRSAEncryption',
  '1.2.840.113549.1.1.13': 'sha512WithRSAEncryption',
  '1.2.840.10045.4.3.2': 'ecdsa-with-SHA256',
  '1.2.840.10045.4.3.3': 'ecdsa-with-SHA384',
  '1.2.840.10045.4.3.4': 'ecdsa-with-SHA512',
};

function usageName(oid: string): string {
  return { '1.3.6.1.5.5.7.3.1': 'serverAuth', '1.3.6.1.5.5.7.3.2': 'clientAuth' }[oid] ?? oid;
}

import { execFileSync } from 'node:child_process';
import { createHash, createPrivateKey, createPublicKey, type KeyObject, X509Certificate } from 'node:crypto';
import type { NodeEntries } from './sandbox-node.ts';

/**
 * What two programs have to agree on about the files of a node: everything but keys, serial numbers, signatures and instants. Read with
 * openssl and node:crypto, and with none of our packages.
 */
export interface DescribedNode {
  /** Path → kind, permission bits and owner. */
  readonly stats: Readonly<Record<string, string>>;
  readonly certificates: Readonly<Record<string, DescribedCertificate>>;
  readonly keys: Readonly<Record<string, DescribedKey>>;
  readonly kubeconfigs: Readonly<Record<string, DescribedKubeconfig>>;
  /** Texts of all other files. */
  readonly texts: Readonly<Record<string, string>>;
}

interface DescribedPem {
  readonly labels: readonly string[];
  /** Lengths of the lines of Base64, and whether the last line ends. */
  readonly form: string;
}

export interface DescribedCertificate extends DescribedPem {
  /** ASN.1, one line for each element, in its order: version, algorithms, names, key, every extension with its critical flag. */
  readonly asn1: readonly string[];
  /** Whether kubeadm could have chosen it. */
  readonly serialNumber: 'in range' | 'out of range';
  readonly lifetimeSeconds: number;
  /** To five minutes, as programs take their time. */
  readonly beganMinutesAgo: number;
  /** Path of the CA whose key signed it. */
  readonly signedBy: string;
  /** How the CA's key identifier comes from its key. */
  readonly keyIdentifier: string;
  readonly authorityKeyIdentifier: string;
}

export interface DescribedKey extends DescribedPem {
  readonly kind: string;
  /** The file that holds the other half. */
  readonly belongsTo: string;
}

export interface DescribedKubeconfig {
  /** The text without certificates and keys. */
  readonly text: string;
  readonly authority: string;
  readonly certificate: DescribedCertificate | undefined;
  readonly key: Omit<DescribedKey, 'belongsTo'> | undefined;
  readonly keyFits: boolean;
}

/** @param now when the files were made */
export function describeNode(entries: NodeEntries, now: Date): DescribedNode {
  const files = [...entries].flatMap(([path, { stat, text }]) =>
    stat.startsWith('file') && text !== undefined ? [[path, text] as const] : [],
  );
  const select = <T>(pattern: RegExp, describe: (text: string, path: string) => T) =>
    Object.fromEntries(
      files.filter(([path]) => pattern.test(path)).map(([path, text]) => [path, describe(text, path)]),
    );
  const authorities = files.filter(([path]) => /ca\.crt$/.test(path)).map(([path, pem]) => ({ path, ...parsed(pem) }));
  const parsedElsewhere = /\.(?:crt|key|pub|conf)$/;
  return {
    stats: Object.fromEntries([...entries].map(([path, { stat }]) => [path, stat])),
    certificates: select(/\.crt$/, (pem) => describeCertificate(pem, { authorities, now })),
    keys: select(/\.(?:key|pub)$/, (pem, path) => ({ ...describeKey(pem), belongsTo: counterpart(path, pem, files) })),
    kubeconfigs: select(/\.conf$/, (text) => describeKubeconfig(text, { authorities, now })),
    texts: Object.fromEntries(files.filter(([path]) => !parsedElsewhere.test(path))),
  };
}

interface Authority {
  readonly path: string;
  readonly certificate: X509Certificate;
  readonly pem: string;
}

interface Surroundings {
  readonly authorities: readonly Authority[];
  readonly now: Date;
}

function parsed(pem: string): { certificate: X509Certificate; pem: string } {
  return { certificate: new X509Certificate(pem), pem };
}

function describePem(pem: string): DescribedPem {
  const labels = [...pem.matchAll(/^-----BEGIN (.*)-----$/gm)].map(([, label = '']) => label);
  const lines = pem.split('\n').filter((line) => /^[A-Za-z0-9+/=]+$/.test(line));
  const long = new Set(lines.map((line) => line.length).filter((length) => length >= 64));
  return { labels, form: `lines of ${[...long].join()}, ${pem.endsWith('-----\n') ? 'ends' : 'does not end'}` };
}

function describeCertificate(pem: string, { authorities, now }: Surroundings): DescribedCertificate {
  const certificate = new X509Certificate(pem);
  const serial = BigInt(`0x${certificate.serialNumber}`);
  const { validFromDate, validToDate } = certificate;
  const issuer = authorities.find(
    ({ certificate: authority }) => certificate.checkIssued(authority) && certificate.verify(authority.publicKey),
  );
  const lines = asn1Lines(pem);
  const authorityId = extensionBytes(lines, 'X509v3 Authority Key Identifier');
  const issuerId = issuer === undefined ? undefined : extensionBytes(asn1Lines(issuer.pem), subjectKeyName);
  return {
    ...describePem(pem),
    asn1: masked(lines),
    serialNumber: serial >= 1n && serial <= 2n ** 63n - 2n ? 'in range' : 'out of range',
    lifetimeSeconds: (validToDate.getTime() - validFromDate.getTime()) / 1000,
    beganMinutesAgo: 5 * Math.round((now.getTime() - validFromDate.getTime()) / 300_000) + 0,
    signedBy: issuer?.path ?? 'none of the authorities here',
    keyIdentifier: keyIdentifierMethod(extensionBytes(lines, subjectKeyName), certificate.publicKey),
    authorityKeyIdentifier:
      authorityId !== undefined && issuerId !== undefined && authorityId.endsWith(issuerId.slice(4))
        ? "the CA's"
        : `${authorityId?.length ?? 0} digits`,
  };
}

const subjectKeyName = 'X509v3 Subject Key Identifier';

const known = new Map<string, readonly string[]>();

/** Lines of openssl asn1parse: depth, then type and value. */
function asn1Lines(pem: string): readonly string[] {
  const before = known.get(pem);
  if (before !== undefined) return before;
  const output = execFileSync('openssl', ['asn1parse'], {
    input: pem,
    encoding: 'utf8',
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const lines = output.split('\n').flatMap((line) => {
    const match = /^\s*\d+:d=(\d+)\s+hl=\d+\s+l=\s*(?:\d+|inf)\s+(?:prim|cons):\s*(.*?)\s*$/.exec(line);
    return match === null ? [] : [`${match[1]} ${match[2]}`];
  });
  known.set(pem, lines);
  return lines;
}

/** The content of an extension in hexadecimal. */
function extensionBytes(lines: readonly string[], name: string): string | undefined {
  const at = lines.findIndex((line) => line.endsWith(`:${name}`));
  const dump = lines.slice(at + 1).find((line) => line.includes('[HEX DUMP]'));
  return at < 0 ? undefined : dump?.split('[HEX DUMP]:')[1];
}

function masked(lines: readonly string[]): readonly string[] {
  const serial = lines.findIndex((line) => line.startsWith('2 INTEGER'));
  let isKeyIdentifier = false;
  return lines.map((line, index) => {
    if (index === serial) return '2 INTEGER :(serial number)';
    if (line.includes(' OBJECT')) isKeyIdentifier = /Key Identifier$/.test(line);
    if (isKeyIdentifier && line.includes('[HEX DUMP]')) return line.replace(/[0-9A-F]{40}$/, '(key identifier)');
    return line.replace(/(UTCTIME|GENERALIZEDTIME)\s*:.*/, '$1 :(instant)');
  });
}

function keyIdentifierMethod(bytes: string | undefined, key: KeyObject): string {
  if (bytes === undefined) return 'none';
  const bits = keyBits(key);
  const methods = ['sha1', 'sha256'].filter((algorithm) =>
    bytes.endsWith(createHash(algorithm).update(bits).digest('hex').slice(0, 40).toUpperCase()),
  );
  return methods[0] ?? bytes;
}

/** What the BIT STRING of the public key holds. */
function keyBits(key: KeyObject): Buffer {
  if (key.asymmetricKeyType === 'rsa') return key.export({ type: 'pkcs1', format: 'der' });
  const { x = '', y = '' } = key.export({ format: 'jwk' });
  return Buffer.concat([Buffer.of(4), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')]);
}

function describeKey(pem: string): Omit<DescribedKey, 'belongsTo'> {
  const { asymmetricKeyType, asymmetricKeyDetails } = pem.includes('PRIVATE')
    ? createPrivateKey(pem)
    : createPublicKey(pem);
  const { modulusLength, publicExponent, namedCurve } = asymmetricKeyDetails ?? {};
  return {
    ...describePem(pem),
    kind: [asymmetricKeyType, modulusLength, publicExponent, namedCurve].filter((part) => part !== undefined).join(' '),
  };
}

function counterpart(path: string, pem: string, files: readonly (readonly [string, string])[]): string {
  const spki = (key: KeyObject) => key.export({ type: 'spki', format: 'der' }).toString('hex');
  const own = spki(createPublicKey(pem));
  const others = files.filter(([other]) => other !== path && /\.(?:crt|key|pub)$/.test(other));
  const found = others.find(
    ([other, text]) =>
      own === spki(other.endsWith('.crt') ? new X509Certificate(text).publicKey : createPublicKey(text)),
  );
  return found?.[0] ?? 'nothing';
}

function describeKubeconfig(text: string, surroundings: Surroundings): DescribedKubeconfig {
  const data = new Map<string, string>();
  const rest = text.replace(/(\S+-data): (\S+)/g, (_, name: string, value: string) => {
    data.set(name, Buffer.from(value, 'base64').toString());
    return `${name}: (data)`;
  });
  const authority = data.get('certificate-authority-data');
  const pem = data.get('client-certificate-data');
  const key = data.get('client-key-data');
  return {
    text: rest,
    authority: surroundings.authorities.find((candidate) => candidate.pem === authority)?.path ?? 'none of those here',
    certificate: pem === undefined ? undefined : lasting(describeCertificate(pem, surroundings)),
    key: key === undefined ? undefined : describeKey(key),
    keyFits: pem !== undefined && key !== undefined && new X509Certificate(pem).checkPrivateKey(createPrivateKey(key)),
  };
}

/** It begins when the CA does, and ends some time after this program was started: told to five minutes. */
function lasting({ lifetimeSeconds, ...certificate }: DescribedCertificate): DescribedCertificate {
  return { ...certificate, lifetimeSeconds: 300 * Math.floor(lifetimeSeconds / 300) };
}

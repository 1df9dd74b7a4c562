import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A certificate and its private key, PEM. */
export interface OpensslPair {
  readonly certificate: string;
  readonly key: string;
}

export interface OpensslRequest {
  readonly commonName: string;
  readonly organization?: string;
  /** Lines of an extension section. */
  readonly extensions: readonly string[];
  /** Signs itself without. */
  readonly issuer?: OpensslPair;
  /** `YYYYMMDD`, from and until midnight UTC. */
  readonly from?: string;
  readonly until?: string;
  /** A key that is there already. */
  readonly key?: string;
  /** Of the signature. @default 'sha256' */
  readonly digest?: 'sha256' | 'sha1';
  /** Whether names are more than ASCII. */
  readonly utf8?: true;
}

export function openssl(args: readonly string[], input = ''): string {
  return execFileSync('openssl', args, { input, encoding: 'utf8', stdio: ['pipe', 'pipe', 'pipe'] });
}

/** A new EC key in PKCS#8 form. */
export function ecKey(): string {
  return openssl(['genpkey', '-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:P-256']);
}

/** A new RSA key in PKCS#1 form. */
export function rsaKey(bits: number): string {
  return openssl(['genrsa', '-traditional', String(bits)]);
}

/** A new Ed25519 key in PKCS#8 form. */
export function ed25519Key(): string {
  return openssl(['genpkey', '-algorithm', 'ed25519']);
}

export const ofAuthority = ['basicConstraints=critical,CA:TRUE', 'keyUsage=critical,keyCertSign,digitalSignature'];
export const ofServer = [
  'basicConstraints=critical,CA:FALSE',
  'keyUsage=critical,digitalSignature',
  'extendedKeyUsage=serverAuth',
];
export const ofClient = [...ofServer.slice(0, 2), 'extendedKeyUsage=clientAuth'];

const settings = `[ca]
default_ca=own
[own]
database=index.txt
rand_serial=yes
new_certs_dir=.
default_md=sha256
policy=free
unique_subject=no
[free]
organizationName=optional
commonName=supplied
`;

/** A certificate as openssl makes it, valid at any time that is asked for. */
export function opensslPair(request: OpensslRequest): OpensslPair {
  const {
    commonName,
    organization,
    extensions,
    issuer,
    from = '20200101',
    until = '20491231',
    digest = 'sha256',
  } = request;
  const folder = mkdtempSync(join(tmpdir(), 'groundplane-openssl-'));
  try {
    const key = request.key ?? ecKey();
    const put = (name: string, text: string) => writeFileSync(join(folder, name), text);
    put('own.key', key);
    // Names in the string type that Go gives them: names are equal if their bytes are.
    put('openssl.cnf', `[req]\ndistinguished_name=dn\nstring_mask=default\n[dn]\n${settings}`);
    put('index.txt', '');
    put('extensions', extensions.join('\n'));
    if (issuer !== undefined) {
      put('ca.crt', issuer.certificate);
      put('ca.key', issuer.key);
    }
    const subject = `/${organization === undefined ? '' : `O=${organization}/`}CN=${commonName}`;
    const words = [
      [
        'req',
        '-new',
        ...(request.utf8 ? ['-utf8'] : []),
        '-config',
        'openssl.cnf',
        '-key',
        'own.key',
        '-subj',
        subject,
        '-out',
        'own.csr',
      ],
      [
        ...['ca', '-batch', '-notext', '-md', digest, '-config', 'openssl.cnf', '-in', 'own.csr', '-out', 'own.crt'],
        ...['-startdate', `${from}000000Z`, '-enddate', `${until}000000Z`, '-extfile', 'extensions'],
        ...(issuer === undefined ? ['-selfsign', '-keyfile', 'own.key'] : ['-cert', 'ca.crt', '-keyfile', 'ca.key']),
      ],
    ];
    for (const args of words) execFileSync('openssl', args, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
    return { certificate: readFileSync(join(folder, 'own.crt'), 'utf8'), key };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/**
 * A signer as an administrator may write one: `node openssl-signer.ts FOLDER [ARTIFACT FAULT]` signs with openssl what stands on its standard
 * input, by the CA in the folder of the name that the request has. For one artifact it can do something wrong.
 */
import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

interface Request {
  readonly csr: string;
  readonly profile: {
    readonly artifact: string;
    readonly issuer: string;
    readonly commonName: string;
    readonly organizations: readonly string[];
    readonly dnsNames: readonly string[];
    readonly ipAddresses: readonly string[];
    readonly keyUsage: readonly string[];
    readonly extendedKeyUsage: readonly string[];
    readonly validity: { readonly notBefore: string; readonly notAfter: string };
  };
}

/** What is signed instead of what was asked for. */
interface Changes {
  readonly issuer?: string;
  readonly commonName?: string;
  readonly organizations?: readonly string[];
  readonly dnsNames?: readonly string[];
  readonly extendedKeyUsage?: readonly string[];
  readonly keyUsage?: readonly string[];
  readonly otherNames?: readonly string[];
  readonly authority?: true;
  readonly anotherKey?: true;
  readonly notBefore?: string;
  readonly notAfter?: string;
}

const [, , folder = '', artifact, fault = ''] = process.argv;
const input = readFileSync(0, 'utf8');
appendFileSync(join(folder, 'asked.jsonl'), input);
const { csr, profile } = JSON.parse(input) as Request;

const faults: Readonly<Record<string, () => unknown>> = {
  slow: () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 60_000),
  fails: () => {
    process.stderr.write('the HSM does not answer\n');
    process.exit(3);
  },
  dies: () => process.kill(process.pid, 'SIGKILL'),
  garbage: () => process.stdout.write('<html>502 Bad Gateway</html>\n'),
  nothing: () => {},
  'broken PEM': () => process.stdout.write('-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n'),
  'half of it': () => {
    const text = signed({});
    process.stdout.write(text.slice(0, text.length / 2));
    process.exit(0);
  },
  'a key': () => process.stdout.write(execFileSync('openssl', ['genpkey', '-algorithm', 'ed25519'])),
  'no end': () => execFileSync('yes', { stdio: 'inherit' }),
  'another key': () => print({ anotherKey: true }),
  'another name': () => print({ commonName: 'somebody' }),
  'an extra name': () => print({ dnsNames: [...profile.dnsNames, 'evil.example.com'] }),
  'an extra group': () => print({ organizations: [...profile.organizations, 'system:masters'] }),
  'no group': () => print({ organizations: [] }),
  'an extra usage': () => print({ extendedKeyUsage: ['serverAuth', 'clientAuth'] }),
  'no usage': () => print({ extendedKeyUsage: [] }),
  'the rights of a CA': () => print({ authority: true }),
  'another CA': () => print({ issuer: 'front-proxy-ca' }),
  'an unknown CA': () => print({ issuer: 'unknown-ca' }),
  'no intermediate': () => process.stdout.write(signed({ issuer: 'intermediate' })),
  'longer than its CA': () => print({ notAfter: '20991231000000Z' }),
  'longer than an intermediate': () =>
    process.stdout.write(
      `${signed({ issuer: 'intermediate', notAfter: '20991231000000Z' })}${pem('intermediate.crt')}`,
    ),
  'a day': () => print({ notAfter: wholeSeconds(Date.now() + 86_400_000) }),
  'from now on': () => print({ notBefore: wholeSeconds(Date.now()) }),
  'an e-mail address': () => print({ otherNames: ['email:root@example.com'] }),
  'a signing usage': () => print({ keyUsage: [...profile.keyUsage, 'keyCertSign'] }),
  expired: () => print({ notBefore: '20200101000000Z', notAfter: '20210101000000Z' }),
  'not valid yet': () => print({ notBefore: '20400101000000Z', notAfter: '20410101000000Z' }),
  'with an intermediate': () =>
    process.stdout.write(`Certificate:\n${signed({ issuer: 'intermediate' })}${pem('intermediate.crt')}`),
};

if (artifact === profile.artifact && fault !== '') faults[fault]?.();
else print({});

function print(changes: Changes): void {
  process.stdout.write(signed(changes));
}

function pem(name: string): string {
  return readFileSync(join(folder, name), 'utf8');
}

function wholeSeconds(time: number): string {
  return new Date(time).toISOString().replace(/\.\d+/, '');
}

/** The form of openssl's ca: YYYYMMDDhhmmssZ. */
function compact(time: string): string {
  return time.replace(/[-:T]/g, '');
}

function signed(changes: Changes): string {
  const wanted = { ...profile, ...changes };
  const own = mkdtempSync(join(tmpdir(), 'openssl-signer-'));
  const put = (name: string, text: string) => writeFileSync(join(own, name), text);
  const openssl = (...args: readonly string[]) => execFileSync('openssl', args, { cwd: own, stdio: 'pipe' });
  try {
    const names = [
      ...wanted.dnsNames.map((name) => `DNS:${name}`),
      ...profile.ipAddresses.map((address) => `IP:${address}`),
      ...(changes.otherNames ?? []),
    ];
    put('csr', csr);
    if (wanted.anotherKey === true)
      openssl('req', '-new', '-newkey', 'rsa:2048', '-nodes', '-keyout', 'key', '-subj', '/CN=x', '-out', 'csr');
    put('index.txt', '');
    const subject = [...wanted.organizations.map((name) => `O=${name}`), `CN=${wanted.commonName}`];
    put(
      'openssl.cnf',
      `[ca]
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
`,
    );
    put(
      'extensions',
      [
        `basicConstraints=critical,CA:${wanted.authority === true ? 'TRUE' : 'FALSE'}`,
        `keyUsage=critical,${wanted.keyUsage.join(',')}`,
        ...(wanted.extendedKeyUsage.length === 0 ? [] : [`extendedKeyUsage=${wanted.extendedKeyUsage.join(',')}`]),
        ...(names.length === 0 ? [] : [`subjectAltName=${names.join(',')}`]),
      ].join('\n'),
    );
    const [ca, key] = ['crt', 'key'].map((ending) => join(folder, `${wanted.issuer}.${ending}`));
    const validity = ['-startdate', compact(wanted.notBefore ?? wanted.validity.notBefore)].concat(
      '-enddate',
      compact(wanted.notAfter ?? wanted.validity.notAfter),
    );
    openssl(
      ...['ca', '-batch', '-notext', '-config', 'openssl.cnf', '-in', 'csr', '-out', 'crt', '-extfile', 'extensions'],
      ...['-cert', ca ?? '', '-keyfile', key ?? '', '-subj', `/${subject.join('/')}`],
      ...validity,
    );
    return readFileSync(join(own, 'crt'), 'utf8');
  } finally {
    rmSync(own, { recursive: true });
  }
}

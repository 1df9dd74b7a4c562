import { X509Certificate } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { type OpensslPair, openssl, opensslCertificate, opensslKey, selfSigned } from './openssl.ts';
import { type NodeFiles, onPrivateNode, type Program } from './private-node.ts';

/** Something that the CA signs with its own lifetime, and something that it signs with that of its own. */
const signedPhases = ['certs apiserver', 'kubeconfig admin'];

function configuration(cluster: object = {}): string {
  const apiVersion = 'kubeadm.k8s.io/v1beta4';
  const documents = [
    {
      apiVersion,
      kind: 'InitConfiguration',
      localAPIEndpoint: { advertiseAddress: '192.0.2.10' },
      nodeRegistration: { name: 'node-a' },
    },
    {
      apiVersion,
      kind: 'ClusterConfiguration',
      kubernetesVersion: 'v1.37.2',
      encryptionAlgorithm: 'ECDSA-P256',
      ...cluster,
    },
  ];
  return documents.map((document) => JSON.stringify(document)).join('\n---\n');
}

function made(program: Program, files: Readonly<Record<string, string>>, cluster: object = {}) {
  const phases = Object.keys(files).length > 0 ? signedPhases : ['certs ca', ...signedPhases];
  const steps = phases.map((phase) => ({
    program,
    args: ['init', 'phase', ...phase.split(' '), '--config', '$CONFIG'],
  }));
  const { statuses, files: states } = onPrivateNode(configuration(cluster), steps, { files, tolerant: true });
  return { accepted: statuses.every((status) => status === 0), files: states.at(-1) ?? {} };
}

/** The certificates that were issued, without what is random or of the moment. */
function issued(files: NodeFiles): Readonly<Record<string, readonly string[]>> {
  const kubeconfig = files['admin.conf']?.text ?? '';
  const embedded = /client-certificate-data: (\S+)/.exec(kubeconfig)?.[1] ?? '';
  return Object.fromEntries(
    Object.entries({
      ca: files['pki/ca.crt']?.text ?? '',
      apiserver: files['pki/apiserver.crt']?.text ?? '',
      admin: Buffer.from(embedded, 'base64').toString(),
    }).map(([name, pem]) => [name, elements(pem)]),
  );
}

/** Every element of a certificate with its length, flag and contents; without serial number, instants, key, signature, and what surrounds them. */
function elements(pem: string): readonly string[] {
  const lines = openssl(['asn1parse'], pem).trim().split('\n');
  const serial = lines.findIndex((line) => /d=2 .* INTEGER/.test(line));
  return lines
    .filter((line, index) => index !== serial && !/d=[01] |UTCTIME|GENERALIZEDTIME|BIT STRING +$/.test(line))
    .map((line) => line.replace(/^ *\d+:(d=\d+) +hl=\d+ l= *\d+/, '$1'));
}

function lifetimes(files: NodeFiles) {
  const kubeconfig = files['admin.conf']?.text ?? '';
  const embedded = Buffer.from(/client-certificate-data: (\S+)/.exec(kubeconfig)?.[1] ?? '', 'base64').toString();
  const of = (pem: string) => {
    const { validFromDate, validToDate } = new X509Certificate(pem);
    return { validFromDate, validToDate };
  };
  return {
    ca: of(files['pki/ca.crt']?.text ?? ''),
    apiserver: of(files['pki/apiserver.crt']?.text ?? ''),
    admin: of(embedded),
  };
}

const authorityFiles = ({ certificate, key }: OpensslPair) => ({ 'pki/ca.crt': certificate, 'pki/ca.key': key });
const root = opensslCertificate({ subject: '/CN=corporate root' });
const issuing = opensslCertificate({ subject: '/O=Example/CN=issuing', issuer: root, isCA: true });
const pair = opensslCertificate({ subject: '/CN=my own CA' });
const ecKey = opensslKey();
const rsaKey = openssl(['genrsa', '-traditional', '2048']);

describe.each<[string, OpensslPair]>([
  ['an intermediate CA', issuing],
  ['text around the certificate', { ...pair, certificate: `subject=CN = my own CA\n${pair.certificate}the end\n` }],
  ['CRLF', { certificate: pair.certificate.replaceAll('\n', '\r\n'), key: pair.key.replaceAll('\n', '\r\n') }],
  ['certificate and key in both files', { certificate: pair.certificate + pair.key, key: pair.certificate + pair.key }],
  ['two keys, of which the first counts', { ...pair, key: pair.key + ecKey }],
  ['PKCS#8', { ...pair, key: openssl(['pkcs8', '-topk8', '-nocrypt'], pair.key) }],
  ['an EC key without its public half', selfSigned(openssl(['ec', '-no_public'], ecKey), '-subj', '/CN=ec')],
  [
    'an EC key in PKCS#8 behind the parameters of its curve',
    selfSigned(
      openssl(['ecparam', '-name', 'prime256v1']) + openssl(['pkcs8', '-topk8', '-nocrypt'], ecKey),
      '-subj',
      '/CN=ec',
    ),
  ],
  ['RSA', selfSigned(rsaKey, '-subj', '/CN=rsa')],
  ['an RSA key in PKCS#8', selfSigned(openssl(['pkcs8', '-topk8', '-nocrypt'], rsaKey), '-subj', '/CN=rsa')],
  ['signed with RSA-PSS', selfSigned(rsaKey, '-subj', '/CN=pss', '-sigopt', 'rsa_padding_mode:pss')],
  ['signed with SHA-512', selfSigned(rsaKey, '-subj', '/CN=sha512', '-sha512')],
  ['a set of several attributes', selfSigned(ecKey, '-subj', '/CN=corp+O=Example/OU=b')],
  ['letters beyond ASCII', selfSigned(ecKey, '-utf8', '-subj', '/O=Bücher/CN=Größe')],
  ['no key identifier', selfSigned(ecKey, '-subj', '/CN=none', '-addext', 'subjectKeyIdentifier=none')],
  ['a key identifier of its own', selfSigned(ecKey, '-subj', '/CN=odd', '-addext', 'subjectKeyIdentifier=01:02:03')],
  ['P-384', selfSigned(openssl(['ecparam', '-name', 'secp384r1', '-genkey', '-noout']), '-subj', '/CN=p384')],
  ['P-521', selfSigned(openssl(['ecparam', '-name', 'secp521r1', '-genkey', '-noout']), '-subj', '/CN=p521')],
])('%s', (_, authority) => {
  test('signs what the real kubeadm has it sign', () => {
    const [theirs, ours] = [made('kubeadm', authorityFiles(authority)), made('groundplane', authorityFiles(authority))];
    expect([theirs.accepted, ours.accepted]).toEqual([true, true]);
    expect(issued(ours.files)).toEqual(issued(theirs.files));
    expect(issued(ours.files).apiserver?.length).toBeGreaterThan(30);
    // The time of the run differs; when the CA begins does not.
    expect(lifetimes(ours.files).admin.validFromDate).toEqual(lifetimes(theirs.files).admin.validFromDate);
    expect(ours.files['pki/ca.crt']?.text).toBe(authority.certificate);
    expect(ours.files['pki/ca.key']?.text).toBe(authority.key);
  });
});

test('an intermediate CA with its root behind it is refused: kube-controller-manager does not sign with two certificates', () => {
  const files = authorityFiles({ ...issuing, certificate: issuing.certificate + root.certificate });
  const [theirs, ours] = [made('kubeadm', files), made('groundplane', files)];
  expect([theirs.accepted, ours.accepted]).toEqual([true, false]);
  expect(Object.keys(ours.files)).toEqual(['pki', 'pki/ca.crt', 'pki/ca.key']);
});

describe.each<[string, OpensslPair]>([
  ['a key of another kind', { ...pair, key: openssl(['genpkey', '-algorithm', 'ed25519']) }],
  ['a key of another certificate', { ...pair, key: ecKey }],
  ['an encrypted key', { ...pair, key: openssl(['ec', '-aes256', '-passout', 'pass:test'], pair.key) }],
  ['an empty key file', { ...pair, key: '' }],
  ['a certificate that is cut short', { ...pair, certificate: pair.certificate.slice(0, 300) }],
  ['a byte order mark before the certificate', { ...pair, certificate: `\uFEFF${pair.certificate}` }],
  ['a byte order mark before the key', { ...pair, key: `\uFEFF${pair.key}` }],
  ['no CA', opensslCertificate({ subject: '/CN=leaf', issuer: root, usages: 'serverAuth' })],
])('%s', (_, authority) => {
  test('is refused, as by the real kubeadm, and nothing is written', () => {
    const [theirs, ours] = [made('kubeadm', authorityFiles(authority)), made('groundplane', authorityFiles(authority))];
    expect([theirs.accepted, ours.accepted]).toEqual([false, false]);
    expect(Object.keys(ours.files)).toEqual(['pki', 'pki/ca.crt', 'pki/ca.key']);
  });
});

describe.each([
  ['RSA-3072', { certificateValidityPeriod: '1h0m0s', caCertificateValidityPeriod: '2h30m0s' }],
  ['RSA-4096', { certificateValidityPeriod: '43800h0m0s', caCertificateValidityPeriod: '219000h0m0s' }],
  ['ECDSA-P384', { certificateValidityPeriod: '219000h0m0s', caCertificateValidityPeriod: '876000h0m0s' }],
  ['RSA-2048', {}],
])('%s with %j', (encryptionAlgorithm, periods) => {
  test('gives the keys, signatures and lifetimes of the real kubeadm', () => {
    const cluster = { encryptionAlgorithm, ...periods };
    const [theirs, ours] = [made('kubeadm', {}, cluster), made('groundplane', {}, cluster)];
    expect([theirs.accepted, ours.accepted]).toEqual([true, true]);
    const span = (files: NodeFiles) =>
      Object.values(lifetimes(files)).map(
        ({ validFromDate, validToDate }) => validToDate.getTime() - validFromDate.getTime(),
      );
    expect(span(ours.files).slice(0, 2)).toEqual(span(theirs.files).slice(0, 2));
    const { ca, admin } = lifetimes(ours.files);
    expect(admin.validFromDate).toEqual(ca.validFromDate);
    const shape = (files: NodeFiles) =>
      ['pki/ca.crt', 'pki/apiserver.crt'].map((path) => {
        const pem = files[path]?.text ?? '';
        const { publicKey, serialNumber } = new X509Certificate(pem);
        const times = openssl(['asn1parse'], pem).match(/UTCTIME|GENERALIZEDTIME/g);
        const label = /-----BEGIN (.*)-----/.exec(files[path.replace('.crt', '.key')]?.text ?? '')?.[1];
        const { modulusLength, namedCurve } = publicKey.asymmetricKeyDetails ?? {};
        const serial = BigInt(`0x${serialNumber}`);
        return { times, label, size: modulusLength ?? namedCurve, isInRange: serial >= 1n && serial <= 2n ** 63n - 2n };
      });
    expect(shape(ours.files)).toEqual(shape(theirs.files));
  });
});

test('kubeadm certs check-expiration finds all of ours, with the names of their CAs', () => {
  const run = (program: Program, ...args: readonly string[]) => ({ program, args: [...args, '--config', '$CONFIG'] });
  const steps = (program: Program) => [
    run(program, 'init', 'phase', 'certs', 'all'),
    run(program, 'init', 'phase', 'kubeconfig', 'all'),
    run('kubeadm', 'certs', 'check-expiration', '-o', 'json'),
  ];
  const [theirs, ours] = (['kubeadm', 'groundplane'] as const).map((program) => {
    const { outputs } = onPrivateNode(configuration(), steps(program));
    const report = JSON.parse(outputs.at(-1) ?? '') as Readonly<
      Record<string, readonly Readonly<Record<string, unknown>>[]>
    >;
    const rows = [...(report.certificates ?? []), ...(report.certificateAuthorities ?? [])];
    return rows.map(({ expirationDate, residualTimeSeconds, residualTime, ...row }) => row);
  });
  expect(ours).toEqual(theirs);
  expect(ours).toHaveLength(14);
  expect(ours?.filter(({ missing }) => missing === true)).toEqual([]);
});

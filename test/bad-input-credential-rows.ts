import { type BadInput, configuration, type InputFile } from './bad-input-row.ts';
import { ecKey, type OpensslRequest, ofAuthority, ofClient, ofServer, openssl, opensslPair } from './openssl-pair.ts';

const pki = '/etc/kubernetes/pki';
const config = '--config @/config.yaml';
const files = { 'config.yaml': configuration };

const ca = opensslPair({ commonName: 'kubernetes', extensions: ofAuthority });
const otherCa = opensslPair({ commonName: 'another', extensions: ofAuthority });
const secret = (content: InputFile) => ({ content: content as string, mode: 0o600 });
const passphrase = 'correct-horse-battery';
const encrypted = openssl(['pkcs8', '-topk8', '-v2', 'aes-256-cbc', '-passout', `pass:${passphrase}`], ca.key);
const encryptedOldForm = openssl(['ec', '-aes256', '-passout', `pass:${passphrase}`], ca.key);
const dsaKey = openssl(['dsaparam', '-genkey', '-noout', '1024']);
const ed25519Key = openssl(['genpkey', '-algorithm', 'ed25519']);

/** Everything that no output may hold. */
export const secrets: readonly string[] = [
  passphrase,
  ...[ca.key, otherCa.key, encrypted, encryptedOldForm, dsaKey, ed25519Key].flatMap((key) =>
    key.split('\n').filter((line) => line.length > 20 && !line.startsWith('---') && !line.includes(':')),
  ),
];

/** A CA that is there before, and what is wrong with it. */
function authority(
  name: string,
  put: Readonly<Record<string, InputFile>>,
  says: readonly RegExp[],
  mends: RegExp,
): BadInput {
  const own = Object.fromEntries(Object.entries(put).map(([file, content]) => [`${pki}/${file}`, content]));
  const commands = [`init phase certs all ${config}`, `init ${config}`];
  return { name, files: { ...files, ...own }, commands, says, mends, code: 3 };
}

const pair = (certificate: InputFile, key: InputFile) => ({ 'ca.crt': certificate, 'ca.key': secret(key) });
const own = (request: Partial<OpensslRequest>) =>
  opensslPair({ commonName: 'kubernetes', extensions: ofAuthority, ...request });
const ofTime = (from: string, until: string) => {
  const { certificate, key } = own({ from, until });
  return pair(certificate, key);
};
const notCa = own({ extensions: ofServer });
const caFile = /pki\/ca\.crt/;
const keyFile = /pki\/ca\.key/;

export const authorityRows: readonly BadInput[] = [
  authority('expired CA', ofTime('20200101', '20210101'), [caFile, /expired.*2021-01-01/], /signed again/),
  authority(
    'CA that is none',
    pair(notCa.certificate, notCa.key),
    [caFile, /CA:TRUE/],
    /basicConstraints=critical,CA:TRUE/,
  ),
  authority('CA file that holds a key', pair(ca.key, ca.key), [caFile, /PEM/], /Mend it|move/),
  authority('CA file that is text', pair('hello\n', ca.key), [caFile, /no PEM block/], /Mend it|move/),
  authority('empty CA file', pair('', ca.key), [caFile, /no PEM block|empty/], /Mend it|move/),
  authority(
    'binary CA file',
    pair(Uint8Array.from([0, 255, 254, 1, 2]), ca.key),
    [caFile, /no PEM block/],
    /Mend it|move/,
  ),
  authority('CA file that is cut off', pair(ca.certificate.slice(0, 200), ca.key), [caFile], /Mend it|move|openssl/),
  authority(
    'CA file with damaged base64',
    pair(ca.certificate.replace(/\n[A-Za-z0-9+/]{10}/, '\n!!!!!!!!!!'), ca.key),
    [caFile],
    /Mend it|move|openssl/,
  ),
  authority(
    'key of another certificate',
    pair(ca.certificate, otherCa.key),
    [/pki\/ca\.(crt|key)/, /private key/],
    /openssl/,
  ),
  authority('key with a passphrase', pair(ca.certificate, encrypted), [keyFile, /encrypted/i], /openssl pkey|decrypt/),
  authority(
    'key with a passphrase, old form',
    pair(ca.certificate, encryptedOldForm),
    [/pki\/ca\.(crt|key)/, /encrypted/i],
    /openssl pkey|decrypt/,
  ),
  authority('DSA key', pair(ca.certificate, dsaKey), [/pki\/ca\.(crt|key)/], /RSA or ECDSA/),
  authority(
    'Ed25519 key',
    pair(ca.certificate, ed25519Key),
    [/pki\/ca\.(crt|key)/, /1\.3\.101\.112|neither RSA nor ECDSA/],
    /RSA or ECDSA/,
  ),
  authority(
    'key file that holds a certificate',
    pair(ca.certificate, ca.certificate),
    [keyFile, /PEM/],
    /Mend it|move/,
  ),
  authority('key file that is text', pair(ca.certificate, 'hello\n'), [keyFile, /no PEM block/], /Mend it|move/),
  {
    ...authority(
      'key that may not be read',
      { 'ca.crt': ca.certificate, 'ca.key': { content: ca.key, mode: 0o000 } },
      [keyFile, /permission/],
      /chmod|root|sudo/,
    ),
    wrapper: ['setpriv', '--bounding-set=-dac_override,-dac_read_search'],
  },
  {
    ...authority('key that is a folder', { 'ca.crt': ca.certificate }, [keyFile, /director/], /namei -l|pipe|16 MiB/),
    prepare: `mkdir ${pki}/ca.key`,
  },
  {
    ...authority('key that is a pipe', { 'ca.crt': ca.certificate }, [keyFile, /pipe|FIFO/i], /namei -l|pipe|16 MiB/),
    prepare: `mkfifo -m 600 ${pki}/ca.key`,
  },
  {
    ...authority('CA file that is a loop of links', {}, [caFile, /link/], /link|move/),
    code: 4,
    prepare: `mkdir ${pki}; ln -s ca.crt ${pki}/x; ln -s x ${pki}/ca.crt`,
  },
  {
    ...authority('CA file that never ends', {}, [caFile, /large|MiB|device/], /namei -l|pipe|16 MiB/),
    code: 4,
    prepare: `mkdir ${pki}; ln -s /dev/zero ${pki}/ca.crt`,
  },
  authority(
    'public key of another pair',
    { ...pair(ca.certificate, ca.key), 'sa.key': secret(ecKey()), 'sa.pub': openssl(['pkey', '-pubout'], otherCa.key) },
    [/sa\.pub/],
    /openssl pkey/,
  ),
  authority(
    'public key without its private key',
    { ...pair(ca.certificate, ca.key), 'sa.pub': openssl(['pkey', '-pubout'], ca.key) },
    [/sa\.key|sa\.pub/],
    /back|move/,
  ),
  authority(
    'service account key with a passphrase',
    { ...pair(ca.certificate, ca.key), 'sa.key': secret(encrypted), 'sa.pub': openssl(['pkey', '-pubout'], ca.key) },
    [/sa\.(key|pub)/],
    /openssl|move|Mend/,
  ),
  {
    name: 'PKI folder that is a file',
    files: { ...files, [pki]: 'hello' },
    commands: [`init phase certs all ${config}`, `init ${config} --skip-phases preflight,kubelet-start`],
    says: [/\/etc\/kubernetes\/pki/, /director/],
    mends: /namei -l/,
    code: 3,
  },
];

const names = [
  'node-a',
  'kubernetes',
  'kubernetes.default',
  'kubernetes.default.svc',
  'kubernetes.default.svc.cluster.local',
];
const serverNames = `subjectAltName=${[...names.map((name) => `DNS:${name}`), 'IP:10.96.0.1', 'IP:192.0.2.10'].join(',')}`;

/** A serving certificate of the API server that somebody brought. */
function leaf(name: string, request: Partial<OpensslRequest>, says: readonly RegExp[], mends: RegExp): BadInput {
  const made = opensslPair({
    commonName: 'kube-apiserver',
    issuer: ca,
    extensions: [...ofServer, serverNames],
    ...request,
  });
  const put = { ...pair(ca.certificate, ca.key), 'apiserver.crt': made.certificate, 'apiserver.key': secret(made.key) };
  return authority(name, put, [/pki\/apiserver\.crt/, ...says], mends);
}

export const leafRows: readonly BadInput[] = [
  leaf('expired certificate', { from: '20200101', until: '20210101' }, [/expired.*2021-01-01/], /Renew|move/),
  leaf(
    'certificate that is not valid yet',
    { from: '20480101', until: '20490101' },
    [/not valid yet.*2048-01-01/],
    /clock|timedatectl/,
  ),
  leaf('certificate of another CA', { issuer: otherCa }, [/trust/], /signed|move/),
  leaf(
    'certificate of the wrong usage',
    { extensions: [...ofClient, serverNames] },
    [/lacks serverAuth/],
    /serverAuth|signed again|move/,
  ),
  leaf(
    'certificate without the names',
    { extensions: [...ofServer, 'subjectAltName=DNS:elsewhere'] },
    [/192\.0\.2\.10/, /elsewhere/],
    /names|move/,
  ),
  authority(
    'certificate without its key',
    {
      ...pair(ca.certificate, ca.key),
      'apiserver.crt': opensslPair({ commonName: 'kube-apiserver', issuer: ca, extensions: [...ofServer, serverNames] })
        .certificate,
    },
    [/apiserver\.key/],
    /back|move/,
  ),
  authority(
    'leaf whose CA is gone',
    { 'apiserver.crt': ca.certificate, 'apiserver.key': secret(ca.key) },
    [/apiserver\.crt/, /ca\.(crt|key)/],
    /back|move/,
  ),
];

interface ConfigParts {
  readonly server?: string;
  readonly authority?: string;
  readonly client?: string;
  readonly key?: string;
  readonly context?: string;
}

const admin = opensslPair({
  commonName: 'kubernetes-admin',
  organization: 'kubeadm:cluster-admins',
  issuer: ca,
  extensions: ofClient,
});
const stranger = opensslPair({ commonName: 'stranger', issuer: otherCa, extensions: ofClient });
const nobody = opensslPair({ commonName: 'nobody', issuer: ca, extensions: ofClient });

function kubeconfig({
  server = 'https://192.0.2.10:6443',
  authority = ca.certificate,
  client = admin.certificate,
  key = admin.key,
  context = 'kubernetes-admin@kubernetes',
}: ConfigParts): string {
  const data = (text: string) => Buffer.from(text).toString('base64');
  return `apiVersion: v1
kind: Config
clusters:
- name: kubernetes
  cluster: {certificate-authority-data: ${data(authority)}, server: '${server}'}
contexts:
- name: kubernetes-admin@kubernetes
  context: {cluster: kubernetes, user: kubernetes-admin}
current-context: ${context}
users:
- name: kubernetes-admin
  user: {client-certificate-data: ${data(client)}, client-key-data: ${data(key)}}
`;
}

/** An admin.conf that is there before, and what is wrong with it. */
function adminConf(name: string, content: InputFile, says: readonly RegExp[], mends: RegExp): BadInput {
  const put = Object.entries(pair(ca.certificate, ca.key)).map(([file, text]) => [`${pki}/${file}`, text]);
  return {
    name,
    files: { ...files, ...Object.fromEntries(put), '/etc/kubernetes/admin.conf': secret(content) },
    commands: [`init phase kubeconfig admin ${config}`, `init ${config}`],
    says: [/admin\.conf/, ...says],
    mends,
    code: 3,
  };
}

const good = kubeconfig({});
secrets satisfies readonly string[];
/** The keys as they stand in kubeconfigs. */
export const encodedSecrets: readonly string[] = [admin.key, stranger.key, nobody.key, ca.key].map((key) =>
  Buffer.from(key).toString('base64').slice(40, 80),
);

export const kubeconfigRows: readonly BadInput[] = [
  adminConf(
    'kubeconfig of another CA',
    kubeconfig({ authority: otherCa.certificate }),
    [/CA|authority/],
    /move|kubeconfig/,
  ),
  adminConf(
    'kubeconfig with a certificate of another CA',
    kubeconfig({ client: stranger.certificate, key: stranger.key }),
    [/trust|CA/],
    /move|signed/,
  ),
  adminConf('kubeconfig with the key of another certificate', kubeconfig({ key: nobody.key }), [/key/], /move|openssl/),
  adminConf('kubeconfig whose context is missing', kubeconfig({ context: 'frob' }), [/frob/], /get-contexts|move/),
  adminConf(
    'kubeconfig with data that are not base64',
    good.replace(/client-key-data: .{20}/, 'client-key-data: "!!!"'),
    [],
    /move|kubectl/,
  ),
  adminConf('kubeconfig that is no YAML', good.replace('clusters:', 'clusters: ['), [/YAML|line/], /move|Mend/),
  adminConf(
    'kubeconfig with a key outside of any field',
    good.replace('client-key-data: ', 'client-key-data: x\n"').replace(/\}\n$/, '"}\n'),
    [/line/],
    /move|Mend/,
  ),
  adminConf(
    'kubeconfig with a key as a number',
    good.replace('client-key-data: ', 'client-key-data: !!int '),
    [],
    /move|Mend/,
  ),
  adminConf('kubeconfig that is a list', '[]', [/mapping/], /move|Mend/),
  adminConf('empty kubeconfig', '', [/mapping|empty/], /move|Mend/),
  adminConf('binary kubeconfig', Uint8Array.from([0, 1, 2, 255]), [/UTF-8|control/], /move|Mend/),
  {
    ...adminConf('kubeconfig without a CA to sign it', '', [], /certs ca/),
    files,
    says: [/pki\/ca\.crt/],
    commands: [`init phase kubeconfig admin ${config}`],
  },
];

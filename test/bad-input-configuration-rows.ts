import { type BadInput, clusterDocument, configuration, type InputFile, initDocument } from './bad-input-row.ts';

const commands = ['init --config @/config.yaml', 'init phase certs ca --config @/config.yaml'];
const file = /config\.yaml/;

/** A configuration file that nobody can use. */
function document(name: string, content: InputFile, says: readonly RegExp[], mends: RegExp): BadInput {
  return { name, files: { 'config.yaml': content }, commands, says, mends, code: 2 };
}

/** A path that is given as configuration and is no such file. */
function path(name: string, prepare: string, says: readonly RegExp[], mends: RegExp): BadInput {
  return { name, prepare, commands, says: [file, ...says], mends, code: 2 };
}

const cluster = (fields: string) => `${initDocument}---\n${clusterDocument}${fields}\n`;
const init = (fields: string) => `${initDocument}${fields}\n---\n${clusterDocument}`;
const bytes = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));

const bomb = Array.from({ length: 9 }, (_, level) => {
  const inner = level === 0 ? 'frob' : `*a${level - 1}`;
  return `  a${level}: &a${level} [${Array(9).fill(inner).join(', ')}]`;
});
/** Merge keys of mappings that hold nothing but merge keys. */
const mergeBomb = Array.from({ length: 30 }, (_, level) => {
  const inner = level === 0 ? '' : `<<: [*m${level - 1}, *m${level - 1}]`;
  return `  a${level}: &m${level} {${inner}}`;
});

/** What is wrong with the file that `--config` names, as a file and as text. */
export const fileRows: readonly BadInput[] = [
  path('configuration is a folder', 'mkdir config.yaml', [/director/], /file/),
  path('configuration is a pipe that nobody writes to', 'mkfifo config.yaml', [/pipe|FIFO/i], /file|writ/),
  path(
    'configuration is a socket',
    `perl -MIO::Socket::UNIX -e 'IO::Socket::UNIX->new(Local => "config.yaml", Listen => 1)'`,
    [/socket|no such device/i],
    /file/,
  ),
  path('configuration is a loop of links', 'ln -s config.yaml other; ln -s other config.yaml', [/link/], /link/),
  path('configuration is a link to nothing', 'ln -s nowhere config.yaml', [/no such file|link/], /no such file|link/),
  path('configuration never ends', 'ln -s /dev/zero config.yaml', [/large|long|MiB/], /MiB|regular/),
  path(
    'configuration is huge',
    'head -c 80M /dev/zero | tr "\\0" "#" >config.yaml',
    [/large|MiB|empty/],
    /MiB|document/,
  ),
  {
    ...path(
      'configuration that may not be read',
      'echo x >config.yaml; chmod 000 config.yaml',
      [/permission/],
      /chmod|permission|root/,
    ),
    wrapper: ['setpriv', '--bounding-set=-dac_override,-dac_read_search'],
  },
  document('empty configuration', '', [/empty/], /kind InitConfiguration or ClusterConfiguration/),
  document('configuration of comments alone', '# nothing\n', [/kind/], /apiVersion/),
  document(
    'binary configuration',
    bytes('\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x03\0>'),
    [/control character|UTF-8|YAML/],
    /text|line 1/,
  ),
  document('configuration in Latin-1', bytes(cluster('clusterName: caf\xe9')), [/UTF-8/], /UTF-8/),
  document('configuration with a NUL', `${configuration}clusterName: "a\0b"\n`, [/control character/], /line/),
  document(
    'byte order mark in the middle',
    `${initDocument}---\n\ufeff\ufeff${clusterDocument}`,
    [/document 2|kind/],
    /line|apiVersion/,
  ),
  document('malformed YAML', cluster('apiServer: {extraArgs: ['), [/YAML document 2/], /line \d+/),
  document(
    'tab as indentation',
    `${initDocument}---\n${clusterDocument}networking:\n\tpodSubnet: 10.0.0.0/8\n`,
    [/YAML document 2.*tab/i],
    /line \d+/,
  ),
  document('unknown anchor', cluster('clusterName: *frob'), [/frob/], /line \d+/),
  document('aliases of aliases', cluster(`x:\n${bomb.join('\n')}`), [/alias/], /line \d+/),
  document('merge keys of merge keys', cluster(`x:\n${mergeBomb.join('\n')}`), [/alias/], /line \d+/),
  document('nested too deeply', cluster(`x: ${'['.repeat(20_000)}${']'.repeat(20_000)}`), [/nest|deep/], /line \d+/),
  document(
    'nested too deeply in braces',
    cluster(`x: ${'{a: '.repeat(20_000)}1${'}'.repeat(20_000)}`),
    [/nest|deep/],
    /line \d+/,
  ),
  document(
    'nested too deeply by indentation',
    cluster(`x:\n${Array.from({ length: 900 }, (_, depth) => `${' '.repeat(depth + 1)}- `).join('\n')}`),
    [/nest|deep/],
    /line \d+|field/,
  ),
  document(
    'number of a million digits',
    init(`  taints: []\nx: 1`).replace('x: 1', `nodeRegistration: ${'9'.repeat(1_000_000)}`),
    [/nodeRegistration/],
    /mapping/,
  ),
  document('separator with text', `${initDocument}--- frob\n${clusterDocument}`, [/separator.*frob/], /---/),
  document('JSON with a comma too many', '{"apiVersion": "kubeadm.k8s.io/v1beta4",}', [/JSON/], /comma/),
  document('a list', '- apiVersion: kubeadm.k8s.io/v1beta4\n', [/kind/], /apiVersion/),
  document('a text', 'hello\n', [/kind/], /apiVersion/),
];

/** What is wrong with the values of a configuration. */
export const documentRows: readonly BadInput[] = [
  document(
    'unknown API version',
    configuration.replaceAll('v1beta4', 'v1beta9'),
    [/kubeadm\.k8s\.io\/v1beta9/],
    /v1beta4/,
  ),
  document('API version that is gone', configuration.replaceAll('v1beta4', 'v1beta2'), [/v1beta2/], /migrate/),
  document(
    'API version of another group',
    configuration.replaceAll('kubeadm.k8s.io/v1beta4', 'apps/v1'),
    [/apps\/v1/],
    /kubeadm\.k8s\.io\/v1beta4/,
  ),
  document('no API version', 'kind: ClusterConfiguration\n', [/apiVersion ""/], /apiVersion: kubeadm/),
  document('no kind', 'apiVersion: kubeadm.k8s.io/v1beta4\n', [/kind ""/], /kind: ClusterConfiguration/),
  document(
    'unknown kind',
    'apiVersion: kubeadm.k8s.io/v1beta4\nkind: FrobConfiguration\n',
    [/FrobConfiguration/],
    /InitConfiguration or ClusterConfiguration/,
  ),
  document('a kind twice', `${configuration}---\n${clusterDocument}`, [/ClusterConfiguration/], /Merge/),
  document(
    'component configuration alone',
    'apiVersion: kubelet.config.k8s.io/v1beta1\nkind: KubeletConfiguration\n',
    [/KubeletConfiguration/],
    /InitConfiguration or ClusterConfiguration/,
  ),
  document(
    'unknown kind of a component group',
    `${configuration}---\napiVersion: kubelet.config.k8s.io/v1beta1\nkind: FrobConfiguration\n`,
    [/FrobConfiguration/],
    /KubeletConfiguration/,
  ),
  document(
    'unknown API version of the kubelet',
    `${configuration}---\napiVersion: kubelet.config.k8s.io/v9\nkind: KubeletConfiguration\n`,
    [/kubelet\.config\.k8s\.io\/v9/],
    /v1beta1/,
  ),
  document(
    'text where a list belongs',
    cluster('apiServer:\n  certSANs: frob'),
    [/apiServer\.certSANs.*"frob"/],
    /list/,
  ),
  document('list where a mapping belongs', cluster('networking: []'), [/networking/], /mapping/),
  document('number where a text belongs', cluster('clusterName: 5'), [/clusterName.*5/], /quotes/),
  document(
    'port that is none',
    configuration.replace('advertiseAddress', 'bindPort: 70000\n  advertiseAddress'),
    [/bindPort.*70000/],
    /65535/,
  ),
  document('duration without unit', cluster('certificateValidityPeriod: 5'), [/certificateValidityPeriod/], /1h30m/),
  document('algorithm', configuration.replace('ECDSA-P256', 'DSA-512'), [/encryptionAlgorithm.*DSA-512/], /RSA-2048/),
  document(
    'impossible service subnet',
    cluster('networking:\n  serviceSubnet: 10.96.0.0/99'),
    [/networking\.serviceSubnet.*10\.96\.0\.0\/99/],
    /CIDR/,
  ),
  document('impossible pod subnet', cluster('networking:\n  podSubnet: frob'), [/networking\.podSubnet.*frob/], /CIDR/),
  document(
    'SAN that is neither IP nor DNS',
    cluster('apiServer:\n  certSANs: ["ok.example", "not a name"]'),
    [/apiServer\.certSANs.*not a name/],
    /IP|DNS/,
  ),
  document(
    'SAN of etcd',
    cluster('etcd:\n  local:\n    serverCertSANs: ["a/b"]'),
    [/etcd\.local\.serverCertSANs.*a\/b/],
    /IP|DNS/,
  ),
  document('relative folder of certificates', cluster('certificatesDir: pki'), [/certificatesDir.*pki/], /absolute/),
  document(
    'etcd local and external',
    cluster('etcd:\n  local: {}\n  external:\n    endpoints: [https://192.0.2.1:2379]'),
    [/etcd/],
    /local.*external|external.*local|one of/,
  ),
  document(
    'external etcd without TLS files',
    cluster('etcd:\n  external:\n    endpoints: ["frob"]'),
    [/etcd\.external/],
    /https?|URL/,
  ),
  document(
    'argument without a name',
    cluster('apiServer:\n  extraArgs:\n  - value: x'),
    [/apiServer\.extraArgs/],
    /name|empty/,
  ),
  document('bootstrap token', init('bootstrapTokens:\n- token: nonsense'), [/bootstrapTokens\[0\]\.token/], /a-z0-9/),
  document('certificate key', init('certificateKey: frob'), [/certificateKey/], /hex/),
  document(
    'pull policy',
    initDocument.replace('  name: node-a', '  name: node-a\n  imagePullPolicy: Frob'),
    [/imagePullPolicy.*Frob/],
    /IfNotPresent/,
  ),
  // For a single phase the list does not count, as for kubeadm.
  {
    ...document('unknown phase to skip', init('skipPhases: [frob]'), [/frob/], /certs\/ca/),
    commands: ['init --config=@/config.yaml'],
  },
];

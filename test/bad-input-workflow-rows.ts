import type { BadInput } from './bad-input-row.ts';

const token = 'abcdef.0123456789abcdef';
const unpinned = '--discovery-token-unsafe-skip-ca-verification';
const usage = { code: 2 } as const;
const refusedHere = { code: 3 } as const;

/** The same for the whole `join` and for a phase of its that discovers. */
function joining(name: string, words: string, says: readonly RegExp[], mends: RegExp): BadInput {
  return { name, commands: [`join ${words}`, `join phase kubelet-start ${words}`], says, mends, ...usage };
}

const discoveryDocument = (discovery: string): string =>
  `apiVersion: kubeadm.k8s.io/v1beta4\nkind: JoinConfiguration\ndiscovery: ${discovery}\n`;

/** What is wrong with a call of `join`, found before any server is asked. */
export const joinRows: readonly BadInput[] = [
  joining('token', `192.0.2.10:6443 --token=frob ${unpinned}`, [/token/], /\[a-z0-9\]\{6\}/),
  joining(
    'token for the kubelet',
    `192.0.2.10:6443 --token=${token} --tls-bootstrap-token=frob ${unpinned}`,
    [/tlsBootstrapToken/],
    /\[a-z0-9\]\{6\}/,
  ),
  joining('endpoint without a port', `192.0.2.10 --token=${token} ${unpinned}`, [/"192\.0\.2\.10"/], /port/),
  joining('endpoint that is a URL', `https://a:6443 --token=${token} ${unpinned}`, [/https:\/\/a:6443/], /host|port/),
  joining('no pin', `192.0.2.10:6443 --token=${token}`, [/caCertHashes/], /unsafeSkipCAVerification/),
  joining(
    'pin of another hash',
    `192.0.2.10:6443 --token=${token} --discovery-token-ca-cert-hash=md5:abcd`,
    [/md5/],
    /sha256/,
  ),
  joining(
    'pin of another length',
    `192.0.2.10:6443 --token=${token} --discovery-token-ca-cert-hash=sha256:abcd`,
    [/sha256:abcd/],
    /64|32|openssl|sha256:/,
  ),
  joining('no discovery', `--token=${token}`, [/bootstrapToken or file must be set/], /endpoint/),
  joining(
    'both kinds of discovery',
    `192.0.2.10:6443 --token=${token} ${unpinned} --discovery-file=https://a/b`,
    [/cannot both be set/],
    /bootstrapToken and file/,
  ),
  joining('discovery file that is not there', '--discovery-file=@/none.conf', [/none\.conf/], /file on disk|no such/),
  joining('discovery by HTTP', '--discovery-file=http://a/b', [/http:\/\/a\/b/], /https/),
  {
    ...joining('discovery file that is no kubeconfig', '--discovery-file=@/d.conf', [/d\.conf/], /kubeconfig/),
    files: { 'd.conf': 'kind: Frob\n' },
    ...refusedHere,
  },
  {
    ...joining('discovery file without a cluster', '--discovery-file=@/d.conf', [/d\.conf/], /cluster/),
    files: { 'd.conf': 'apiVersion: v1\nkind: Config\nclusters: []\n' },
    ...refusedHere,
  },
  joining('node name', `192.0.2.10:6443 --token=${token} ${unpinned} --node-name=Frob_1`, [/frob_1/i], /RFC 1123|DNS/),
  joining('two endpoints', 'a:1 b:2', [/at most 1 arg/], /api-server-endpoint/),
  {
    name: 'node of the control plane',
    commands: [
      `join 192.0.2.10:6443 --token=${token} ${unpinned} --control-plane`,
      'join phase control-plane-join all',
    ],
    says: [/control[ -]plane|workers only/],
    mends: /worker/,
    ...usage,
  },
  {
    name: 'phase of kubeadm that is not here',
    commands: ['join phase etcd-join', 'join phase control-plane-prepare certs'],
    says: [/join phase (etcd-join|control-plane-prepare certs)/],
    mends: /worker/,
    ...usage,
  },
  {
    name: 'unknown phase of join or reset',
    commands: ['join phase frob', 'reset phase frob'],
    says: [/unknown command "frob"/],
    mends: /--help|Did you mean/,
    ...usage,
  },
  {
    name: 'unknown phase to skip',
    commands: [
      `join 192.0.2.10:6443 --token=${token} ${unpinned} --skip-phases=frob`,
      'reset --force --skip-phases=frob',
    ],
    says: [/invalid phase name: frob/],
    mends: /preflight/,
    ...usage,
  },
  {
    name: 'flags beside a configuration of join or reset',
    commands: [`join --config=@/none.yaml --token=${token}`, 'reset --config=@/none.yaml --force'],
    says: [/can not mix '--config' with arguments \[(token|force)\]/],
    mends: /configuration file/,
    ...usage,
  },
  {
    name: 'configuration of another kind',
    files: { 'c.yaml': 'apiVersion: kubeadm.k8s.io/v1beta4\nkind: ClusterConfiguration\n' },
    commands: ['join --config=@/c.yaml', 'reset --config=@/c.yaml'],
    says: [/c\.yaml/, /no (Join|Reset)Configuration found/],
    mends: /Give a document of kind/,
    ...usage,
  },
  {
    name: 'configuration without discovery',
    files: { 'c.yaml': discoveryDocument('{}') },
    commands: ['join --config=@/c.yaml', 'join phase preflight --config=@/c.yaml'],
    says: [/discovery/],
    mends: /bootstrapToken or file must be set/,
    ...usage,
  },
  {
    name: 'token of digits that YAML takes for a number',
    files: {
      'c.yaml': discoveryDocument('{bootstrapToken: {token: 123456.1234567890123456, apiServerEndpoint: "a:1"}}'),
    },
    commands: ['join --config=@/c.yaml', 'join phase kubelet-start --config=@/c.yaml'],
    says: [/discovery\.bootstrapToken\.token/],
    mends: /string|quotes|text/,
    ...usage,
  },
];

/** What is wrong with a call of `reset`. */
export const resetRows: readonly BadInput[] = [
  {
    name: 'reset that nobody agrees to',
    tree: 'whole',
    commands: ['reset', 'reset phase preflight'],
    says: [/Are you sure you want to proceed\? \[y\/N\]/, /won't proceed/],
    mends: /--force/,
    ...refusedHere,
  },
  {
    name: 'folder of certificates that is relative',
    tree: 'whole',
    commands: ['reset --force --cert-dir=pki', 'reset phase cleanup-node --cert-dir=pki'],
    says: [/certificatesDir.*pki/],
    mends: /absolute/,
    ...usage,
  },
  {
    name: 'folder of certificates that is the system',
    tree: 'whole',
    commands: ['reset --force --cert-dir=/', 'reset phase cleanup-node --cert-dir=/usr/..'],
    says: [/directory of the system/],
    mends: /--cert-dir/,
    ...refusedHere,
  },
];

/** What is wrong with a call of a command about tokens, found before a cluster is asked. */
export const tokenRows: readonly BadInput[] = [
  {
    name: 'token to create',
    commands: ['token create frob', 'token create abcdef.0123456789abcde'],
    says: [/Cannot use the token/],
    mends: /\[a-z0-9\]\{6\}/,
    ...usage,
  },
  {
    name: 'usage and group of a token',
    commands: ['token create --usages=frob', 'token create --groups=frob'],
    says: [/frob/],
    mends: /signing|system:bootstrappers/,
    ...usage,
  },
  {
    name: 'certificate key without the join command',
    commands: ['token create --certificate-key=ab', `token create ${token} --certificate-key=ab`],
    says: [/--certificate-key/],
    mends: /--print-join-command/,
    ...usage,
  },
  {
    name: 'no token, or none among those to delete',
    commands: ['token delete', `token delete ${token} frob`],
    says: [/missing argument|argument 2/],
    mends: /\[a-z0-9\]\{6\}/,
    ...usage,
  },
  {
    name: 'kubeconfig that is not there',
    commands: ['token list --kubeconfig=@/none.conf', 'token create --kubeconfig=@/none.conf'],
    says: [/none\.conf/],
    mends: /no such file/,
    ...usage,
  },
  {
    name: 'kubeconfig nowhere',
    commands: ['token list', 'token delete abcdef'],
    says: [/failed to load admin kubeconfig/],
    mends: /--kubeconfig/,
    ...usage,
  },
  {
    name: 'output format of tokens',
    commands: ['token list -o xml', 'token list -o go-template={{'],
    says: [/could not construct output printer/],
    mends: /allowed formats|error parsing/,
    ...usage,
  },
];

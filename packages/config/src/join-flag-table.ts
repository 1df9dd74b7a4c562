import { type Flag, type FlagRow, flagTable } from './flag.ts';

const join = (path: string) => ({ document: 'join', path }) as const;
const run = (path: string) => ({ document: 'run', path }) as const;

/** kubeadm, cmd/join.go: the flags of join and of its phases. */
const rows = [
  {
    name: 'apiserver-advertise-address',
    type: 'string',
    help: 'With --control-plane: IP address that the API server of this node announces. Detected from the default route if not given.',
    target: join('controlPlane.localAPIEndpoint.advertiseAddress'),
  },
  {
    name: 'apiserver-bind-port',
    type: 'int',
    default: 6443,
    help: 'With --control-plane: port that the API server of this node listens on.',
    target: join('controlPlane.localAPIEndpoint.bindPort'),
  },
  {
    name: 'certificate-key',
    type: 'string',
    help: 'With --control-plane: key that decrypts the certificates which init uploaded: 32 bytes in hexadecimal.',
    target: join('controlPlane.certificateKey'),
  },
  { name: 'config', type: 'string', help: 'Configuration file in YAML or JSON.' },
  { name: 'control-plane', type: 'bool', help: 'Make this node one more of the control plane.' },
  {
    name: 'cri-socket',
    type: 'string',
    help: 'Socket of the container runtime. Needed only if more than one runtime is installed or the socket is unusual.',
    target: join('nodeRegistration.criSocket'),
  },
  {
    name: 'discovery-file',
    type: 'string',
    help: 'Kubeconfig file, or an HTTPS URL of one, that says where the cluster is and what its CA is.',
    target: join('discovery.file.kubeConfigPath'),
  },
  {
    name: 'discovery-token',
    type: 'string',
    help: "Token by which the cluster's own information is verified.",
    target: join('discovery.bootstrapToken.token'),
  },
  {
    name: 'discovery-token-ca-cert-hash',
    type: 'stringSlice',
    help: "Pin of the cluster's CA, sha256: and the hash of its public key in hexadecimal; may repeat, one must match.",
    target: join('discovery.bootstrapToken.caCertHashes'),
  },
  {
    name: 'discovery-token-unsafe-skip-ca-verification',
    type: 'bool',
    help: 'Do without a pin of the CA. Whoever holds a token can then pass for the cluster.',
    target: join('discovery.bootstrapToken.unsafeSkipCAVerification'),
  },
  { name: 'dry-run', type: 'bool', help: 'Change nothing; print what would be done.', target: run('dryRun') },
  {
    name: 'ignore-preflight-errors',
    type: 'stringSlice',
    help: "Checks whose errors count as warnings, for instance Swap,NumCPU; 'all' for every check.",
    target: run('ignorePreflightErrors'),
  },
  {
    name: 'node-name',
    type: 'string',
    help: 'Name of this node. The host name if not given.',
    target: join('nodeRegistration.name'),
  },
  {
    name: 'patches',
    type: 'string',
    help: 'Folder of patches named target[suffix][+type].extension, for instance kubeletconfiguration0+merge.yaml.',
    target: run('patchesDirectory'),
  },
  { name: 'skip-phases', type: 'stringSlice', help: 'Phases to leave out.', target: run('skipPhases') },
  {
    name: 'tls-bootstrap-token',
    type: 'string',
    help: "Token by which the kubelet asks for the node's certificate.",
    target: join('discovery.tlsBootstrapToken'),
  },
  // Fills what is not given of two fields, so that it has no target of its own.
  {
    name: 'token',
    type: 'string',
    help: 'Token for both --discovery-token and --tls-bootstrap-token, where they are not given.',
  },
] as const satisfies readonly FlagRow[];

/** The flags of `join` and its phases, sorted by name. Which command takes which is in {@link joinCommands}. */
export const joinFlags: readonly Flag[] = flagTable(rows);

/** Those that mean something on control plane nodes only. */
export const controlPlaneFlags: readonly string[] = joinFlags
  .filter(({ target }) => target?.path.startsWith('controlPlane.'))
  .map(({ name }) => name);

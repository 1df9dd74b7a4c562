import { featureGates } from './feature-gates.ts';
import { type Flag, type FlagRow, flagTable } from './flag.ts';

const init = (path: string) => ({ document: 'init', path }) as const;
const cluster = (path: string) => ({ document: 'cluster', path }) as const;
const run = (path: string) => ({ document: 'run', path }) as const;
const replaced = (path: string) => `use ClusterConfiguration.${path} in a file given by --config`;

/** kubeadm, cmd/init.go and cmd/options: the flags of init and of its phases. */
const rows = [
  {
    name: 'apiserver-advertise-address',
    type: 'string',
    help: 'IP address that the API server announces to the cluster. Detected from the default route if not given.',
    target: init('localAPIEndpoint.advertiseAddress'),
  },
  {
    name: 'apiserver-bind-port',
    type: 'int',
    default: 6443,
    help: 'Port that the API server listens on.',
    target: init('localAPIEndpoint.bindPort'),
  },
  {
    name: 'apiserver-cert-extra-sans',
    type: 'stringSlice',
    help: 'More IP addresses and DNS names for the certificate of the API server, separated by commas.',
    target: cluster('apiServer.certSANs'),
  },
  {
    name: 'apiserver-extra-args',
    type: 'stringSlice',
    help: 'Arguments for the API server, each of the form name=value.',
    target: cluster('apiServer.extraArgs'),
    deprecated: replaced('apiServer.extraArgs'),
  },
  {
    name: 'cert-dir',
    type: 'string',
    default: '/etc/kubernetes/pki',
    help: 'Folder that holds the certificates and keys.',
    target: cluster('certificatesDir'),
  },
  {
    name: 'certificate-key',
    type: 'string',
    help: 'Key that encrypts the certificates in the Secret kubeadm-certs: 32 bytes in hexadecimal.',
    target: init('certificateKey'),
  },
  { name: 'config', type: 'string', help: 'Configuration file in YAML or JSON.' },
  {
    name: 'control-plane-endpoint',
    type: 'string',
    help: 'Stable IP address or DNS name of the control plane, with or without a port.',
    target: cluster('controlPlaneEndpoint'),
  },
  {
    name: 'controller-manager-extra-args',
    type: 'stringSlice',
    help: 'Arguments for the controller manager, each of the form name=value.',
    target: cluster('controllerManager.extraArgs'),
    deprecated: replaced('controllerManager.extraArgs'),
  },
  {
    name: 'cri-socket',
    type: 'string',
    help: 'Socket of the container runtime. Needed only if more than one runtime is installed or the socket is unusual.',
    target: init('nodeRegistration.criSocket'),
  },
  {
    name: 'dry-run',
    type: 'bool',
    help: 'Change nothing; print what would be done.',
    target: run('dryRun'),
  },
  {
    name: 'feature-gates',
    type: 'string',
    help: `Pairs name=true or name=false separated by commas. Known: ${Object.keys(featureGates).join(', ')}.`,
    target: cluster('featureGates'),
  },
  {
    name: 'ignore-preflight-errors',
    type: 'stringSlice',
    help: "Checks whose errors count as warnings, for instance Swap,NumCPU; 'all' for every check.",
    target: run('ignorePreflightErrors'),
  },
  {
    name: 'image-repository',
    type: 'string',
    default: 'registry.k8s.io',
    help: 'Registry and path to pull the control plane images from.',
    target: cluster('imageRepository'),
  },
  {
    name: 'kubeconfig',
    type: 'string',
    default: '/etc/kubernetes/admin.conf',
    help: 'Kubeconfig file to reach the cluster with.',
    target: run('kubeconfig'),
  },
  {
    name: 'kubeconfig-dir',
    type: 'string',
    default: '/etc/kubernetes',
    help: 'Folder to write the kubeconfig files to.',
    target: run('kubeconfigDir'),
  },
  {
    name: 'kubernetes-version',
    type: 'string',
    default: 'stable-1',
    help: 'Kubernetes version of the control plane.',
    target: cluster('kubernetesVersion'),
  },
  {
    name: 'node-name',
    type: 'string',
    help: 'Name of this node. The host name if not given.',
    target: init('nodeRegistration.name'),
  },
  {
    name: 'patches',
    type: 'string',
    help: 'Folder of patches named target[suffix][+type].extension, for instance kube-apiserver0+merge.yaml.',
    target: run('patchesDirectory'),
  },
  {
    name: 'pod-network-cidr',
    type: 'string',
    help: 'Address range for pods, from which every node gets its part.',
    target: cluster('networking.podSubnet'),
  },
  {
    name: 'print-manifest',
    type: 'bool',
    help: 'Print the manifests of the addon and apply nothing.',
    target: run('printManifest'),
  },
  {
    name: 'scheduler-extra-args',
    type: 'stringSlice',
    help: 'Arguments for the scheduler, each of the form name=value.',
    target: cluster('scheduler.extraArgs'),
    deprecated: replaced('scheduler.extraArgs'),
  },
  {
    name: 'service-cidr',
    type: 'string',
    default: '10.96.0.0/12',
    help: 'Address range for Services.',
    target: cluster('networking.serviceSubnet'),
  },
  {
    name: 'service-dns-domain',
    type: 'string',
    default: 'cluster.local',
    help: 'DNS domain of the Services.',
    target: cluster('networking.dnsDomain'),
  },
  {
    name: 'skip-certificate-key-print',
    type: 'bool',
    help: 'Do not print the key that encrypts the uploaded certificates.',
    target: run('skipCertificateKeyPrint'),
  },
  { name: 'skip-phases', type: 'stringSlice', help: 'Phases to leave out.', target: run('skipPhases') },
  { name: 'skip-token-print', type: 'bool', help: 'Do not print the bootstrap token.', target: run('skipTokenPrint') },
  {
    name: 'token',
    type: 'string',
    help: 'Bootstrap token for nodes that join, of the form [a-z0-9]{6}.[a-z0-9]{16}. Random if not given.',
    target: init('bootstrapTokens[0].token'),
  },
  {
    name: 'token-ttl',
    type: 'duration',
    default: '24h0m0s',
    help: 'How long the bootstrap token is valid, for instance 2h30m; 0 for ever.',
    target: init('bootstrapTokens[0].ttl'),
  },
  {
    name: 'upload-certs',
    type: 'bool',
    help: 'Upload the control plane certificates, encrypted, to the Secret kubeadm-certs.',
    target: run('uploadCerts'),
  },
] as const satisfies readonly FlagRow[];

export type InitFlagName = (typeof rows)[number]['name'];

/** The flags of `init` and its phases, sorted by name. Which command takes which is in {@link initCommands}. */
export const initFlags: readonly Flag[] = flagTable(rows);

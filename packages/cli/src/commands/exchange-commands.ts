import type { CommandRow, FlagRow } from '../arguments/flag-row.ts';
import { outputFlag } from './output-flags.ts';

const certDir: FlagRow = {
  name: 'cert-dir',
  type: 'string',
  summary: 'Folder of the certificates; without it that of the configuration',
};
const config: FlagRow = {
  name: 'config',
  type: 'string',
  summary: 'Configuration file that says which certificates the node needs; without it the defaults count',
};
const kubeconfigDir: FlagRow = {
  name: 'kubeconfig-dir',
  type: 'string',
  default: '/etc/kubernetes',
  summary: 'Folder of the kubeconfig files',
};
const workflow: FlagRow = {
  name: 'workflow',
  type: 'string',
  choices: ['init', 'join'],
  default: 'init',
  summary: 'What the node is made by: with join it is a worker, which needs its kubelet.conf alone',
};
const authorities: FlagRow = {
  name: 'authorities',
  type: 'strings',
  summary:
    'CAs whose keys are kept elsewhere: ca, front-proxy-ca, etcd-ca; without it those whose certificate is here without its key, or all where there is none',
};

/** Commands by which certificates come from a CA whose key is kept elsewhere. */
export const exchangeCommands: readonly CommandRow[] = [
  {
    path: ['certs', 'generate-csr'],
    summary: 'Generate keys and certificate signing requests',
    flags: [certDir, config, kubeconfigDir, outputFlag],
    kind: 'run',
  },
  {
    path: ['certs', 'import'],
    summary: 'Put what CAs sent back in place: certificates, bundles, chains and PKCS#7, each held to its request',
    argument: { usage: 'FILE… | -' },
    flags: [
      authorities,
      {
        name: 'authority',
        type: 'arguments',
        summary:
          'File whose first certificate is that of a CA of this node: ca=FILE, front-proxy-ca=FILE, etcd-ca=FILE',
      },
      certDir,
      config,
      { name: 'dry-run', type: 'bool', summary: 'Judge everything and write nothing' },
      kubeconfigDir,
      {
        name: 'min-validity',
        type: 'duration',
        summary:
          'How long certificates have to be valid at least; without it as long as was asked for, less a hundredth',
      },
      outputFlag,
      workflow,
    ],
    kind: 'run',
  },
  {
    path: ['certs', 'requests'],
    argument: { usage: '[HOST:PORT]', maximum: 1 },
    summary:
      'Make keys, which stay here, and signing requests for what this node needs from CAs whose keys are kept elsewhere',
    flags: [
      authorities,
      certDir,
      config,
      { name: 'dry-run', type: 'bool', summary: 'List what is needed, and make nothing' },
      kubeconfigDir,
      {
        name: 'output-dir',
        type: 'string',
        summary: 'Folder for the signing requests; without it each is beside its key',
      },
      outputFlag,
      workflow,
    ],
    kind: 'run',
  },
];

import type { CommandRow, FlagRow } from '../arguments/flag-row.ts';
import { objectFlags, outputFlag } from './output-flags.ts';
import { signerCommandFlag } from './signer-flag.ts';

const text = (name: string, summary: string, more: Partial<FlagRow> = {}): FlagRow => ({
  name,
  type: 'string',
  summary,
  ...more,
});

/** Commands that look at certificates and make credentials (kubeadm: cmd/certs.go, cmd/kubeconfig.go). */
export const certificateCommands: readonly CommandRow[] = [
  {
    path: ['certs'],
    summary: 'Look at the certificates of this node',
    aliases: ['certificates'],
    flags: [],
    kind: 'group',
  },
  {
    path: ['certs', 'check-expiration'],
    summary: 'List when the certificates of this control-plane node expire',
    flags: [
      text('cert-dir', 'Folder of the certificates; without it that of the cluster or of the node', {
        default: '/etc/kubernetes/pki',
      }),
      text('config', 'Configuration file that says where the certificates are; without it the cluster is asked'),
      text('kubeconfig', 'Kubeconfig file to ask the cluster with', { default: '/etc/kubernetes/admin.conf' }),
      ...objectFlags,
    ],
    kind: 'run',
  },
  {
    path: ['certs', 'report'],
    summary:
      'Show every certificate of this node: who signed and who uses it, its names and validity, and what is wrong with it',
    flags: [
      text('cert-dir', 'Folder of the certificates; without it that of the configuration'),
      text(
        'config',
        'Configuration file that it is judged by; without it what the cluster keeps, or what is on the node',
      ),
      text('html', 'File to write a page for a browser to; it needs nothing beside it'),
      outputFlag,
    ],
    kind: 'run',
  },
  { path: ['kubeconfig'], summary: 'Make kubeconfig files', flags: [], kind: 'help' },
  {
    path: ['kubeconfig', 'user'],
    summary: 'Print a kubeconfig for one more user of the cluster',
    flags: [
      text('client-name', 'Name of the user, and common name of its certificate; mandatory'),
      text('config', 'Configuration file that says which cluster it is; without it the defaults count'),
      { name: 'org', type: 'strings', summary: 'Groups of the user, the organizations of its certificate' },
      outputFlag,
      signerCommandFlag,
      text('token', 'Token with which the user authenticates, in place of a certificate'),
      {
        name: 'validity-period',
        type: 'duration',
        default: '8760h0m0s',
        summary: 'How long the certificate is valid, from now on',
      },
    ],
    kind: 'run',
  },
];

import type { CommandRow } from '../arguments/flag-row.ts';
import { outputFlag } from './output-flags.ts';
import { signerCommandFlag } from './signer-flag.ts';

/** Commands for clusters whose controller manager has no key to sign with. */
export const kubeletRequestCommands: readonly CommandRow[] = [
  {
    path: ['certs', 'sign-kubelet-requests'],
    summary:
      'Sign the requests of kubelets that wait in the cluster, all or those that are named, each held to who asks, its names and usages',
    argument: { usage: '[REQUEST]…' },
    flags: [
      {
        name: 'approve',
        type: 'bool',
        summary:
          'Approve those that nobody has decided about and nothing speaks against; of servers nobody else does. Needs the verb approve on the signers and patch on certificatesigningrequests/approval',
      },
      {
        name: 'cert-dir',
        type: 'string',
        summary: 'Folder with ca.crt, and ca.key if it is here; without it that of the configuration',
      },
      {
        name: 'config',
        type: 'string',
        summary: 'Configuration file that says where the CA is and who signs; without it the defaults count',
      },
      {
        name: 'kubeconfig',
        type: 'string',
        default: '/etc/kubernetes/admin.conf',
        summary:
          'Kubeconfig file to reach the cluster with; otherwise the first that is there of KUBECONFIG, or of ~/.kube/config, and of /etc/kubernetes/admin.conf. Its user needs get, list and watch on certificatesigningrequests, patch on certificatesigningrequests/status, the verb sign on the signers and get on nodes',
      },
      outputFlag,
      signerCommandFlag,
      { name: 'timeout', type: 'duration', summary: 'With --watch: how long it goes on; without it until a signal' },
      {
        name: 'watch',
        type: 'bool',
        summary:
          'Go on, and sign requests as they come; what is left is told once and looked at again from time to time',
      },
    ],
    kind: 'run',
  },
];
